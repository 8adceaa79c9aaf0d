//! Sockets of running games that were cut and all come back within a second: hello, then a watch from the
//! revision that they know. Each says when it was back, and must be told exactly what it had missed.

use crate::drive::now;
use crate::frame::Frame;
use crate::socket::Socket;
use crate::table::Table;
use anyhow::{Context, Result, bail, ensure};
use astragal_tests::http::{Guest, host_of};
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// In so long all have begun to come back.
const RUSH: Duration = Duration::from_secs(1);
/// After so long it is given up.
const BACK_MAX: Duration = Duration::from_mins(1);
const EVENTS_MAX: usize = 1024;

/// How a crowd came back.
pub(crate) struct Back {
    /// From the cut to the last one.
    pub(crate) all: Duration,
    /// By socket, from its own beginning, in microseconds.
    pub(crate) micros: Vec<u32>,
    /// Events that were told because they had been missed.
    pub(crate) missed: u32,
}

/// How far a socket has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Connecting,
    Greeting,
    /// It has asked; the answer says how far the table is.
    Asking,
    /// Events up to a revision are on their way.
    Missing(u32),
    Back,
}

struct Seat<'a> {
    guest: &'a Guest,
    game_id: &'a str,
    /// What both players of the table had seen.
    revision: u32,
    /// What this one says that it knows.
    since: u32,
    began: Instant,
    socket: Option<Socket>,
    stage: Stage,
}

/// Brings back both players of every table, whose connections are cut by now.
pub(crate) fn come_back(url: &str, guests: &[Guest], tables: &[Table]) -> Result<Back> {
    let host = host_of(url)?;
    let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let cut = now();
    let count = guests.len() as u32;
    let due = |index: usize| cut + RUSH * index as u32 / count;
    let mut seats: Vec<Seat<'_>> = guests
        .iter()
        .enumerate()
        .map(|(at, guest)| Seat::new(guest, &tables[at / 2], at % 2, due(at)))
        .collect();
    let mut back = Back { all: Duration::ZERO, micros: Vec::with_capacity(seats.len()), missed: 0 };
    let mut ready = Vec::with_capacity(EVENTS_MAX);
    let mut begun = 0;
    while back.micros.len() < seats.len() {
        let at = now();
        ensure!(at - cut < BACK_MAX, "after {BACK_MAX:?} only {} of {count} are back", back.micros.len());
        while begun < seats.len() && due(begun) <= at {
            seats[begun].connect(host, &poll, begun as u64)?;
            begun += 1;
        }
        let patience = if begun < seats.len() { due(begun).saturating_duration_since(now()) } else { RUSH };
        wait(&poll, &mut ready, patience)?;
        for event in &ready {
            let seat = &mut seats[event.data.u64() as usize];
            if seat.take(&mut back.missed)? {
                let done = now();
                back.micros.push(u32::try_from((done - seat.began).as_micros()).unwrap_or(u32::MAX));
                back.all = done - cut;
            }
        }
    }
    Ok(back)
}

fn wait(poll: &OwnedFd, ready: &mut Vec<epoll::Event>, patience: Duration) -> Result<()> {
    let timeout = Timespec::try_from(patience).context("a wait out of range")?;
    ready.clear();
    match epoll::wait(poll, spare_capacity(ready), Some(&timeout)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error).context("the sockets can't be waited for"),
    }
}

impl<'a> Seat<'a> {
    /// Of each table one player has missed the last move, if there was one.
    fn new(guest: &'a Guest, table: &'a Table, side: usize, began: Instant) -> Self {
        let revision = table.revision;
        let since = if table.number > 0 { revision - side as u32 } else { revision };
        let (game_id, stage) = (&table.game_id, Stage::Connecting);
        Self { guest, game_id, revision, since, began, socket: None, stage }
    }

    fn connect(&mut self, host: &str, poll: &OwnedFd, number: u64) -> Result<()> {
        let socket = Socket::begin(host)?;
        socket.stop_blocking()?;
        epoll::add(poll, &socket, epoll::EventData::new_u64(number), epoll::EventFlags::IN)?;
        self.socket = Some(socket);
        Ok(())
    }

    /// Reads what came and says what is next. True: it is back by this.
    fn take(&mut self, missed: &mut u32) -> Result<bool> {
        let Some(mut socket) = self.socket.take() else { return Ok(false) };
        let before = self.stage;
        socket.fill()?;
        if self.stage == Stage::Connecting && socket.is_open()? {
            socket
                .send(format!(r#"{{"id":"hello","hello":{{"token":"{}"}}}}"#, self.guest.token).as_bytes())?;
            self.stage = Stage::Greeting;
        }
        while self.stage != Stage::Connecting
            && let Some(place) = socket.next_text()?
        {
            let (asks, told) = self.heard(&Frame::read(socket.text(place))?)?;
            *missed += u32::from(told);
            if asks {
                let (game, since) = (self.game_id, self.since);
                let watch =
                    format!(r#"{{"id":"watch","watch":{{"gameId":"{game}","sinceRevision":{since}}}}}"#);
                socket.send(watch.as_bytes())?;
            }
        }
        ensure!(!socket.has_ended(), "the server ended a connection that came back ({:?})", self.stage);
        self.socket = Some(socket);
        Ok(self.stage == Stage::Back && before != Stage::Back)
    }

    /// Takes in a frame: whether it is time to ask, and whether it told of what was missed.
    fn heard(&mut self, frame: &Frame<'_>) -> Result<(bool, bool)> {
        let mine = |game: &[u8]| game == self.game_id.as_bytes();
        match (self.stage, frame) {
            (_, Frame::Error { code, message }) => {
                let said = [code, message].map(|text| String::from_utf8_lossy(text)).join(": ");
                bail!("one that came back was refused: {said}");
            }
            // The first frame of all is the welcome.
            (Stage::Greeting, _) => {
                self.stage = Stage::Asking;
                return Ok((true, false));
            }
            (Stage::Asking, Frame::Ack { game_id, revision }) if mine(game_id) => {
                ensure!(
                    *revision == self.revision,
                    "{} is at {revision}, not {}",
                    self.game_id,
                    self.revision
                );
                self.stage = if *revision == self.since { Stage::Back } else { Stage::Missing(*revision) };
            }
            (Stage::Asking, Frame::Table(table)) if mine(table.game_id) => {
                bail!(
                    "{} was shown whole to one who knew {} of {}",
                    self.game_id,
                    self.since,
                    table.revision
                );
            }
            (Stage::Missing(newest), Frame::Update(update)) if mine(update.game_id) => {
                self.since += 1;
                ensure!(update.revision == self.since, "{} came after {}", update.revision, self.since - 1);
                self.stage = if self.since == newest { Stage::Back } else { self.stage };
                return Ok((false, true));
            }
            _ => {}
        }
        Ok((false, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Update;
    use crate::table::UNTIMED;

    fn guest() -> Guest {
        Guest { account_id: String::new(), name: String::new(), token: String::new() }
    }

    fn table() -> Table {
        let mut table = Table::new(UNTIMED);
        (table.game_id, table.revision, table.number) = ("g".to_owned(), 5, 4);
        table
    }

    #[test]
    fn who_missed_a_move_is_back_once_it_is_told() {
        let (guest, table) = (guest(), table());
        let mut seat = Seat::new(&guest, &table, 1, now());
        seat.stage = Stage::Greeting;
        assert_eq!(seat.heard(&Frame::Other).unwrap(), (true, false));
        assert_eq!(seat.heard(&Frame::Ack { game_id: b"g", revision: 5 }).unwrap(), (false, false));
        assert_eq!(seat.stage, Stage::Missing(5));
        let update = |revision| Frame::Update(Update { game_id: b"g", revision, ..Update::default() });
        assert!(seat.heard(&update(6)).is_err());
        let mut seat = Seat { since: 4, ..seat };
        assert_eq!(seat.heard(&update(5)).unwrap(), (false, true));
        assert_eq!(seat.stage, Stage::Back);
    }

    #[test]
    fn a_table_that_lost_a_move_is_an_error() {
        let (guest, table) = (guest(), table());
        let mut seat = Seat { stage: Stage::Asking, ..Seat::new(&guest, &table, 0, now()) };
        assert!(seat.heard(&Frame::Ack { game_id: b"g", revision: 4 }).is_err());
    }
}
