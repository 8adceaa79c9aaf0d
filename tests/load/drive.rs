//! The loop: waits for any socket, hands its frames to its table, sends what the table says, and
//! keeps the pace. One thread, one `epoll`; it knows neither the game nor the server's processes.

use crate::frame::Frame;
use crate::socket::Socket;
use crate::table::{Side, Step, Table};
use anyhow::{Context, Result, bail, ensure};
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

const EVENTS_MAX: usize = 1024;
/// Without a single frame for so long the run is over.
const SILENCE_MAX: Duration = Duration::from_secs(15);
/// Moves that are due at a table and can't begin yet, in fixed pace. More: the server can't keep up.
const BACKLOG_MAX: usize = 10_000;

/// When the next move of a table begins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pace {
    /// Not at all.
    Hold,
    /// As soon as the last one is done.
    Closed,
    /// So many a second over all tables, by turns.
    Fixed(u32),
}

/// All tables with their sockets: those of table `n` are `2n` and `2n + 1`.
pub(crate) struct Drive {
    pub(crate) tables: Vec<Table>,
    sockets: Vec<Socket>,
    poll: OwnedFd,
    ready: Vec<epoll::Event>,
    pace: Pace,
    /// By table: it could move now.
    free: Vec<bool>,
    /// By table: what is due.
    backlog: Vec<VecDeque<Instant>>,
    /// From due to done, in microseconds.
    latencies: Vec<u32>,
    last_frame: Instant,
}

/// The only clock of the load tool.
pub(crate) fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "a load tool measures real time")]
    Instant::now()
}

impl Drive {
    /// Takes sockets that are signed in, two a table, and the words that open a game.
    pub(crate) fn new(sockets: Vec<Socket>, opening: &'static str) -> Result<Self> {
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for (index, socket) in sockets.iter().enumerate() {
            socket.stop_blocking()?;
            epoll::add(&poll, socket, epoll::EventData::new_u64(index as u64), epoll::EventFlags::IN)?;
        }
        let tables = sockets.len() / 2;
        Ok(Self {
            tables: std::iter::repeat_with(|| Table::new(opening)).take(tables).collect(),
            sockets,
            poll,
            ready: Vec::with_capacity(EVENTS_MAX),
            pace: Pace::Hold,
            free: vec![false; tables],
            backlog: vec![VecDeque::new(); tables],
            latencies: Vec::new(),
            last_frame: now(),
        })
    }

    /// Opens a game at every table and waits until all could move. Games that are open there stay as they are.
    pub(crate) fn open_games(&mut self) -> Result<()> {
        self.free.fill(false);
        for table in 0..self.tables.len() {
            let side = self.tables[table].begin_game()?;
            self.send(table, side)?;
        }
        self.settle()
    }

    /// Begins no more moves, and waits until all tables could begin one.
    pub(crate) fn settle(&mut self) -> Result<()> {
        self.pace = Pace::Hold;
        self.last_frame = now();
        while self.free.contains(&false) {
            self.turn(SILENCE_MAX)?;
            self.must_hear()?;
        }
        Ok(())
    }

    /// Cuts every connection, without a word.
    pub(crate) fn cut(self) -> Vec<Table> {
        self.tables
    }

    /// Plays at a pace for a time; the latencies of the moves that were done, in microseconds.
    pub(crate) fn play(&mut self, pace: Pace, time: Duration) -> Result<Vec<u32>> {
        self.play_while(pace, time, || true)
    }

    /// As [`Drive::play`], and no longer than something goes on.
    pub(crate) fn play_while(
        &mut self,
        pace: Pace,
        time_max: Duration,
        goes_on: impl Fn() -> bool,
    ) -> Result<Vec<u32>> {
        let begin = now();
        let until = begin + time_max;
        self.last_frame = begin;
        self.pace = pace;
        self.latencies.clear();
        let mut scheduled = 0u32;
        for table in 0..self.tables.len() {
            self.go_on(table, begin)?;
        }
        loop {
            let at = now();
            if at >= until || !goes_on() {
                return Ok(std::mem::take(&mut self.latencies));
            }
            let mut patience = until - at;
            if let Pace::Fixed(rate) = pace {
                let due = |index: u32| begin + Duration::from_secs(1) * index / rate;
                while due(scheduled) <= at {
                    self.schedule(scheduled as usize % self.tables.len(), due(scheduled))?;
                    scheduled += 1;
                }
                patience = patience.min(due(scheduled) - at);
            }
            self.turn(patience)?;
            if matches!(pace, Pace::Closed) {
                self.must_hear()?;
            }
        }
    }

    /// An error if the server has been silent for too long.
    fn must_hear(&self) -> Result<()> {
        ensure!(now() - self.last_frame <= SILENCE_MAX, "no frame came for {SILENCE_MAX:?}");
        Ok(())
    }

    /// Takes in what was on its way from a server that is gone, until every connection has ended.
    pub(crate) fn drain(&mut self) -> Result<()> {
        for index in 0..self.sockets.len() {
            while !self.sockets[index].has_ended() {
                self.sockets[index].fill()?;
            }
            while let Some(place) = self.sockets[index].next_text()? {
                let frame = Frame::read(self.sockets[index].text(place))?;
                self.tables[index / 2].take(index % 2, &frame)?;
            }
        }
        Ok(())
    }

    fn schedule(&mut self, table: usize, due: Instant) -> Result<()> {
        self.backlog[table].push_back(due);
        if self.backlog[table].len() > BACKLOG_MAX {
            bail!("the server is {BACKLOG_MAX} moves behind at a table; ask for a lower rate");
        }
        self.go_on(table, due)
    }

    /// Begins the next move of a table if it is free and the pace wants one.
    fn go_on(&mut self, table: usize, at: Instant) -> Result<()> {
        if !self.free[table] {
            return Ok(());
        }
        let due = match self.pace {
            Pace::Hold => None,
            Pace::Closed => Some(at),
            Pace::Fixed(_) => self.backlog[table].pop_front(),
        };
        let Some(due) = due else { return Ok(()) };
        self.free[table] = false;
        let side = self.tables[table].begin_move(due)?;
        self.send(table, side)
    }

    fn send(&mut self, table: usize, side: Side) -> Result<()> {
        self.sockets[2 * table + side].send(self.tables[table].outbox.as_bytes())
    }

    /// Waits for frames once, at most for a time, and takes in all that came.
    fn turn(&mut self, patience: Duration) -> Result<()> {
        let patience = patience.min(Duration::from_millis(500));
        let timeout = Timespec::try_from(patience).context("a wait out of range")?;
        self.ready.clear();
        match epoll::wait(&self.poll, spare_capacity(&mut self.ready), Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).context("the sockets can't be waited for"),
        }
        for at in 0..self.ready.len() {
            let index = self.ready[at].data.u64() as usize;
            self.take(index)?;
        }
        if !self.ready.is_empty() {
            self.last_frame = now();
        }
        Ok(())
    }

    fn take(&mut self, index: usize) -> Result<()> {
        self.sockets[index].fill()?;
        let (table, side) = (index / 2, index % 2);
        while let Some(place) = self.sockets[index].next_text()? {
            let text = self.sockets[index].text(place);
            let step = Frame::read(text)
                .and_then(|frame| self.tables[table].take(side, &frame))
                .with_context(|| format!("at the frame {}", String::from_utf8_lossy(text)))?;
            self.follow(table, step)?;
        }
        if self.sockets[index].has_ended() {
            bail!("the server ended a connection");
        }
        Ok(())
    }

    fn follow(&mut self, table: usize, step: Step) -> Result<()> {
        match step {
            Step::Wait => return Ok(()),
            Step::Send(side) => return self.send(table, side),
            Step::Ready => self.free[table] = true,
            Step::Moved { due, last } => {
                let done = now();
                self.latencies.push(u32::try_from((done - due).as_micros()).unwrap_or(u32::MAX));
                self.free[table] = !last;
                return self.go_on(table, done);
            }
        }
        self.go_on(table, now())
    }
}
