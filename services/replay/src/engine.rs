//! The engine, as replay reads it.

use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::{
    GetFinishedLogRequest, JournalEntry, JournalHead, StreamJournalRequest, StreamStepsRequest,
};
use astragal_proto::replay::v1::TimelinePart;
use astragal_rules::finished_log::FinishedLog;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use tokio_stream::StreamExt;
use tonic::Streaming;

/// The finished log of a table with 100,000 moves is the largest answer there is.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// Calls the engines; cheap to clone.
#[derive(Clone)]
pub(crate) struct EngineLink(RoleChannel);

impl EngineLink {
    pub(crate) fn new(channel: RoleChannel) -> Self {
        Self(channel)
    }

    fn about(&self, table: TableId) -> EngineServiceClient<RoleChannel> {
        EngineServiceClient::new(self.0.clone().about(table.0)).max_decoding_message_size(ANSWER_BYTES_MAX)
    }

    /// The log of a game that is over.
    pub(crate) async fn finished_log(&self, table: TableId) -> Result<FinishedLog> {
        let request = GetFinishedLogRequest { table_id: table.to_string() };
        let answer = self.about(table).get_finished_log(request).await?.into_inner();
        let text = str::from_utf8(&answer.log).map_err(|error| Problem::internal(&error))?;
        FinishedLog::from_json(text).map_err(|error| Problem::internal(&error))
    }

    /// Everything that happened at a table that is over, with what stands besides; each entry is handed
    /// over as it comes.
    pub(crate) async fn journal(
        &self,
        table: TableId,
        mut take: impl FnMut(JournalEntry) -> Result<()>,
    ) -> Result<JournalHead> {
        let request = StreamJournalRequest { table_id: table.to_string() };
        let mut parts = self.about(table).stream_journal(request).await?.into_inner();
        let mut head = None;
        while let Some(part) = parts.next().await {
            let part = part?;
            head = head.or(part.head);
            part.entries.into_iter().try_for_each(&mut take)?;
        }
        head.ok_or_else(|| Problem::unavailable("the journal broke off; ask again"))
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
