//! What administrators look for, and their looks, in `SQLite`.

use crate::header::Phase;
use crate::store::review::{By, LOOKS_MAX, Look, Wanted};
use astragal_runtime::database::SqliteDatabase;
use astragal_runtime::id::TableId;
use chrono::DateTime;

macro_rules! wanted {
    ($tables:literal) => {
        concat!(
            "SELECT id FROM ",
            $tables,
            " WHERE ($1 IS NULL OR id = $1) AND \
             ($2 IS NULL OR id IN (SELECT table_id FROM seats WHERE account_id = $2)) AND \
             ($3 IS NULL OR game = $3) AND ($4 IS NULL OR phase = $4) AND ($5 IS NULL OR series_id = $5) AND \
             ($6 IS NULL OR (opened_at, id) < (SELECT opened_at, id FROM tables WHERE id = $6)) \
             ORDER BY opened_at DESC, id DESC LIMIT $7"
        )
    };
}

const fn wanted(by: By) -> &'static str {
    match by {
        By::Table => wanted!("(SELECT id, game, phase, series_id, opened_at FROM tables WHERE id = $1)"),
        By::Account => wanted!(
            "(SELECT DISTINCT table_id FROM seats WHERE account_id = $2) CROSS JOIN tables ON id = table_id"
        ),
        By::Series => {
            wanted!("(SELECT id, game, phase, series_id, opened_at FROM tables WHERE series_id = $5)")
        }
        By::Opening => wanted!("tables"),
    }
}

const LOOK: &str = "INSERT INTO looks (table_id, revision, looker, at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT DO NOTHING";

const LOOKS: &str = "SELECT looker, at, revision FROM looks WHERE table_id = $1 \
    ORDER BY revision DESC, at DESC LIMIT $2";

pub(super) async fn find(database: &SqliteDatabase, asked: Wanted) -> sqlx::Result<Vec<TableId>> {
    let find = sqlx::query_scalar(wanted(asked.by()));
    let find = find.bind(asked.table).bind(asked.account).bind(asked.game);
    let find = find.bind(asked.phase.map(Phase::as_str)).bind(asked.series).bind(asked.after);
    find.bind(asked.limit).fetch_all(database.reader()).await
}

pub(super) async fn note(database: &SqliteDatabase, table: TableId, look: Look) -> sqlx::Result<()> {
    let mut writer = database.writer().await?;
    let note = sqlx::query(LOOK).bind(table).bind(look.revision).bind(look.looker);
    note.bind(look.at.timestamp_micros()).execute(&mut *writer).await.map(drop)
}

pub(super) async fn looks(database: &SqliteDatabase, table: TableId) -> sqlx::Result<Vec<Look>> {
    let looks = sqlx::query_as(LOOKS).bind(table).bind(LOOKS_MAX);
    let looks: Vec<(String, i64, u32)> = looks.fetch_all(database.reader()).await?;
    let look =
        |(looker, at, revision)| Some(Look { looker, at: DateTime::from_timestamp_micros(at)?, revision });
    Ok(looks.into_iter().rev().filter_map(look).collect())
}
