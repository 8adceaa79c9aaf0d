//! What looking back costs, through the services of replay and an engine on a database file. Targets: the
//! timeline of a crossword game of 40 moves within 5 ms from a cold cache; of kalah over 200,000 steps a
//! second, with less than 100 MB for 100,000 moves; step 99,999 within 20 ms once there are snapshots; 10,000
//! finished games checked within a minute on two cores.
//!
//! Cold: nobody has asked for the game yet, neither replay nor the engine.

#![expect(clippy::expect_used, reason = "a benchmark that can't go on has failed")]

mod endless;
mod games;
mod house;

use crate::games::played;
use crate::house::{House, games_with_words};
use astragal_runtime::id::TableId;
use divan::Bencher;
use divan::counter::ItemsCount;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// The moves of the longest log.
const MOVES: u32 = 100_000;

/// Games that are checked again and again, half of them crossword.
const GAMES: u64 = 100;

struct Stage {
    house: House,
    directory: tempfile::TempDir,
    longest: TableId,
    crossword: TableId,
    finished: Vec<TableId>,
}

static STAGE: LazyLock<Stage> = LazyLock::new(|| {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let house = House::open(&directory.path().join("engine.sqlite"));
    let registry = games_with_words();
    let written = |game: games::Played| {
        house.write(&game);
        game.id
    };
    let longest = written(played(&registry, endless::NAME, 0, MOVES));
    let forty =
        (1..1_000).map(|number| played(&registry, "crossword", number, 40)).find(|game| game.moves() == 40);
    let crossword = written(forty.expect("a game"));
    let game = |number| played(&registry, if number % 2 == 0 { "crossword" } else { "kalah" }, number, MOVES);
    let finished = (1_000..1_000 + GAMES).map(|number| written(game(number))).collect();
    Stage { house, directory, longest, crossword, finished }
});

fn main() {
    let given: Vec<_> = std::env::args().collect();
    if let [_, word, file, table] = &given[..]
        && word == "--memory"
    {
        return print_memory(Path::new(file), table);
    }
    let file = STAGE.directory.path().join("engine.sqlite");
    let again = std::env::current_exe().expect("this program");
    let measured = Command::new(again).arg("--memory").arg(file).arg(STAGE.longest.to_string()).status();
    assert!(measured.is_ok_and(|status| status.success()), "the process that is measured failed");
    divan::main();
}

/// The most memory that a process of its own held, in which both roles did nothing but this.
#[expect(clippy::print_stdout, reason = "the figure of a bench")]
fn print_memory(file: &Path, table: &str) {
    let (house, table) = (House::open(file), table.parse().expect("an id"));
    let steps = house.timeline(house.replay(), table);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: unknown");
    println!("replay and engine in one process, {steps} steps streamed: {peak}");
}

#[divan::bench]
fn timeline_of_40_moves_of_crossword_cold(bencher: Bencher) {
    let Stage { house, crossword, .. } = &*STAGE;
    bencher.with_inputs(|| house.replay()).bench_local_values(|replay| house.timeline(replay, *crossword));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn timeline_of_100_000_moves_cold(bencher: Bencher) {
    let Stage { house, longest, .. } = &*STAGE;
    bencher
        .counter(ItemsCount::new(MOVES))
        .with_inputs(|| house.replay())
        .bench_local_values(|replay| house.timeline(replay, *longest));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn timeline_of_100_000_moves_again(bencher: Bencher) {
    let Stage { house, longest, .. } = &*STAGE;
    let replay = house.replay();
    house.step(replay.clone(), *longest, 0);
    bencher.counter(ItemsCount::new(MOVES)).bench_local(|| house.timeline(replay.clone(), *longest));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn step_99_999_cold(bencher: Bencher) {
    let Stage { house, longest, .. } = &*STAGE;
    bencher
        .with_inputs(|| house.replay())
        .bench_local_values(|replay| house.step(replay, *longest, MOVES - 1));
}

#[divan::bench]
fn step_99_999_with_snapshots(bencher: Bencher) {
    let Stage { house, longest, .. } = &*STAGE;
    let replay = house.replay();
    house.step(replay.clone(), *longest, MOVES);
    bencher.bench_local(|| house.step(replay.clone(), *longest, MOVES - 1));
}

#[divan::bench(args = ["logs", "certificates"], sample_count = 1, sample_size = 1)]
fn verify_10_000_games(bencher: Bencher, kind: &str) {
    const CHECKED: usize = 10_000;
    let Stage { house, finished, .. } = &*STAGE;
    let file = |table: &TableId| if kind == "logs" { house.log(*table) } else { house.certificate(*table) };
    let files: Vec<_> = finished.iter().map(file).collect();
    bencher
        .counter(ItemsCount::new(CHECKED))
        .bench_local(|| assert_eq!(house.verify(&files, CHECKED), CHECKED));
}
