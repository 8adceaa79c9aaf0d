//! How far tables have come by now: whoever asks while a question is under way is asked for together with all others
//! who ask then, so a crowd that comes back costs a few questions.

use astragal_proto::engine::v1::{GetHeadsRequest, TableView};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::gather::{Gate, Gathering, gather};
use astragal_runtime::id::TableId;
use futures::future::try_join_all;

use crate::roles::Roles;

/// Tables that wait for an answer.
const WAITING_MAX: usize = 32_768;

/// Tables in one question, as the engine bounds them.
const BATCH_MAX: usize = 1_000;

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
        let busy = || Problem::unavailable("too many tables are asked for at once; try again");
        self.0.send(table).map_err(|_| busy())?.await.unwrap_or_else(|_| Err(busy()))
    }

    /// Whether tables have not gone on since they were loaded.
    pub(crate) async fn are_of(&self, views: &[TableView]) -> Result<bool> {
        let heads = views.iter().map(|view| async {
            Ok::<_, Problem>(self.of(TableId::parse("gameId", &view.table_id)?).await? == view.revision)
        });
        Ok(try_join_all(heads).await?.into_iter().all(|is_newest| is_newest))
    }
}

async fn work(roles: Roles, mut gathering: Gathering<TableId, Result<u32>>) {
    while let Some(jobs) = gathering.next().await {
        let request = GetHeadsRequest { table_ids: jobs.iter().map(|job| job.what.to_string()).collect() };
        match roles.answer(roles.engine().get_heads(request)).await {
            Ok(heads) => {
                for (job, head) in jobs.into_iter().zip(heads.revisions) {
                    job.answer(Ok(head));
                }
            }
            Err(problem) => {
                for job in jobs {
                    job.answer(Err(problem.clone()));
                }
            }
        }
    }
}
