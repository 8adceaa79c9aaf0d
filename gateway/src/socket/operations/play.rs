//! Actions at a table: sent on their way without waiting, answered when the table answers.

use astragal_proto::content::Content;
use astragal_proto::engine::v1::play_request::Action;
use astragal_proto::engine::v1::{
    AbortAction, LeaveAction, MoveAction, PlayRequest, ResignAction, UndoAction,
};
use astragal_proto::gateway::v1::Ack;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::matchmaking::v1::CancelGameRequest;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{RequestId, TableId};
use astragal_runtime::telemetry::span::Span;

use super::super::session::Session;
use super::super::wire::Ending;
use crate::play::Answer;

/// Actions of one connection that are not answered yet.
const ACTING_MAX: usize = 64;

/// What a seat does.
pub(super) enum Act {
    Move(u32, Option<Content>),
    Undo(u32),
    Resign,
    Leave,
    Abort,
}

impl Session {
    /// Sends an action on its way.
    pub(super) async fn act(
        &mut self,
        id: String,
        game_id: &str,
        act: Act,
        span: Span,
    ) -> std::result::Result<(), Ending> {
        let (table, request) = match self.request(&id, game_id, act) {
            Ok(request) => request,
            Err(problem) => {
                span.end(Some(problem.code));
                return self.refuse(Some(&id), problem).await;
            }
        };
        self.send(id, table, request, span).await
    }

    fn request(&self, id: &str, game_id: &str, act: Act) -> Result<(TableId, PlayRequest)> {
        let table = TableId::parse("gameId", game_id)?;
        let request_id = RequestId::parse("id", id)?;
        let action = match act {
            Act::Move(revision, Some(made)) => {
                Action::Move(MoveAction { revision, r#move: made.as_json().clone() })
            }
            Act::Move(_, None) => return Err(Problem::invalid_argument("move is missing")),
            Act::Undo(revision) => Action::Undo(UndoAction { revision }),
            Act::Resign => Action::Resign(ResignAction {}),
            Act::Leave => Action::Leave(LeaveAction {}),
            Act::Abort => Action::Abort(AbortAction {}),
        };
        let request = PlayRequest {
            table_id: table.to_string(),
            account_id: self.account.to_string(),
            request_id: request_id.to_string(),
            action: Some(action),
            // The link says for how long it was held when it sends it.
            held_ms: 0,
            round_trip_ms: self.wire.round_trip_ms(),
        };
        Ok((table, request))
    }

    async fn send(
        &mut self,
        id: String,
        table: TableId,
        request: PlayRequest,
        span: Span,
    ) -> std::result::Result<(), Ending> {
        if self.acting >= ACTING_MAX {
            span.end(Some(Code::RateLimited));
            let message = format!("at most {ACTING_MAX} actions may be under way; wait for an answer");
            return self.refuse(Some(&id), Problem::new(Code::RateLimited, message)).await;
        }
        match self.gateway.play().send(id.clone(), table, request, self.wire.outbox.clone(), span) {
            Ok(()) => {
                self.acting += 1;
                if let Some(seen) = self.tables.get_mut(&table) {
                    seen.act();
                }
                Ok(())
            }
            Err(problem) => self.refuse(Some(&id), problem).await,
        }
    }

    /// Passes the table's answer on, and then the news that waited for it.
    pub(in super::super) async fn acted(&mut self, answer: Answer) -> std::result::Result<(), Ending> {
        let Answer { id, table, request, result, span } = answer;
        self.acting = self.acting.saturating_sub(1);
        if let Some(seen) = self.tables.get_mut(&table) {
            seen.answered();
        }
        match result {
            Ok(revision) => {
                self.answer(&id, ack(table, Some(revision))).await?;
                span.end(None);
            }
            // A search that this very request has cancelled is over, and answered the same again.
            Err(Problem { code: Code::FailedPrecondition | Code::GameOver, .. }) if is_ending(&request) => {
                Box::pin(span.run(self.cancel_instead(id, table, request), |_| None)).await?;
            }
            Err(problem) => {
                span.end(Some(problem.code));
                self.refuse(Some(&id), problem).await?;
            }
        }
        self.tell(table).await
    }

    /// While a seat is empty the game is a search, and ending it means to cancel that.
    async fn cancel_instead(
        &mut self,
        id: String,
        table: TableId,
        request: PlayRequest,
    ) -> std::result::Result<(), Ending> {
        let cancel = CancelGameRequest {
            account_id: request.account_id.clone(),
            request_id: request.request_id.clone(),
            game_id: request.table_id.clone(),
        };
        let roles = self.gateway.roles();
        if roles.answer(roles.matchmaking().cancel_game(cancel)).await.is_ok() {
            return self.answer(&id, ack(table, None)).await;
        }
        // The seat was taken in between, or it never was a search: now the table has the last word.
        let asked = roles.answer(roles.engine_of(table).play(request)).await;
        let answer = asked.map(|played| ack(table, Some(played.revision)));
        self.answer_or_refuse(&id, answer).await
    }
}

fn is_ending(request: &PlayRequest) -> bool {
    matches!(request.action, Some(Action::Resign(_) | Action::Leave(_) | Action::Abort(_)))
}

/// The answer that something was done at a table.
pub(super) fn ack(table: TableId, revision: Option<u32>) -> Event {
    Event::Ack(Ack { game_id: table.to_string(), revision, expires_at: None })
}
