//! The engine, as replay reads it.

use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::{JournalEntry, JournalHead, StreamJournalRequest, StreamStepsRequest};
use astragal_proto::replay::v1::TimelinePart;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::log::LoggedMove;
use astragal_rules::seat::Seat;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use tokio_stream::StreamExt;
use tonic::Streaming;

/// Calls the engines; cheap to clone.
#[derive(Clone)]
pub(crate) struct EngineLink(RoleChannel);

impl EngineLink {
    pub(crate) fn new(channel: RoleChannel) -> Self {
        Self(channel)
    }

    fn about(&self, table: TableId) -> EngineServiceClient<RoleChannel> {
        EngineServiceClient::new(self.0.clone().about(table.0))
    }

    /// A game that is over: its log, and what stands besides; each entry of its journal is handed over as
    /// it comes.
    pub(crate) async fn finished(
        &self,
        table: TableId,
        mut take: impl FnMut(&JournalEntry) -> Result<()>,
    ) -> Result<(FinishedLog, JournalHead)> {
        let request = StreamJournalRequest { table_id: table.to_string() };
        let mut parts = self.about(table).stream_journal(request).await?.into_inner();
        let (mut head, mut moves) = (None, Vec::new());
        while let Some(part) = parts.next().await {
            let part = part?;
            head = head.or(part.head);
            for entry in part.entries {
                take(&entry)?;
                match entry.kind.as_str() {
                    "move" => moves.push(logged(&entry)?),
                    "undo" => drop(moves.pop()),
                    _ => {}
                }
            }
        }
        let head = head.ok_or_else(|| Problem::unavailable("the journal broke off; ask again"))?;
        if head.log.is_empty() {
            return Err(Problem::unavailable("the engine is of a build that sends no log; update it"));
        }
        let heading = str::from_utf8(&head.log).map_err(|error| Problem::internal(&error))?;
        let log = FinishedLog::of_heading(heading, moves).map_err(|error| Problem::internal(&error))?;
        Ok((log, head))
    }

    /// A table as the engine shows it to administrators.
    pub(crate) async fn steps(
        &self,
        table: TableId,
        from: u32,
        to: Option<u32>,
        looker: String,
    ) -> Result<Streaming<TimelinePart>> {
        let request = StreamStepsRequest { table_id: table.to_string(), from, to, looker };
        Ok(self.about(table).stream_steps(request).await?.into_inner())
    }
}

fn logged(entry: &JournalEntry) -> Result<LoggedMove> {
    let seat = entry.seat.map(u8::try_from).transpose().map_err(|error| Problem::internal(&error))?;
    let action = str::from_utf8(&entry.content).map_err(|error| Problem::internal(&error))?;
    Ok(LoggedMove { number: entry.number, seat: seat.map(Seat), action: action.into(), drew: entry.drew })
}
