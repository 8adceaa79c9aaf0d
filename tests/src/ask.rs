//! Short ways to write the operations of the protocol. They hold no state and judge nothing.

use astragal_proto::content::Content;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::{
    AbortGame, CancelSearch, DeclineRematch, JoinGame, LeaveGame, Move, NewBotGame, NewFriendGame, NewGame,
    Ping, Rematch, Resign, Undo, Watch,
};
use serde_json::Value;

const GAME: &str = "kalah";

/// Finds or opens a listed game of kalah.
pub fn new_game() -> Operation {
    Operation::NewGame(NewGame { game: GAME.into(), ..NewGame::default() })
}

/// Finds or opens a listed game of kalah with options of its own, so that strangers don't meet.
pub fn new_game_with(options: &Value) -> Operation {
    let options = Some(Content::from(options));
    Operation::NewGame(NewGame { game: GAME.into(), options, ..NewGame::default() })
}

/// Opens a game of kalah that is not listed.
pub fn new_friend_game() -> Operation {
    Operation::NewFriendGame(NewFriendGame { game: GAME.into(), ..NewFriendGame::default() })
}

/// Opens a game of kalah with named friends, who are seated at once.
pub fn new_game_with_friends(account_ids: &[&str]) -> Operation {
    let account_ids = account_ids.iter().map(|&id| id.to_owned()).collect();
    Operation::NewFriendGame(NewFriendGame { game: GAME.into(), account_ids, ..NewFriendGame::default() })
}

/// Opens a game of kalah against a robot.
pub fn new_bot_game(level: u32) -> Operation {
    Operation::NewBotGame(NewBotGame { game: GAME.into(), level, ..NewBotGame::default() })
}

/// Takes the seat that waits.
pub fn join(game_id: &str) -> Operation {
    Operation::JoinGame(JoinGame { game_id: game_id.into() })
}

/// Takes back a waiting game.
pub fn cancel(game_id: &str) -> Operation {
    Operation::CancelSearch(CancelSearch { game_id: game_id.into() })
}

/// Asks for a table, or for all that happened since a revision.
pub fn watch(game_id: &str, since_revision: Option<u32>) -> Operation {
    Operation::Watch(Watch { game_id: game_id.into(), since_revision })
}

/// Makes a move.
pub fn make_move(game_id: &str, revision: u32, content: &Value) -> Operation {
    Operation::Move(Move { game_id: game_id.into(), revision, r#move: Some(Content::from(content)) })
}

/// Takes the last move back.
pub fn undo(game_id: &str, revision: u32) -> Operation {
    Operation::Undo(Undo { game_id: game_id.into(), revision })
}

/// Gives up.
pub fn resign(game_id: &str) -> Operation {
    Operation::Resign(Resign { game_id: game_id.into() })
}

/// Leaves.
pub fn leave(game_id: &str) -> Operation {
    Operation::LeaveGame(LeaveGame { game_id: game_id.into() })
}

/// Ends a game in which nobody has moved.
pub fn abort(game_id: &str) -> Operation {
    Operation::AbortGame(AbortGame { game_id: game_id.into() })
}

/// Asks for a rematch, or accepts one.
pub fn rematch(game_id: &str) -> Operation {
    Operation::Rematch(Rematch { game_id: game_id.into() })
}

/// Says no to a rematch, or takes one's own request back.
pub fn decline_rematch(game_id: &str) -> Operation {
    Operation::DeclineRematch(DeclineRematch { game_id: game_id.into() })
}

/// Asks for the time.
pub fn ping() -> Operation {
    Operation::Ping(Ping {})
}
