//! Random play of any game, from a number: whoever is to move moves, the table gives its
//! verdicts, and now and then a seat retires.

use super::NoTwins;
use super::played::Played;
use astragal_rules::any::AnyTable;
use astragal_rules::chance::Chance;
use astragal_rules::seat::Seat;
use serde_json::Value;

/// Where random play gets its decisions. A new one for each number, without end.
pub struct Whim {
    number: u64,
    used: u64,
}

impl Whim {
    pub const fn new(number: u64) -> Self {
        Self { number, used: 0 }
    }

    /// 32 bytes that nobody had before.
    pub fn entropy(&mut self) -> [u8; 32] {
        self.used += 1;
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.number.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.used.to_le_bytes());
        bytes
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        Chance::of_entropy(&self.entropy()).index(count)
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// The next thing that happens at a table: who moves, and what.
pub fn next_move(table: &dyn AnyTable, whim: &mut Whim) -> (Option<u8>, String) {
    if let Some(due) = table.automatic(&NoTwins).expect("an automatic move that can be written") {
        return (None, due);
    }
    if whim.once_in(60) {
        let seat = table.turn().order[whim.below(table.turn().order.len())];
        let word = ["time", "resigned", "left"][whim.below(3)];
        return (None, format!(r#"{{"{word}":{seat}}}"#));
    }
    let seats: Vec<Seat> = table.turn().to_move().collect();
    assert!(!seats.is_empty(), "the game goes on and nobody is to move");
    let seat = seats[whim.below(seats.len())];
    (Some(seat.0), a_move(table, seat, whim))
}

/// One of the moves that the game lists, or what its robot would do.
fn a_move(table: &dyn AnyTable, seat: Seat, whim: &mut Whim) -> String {
    let listed = table.legal_moves(seat).expect("moves that can be written");
    if let Some(listed) = listed {
        let moves: Vec<Value> = serde_json::from_str(&listed).expect("a list");
        return moves[whim.below(moves.len())].to_string();
    }
    let robots = table.robot_move(seat, 3, &whim.entropy()).expect("a move that can be written");
    robots.expect("a game that lists no moves has a robot")
}

/// Plays on until the game is over or so many moves are made.
pub fn play_on(played: &mut Played, whim: &mut Whim, moves_max: usize) {
    while played.now().outcome().is_none() && played.moves().len() < moves_max {
        let (seat, action) = next_move(played.now(), whim);
        // A word that the judge refuses is taken back to the rack; another try comes.
        let _ = played.step(seat, &action, &NoTwins);
    }
}
