//! What a client can ask for: one file a group of operations.

mod lobby;
mod play;
mod rematch;
mod search;
mod table;
mod watch;

use astragal_proto::gateway::v1::Pong;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::error::Problem;

use self::play::Act;
use super::session::Session;
use super::wire::Ending;

impl Session {
    /// Does what a frame asks for, and answers it.
    pub(super) async fn operate(
        &mut self,
        id: String,
        operation: Operation,
    ) -> std::result::Result<(), Ending> {
        let span = self.gateway.tracer().serve(frame_name(&operation), None);
        let (table, act) = match operation {
            // These are answered when the table answers, and others follow meanwhile.
            Operation::Move(made) => (made.game_id, Act::Move(made.revision, made.r#move)),
            Operation::Undo(undo) => (undo.game_id, Act::Undo(undo.revision)),
            Operation::Resign(resign) => (resign.game_id, Act::Resign),
            Operation::LeaveGame(leave) => (leave.game_id, Act::Leave),
            Operation::AbortGame(abort) => (abort.game_id, Act::Abort),
            operation => return span.run(self.do_at_once(id, operation), |_| None).await,
        };
        self.act(id, &table, act, span).await
    }

    async fn do_at_once(&mut self, id: String, operation: Operation) -> std::result::Result<(), Ending> {
        // What waits for another role is boxed: a socket would keep room for the largest of it all its life.
        let answer = match operation {
            // This one is answered by more than one frame.
            Operation::Watch(watch) => return Box::pin(self.watch(&id, watch)).await,

            Operation::NewGame(wanted) => {
                let found = Box::pin(self.new_game(&id, wanted)).await;
                return Box::pin(self.searched(&id, found)).await;
            }
            Operation::NewFriendGame(wanted) => {
                let opened = Box::pin(self.new_friend_game(&id, wanted)).await;
                return Box::pin(self.searched(&id, opened)).await;
            }
            Operation::NewBotGame(wanted) => Box::pin(self.new_bot_game(&id, wanted)).await,
            Operation::JoinGame(join) => Box::pin(self.join_game(&id, &join.game_id)).await,
            Operation::CancelSearch(cancel) => Box::pin(self.cancel_search(&id, &cancel.game_id)).await,
            Operation::WatchOpenGames(watch) => {
                Box::pin(self.watch_open_games(watch.game.unwrap_or_default())).await
            }
            Operation::UnwatchOpenGames(_) => Ok(self.unwatch_open_games().await),
            Operation::Unwatch(unwatch) => self.unwatch(&unwatch.game_id).await,
            Operation::Ping(_) => Ok(Event::Pong(Pong { server_time: Some(self.gateway.now().into()) })),
            Operation::Hello(_) => {
                Err(Problem::failed_precondition("this connection has said hello already"))
            }
            Operation::Rematch(rematch) => Box::pin(self.rematch(&id, &rematch.game_id)).await,
            Operation::DeclineRematch(decline) => Box::pin(self.decline_rematch(&id, &decline.game_id)).await,
            Operation::Move(_)
            | Operation::Undo(_)
            | Operation::Resign(_)
            | Operation::LeaveGame(_)
            | Operation::AbortGame(_) => Err(Problem::invalid_argument("an action is done at its table")),
        };
        self.answer_or_refuse(&id, answer).await
    }
}

/// What a span of a frame is called.
const fn frame_name(operation: &Operation) -> &'static str {
    match operation {
        Operation::Hello(_) => "frame hello",
        Operation::NewGame(_) => "frame newGame",
        Operation::NewFriendGame(_) => "frame newFriendGame",
        Operation::NewBotGame(_) => "frame newBotGame",
        Operation::JoinGame(_) => "frame joinGame",
        Operation::CancelSearch(_) => "frame cancelSearch",
        Operation::WatchOpenGames(_) => "frame watchOpenGames",
        Operation::UnwatchOpenGames(_) => "frame unwatchOpenGames",
        Operation::Watch(_) => "frame watch",
        Operation::Unwatch(_) => "frame unwatch",
        Operation::Move(_) => "frame move",
        Operation::Undo(_) => "frame undo",
        Operation::Resign(_) => "frame resign",
        Operation::LeaveGame(_) => "frame leaveGame",
        Operation::AbortGame(_) => "frame abortGame",
        Operation::Rematch(_) => "frame rematch",
        Operation::DeclineRematch(_) => "frame declineRematch",
        Operation::Ping(_) => "frame ping",
    }
}
