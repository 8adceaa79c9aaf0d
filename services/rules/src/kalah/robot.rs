//! The robot: alpha-beta with iterative deepening inside a budget of nodes. It has no clock and
//! no memory between moves; it sees the board and the options, like anyone at the table.

use crate::chance::Chance;
use crate::kalah::board::{Board, Capture, Sown};
use crate::kalah::pit::{PITS, Pit, Side};
use arrayvec::ArrayVec;
use std::cmp::Reverse;

/// How well a level plays.
struct Level {
    /// How many positions it looks at for one move.
    nodes: u32,
    /// How many turns it looks ahead.
    depth_max: u32,
    /// How many of 100 moves it makes without looking at all.
    stray_percent: i64,
}

const LEVELS: [Level; 5] = [
    Level { nodes: 100, depth_max: 1, stray_percent: 75 },
    Level { nodes: 100, depth_max: 1, stray_percent: 25 },
    Level { nodes: 500, depth_max: 3, stray_percent: 10 },
    Level { nodes: 10_000, depth_max: 8, stray_percent: 2 },
    Level { nodes: 60_000, depth_max: 64, stray_percent: 0 },
];

/// More than any difference of seeds counts: a sure win is better than any hope.
const WIN: i32 = 1_000;

/// The pit that a robot of a level, from 1 to 5, sows; none if it has nothing to sow.
pub fn choose(
    board: &Board,
    side: Side,
    capture: Capture,
    level: u8,
    chance: &mut Chance<'_>,
) -> Option<Pit> {
    let level = &LEVELS[usize::from(level.clamp(1, LEVELS.len() as u8)) - 1];
    // Moves of equal worth are tried in a random order, and the first one stands.
    let mut pits = board.sowable(side);
    chance.shuffle(&mut pits);
    if pits.len() > 1 && chance.int(1..=100) > level.stray_percent {
        let mut search = Search { capture, nodes_left: level.nodes };
        for depth in 1..=level.depth_max {
            let Some(best) = search.best(board, side, &pits, depth) else { break };
            pits[..=best].rotate_right(1);
        }
    }
    pits.first().copied()
}

struct Search {
    capture: Capture,
    nodes_left: u32,
}

/// A position after a move, and what the move did.
struct Child {
    board: Board,
    sown: Sown,
}

impl Search {
    /// The index of the best pit; none if the budget is used up before all are compared.
    fn best(&mut self, board: &Board, side: Side, pits: &[Pit], depth: u32) -> Option<usize> {
        let mut best = 0;
        let mut alpha = -i32::MAX;
        for (index, pit) in pits.iter().enumerate() {
            let child = self.child(board, side, *pit)?;
            let value = self.value_for(side, &child, depth, alpha, i32::MAX)?;
            if value > alpha {
                (best, alpha) = (index, value);
            }
        }
        Some(best)
    }

    /// What a position is worth to the side to move; none if the budget is used up.
    fn value(&mut self, board: &Board, side: Side, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        if board.is_over() {
            return Some(final_value(*board, side));
        }
        if depth == 0 {
            return Some(lead(board, side));
        }
        let mut best = -i32::MAX;
        for child in self.children(board, side)? {
            let value = self.value_for(side, &child, depth, alpha, beta)?;
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// What a child is worth to the side that moved there. If that side is to move again, the
    /// move was not one of those that are counted ahead.
    fn value_for(&mut self, side: Side, child: &Child, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        if child.sown.again {
            self.value(&child.board, side, depth, alpha, beta)
        } else {
            self.value(&child.board, side.opposite(), depth - 1, -beta, -alpha).map(|value| -value)
        }
    }

    /// The positions after each move, the most promising first.
    fn children(&mut self, board: &Board, side: Side) -> Option<ArrayVec<Child, PITS>> {
        let mut children: ArrayVec<Child, PITS> = ArrayVec::new();
        for pit in Pit::ALL.into_iter().rev().filter(|pit| board.seeds(side, *pit) > 0) {
            children.push(self.child(board, side, pit)?);
        }
        children.sort_by_key(|child| Reverse((child.sown.again, child.sown.captured)));
        Some(children)
    }

    fn child(&mut self, board: &Board, side: Side, pit: Pit) -> Option<Child> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut board = *board;
        let sown = board.sow(side, pit, self.capture)?;
        Some(Child { board, sown })
    }
}

/// The worth of a game that is over.
fn final_value(mut board: Board, side: Side) -> i32 {
    board.sweep();
    let lead = lead(&board, side);
    lead + WIN * lead.signum()
}

/// How many seeds a side has banked more than the other; also what a game that goes on is taken
/// to be worth. In matches of equal budgets, counting the seeds in the pits made play worse.
fn lead(board: &Board, side: Side) -> i32 {
    i32::from(board.store(side)) - i32::from(board.store(side.opposite()))
}
