//! Counts of all positions to a depth, and the solved games.

use crate::{beginning, data};
use astragal_rules::kalah::board::{Board, Capture};
use astragal_rules::kalah::pit::{Pit, Side};
use serde::Deserialize;

const DEPTH: usize = 8;

#[derive(Deserialize)]
struct Facts {
    standard: Solved,
    empty_capture: Solved,
}

#[derive(Deserialize)]
struct Solved {
    perft_by_depth_0_to_10: Counts,
    #[serde(rename = "optimal_line_S_N")]
    optimal_line: String,
    optimal_line_final: [u8; 2],
}

/// By depth.
#[derive(Deserialize)]
struct Counts {
    nodes: Vec<u64>,
    terminal_nodes: Vec<u64>,
    extra_turn_moves: Vec<u64>,
    #[serde(alias = "captures_of_at_least_one_enemy_seed")]
    capture_moves: Vec<u64>,
}

impl Counts {
    fn empty() -> Self {
        let zeros = || vec![0; DEPTH + 1];
        Self { nodes: zeros(), terminal_nodes: zeros(), extra_turn_moves: zeros(), capture_moves: zeros() }
    }

    fn count(&mut self, board: &Board, side: Side, capture: Capture, depth: usize) {
        self.nodes[depth] += 1;
        self.terminal_nodes[depth] += u64::from(board.is_over());
        if depth == DEPTH || board.is_over() {
            return;
        }
        for pit in board.sowable(side) {
            let mut after = *board;
            let sown = after.sow(side, pit, capture).expect("a sowable pit holds seeds");
            self.extra_turn_moves[depth + 1] += u64::from(sown.again);
            self.capture_moves[depth + 1] += u64::from(sown.captured > 1);
            let next = if sown.again { side } else { side.opposite() };
            self.count(&after, next, capture, depth + 1);
        }
    }
}

fn facts() -> Facts {
    serde_json::from_value(data::json("kalah/solved_facts.json")).expect("facts")
}

fn check_counts(capture: Capture, known: &Counts) {
    let mut counts = Counts::empty();
    counts.count(&beginning(4), Side::South, capture, 0);
    assert_eq!(counts.nodes, known.nodes[..=DEPTH]);
    assert_eq!(counts.terminal_nodes, known.terminal_nodes[..=DEPTH]);
    assert_eq!(counts.extra_turn_moves, known.extra_turn_moves[..=DEPTH]);
    assert_eq!(counts.capture_moves, known.capture_moves[..=DEPTH]);
}

#[test]
fn kalah_perft_of_standard_capture() {
    check_counts(Capture::Standard, &facts().standard.perft_by_depth_0_to_10);
}

#[test]
fn kalah_perft_of_empty_capture() {
    check_counts(Capture::Empty, &facts().empty_capture.perft_by_depth_0_to_10);
}

fn check_line(capture: Capture, solved: &Solved) {
    let mut board = beginning(4);
    let mut to_move = Side::South;
    for word in solved.optimal_line.split(' ') {
        let (side, number) = word.split_at(1);
        let side = if side == "S" { Side::South } else { Side::North };
        assert_eq!(side, to_move, "{word} is out of turn");
        let pit = Pit::try_from(number.parse::<u8>().expect("a number")).expect("a pit");
        let sown = board.sow(side, pit, capture).expect("the pit holds seeds");
        to_move = if sown.again { side } else { side.opposite() };
    }
    assert!(board.sweep().is_some(), "the line does not end the game: {board:?}");
    assert_eq!(board.stores(), solved.optimal_line_final);
}

#[test]
fn kalah_optimal_line_of_standard_capture() {
    check_line(Capture::Standard, &facts().standard);
}

#[test]
fn kalah_optimal_line_of_empty_capture() {
    check_line(Capture::Empty, &facts().empty_capture);
}
