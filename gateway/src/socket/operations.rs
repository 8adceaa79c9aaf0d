//! What a client can ask for: one file a group of operations.

mod lobby;
mod play;
mod search;
mod table;
mod watch;

use astragal_proto::gateway::v1::Pong;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::error::{Problem, Result};

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
        // What waits for another role is boxed: a socket would keep room for the largest of it all its life.
        let answer = match operation {
            // The hot path first; these are answered when the table answers.
            Operation::Move(made) => {
                return self.act(id, &made.game_id, Act::Move(made.revision, made.r#move)).await;
            }
            Operation::Undo(undo) => return self.act(id, &undo.game_id, Act::Undo(undo.revision)).await,
            Operation::Resign(resign) => return self.act(id, &resign.game_id, Act::Resign).await,
            Operation::LeaveGame(leave) => return self.act(id, &leave.game_id, Act::Leave).await,
            Operation::AbortGame(abort) => return self.act(id, &abort.game_id, Act::Abort).await,
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
            Operation::Rematch(_) | Operation::DeclineRematch(_) => not_built("a rematch"),
        };
        self.answer_or_refuse(&id, answer).await
    }
}

/// The answer to what this version lacks.
fn not_built<T>(what: &str) -> Result<T> {
    Err(Problem::unavailable(format!("{what} is not built yet; leave it out")))
}
