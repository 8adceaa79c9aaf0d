//! The lobby among many games that wait: pairs who open and join one game after the other, and a crowd who all look
//! for the same game at once.
//!
//! Games of other kinds wait all the while, opened by people who have gone; what they cost is asked by running it with
//! few of them and with many. Every search goes from a socket through a gateway, matchmaking and an engine and back.

use crate::crowd::{Crowd, SILENCE_MAX, Said};
use crate::drive::now;
use crate::frame::Frame;
use crate::machine::Reading;
use crate::options::Options;
use crate::people;
use crate::report::{Latencies, LobbyReport, percent, round};
use crate::searcher::{Searcher, Step, kind};
use anyhow::{Result, bail, ensure};
use std::time::{Duration, Instant};

/// Who waits does so in as many games as one may.
const SEARCHES_EACH: u32 = 3;
/// Those who open the waiting games come in groups of so many.
const OPENERS_AT_ONCE: usize = 64;
/// Kinds of games that nobody else looks for begin here: those of the pairs, and those of the crowd.
const KINDS_OF_PAIRS: u32 = 100_000;
const KINDS_OF_THE_CROWD: u32 = 200_000;
/// How many look for the same game at once.
const SEARCHERS: usize = 200;
/// How often they do.
const ROUNDS: u32 = 30;

/// Fills the lobby, and measures both.
pub(crate) fn run(options: &Options, url: &str, pids: &[u32]) -> Result<LobbyReport> {
    let begin = now();
    fill(url, options.waiting)?;
    let filled = now() - begin;

    let mut pairs = Pairs::enter(url, options.tables)?;
    pairs.play(options.warmed())?;
    let (begin, before) = (now(), Reading::take(pids)?);
    let took = Latencies::new(pairs.play(options.measured())?);
    let (elapsed, after) = ((now() - begin).as_secs_f64(), Reading::take(pids)?);
    drop(pairs);
    let matched = Latencies::new(matches(url)?);

    Ok(LobbyReport {
        mode: "lobby",
        waiting: options.waiting,
        opened_in_seconds: round(filled.as_secs_f64(), 1),
        pairs_at_once: options.tables,
        seconds: round(elapsed, 3),
        pairs: took.count(),
        pairs_per_second: round(took.count() as f64 / elapsed, 1),
        pair_p50_ms: took.percentile_ms(50),
        pair_p99_ms: took.percentile_ms(99),
        pair_max_ms: took.percentile_ms(100),
        searchers: SEARCHERS,
        rounds: ROUNDS,
        match_p50_ms: matched.percentile_ms(50),
        match_p99_ms: matched.percentile_ms(99),
        match_max_ms: matched.percentile_ms(100),
        server_cpu_percent: (!pids.is_empty()).then(|| percent(after.server - before.server, elapsed)),
        generator_cpu_percent: percent(after.own - before.own, elapsed),
        steal_percent: percent(after.stolen - before.stolen, elapsed),
    })
}

/// Opens games of a kind each, and goes.
fn fill(url: &str, waiting: u32) -> Result<()> {
    let openers = people::sign_up(url, waiting.div_ceil(SEARCHES_EACH) as usize)?;
    let mut kinds = 0..waiting;
    for group in openers.chunks(OPENERS_AT_ONCE) {
        let mut sockets = people::enter_all(url, group)?;
        let mut asked = vec![0; sockets.len()];
        for (socket, asked) in sockets.iter_mut().zip(&mut asked) {
            for number in kinds.by_ref().take(SEARCHES_EACH as usize) {
                let mut opener = Searcher::new();
                opener.look(&kind(number), now())?;
                socket.send(opener.outbox.as_bytes())?;
                *asked += 1;
            }
        }
        for (socket, asked) in sockets.iter_mut().zip(asked) {
            let mut opened = 0;
            while opened < asked {
                let place = socket.wait_text()?;
                match Frame::read(socket.text(place))? {
                    Frame::Searching { joined, .. } => {
                        ensure!(
                            !joined,
                            "somebody else waits for a game of this kind; use a server of its own"
                        );
                        opened += 1;
                    }
                    Frame::Error { message, .. } => bail!("{}", String::from_utf8_lossy(message)),
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

fn searchers(count: usize) -> Vec<Searcher> {
    std::iter::repeat_with(Searcher::new).take(count).collect()
}

/// Pairs, each with a kind of game of its own: those of pair `n` are `2n`, who opens, and `2n + 1`, who joins.
struct Pairs {
    crowd: Crowd,
    people: Vec<Searcher>,
    /// By pair: when its opener began to look.
    begun: Vec<Instant>,
    /// By pair: how many of both have yet to hear that the game is over.
    playing: Vec<u8>,
}

impl Pairs {
    fn enter(url: &str, pairs: u32) -> Result<Self> {
        let guests = people::sign_up(url, 2 * pairs as usize)?;
        let crowd = Crowd::new(people::enter_all(url, &guests)?)?;
        let (begun, playing) = (vec![now(); pairs as usize], vec![0; pairs as usize]);
        Ok(Self { crowd, people: searchers(guests.len()), begun, playing })
    }

    /// Pairs open and join for a time, and end what they have begun; how long each took, in microseconds.
    fn play(&mut self, span: Duration) -> Result<Vec<u32>> {
        let (end, mut took, mut said) = (now() + span, Vec::new(), Said::new());
        let Self { crowd, people, begun, playing } = self;
        for pair in 0..playing.len() {
            begin(people, begun, playing, pair, &mut said)?;
        }
        crowd.say(&mut said)?;
        while playing.iter().any(|playing| *playing > 0) {
            crowd.turn(SILENCE_MAX, |index, frame, at, said| {
                let (pair, joins) = (index / 2, index % 2 == 1);
                match people[index].take(frame, at)? {
                    Step::Opened => {
                        ensure!(!joins, "nobody else waited although the game had been opened");
                        say_look(&mut people[index + 1], index + 1, kind_of(pair), at, said)?;
                    }
                    Step::Matched(_) if joins => {
                        ensure!(people[index].has_joined(), "a joiner opened a game");
                        took.push(micros(at - begun[pair]));
                        people[index].resign()?;
                        said.push((index, people[index].outbox.clone()));
                    }
                    Step::Over => {
                        playing[pair] -= 1;
                        if playing[pair] == 0 && at < end {
                            begin(people, begun, playing, pair, said)?;
                        }
                    }
                    Step::Wait | Step::Matched(_) => {}
                }
                Ok(())
            })?;
        }
        Ok(took)
    }
}

const fn kind_of(pair: usize) -> u32 {
    KINDS_OF_PAIRS + pair as u32
}

fn begin(
    people: &mut [Searcher],
    begun: &mut [Instant],
    playing: &mut [u8],
    pair: usize,
    said: &mut Said,
) -> Result<()> {
    begun[pair] = now();
    playing[pair] = 2;
    say_look(&mut people[2 * pair], 2 * pair, kind_of(pair), begun[pair], said)
}

fn say_look(who: &mut Searcher, index: usize, number: u32, at: Instant, said: &mut Said) -> Result<()> {
    who.look(&kind(number), at)?;
    said.push((index, who.outbox.clone()));
    Ok(())
}

/// All look at once, again and again; how long each waited for the last seat of their game, in microseconds.
fn matches(url: &str) -> Result<Vec<u32>> {
    let guests = people::sign_up(url, SEARCHERS)?;
    let mut crowd = Crowd::new(people::enter_all(url, &guests)?)?;
    let (mut people, mut waits) = (searchers(SEARCHERS), Vec::new());
    for number in 0..ROUNDS {
        let mut said = Said::new();
        for (index, searcher) in people.iter_mut().enumerate() {
            say_look(searcher, index, KINDS_OF_THE_CROWD + number, now(), &mut said)?;
        }
        crowd.say(&mut said)?;
        let mut matched = 0;
        while matched < SEARCHERS {
            crowd.turn(SILENCE_MAX, |index, frame, at, _| {
                if let Step::Matched(took) = people[index].take(frame, at)? {
                    waits.push(micros(took));
                    matched += 1;
                }
                Ok(())
            })?;
        }
        let joiners = people.iter_mut().enumerate().filter(|(_, searcher)| searcher.has_joined());
        for (index, joiner) in joiners {
            joiner.resign()?;
            said.push((index, joiner.outbox.clone()));
        }
        ensure!(said.len() * 2 == SEARCHERS, "{} of {SEARCHERS} have joined", said.len());
        crowd.say(&mut said)?;
        let mut over = 0;
        while over < SEARCHERS {
            crowd.turn(SILENCE_MAX, |index, frame, at, _| {
                over += usize::from(people[index].take(frame, at)? == Step::Over);
                Ok(())
            })?;
        }
    }
    Ok(waits)
}

fn micros(took: Duration) -> u32 {
    u32::try_from(took.as_micros()).unwrap_or(u32::MAX)
}
