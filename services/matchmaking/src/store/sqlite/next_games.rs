//! Games that follow a finished one, in SQLite: rows that are copied from rows.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;

use super::SqliteStore;
use crate::error::Result;
use crate::game::Game;
use crate::next_games::{Following, NextGame};
use crate::store::MatchmakingStore;
use crate::store::next_games::NextGameStore;

const GAME: &str = "
    INSERT INTO games (game_id, game, version, variant, options, seats, kind_hash, origin, status, opener,
                       first_seat, series_id, change, settled, created_at, changed_at, time_control, best_of)
    SELECT $1, game, version, variant, options, seats, kind_hash, 'rematch', 'full', opener,
           $3, $4, 1, 0, $5, $5, time_control, best_of
    FROM games WHERE game_id = $2 AND status = 'full' ON CONFLICT DO NOTHING";

const PLAYERS: &str = "
    INSERT INTO game_players (game_id, seat, participant, account_id, robot_level, change)
    SELECT $1, seat, participant, account_id, robot_level, 1 FROM game_players WHERE game_id = $2";

const FOLLOWING: &str = "
    INSERT INTO next_games (game_id, follows, series, listed)
    SELECT $1, $2, $3, COALESCE(next_games.listed, games.origin <> 'friends')
    FROM games LEFT JOIN next_games USING (game_id) WHERE games.game_id = $2";

#[async_trait]
impl NextGameStore for SqliteStore {
    async fn create_next(&self, next: &[NextGame], at: Timestamp) -> Result<Vec<(Game, Following)>> {
        let mut created = Vec::new();
        let mut transaction = self.0.begin().await?;
        for next in next {
            let game = sqlx::query(GAME)
                .bind(next.id)
                .bind(next.follows)
                .bind(next.first_seat)
                .bind(next.series_id)
                .bind(at.timestamp_micros());
            if game.execute(&mut *transaction).await?.rows_affected() == 0 {
                continue;
            }
            sqlx::query(PLAYERS).bind(next.id).bind(next.follows).execute(&mut *transaction).await?;
            let following = sqlx::query(FOLLOWING).bind(next.id).bind(next.follows).bind(&next.series);
            following.execute(&mut *transaction).await?;
            created.push(next.id);
        }
        transaction.commit().await?;
        let mut games = Vec::with_capacity(created.len());
        for id in created {
            games.extend(self.game(id).await?.zip(self.following(id).await?));
        }
        Ok(games)
    }

    async fn following(&self, game: TableId) -> Result<Option<Following>> {
        let found = sqlx::query_as("SELECT follows, series, listed FROM next_games WHERE game_id = $1");
        let found: Option<(TableId, String, bool)> = found.bind(game).fetch_optional(self.0.reader()).await?;
        Ok(found.map(|(follows, series, listed)| Following { follows, series, listed }))
    }

    async fn have_begun(&self, accounts: &[AccountId], since: Timestamp) -> Result<bool> {
        for account in accounts {
            let begun = sqlx::query_scalar(
                "SELECT EXISTS (
                     SELECT 1 FROM (
                         SELECT game_id, change FROM game_players
                         WHERE account_id = $1 AND robot_level = 0 ORDER BY game_id DESC LIMIT 256) AS player
                     CROSS JOIN games USING (game_id)
                     WHERE changed_at > $2 AND (created_at > $2 OR player.change > 1))",
            );
            let begun = begun.bind(account).bind(since.timestamp_micros());
            if begun.fetch_one(self.0.reader()).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
