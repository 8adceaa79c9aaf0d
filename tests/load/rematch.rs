//! Rematches in a crowd: pairs whose games have just ended ask within one second, each at its own instant, and the
//! other one accepts as soon as the request is there. What is asked is how long a request takes to the opponent, and
//! an acceptance to the start of the next game at both.
//!
//! A round ends when every next game is there; then all resign and the next round begins. One thread, one `epoll`.

use crate::drive::now;
use crate::frame::Frame;
use crate::machine::Reading;
use crate::options::Options;
use crate::pair::{Pair, Step};
use crate::people;
use crate::report::{Latencies, RematchReport, percent, round};
use crate::socket::Socket;
use anyhow::{Context, Result, bail, ensure};
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

const EVENTS_MAX: usize = 1024;
/// Without a single frame for so long the run is over.
const SILENCE_MAX: Duration = Duration::from_secs(15);
/// The pairs of a round ask within this.
const ASKED_WITHIN: Duration = Duration::from_secs(1);
/// Rounds before those that count.
const ROUNDS_BEFORE: u64 = 1;

/// All pairs with their sockets: those of pair `n` are `2n` and `2n + 1`.
struct Crowd {
    pairs: Vec<Pair>,
    sockets: Vec<Socket>,
    poll: OwnedFd,
    ready: Vec<epoll::Event>,
    last_frame: Instant,
    /// From asking to the request at the opponent, in microseconds.
    asked: Vec<u32>,
    /// From accepting to the start at both, in microseconds.
    started: Vec<u32>,
}

/// Plays the rounds.
pub(crate) fn run(options: &Options, urls: &[&str], pids: &[u32]) -> Result<RematchReport> {
    let guests = people::sign_up(urls.first().context("no gateway")?, 2 * options.tables as usize)?;
    // Whoever accepts sits at another gateway than whoever asks, if there are two.
    let enter = |(index, guest)| people::enter(urls[index % 2 % urls.len()], guest);
    let sockets = guests.iter().enumerate().map(enter).collect::<Result<Vec<_>>>()?;
    let mut crowd = Crowd::new(sockets)?;
    crowd.all(Pair::open, Pair::is_playing)?;
    for _ in 0..ROUNDS_BEFORE {
        crowd.round()?;
    }
    (crowd.asked, crowd.started) = (Vec::new(), Vec::new());
    let (mut server, mut own, mut stolen, mut elapsed) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..options.seconds {
        let (before, after, took) = crowd.round_read(pids)?;
        server += after.server - before.server;
        own += after.own - before.own;
        stolen += after.stolen - before.stolen;
        elapsed += took.as_secs_f64();
    }
    let (asked, started) = (Latencies::new(crowd.asked), Latencies::new(crowd.started));
    Ok(RematchReport {
        mode: "rematch",
        pairs: options.tables,
        rounds: options.seconds,
        gateways: urls.len(),
        asked: asked.count(),
        ask_to_request_p50_ms: asked.percentile_ms(50),
        ask_to_request_p99_ms: asked.percentile_ms(99),
        ask_to_request_max_ms: asked.percentile_ms(100),
        started: started.count(),
        accept_to_start_p50_ms: started.percentile_ms(50),
        accept_to_start_p99_ms: started.percentile_ms(99),
        accept_to_start_max_ms: started.percentile_ms(100),
        round_seconds: round(elapsed / options.seconds as f64, 3),
        server_cpu_percent: (!pids.is_empty()).then(|| percent(server, elapsed)),
        generator_cpu_percent: percent(own, elapsed),
        steal_percent: percent(stolen, elapsed),
    })
}

impl Crowd {
    fn new(sockets: Vec<Socket>) -> Result<Self> {
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for (index, socket) in sockets.iter().enumerate() {
            socket.stop_blocking()?;
            epoll::add(&poll, socket, epoll::EventData::new_u64(index as u64), epoll::EventFlags::IN)?;
        }
        Ok(Self {
            pairs: std::iter::repeat_with(Pair::new).take(sockets.len() / 2).collect(),
            sockets,
            poll,
            ready: Vec::with_capacity(EVENTS_MAX),
            last_frame: now(),
            asked: Vec::new(),
            started: Vec::new(),
        })
    }

    /// All end their games, ask and accept.
    fn round(&mut self) -> Result<()> {
        self.all(Pair::resign, Pair::is_over)?;
        self.burst()
    }

    /// The same, with the counters around what is measured, and how long that took.
    fn round_read(&mut self, pids: &[u32]) -> Result<(Reading, Reading, Duration)> {
        self.all(Pair::resign, Pair::is_over)?;
        let (before, begin) = (Reading::take(pids)?, now());
        self.burst()?;
        Ok((before, Reading::take(pids)?, now() - begin))
    }

    /// Every pair begins something, and all wait until it is done everywhere.
    fn all(&mut self, begin: fn(&mut Pair) -> Result<usize>, is_done: fn(&Pair) -> bool) -> Result<()> {
        for pair in 0..self.pairs.len() {
            let side = begin(&mut self.pairs[pair])?;
            self.send(pair, side)?;
        }
        self.until(is_done)
    }

    /// Pairs ask one after the other, spread over a second, and all wait until the next games are there.
    fn burst(&mut self) -> Result<()> {
        let (begin, pairs) = (now(), self.pairs.len() as u32);
        let due = |pair: u32| begin + ASKED_WITHIN * pair / pairs;
        let mut asked = 0;
        while asked < pairs {
            let at = now();
            while asked < pairs && due(asked) <= at {
                let side = self.pairs[asked as usize].ask(due(asked))?;
                self.send(asked as usize, side)?;
                asked += 1;
            }
            if asked < pairs {
                self.turn(due(asked).saturating_duration_since(at))?;
            }
        }
        self.until(Pair::is_playing)
    }

    fn until(&mut self, is_done: fn(&Pair) -> bool) -> Result<()> {
        self.last_frame = now();
        while !self.pairs.iter().all(is_done) {
            self.turn(SILENCE_MAX)?;
            ensure!(now() - self.last_frame <= SILENCE_MAX, "no frame came for {SILENCE_MAX:?}");
        }
        Ok(())
    }

    fn send(&mut self, pair: usize, side: usize) -> Result<()> {
        self.sockets[2 * pair + side].send(self.pairs[pair].outbox.as_bytes())
    }

    /// Waits for frames once, at most for a time, and takes in all that came.
    fn turn(&mut self, patience: Duration) -> Result<()> {
        let timeout = Timespec::try_from(patience).context("a wait out of range")?;
        self.ready.clear();
        match epoll::wait(&self.poll, spare_capacity(&mut self.ready), Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).context("the sockets can't be waited for"),
        }
        for at in 0..self.ready.len() {
            let index = self.ready[at].data.u64() as usize;
            self.take(index)?;
            self.last_frame = now();
        }
        Ok(())
    }

    fn take(&mut self, index: usize) -> Result<()> {
        self.sockets[index].fill()?;
        let (pair, side) = (index / 2, index % 2);
        while let Some(place) = self.sockets[index].next_text()? {
            let text = self.sockets[index].text(place);
            let step = Frame::read(text)
                .and_then(|frame| self.pairs[pair].take(side, &frame, now()))
                .with_context(|| format!("at the frame {}", String::from_utf8_lossy(text)))?;
            match step {
                Step::Wait => {}
                Step::Send(side) => self.send(pair, side)?,
                Step::Requested(took) => {
                    self.asked.push(micros(took));
                    let side = self.pairs[pair].accept(now())?;
                    self.send(pair, side)?;
                }
                Step::Started(took) => self.started.push(micros(took)),
            }
        }
        if self.sockets[index].has_ended() {
            bail!("the server ended a connection");
        }
        Ok(())
    }
}

fn micros(took: Duration) -> u32 {
    u32::try_from(took.as_micros()).unwrap_or(u32::MAX)
}
