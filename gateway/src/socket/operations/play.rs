//! Actions at a table: sent on their way without waiting, answered when the table answers.

use astragal_proto::content::Content;
use astragal_proto::engine::v1::play_request::Action as Asked;
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
use crate::play::action::{Action, Answer};

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
        let (table, request_id, asked) = match self.read(&id, game_id, act) {
            Ok(read) => read,
            Err(problem) => {
                span.end(Some(problem.code));
                return self.refuse(Some(&id), problem).await;
            }
        };
        let (account, round_trip_ms) = (self.account, self.wire.round_trip_ms());
        let action = Action { id, table, account, request_id, asked, round_trip_ms, span };
        self.gateway.play().send(Box::new(action), self.wire.outbox.clone());
        self.acting += 1;
        if let Some(seen) = self.tables.get_mut(&table) {
            seen.act();
        }
        Ok(())
    }

    /// What is asked for, if one more action may be under way.
    fn read(&self, id: &str, game_id: &str, act: Act) -> Result<(TableId, RequestId, Asked)> {
        let table = TableId::parse("gameId", game_id)?;
        let request_id = RequestId::parse("id", id)?;
        let asked = match act {
            Act::Move(revision, Some(made)) => {
                Asked::Move(MoveAction { revision, r#move: made.as_json().clone() })
            }
            Act::Move(_, None) => return Err(Problem::invalid_argument("move is missing")),
            Act::Undo(revision) => Asked::Undo(UndoAction { revision }),
            Act::Resign => Asked::Resign(ResignAction {}),
            Act::Leave => Asked::Leave(LeaveAction {}),
            Act::Abort => Asked::Abort(AbortAction {}),
        };
        if self.acting >= ACTING_MAX {
            let message = format!("at most {ACTING_MAX} actions may be under way; wait for an answer");
            return Err(Problem::new(Code::RateLimited, message));
        }
        Ok((table, request_id, asked))
    }

    /// Passes the table's answer on, and then the news that waited for it.
    pub(in super::super) async fn acted(&mut self, answer: Answer) -> std::result::Result<(), Ending> {
        let Answer { action, result } = answer;
        let table = action.table;
        self.acting = self.acting.saturating_sub(1);
        if let Some(seen) = self.tables.get_mut(&table) {
            seen.answered();
        }
        match result {
            Ok(revision) => {
                self.answer(&action.id, ack(table, Some(revision))).await?;
                action.span.end(None);
            }
            // A search that this very request has cancelled is over, and answered the same again.
            Err(Problem { code: Code::FailedPrecondition | Code::GameOver, .. }) if action.is_ending() => {
                let request = action.request(0);
                let Action { id, span, .. } = *action;
                Box::pin(span.run(self.cancel_instead(id, table, request), |_| None)).await?;
            }
            Err(problem) => {
                let Action { id, span, .. } = *action;
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
        match roles.answer(roles.matchmaking().cancel_game(cancel)).await {
            Ok(_) => return self.answer(&id, ack(table, None)).await,
            // Others wait in it too, and whoever opened it alone may send them away.
            Err(problem) if problem.code == Code::PermissionDenied => {
                return self.refuse(Some(&id), problem).await;
            }
            Err(_) => {}
        }
        // The seat was taken in between, or it never was a search: now the table has the last word.
        let asked = roles.answer(roles.engine_of(table).play(request)).await;
        let answer = asked.map(|played| ack(table, Some(played.revision)));
        self.answer_or_refuse(&id, answer).await
    }
}

/// The answer that something was done at a table.
pub(super) fn ack(table: TableId, revision: Option<u32>) -> Event {
    Event::Ack(Ack { game_id: table.to_string(), revision, expires_at: None })
}
