//! How far tables have come by now: whoever asks while a question is under way is asked for together with all others
//! who ask then, so a crowd that comes back costs a few questions.

use astragal_proto::engine::v1::{GetHeadsRequest, TableView};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::gather::{Gate, Gathering, answer_all, gather};
use astragal_runtime::id::TableId;
use futures::future::try_join_all;

use crate::roles::Roles;

/// Tables that wait for an answer.
const WAITING_MAX: usize = 32_768;

/// Tables in one question, as the engine bounds them.
pub(crate) const BATCH_MAX: usize = 1_000;

/// The way to ask; cheap to clone.
#[derive(Clone)]
pub(crate) struct Heads(Gate<TableId, Result<u32>>);

impl Heads {
    /// Asks until every clone of it is gone. Must be called inside a runtime.
    pub(crate) fn open(roles: Roles) -> Self {
        let (gate, gathering) = gather(WAITING_MAX, BATCH_MAX);
        tokio::spawn(work(roles, gathering));
        Self(gate)
    }

    /// The newest revision of a table.
    pub(crate) async fn of(&self, table: TableId) -> Result<u32> {
        self.0.ask(table, "too many tables are asked for at once; try again").await
    }

    /// Whether tables have not gone on since they were loaded.
    pub(crate) async fn are_of(&self, views: &[TableView]) -> Result<bool> {
        let heads = views.iter().map(|view| async {
            Ok::<_, Problem>(self.of(TableId::parse("gameId", &view.table_id)?).await? == view.revision)
        });
        Ok(try_join_all(heads).await?.into_iter().all(|is_newest| is_newest))
    }
}

/// The newest revisions of at most [`BATCH_MAX`] tables, in the order of asking.
pub(crate) async fn newest(roles: &Roles, tables: &[TableId]) -> Result<Vec<u32>> {
    let request = GetHeadsRequest { table_ids: tables.iter().map(ToString::to_string).collect() };
    Ok(roles.answer(roles.engine().get_heads(request)).await?.revisions)
}

async fn work(roles: Roles, mut gathering: Gathering<TableId, Result<u32>>) {
    while let Some(jobs) = gathering.next().await {
        let tables: Vec<TableId> = jobs.iter().map(|job| job.what).collect();
        answer_all(jobs, newest(&roles, &tables).await);
    }
}
