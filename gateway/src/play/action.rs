//! One action of a client at a table, as it travels: kept in its own types, and written as a request when it is sent.

use astragal_proto::engine::v1::PlayRequest;
use astragal_proto::engine::v1::play_request::Action as Asked;
use astragal_runtime::error::Result;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use astragal_runtime::telemetry::span::Span;

/// What a client does at a table. Goes around in one box, from its socket to the link and back with the answer.
#[derive(Debug)]
pub(crate) struct Action {
    /// The id of the client's frame.
    pub(crate) id: String,
    pub(crate) table: TableId,
    pub(crate) account: AccountId,
    pub(crate) request_id: RequestId,
    /// What is asked of the table.
    pub(crate) asked: Asked,
    /// The way to the client and back, as far as it was measured.
    pub(crate) round_trip_ms: u32,
    /// The way of the frame; ends when it is answered.
    pub(crate) span: Span,
}

/// What became of an action; goes to the socket that asked for it.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) action: Box<Action>,
    /// The revision of the table after the action.
    pub(crate) result: Result<u32>,
}

impl Action {
    /// The request to the engine, after the action was held here for so long.
    pub(crate) fn request(&self, held_ms: u32) -> PlayRequest {
        PlayRequest {
            table_id: self.table.to_string(),
            account_id: self.account.to_string(),
            request_id: self.request_id.to_string(),
            action: Some(self.asked.clone()),
            held_ms,
            round_trip_ms: self.round_trip_ms,
        }
    }

    /// Whether it ends the game for whoever does it.
    pub(crate) fn is_ending(&self) -> bool {
        matches!(self.asked, Asked::Resign(_) | Asked::Leave(_) | Asked::Abort(_))
    }
}
