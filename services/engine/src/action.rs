//! What a seat asks for, read from the wire.

use crate::request::Stamp;
use astragal_proto::engine::v1::play_request;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::RequestId;
use bytes::Bytes;

/// One action of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// A move of the game.
    Move {
        /// The newest revision that the client knows.
        revision: u32,
        /// The move, as JSON.
        content: Bytes,
    },
    /// Take the last move back.
    Undo {
        /// The newest revision that the client knows.
        revision: u32,
    },
    /// Give up.
    Resign,
    /// Leave the game.
    Leave,
    /// End it without a result, before anyone has moved.
    Abort,
}

impl Action {
    /// Reads the action of a request.
    pub(crate) fn read(action: Option<play_request::Action>) -> Result<Self> {
        match action {
            Some(play_request::Action::Move(asked)) => {
                Ok(Self::Move { revision: asked.revision, content: asked.r#move })
            }
            Some(play_request::Action::Undo(asked)) => Ok(Self::Undo { revision: asked.revision }),
            Some(play_request::Action::Resign(_)) => Ok(Self::Resign),
            Some(play_request::Action::Leave(_)) => Ok(Self::Leave),
            Some(play_request::Action::Abort(_)) => Ok(Self::Abort),
            None => Err(Problem::invalid_argument("the request has no action; send a move, undo or ending")),
        }
    }

    /// The revision that the client knew, where it matters.
    pub(crate) const fn revision(&self) -> Option<u32> {
        match self {
            Self::Move { revision, .. } | Self::Undo { revision } => Some(*revision),
            Self::Resign | Self::Leave | Self::Abort => None,
        }
    }

    /// The action with the id of its request.
    pub(crate) fn stamp(&self, id: RequestId) -> Stamp {
        match self {
            Self::Move { revision, content } => Stamp::new(id, 1, *revision, content),
            Self::Undo { revision } => Stamp::new(id, 2, *revision, b""),
            Self::Resign => Stamp::new(id, 3, 0, b""),
            Self::Leave => Stamp::new(id, 4, 0, b""),
            Self::Abort => Stamp::new(id, 5, 0, b""),
        }
    }
}
