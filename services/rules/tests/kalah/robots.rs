//! How well the robots play, over a thousand games of each pair of levels. The entropies are
//! fixed, so the scores are the same on every machine.

use crate::beginning;
use astragal_rules::chance::Chance;
use astragal_rules::game::{Game, Table};
use astragal_rules::kalah::board::{Board, Capture};
use astragal_rules::kalah::game::{Kalah, Options};
use astragal_rules::kalah::pit::{Pit, Side};
use astragal_rules::kalah::view::View;
use astragal_rules::seat::Seat;

const GAMES: u32 = 1_000;

#[derive(Clone, Copy)]
enum Player {
    Random,
    Robot(u8),
}

impl Player {
    fn choose(self, table: &Table<Kalah>, board: Board, side: Side, entropy: &[u8; 32]) -> Pit {
        let mut chance = Chance::of_entropy(entropy);
        let pit = match self {
            Self::Random => chance.pick(&board.sowable(side)).copied(),
            Self::Robot(level) => {
                let view = View::from(board);
                Kalah.robot_move(table, &view, side.seat(), level, &mut chance).map(|action| action.pit)
            }
        };
        pit.expect("a move for the side that is to move")
    }
}

/// The 32 bytes of one move of one game.
fn entropy(game: u32, number: u32) -> [u8; 32] {
    let mut entropy = [0; 32];
    entropy[..4].copy_from_slice(&game.to_le_bytes());
    entropy[4..8].copy_from_slice(&number.to_le_bytes());
    entropy
}

/// One game; South moves first. Gives both stores.
fn play(south: Player, north: Player, game: u32) -> [u8; 2] {
    let options = Options { seeds: 4, capture: Capture::Standard };
    let table = Table { seats: 2, first_seat: Seat(0), options };
    let mut board = beginning(options.seeds);
    let mut side = Side::South;
    let mut number = 0;
    while board.sweep().is_none() {
        number += 1;
        let player = if side == Side::South { south } else { north };
        let pit = player.choose(&table, board, side, &entropy(game, number));
        let sown = board.sow(side, pit, options.capture).expect("a legal move");
        side = if sown.again { side } else { side.opposite() };
    }
    board.stores()
}

/// The points of a player in 100 games against another, a draw counting half.
fn score(player: Player, other: Player) -> f64 {
    let mut half_points = 0;
    for game in 0..GAMES {
        let (own, theirs) = if game % 2 == 0 {
            let [own, theirs] = play(player, other, game);
            (own, theirs)
        } else {
            let [theirs, own] = play(other, player, game);
            (own, theirs)
        };
        half_points += match own.cmp(&theirs) {
            std::cmp::Ordering::Greater => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 0,
        };
    }
    f64::from(half_points) * 50.0 / f64::from(GAMES)
}

fn check(better: Player, other: Player, percent_min: f64) {
    let percent = score(better, other);
    assert!(percent >= percent_min, "only {percent} of 100 points, not {percent_min}");
}

#[test]
fn kalah_robot_1_beats_random() {
    check(Player::Robot(1), Player::Random, 55.0);
}

#[test]
fn kalah_robot_2_beats_random() {
    check(Player::Robot(2), Player::Random, 90.0);
}

#[test]
fn kalah_robot_2_beats_robot_1() {
    check(Player::Robot(2), Player::Robot(1), 60.0);
}

#[test]
fn kalah_robot_3_beats_robot_2() {
    check(Player::Robot(3), Player::Robot(2), 60.0);
}

#[test]
fn kalah_robot_4_beats_robot_3() {
    check(Player::Robot(4), Player::Robot(3), 60.0);
}

#[test]
fn kalah_robot_5_beats_robot_4() {
    check(Player::Robot(5), Player::Robot(4), 60.0);
}
