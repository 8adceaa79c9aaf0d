//! The leak oracle. Two worlds, each an engine, a matchmaking and a gateway with real sockets, play the same games; only what
//! one seat hides from all others differs: what it exchanged, what it chose in secret. Whoever must not see that
//! has to be sent the same bytes in both worlds, in answers, events, errors, hashes, legal moves, on a second
//! tab, after a reconnect and over HTTP.
//!
//! It knows no game: a [`subjects::Subject`] says which moves the others can't tell apart.

#![allow(unreachable_pub, dead_code, reason = "the toys are shared by several binaries")]

mod play;
mod stage;
mod subjects;
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "shared with tests that may fail so"
)]
#[path = "../../services/rules/tests/toys/mod.rs"]
mod toys;
mod twins;
mod world;

use anyhow::{Result, ensure};
use futures::future::try_join_all;
use play::{Oracle, Tally};
use subjects::{Crossword, Dare, Kalah, Subject};

/// Oracles at once: most of the time of each is waiting.
const ORACLES: u8 = 6;
/// Games over all of them, if the variable doesn't say otherwise.
const GAMES: u32 = 120;
const GAMES_VARIABLE: &str = "ASTRAGAL_LEAK_GAMES";

/// Of every twenty games, and how many moves differ in one of them at least.
const KINDS: [(&dyn Subject, u32, f32); 3] = [(&Crossword, 16, 1.0), (&Dare, 3, 0.3), (&Kalah, 1, 0.0)];

/// What another seat hides changes nothing of what anybody else is sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g5_l3_what_a_seat_hides_is_in_no_frame_of_the_others() -> Result<()> {
    let twenties = games()?.div_ceil(20 * u32::from(ORACLES));
    let tallies = try_join_all((0..ORACLES).map(|number| watch(number, twenties))).await?;
    for (kind, (subject, of_twenty, differing_min)) in KINDS.into_iter().enumerate() {
        let sum = |count: fn(&Tally) -> u32| tallies.iter().map(|kinds| count(&kinds[kind])).sum::<u32>();
        let (differing, frames) = (sum(|tally| tally.differing), sum(|tally| tally.frames));
        let played = of_twenty * twenties * u32::from(ORACLES);
        let (robots, timed) = (sum(|tally| tally.robots), sum(|tally| tally.timed));
        let verdicts = sum(|tally| tally.verdicts);
        println!(
            "{}: {played} games, {differing} moves that differ, {robots} of robots, {timed} against the clock, \
             {verdicts} verdicts, {frames} frames",
            subject.name()
        );
        ensure!(timed > 0 && robots > 0, "no clock, or no robot");
        ensure!(verdicts > 0 || subject.name() != Crossword.name(), "nobody challenged");
        ensure!(f64::from(differing) >= f64::from(differing_min) * f64::from(played), "few moves differed");
        ensure!(frames > 10 * played, "only {frames} frames were compared");
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "how long the test plays is a setting of the test run")]
fn games() -> Result<u32> {
    Ok(std::env::var(GAMES_VARIABLE).map_or(Ok(GAMES), |number| number.parse())?)
}

/// One oracle: so many times twenty games; the tally of each kind.
async fn watch(number: u8, twenties: u32) -> Result<Vec<Tally>> {
    let mut oracle = Oracle::begin(number).await?;
    let mut tallies = Vec::new();
    for (subject, of_twenty, _) in KINDS {
        for _ in 0..of_twenty * twenties {
            oracle.play(subject).await?;
        }
        tallies.push(std::mem::take(&mut oracle.tally));
    }
    oracle.end().await;
    Ok(tallies)
}
