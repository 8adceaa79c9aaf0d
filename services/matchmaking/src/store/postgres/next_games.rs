//! Games that follow finished ones, in PostgreSQL: one statement, whose parts copy rows from rows.

use std::collections::HashMap;

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

/// What refers to the row of a game is checked at the end of the statement.
const CREATE: &str = "
    WITH asked AS (
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::uuid[], $5::text[])
            AS asked (next, follows, first, series_id, series)),
    created AS (
        INSERT INTO games (game_id, game, version, variant, options, seats, kind_hash, origin, status, opener,
                           first_seat, series_id, change, settled, created_at, changed_at, time_control, best_of)
        SELECT next, game, version, variant, options, seats, kind_hash, 'rematch', 'full', opener,
               first, asked.series_id, 1, 0, $6, $6, time_control, best_of
        FROM asked
        CROSS JOIN LATERAL (SELECT * FROM games WHERE game_id = follows AND status = 'full' OFFSET 0) AS before
        ORDER BY next
        ON CONFLICT DO NOTHING RETURNING *),
    seated AS (
        INSERT INTO game_players (game_id, seat, participant, account_id, robot_level, change)
        SELECT next, seat, participant, account_id, robot_level, 1
        FROM created JOIN asked ON next = created.game_id
        CROSS JOIN LATERAL (SELECT * FROM game_players WHERE game_id = follows OFFSET 0) AS player
        RETURNING *),
    followed AS (
        INSERT INTO next_games (game_id, follows, series, listed)
        SELECT next, asked.follows, asked.series,
               COALESCE((SELECT before.listed FROM next_games AS before WHERE before.game_id = asked.follows),
                        (SELECT games.origin <> 'friends' FROM games WHERE games.game_id = asked.follows))
        FROM created JOIN asked ON next = created.game_id
        RETURNING *)
    SELECT created.game_id, game, version, variant, options, seats, origin, status, opener, first_seat,
           series_id, created.change, settled, created_at,
           seat, participant, account_id, robot_level, seated.change, time_control, away, best_of, listed
    FROM created JOIN seated USING (game_id) JOIN followed USING (game_id) ORDER BY created.game_id, seat";

/// A seat of a next game that was just created, and whether everyone may find that.
struct NextSeat {
    game: TableId,
    listed: bool,
    seat: GameSeat,
}

impl FromRow<'_, PgRow> for NextSeat {
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        Ok(Self { game: row.try_get(0)?, listed: row.try_get(22)?, seat: GameSeat::from_row(row)? })
    }
}

#[async_trait]
impl NextGameStore for PostgresStore {
    async fn create_next(&self, next: &[NextGame], at: Timestamp) -> Result<Vec<(Game, Following)>> {
        let ids = |id: fn(&NextGame) -> Uuid| next.iter().map(id).collect::<Vec<_>>();
        let create = || async {
            let query = sqlx::query_as::<_, NextSeat>(CREATE)
                .bind(ids(|next| next.id.0))
                .bind(ids(|next| next.follows.0))
                .bind(next.iter().map(|next| i16::from(next.first_seat)).collect::<Vec<_>>())
                .bind(ids(|next| next.series_id.0))
                .bind(next.iter().map(|next| next.series.as_str()).collect::<Vec<_>>())
                .bind(at);
            self.0.rows(query).await
        };
        let seats = self.0.retry(create).await?;
        let listed: HashMap<TableId, bool> = seats.iter().map(|seat| (seat.game, seat.listed)).collect();
        let games = rows::games(seats.into_iter().map(|seat| seat.seat).collect())?;
        let created = games.into_iter().filter_map(|game| {
            let NextGame { follows, series, .. } = next.iter().find(|next| next.id == game.id)?;
            let listed = *listed.get(&game.id)?;
            Some((game, Following { follows: *follows, series: series.clone(), listed }))
        });
        Ok(created.collect())
    }

    async fn following(&self, game: TableId) -> Result<Option<Following>> {
        let found = sqlx::query_as("SELECT follows, series, listed FROM next_games WHERE game_id = $1");
        let found: Option<(TableId, String, bool)> = self.0.rows(found.bind(game)).await?.pop();
        Ok(found.map(|(follows, series, listed)| Following { follows, series, listed }))
    }

    async fn have_begun(&self, accounts: &[AccountId], since: Timestamp) -> Result<bool> {
        let accounts: Vec<Uuid> = accounts.iter().map(|account| account.0).collect();
        let begun = sqlx::query_as(
            "SELECT EXISTS (
                 SELECT 1 FROM unnest($1::uuid[]) AS who (account_id)
                 CROSS JOIN LATERAL (
                     SELECT game_id, change FROM game_players
                     WHERE account_id = who.account_id AND robot_level = 0 ORDER BY game_id DESC LIMIT 256) AS player
                 CROSS JOIN LATERAL (
                     SELECT created_at, changed_at FROM games WHERE game_id = player.game_id OFFSET 0) AS played
                 WHERE changed_at > $2 AND (created_at > $2 OR player.change > 1))",
        );
        let begun: Vec<(bool,)> = self.0.rows(begun.bind(accounts).bind(since)).await?;
        Ok(begun.first().is_some_and(|(begun,)| *begun))
    }
}
