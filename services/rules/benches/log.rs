//! What a log costs: read, verified, replayed. Targets: verify of 100,000 moves under a second
//! and under 100 MB, and a million kalah moves a second from log to final state.

#![allow(unreachable_pub, dead_code, reason = "the toys are shared by several binaries")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a bench may fail so")]

#[path = "../tests/toys/mod.rs"]
mod toys;

use astragal_rules::finished_log::FinishedLog;
use astragal_rules::log::{Header, LoggedMove, MOVES_MAX, TableLog};
use astragal_rules::outcome::EndReason;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Commitment;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use std::sync::Arc;
use toys::played::{Played, Setting};
use toys::random::{Whim, play_on};
use toys::{NoTwins, registry};

fn main() {
    print_memory();
    divan::main();
}

/// The text of a finished counter game of 100,000 moves, in which each third move draws.
fn long_log() -> (String, Commitment) {
    let setting = Setting { options: r#"{"target":1000000}"#, ..Setting::of("counter") };
    let opening = Arc::new(setting.opening(&registry()));
    let commitment = opening.seed.commitment();
    let number = |place: u32| LoggedMove {
        number: place + 1,
        seat: Some(Seat((place % 2) as u8)),
        action: if place.is_multiple_of(3) { r#""roll""#.into() } else { r#"{"add":2}"#.into() },
        drew: place.is_multiple_of(3),
    };
    let mut moves: Vec<_> = (0..MOVES_MAX - 1).map(number).collect();
    moves.push(LoggedMove { number: MOVES_MAX, seat: None, action: r#"{"resigned":0}"#.into(), drew: false });
    let log = TableLog::new(opening, moves).expect("a whole log");
    let table = registry().replay(&log).expect("a log that replays");
    let sitters = vec![astragal_rules::finished_log::Sitter::Player {}; 2];
    let finished = FinishedLog::of(log, sitters, &*table).expect("a game that is over");
    (finished.to_json().expect("a log that can be written"), commitment)
}

/// Logs of whole kalah games between random players.
fn kalah_logs(games: u64) -> Vec<TableLog> {
    let game = |number: u64| {
        let mut played = Played::open(&registry(), Setting::of("kalah"));
        play_on(&mut played, &mut Whim::new(number), 1_000);
        played
    };
    let whole =
        |played: &Played| played.now().outcome().is_some_and(|outcome| outcome.reason == EndReason::Finished);
    (0..).map(game).filter(whole).take(games as usize).map(|played| played.log()).collect()
}

/// The most memory that the process held while it read and verified the long log.
#[expect(clippy::print_stdout, reason = "the figure of a bench")]
fn print_memory() {
    let (text, commitment) = long_log();
    // Writing 5 here makes the kernel forget the peak so far.
    if std::fs::write("/proc/self/clear_refs", "5").is_err() {
        return println!("no peak of memory to be had on this system");
    }
    let finished = FinishedLog::from_json(&text).expect("a good log");
    registry().verify(&finished, &commitment).expect("a log that verifies");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: unknown");
    println!("reading and verifying 100,000 moves ({} KB of text): {peak}", text.len() / 1024);
}

#[divan::bench]
fn read_100_000_moves(bencher: Bencher) {
    let (text, _) = long_log();
    bencher.bench_local(|| FinishedLog::from_json(black_box(&text)).is_ok());
}

#[divan::bench]
fn verify_100_000_moves(bencher: Bencher) {
    let (text, commitment) = long_log();
    let (finished, registry) = (FinishedLog::from_json(&text).expect("a good log"), registry());
    bencher.bench_local(|| registry.verify(black_box(&finished), &commitment).is_ok());
}

#[divan::bench]
fn read_and_verify_100_000_moves(bencher: Bencher) {
    let ((text, commitment), registry) = (long_log(), registry());
    bencher.bench_local(|| {
        let finished = FinishedLog::from_json(black_box(&text)).expect("a good log");
        registry.verify(&finished, &commitment).is_ok()
    });
}

/// From whole logs to final states, through the registry; in moves a second.
#[divan::bench]
fn replay_kalah(bencher: Bencher) {
    let (logs, registry) = (kalah_logs(200), registry());
    let moves: usize = logs.iter().map(|log| log.moves().len()).sum();
    bencher
        .counter(ItemsCount::new(moves))
        .bench_local(|| logs.iter().filter(|log| registry.replay(black_box(log)).is_ok()).count());
}

/// The same without setting up a table for each game.
#[divan::bench]
fn advance_kalah(bencher: Bencher) {
    let log = kalah_logs(1).pop().expect("a log");
    let table = registry().setup(&log.header()).expect("a table");
    let header = Header { moves: log.moves().len() as u32, ..log.header() };
    bencher
        .counter(ItemsCount::new(log.moves().len()))
        .bench_local(|| table.advance(black_box(&header), log.moves(), &NoTwins).is_ok());
}

/// One live move as the engine makes it, with the state's text and one view.
#[divan::bench]
fn step_kalah_with_state_and_view(bencher: Bencher) {
    let log = kalah_logs(1).pop().expect("a log");
    let table = registry().setup(&log.header()).expect("a table");
    let first = &log.moves()[0];
    bencher.bench_local(|| {
        let step = table.step(first.seat, black_box(&first.action), &NoTwins).expect("a legal move");
        let view = step.after.view(astragal_rules::game::Viewer::Spectator);
        (step.after.state_json().map(|text| text.len()), view.map(|text| text.len()))
    });
}
