//! The way to one socket for everyone else in the gateway: a bounded queue that nobody ever waits for.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::id::TableId;
use axum::extract::ws::Message;

use crate::play::action::Answer;

/// What a socket can be told. Small, because a queue keeps room for several of them.
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
pub(crate) struct Outbox(Arc<Shared>);

/// The end from which a socket takes its mail; it has one.
#[derive(Debug)]
pub(crate) struct Inbox(Arc<Shared>);

/// A queue of its own kind, because that of a channel takes room for 32 pieces of mail also while there is none.
#[derive(Debug)]
struct Shared {
    socket: u64,
    capacity: usize,
    queue: Mutex<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    mail: VecDeque<Mail>,
    has_overflowed: bool,
    reader: Option<Waker>,
}

impl Outbox {
    /// The outbox of the socket with this number, and the end from which its mail is taken.
    pub(crate) fn new(socket: u64, capacity: usize) -> (Self, Inbox) {
        let shared = Arc::new(Shared { socket, capacity, queue: Mutex::default() });
        (Self(shared.clone()), Inbox(shared))
    }

    /// The number of the socket, by which it is told from others of this gateway.
    pub(crate) fn socket(&self) -> u64 {
        self.0.socket
    }

    /// Queues mail. A socket whose client does not keep up is given up, so that it stalls nobody.
    pub(crate) fn push(&self, mail: Mail) {
        let reader = {
            let mut queue = self.0.queue();
            if queue.mail.len() < self.0.capacity {
                queue.mail.push_back(mail);
            } else {
                queue.has_overflowed = true;
            }
            queue.reader.take()
        };
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// Whether mail was lost for want of room.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.0.queue().has_overflowed
    }

    /// Returns once mail was lost for want of room.
    pub(crate) async fn overflowed(&self) {
        self.0.wait(|queue| queue.has_overflowed.then_some(())).await;
    }
}

impl Inbox {
    /// Waits for mail, and takes all that there is.
    pub(crate) async fn take(&mut self) -> VecDeque<Mail> {
        self.0.wait(|queue| Some(std::mem::take(&mut queue.mail)).filter(|mail| !mail.is_empty())).await
    }
}

impl Shared {
    /// Looks at the queue whenever something came, until there is what is looked for. For the socket's task alone.
    async fn wait<T>(&self, mut look: impl FnMut(&mut Queue) -> Option<T>) -> T {
        poll_fn(|context| {
            let mut queue = self.queue();
            if let Some(found) = look(&mut queue) {
                return Poll::Ready(found);
            }
            match &mut queue.reader {
                Some(reader) => reader.clone_from(context.waker()),
                none => *none = Some(context.waker().clone()),
            }
            Poll::Pending
        })
        .await
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn mail_wakes_the_socket_that_waits_for_it() {
        let (outbox, mut inbox) = Outbox::new(1, 2);
        let waiting = tokio::spawn(async move { inbox.take().await.len() });
        tokio::task::yield_now().await;
        outbox.push(Mail::Drain);
        assert_eq!(waiting.await.unwrap(), 1);
    }

    #[tokio::test]
    async fn g6_a_queue_takes_what_it_has_room_for_and_says_that_there_was_more() {
        let (outbox, mut inbox) = Outbox::new(1, 2);
        let other = outbox.clone();
        let told = tokio::spawn(async move { other.overflowed().await });
        tokio::task::yield_now().await;
        for _ in 0..2 {
            outbox.push(Mail::Drain);
            assert!(!outbox.has_overflowed());
        }
        outbox.push(Mail::Drain);
        told.await.unwrap();
        assert!(outbox.has_overflowed());
        assert_eq!(inbox.take().await.len(), 2);
    }
}
