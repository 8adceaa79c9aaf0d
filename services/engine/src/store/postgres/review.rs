//! What administrators look for, and their looks, in PostgreSQL.

use super::{PostgresTables, TablesQuery, rows};
use crate::header::Phase;
use crate::store::Result;
use crate::store::review::{By, LOOKS_MAX, Look, Wanted};
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;

macro_rules! wanted {
    ($tables:literal) => {
        concat!(
            "SELECT id FROM ",
            $tables,
            " WHERE ($1::uuid IS NULL OR id = $1) AND \
             ($2::uuid IS NULL OR id IN (SELECT table_id FROM seats WHERE account_id = $2)) AND \
             ($3::text IS NULL OR game = $3) AND ($4::text IS NULL OR phase = $4) AND \
             ($5::uuid IS NULL OR series_id = $5) AND \
             ($6::uuid IS NULL OR (opened_at, id) < (SELECT opened_at, id FROM tables WHERE id = $6)) \
             ORDER BY opened_at DESC, id DESC LIMIT $7"
        )
    };
}

/// `OFFSET` keeps what is found first from being asked last.
const fn wanted(by: By) -> &'static str {
    match by {
        By::Table => wanted!(
            "(SELECT id, game, phase, series_id, opened_at FROM tables WHERE id = $1 OFFSET 0) AS found"
        ),
        By::Account => wanted!(
            "(SELECT DISTINCT table_id FROM seats WHERE account_id = $2) AS theirs CROSS JOIN LATERAL \
             (SELECT id, game, phase, series_id, opened_at FROM tables WHERE id = table_id OFFSET 0) AS found"
        ),
        By::Series => wanted!(
            "(SELECT id, game, phase, series_id, opened_at FROM tables WHERE series_id = $5 OFFSET 0) AS found"
        ),
        By::Opening => wanted!("tables"),
    }
}

const LOOK: &str = "INSERT INTO looks (table_id, revision, looker, at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT DO NOTHING RETURNING table_id";

const LOOKS: &str = "SELECT looker, at, revision FROM looks WHERE table_id = $1 \
    ORDER BY revision DESC, at DESC LIMIT $2";

impl PostgresTables {
    pub(super) async fn find_wanted(&self, asked: Wanted) -> Result<Vec<TableId>> {
        let find: TablesQuery<'_> = sqlx::query_as(wanted(asked.by()));
        let find = find.bind(asked.table).bind(asked.account).bind(asked.game);
        let find = find.bind(asked.phase.map(Phase::as_str)).bind(asked.series).bind(asked.after);
        self.tables(find.bind(i64::from(asked.limit))).await
    }

    pub(super) async fn note_look_once(&self, table: TableId, look: Look) -> Result<()> {
        let note: TablesQuery<'_> = sqlx::query_as(LOOK).bind(table).bind(i64::from(look.revision));
        // May be sent twice: the second one finds the row and leaves it.
        Ok(self.database.rows(note.bind(look.looker).bind(look.at)).await.map(drop)?)
    }

    pub(super) async fn list_looks(&self, table: TableId) -> Result<Vec<Look>> {
        let looks = sqlx::query_as(LOOKS).bind(table).bind(LOOKS_MAX);
        let looks: Vec<(String, Timestamp, i32)> = self.database.rows(looks).await?;
        let look =
            |(looker, at, revision)| Ok(Look { looker, at, revision: rows::count(revision, "a revision")? });
        Ok(looks.into_iter().rev().map(look).collect::<sqlx::Result<_>>()?)
    }
}
