//! Rematches in a crowd: pairs whose games have just ended ask within one second, each at its own instant, and the
//! other one accepts as soon as the request is there. What is asked is how long a request takes to the opponent, and
//! an acceptance to the start of the next game at both.
//!
//! A round ends when every next game is there; then all resign and the next round begins.

use crate::crowd::{Crowd, SILENCE_MAX, Said};
use crate::drive::now;
use crate::machine::Reading;
use crate::options::Options;
use crate::pair::{Pair, Step};
use crate::people;
use crate::report::{Latencies, RematchReport, percent, round};
use anyhow::{Context, Result};
use std::time::Duration;

/// The pairs of a round ask within this.
const ASKED_WITHIN: Duration = Duration::from_secs(1);
/// Rounds before those that count.
const ROUNDS_BEFORE: u64 = 1;

/// All pairs with their sockets: those of pair `n` are `2n` and `2n + 1`.
struct Rematches {
    crowd: Crowd,
    pairs: Vec<Pair>,
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
    let mut rematches = Rematches {
        pairs: std::iter::repeat_with(Pair::new).take(sockets.len() / 2).collect(),
        crowd: Crowd::new(sockets)?,
        asked: Vec::new(),
        started: Vec::new(),
    };
    rematches.all(Pair::open, Pair::is_playing)?;
    for _ in 0..ROUNDS_BEFORE {
        rematches.round()?;
    }
    (rematches.asked, rematches.started) = (Vec::new(), Vec::new());
    let (mut server, mut own, mut stolen, mut elapsed) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..options.seconds {
        let (before, after, took) = rematches.round_read(pids)?;
        server += after.server - before.server;
        own += after.own - before.own;
        stolen += after.stolen - before.stolen;
        elapsed += took.as_secs_f64();
    }
    let (asked, started) = (Latencies::new(rematches.asked), Latencies::new(rematches.started));
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
        server_cpu_ms_per_rematch: (!pids.is_empty())
            .then(|| round(server * 1000.0 / started.count().max(1) as f64, 3)),
        server_cpu_percent: (!pids.is_empty()).then(|| percent(server, elapsed)),
        generator_cpu_percent: percent(own, elapsed),
        steal_percent: percent(stolen, elapsed),
    })
}

impl Rematches {
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
        let mut said = Said::new();
        for (number, pair) in self.pairs.iter_mut().enumerate() {
            let side = begin(pair)?;
            said.push(pair.says(number, side));
        }
        self.crowd.say(&mut said)?;
        self.until(is_done)
    }

    /// Pairs ask one after the other, spread over a second, and all wait until the next games are there.
    fn burst(&mut self) -> Result<()> {
        let (begin, count) = (now(), self.pairs.len() as u32);
        let due = |number: u32| begin + ASKED_WITHIN * number / count;
        let mut asked = 0;
        while asked < count {
            let (at, mut said) = (now(), Said::new());
            while asked < count && due(asked) <= at {
                let pair = &mut self.pairs[asked as usize];
                let side = pair.ask(due(asked))?;
                said.push(pair.says(asked as usize, side));
                asked += 1;
            }
            self.crowd.say(&mut said)?;
            if asked < count {
                self.turn(due(asked).saturating_duration_since(at))?;
            }
        }
        self.until(Pair::is_playing)
    }

    fn until(&mut self, is_done: fn(&Pair) -> bool) -> Result<()> {
        while !self.pairs.iter().all(is_done) {
            self.turn(SILENCE_MAX)?;
        }
        Ok(())
    }

    /// Waits for frames once, at most for a time, and takes in all that came.
    fn turn(&mut self, patience: Duration) -> Result<()> {
        let Self { crowd, pairs, asked, started } = self;
        crowd.turn(patience, |index, frame, at, said| {
            let (number, side) = (index / 2, index % 2);
            let pair = &mut pairs[number];
            match pair.take(side, frame, at)? {
                Step::Wait => {}
                Step::Send(side) => said.push(pair.says(number, side)),
                Step::Requested(took) => {
                    asked.push(micros(took));
                    let side = pair.accept(now())?;
                    said.push(pair.says(number, side));
                }
                Step::Started(took) => started.push(micros(took)),
            }
            Ok(())
        })
    }
}

fn micros(took: Duration) -> u32 {
    u32::try_from(took.as_micros()).unwrap_or(u32::MAX)
}
