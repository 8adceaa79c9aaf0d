//! The way to one socket for everyone else in the gateway: a bounded queue that nobody ever waits for.

use std::sync::Arc;

use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::id::TableId;
use axum::extract::ws::Message;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio_util::sync::CancellationToken;

use crate::play::Answer;

/// What a socket can be told. Small, because a queue keeps room for 32 of them.
#[derive(Debug)]
pub(crate) enum Mail {
    /// Something happened at a watched table.
    News(Arc<News>),
    /// An action of this socket was answered.
    Answer(Box<Answer>),
    /// A game of this socket's account has started.
    Started(TableId),
    /// Too much was missed at a table to send it piece by piece.
    Reload(TableId),
    /// Messages for the account were lost: look which games it has.
    Recheck,
    /// The session of this socket was ended: say goodbye.
    SessionEnded,
    /// The gateway stops: say goodbye.
    Drain,
    /// The players of a watched table play on in another one.
    NextGame(Box<(TableId, TableId)>),
    /// An event of the account that needs no care about its order.
    Event(Box<Event>),
    /// A frame that needs no care about its order.
    Frame(Box<Message>),
}

/// One revision of a table, as frames for one class of viewer in one format; shared by all their sockets.
#[derive(Debug)]
pub(crate) struct News {
    pub(crate) table: TableId,
    pub(crate) revision: u32,
    pub(crate) frame: Option<Message>,
    /// The end of the game, which follows the update of the same revision.
    pub(crate) end: Option<Message>,
}

/// The sending end of a socket's queue; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    socket: u64,
    queue: mpsc::Sender<Mail>,
    overflow: CancellationToken,
}

impl Outbox {
    /// The outbox of the socket with this number, and the end from which its mail is taken.
    pub(crate) fn new(socket: u64, capacity: usize) -> (Self, mpsc::Receiver<Mail>) {
        let (queue, mail) = mpsc::channel(capacity);
        (Self { socket, queue, overflow: CancellationToken::new() }, mail)
    }

    /// The number of the socket, by which it is told from others of this gateway.
    pub(crate) fn socket(&self) -> u64 {
        self.socket
    }

    /// Queues mail. A socket whose client does not keep up is given up, so that it stalls nobody.
    pub(crate) fn push(&self, mail: Mail) {
        if let Err(TrySendError::Full(_)) = self.queue.try_send(mail) {
            self.overflow.cancel();
        }
    }

    /// Whether mail was lost for want of room.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflow.is_cancelled()
    }

    /// Returns once mail was lost for want of room.
    pub(crate) async fn overflowed(&self) {
        self.overflow.cancelled().await;
    }
}
