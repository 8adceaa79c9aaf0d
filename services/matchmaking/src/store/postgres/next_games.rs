//! Games that follow a finished one, in PostgreSQL: one statement, whose parts copy rows from rows.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

use super::PostgresStore;
use super::rows::{self, GameSeat};
use crate::error::Result;
use crate::game::Game;
use crate::next_games::{Following, NextGame};
use crate::store::next_games::NextGameStore;

/// What refers to the row of the game is checked at the end of the statement.
const CREATE: &str = "
    WITH created AS (
        INSERT INTO games (game_id, game, version, variant, options, seats, kind_hash, origin, status, opener,
                           first_seat, series_id, change, settled, created_at, changed_at, time_control, best_of)
        SELECT $1, game, version, variant, options, seats, kind_hash, 'rematch', 'full', opener,
               $3, $4, 1, 0, $5, $5, time_control, best_of
        FROM games WHERE game_id = $2 AND status = 'full' ON CONFLICT DO NOTHING RETURNING *),
    seated AS (
        INSERT INTO game_players (game_id, seat, participant, account_id, robot_level, change)
        SELECT created.game_id, seat, participant, account_id, robot_level, 1
        FROM created, game_players WHERE game_players.game_id = $2 RETURNING *),
    followed AS (
        INSERT INTO next_games (game_id, follows, series, listed)
        SELECT created.game_id, $2, $6, COALESCE(next_games.listed, games.origin <> 'friends')
        FROM created, games LEFT JOIN next_games ON next_games.game_id = games.game_id
        WHERE games.game_id = $2 RETURNING listed)
    SELECT created.game_id, game, version, variant, options, seats, origin, status, opener, first_seat,
           series_id, created.change, settled, created_at,
           seat, participant, account_id, robot_level, seated.change, time_control, away, best_of, listed
    FROM created, seated, followed ORDER BY seat";

/// A seat of a next game that was just created, and whether everyone may find that.
struct NextSeat(GameSeat, bool);

impl FromRow<'_, PgRow> for NextSeat {
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self(GameSeat::from_row(row)?, row.try_get(22)?))
    }
}

#[async_trait]
impl NextGameStore for PostgresStore {
    async fn create_next(&self, next: &NextGame, at: Timestamp) -> Result<Option<(Game, Following)>> {
        let create = || async {
            let query = sqlx::query_as::<_, NextSeat>(CREATE)
                .bind(next.id)
                .bind(next.follows)
                .bind(i16::from(next.first_seat))
                .bind(next.series_id)
                .bind(at)
                .bind(&next.series);
            self.0.rows(query).await
        };
        let seats = self.0.retry(create).await?;
        let listed = seats.first().is_some_and(|NextSeat(_, listed)| *listed);
        let game = rows::games(seats.into_iter().map(|NextSeat(seat, _)| seat).collect())?.pop();
        Ok(game.map(|game| (game, Following { follows: next.follows, series: next.series.clone(), listed })))
    }

    async fn following(&self, game: TableId) -> Result<Option<Following>> {
        let found = sqlx::query_as("SELECT follows, series, listed FROM next_games WHERE game_id = $1");
        let found: Option<(TableId, String, bool)> = self.0.rows(found.bind(game)).await?.pop();
        Ok(found.map(|(follows, series, listed)| Following { follows, series, listed }))
    }

    async fn have_begun(&self, accounts: &[AccountId], since: Timestamp) -> Result<bool> {
        let accounts: Vec<Uuid> = accounts.iter().map(|account| account.0).collect();
        let begun = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM game_players AS player JOIN games USING (game_id)
             WHERE player.account_id = ANY ($1) AND robot_level = 0 AND changed_at > $2
             AND (created_at > $2 OR player.change > 1))",
        );
        let begun: Vec<(bool,)> = self.0.rows(begun.bind(accounts).bind(since)).await?;
        Ok(begun.first().is_some_and(|(begun,)| *begun))
    }
}
