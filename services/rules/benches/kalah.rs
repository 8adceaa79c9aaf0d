//! How fast kalah is. Targets: random play-outs within twice the time of a bare loop over an
//! array, which plays the same games here; logs to their final states through the registry at
//! 1,000,000 moves a second; a move of the best robot under 50 milliseconds (column `slowest`).

use arrayvec::ArrayVec;
use astragal_rules::chance::Chance;
use astragal_rules::game::{Game, Table};
use astragal_rules::kalah::board::{Board, Capture};
use astragal_rules::kalah::game::{Kalah, Options};
use astragal_rules::kalah::pit::{Pit, Side};
use astragal_rules::kalah::view::View;
use astragal_rules::log::{LoggedMove, Opening, TableLog};
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use std::sync::Arc;
use uuid::Uuid;

const GAMES: u64 = 1_000;

fn main() {
    divan::main();
}

/// Cheap random choices, the same for both boards.
struct Choices(u64);

impl Choices {
    fn of_game(game: u64) -> Self {
        Self((game + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        items[((self.0 >> 32) as usize * items.len()) >> 32]
    }
}

fn beginning() -> Board {
    View { pits: [[4; 6]; 2], stores: [0; 2] }.try_into().unwrap_or_else(|error| panic!("{error}"))
}

/// Plays a game at random and tells of each position and the pit that is sown there.
fn play_out(game: u64, mut told: impl FnMut(Board, Side, Pit)) -> [u8; 2] {
    let (mut board, mut side) = (beginning(), Side::South);
    let mut choices = Choices::of_game(game);
    while board.sweep().is_none() {
        let pit = choices.pick(&board.sowable(side));
        told(board, side, pit);
        if board.sow(side, pit, Capture::Standard).is_some_and(|sown| !sown.again) {
            side = side.opposite();
        }
    }
    board.stores()
}

/// The same game on an array of 14 numbers, as one writes it in ten minutes.
fn bare_play_out(game: u64) -> [u8; 2] {
    let mut board = [4_u8, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0];
    let mut choices = Choices::of_game(game);
    let mut first = 0;
    while board[..6].iter().any(|seeds| *seeds > 0) && board[7..13].iter().any(|seeds| *seeds > 0) {
        let sowable: ArrayVec<_, 6> = (first..first + 6).filter(|place| board[*place] > 0).collect();
        let (store, store_across) = (first + 6, 13 - first);
        let mut place = choices.pick(&sowable);
        let seeds = std::mem::take(&mut board[place]);
        for _ in 0..seeds {
            place = if place == 13 { 0 } else { place + 1 };
            if place == store_across {
                place = if place == 13 { 0 } else { place + 1 };
            }
            board[place] += 1;
        }
        if (first..store).contains(&place) && board[place] == 1 && board[12 - place] > 0 {
            board[store] += 1 + std::mem::take(&mut board[12 - place]);
            board[place] = 0;
        }
        if place != store {
            first = 7 - first;
        }
    }
    [board[..7].iter().sum(), board[7..].iter().sum()]
}

fn moves_of_all_games() -> u64 {
    let mut moves = 0;
    for game in 0..GAMES {
        let stores = play_out(game, |_, _, _| moves += 1);
        assert_eq!(stores, bare_play_out(game), "both boards play the same games");
    }
    moves
}

#[divan::bench]
fn play_outs(bencher: Bencher) {
    bencher.counter(ItemsCount::new(moves_of_all_games())).bench_local(|| {
        for game in 0..GAMES {
            black_box(play_out(black_box(game), |_, _, _| ()));
        }
    });
}

#[divan::bench]
fn play_outs_on_a_bare_array(bencher: Bencher) {
    bencher.counter(ItemsCount::new(moves_of_all_games())).bench_local(|| {
        for game in 0..GAMES {
            black_box(bare_play_out(black_box(game)));
        }
    });
}

fn log_of(game: u64) -> TableLog {
    let opening = Opening {
        table: Uuid::from_u128(game.into()),
        game: "kalah".to_owned(),
        version: 1,
        seed: Seed::new([7; 32]),
        seats: 2,
        options: r#"{"capture":"standard","seeds":4}"#.to_owned(),
        first_seat: Seat(0),
    };
    let mut moves = Vec::new();
    play_out(game, |_, side, pit| {
        let action = format!(r#"{{"pit":{}}}"#, u8::from(pit)).into();
        moves.push(LoggedMove {
            number: moves.len() as u32 + 1,
            seat: Some(side.seat()),
            action,
            drew: false,
        });
    });
    TableLog::new(Arc::new(opening), moves).unwrap_or_else(|error| panic!("{error}"))
}

#[divan::bench]
fn logs_to_final_states(bencher: Bencher) {
    let registry = Registry::new().with(Kalah);
    let logs: Vec<_> = (0..GAMES).map(log_of).collect();
    let moves: usize = logs.iter().map(|log| log.moves().len()).sum();
    bencher.counter(ItemsCount::new(moves)).bench_local(|| {
        for log in &logs {
            let table = registry.replay(log).unwrap_or_else(|error| panic!("{error}"));
            assert!(black_box(table).outcome().is_some());
        }
    });
}

/// Positions in the middle of games, each of another game.
fn positions() -> impl Iterator<Item = (View, Seat)> {
    (0..).map(|game| {
        let (mut position, mut moves) = ((beginning(), Side::South), 0);
        play_out(game, |board, side, _| {
            if moves == 4 + game % 16 {
                position = (board, side);
            }
            moves += 1;
        });
        (position.0.into(), position.1.seat())
    })
}

#[divan::bench(args = [1, 2, 3, 4, 5], sample_count = 400, sample_size = 1)]
fn robot_move(bencher: Bencher, level: u8) {
    let options = Options::default();
    let table = Table { seats: 2, first_seat: Seat(0), options };
    let mut positions = positions();
    bencher.with_inputs(|| positions.next()).bench_local_values(|position| {
        let (view, seat) = position?;
        Kalah.robot_move(&table, &view, seat, level, &mut Chance::of_entropy(&[5; 32]))
    });
}
