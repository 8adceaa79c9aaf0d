//! A bare kalah board of its own, to hold the served views against. It shares no line with the
//! rules crate, so a mistake of theirs can't hide here.

/// Pits of a side.
pub(crate) const PITS: usize = 6;
/// Stores and pits in sowing order: pits of seat 0, its store, pits of seat 1, its store.
const PLACES: usize = 2 * (PITS + 1);

/// Seeds in every pit and store, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    seeds: [u16; PLACES],
    to_move: usize,
    over: bool,
}

const fn store(seat: usize) -> usize {
    seat * (PITS + 1) + PITS
}

const fn pit(seat: usize, index: usize) -> usize {
    seat * (PITS + 1) + index
}

impl Board {
    /// The opening with four seeds a pit.
    pub(crate) fn new(first_seat: usize) -> Self {
        let mut seeds = [4; PLACES];
        seeds[store(0)] = 0;
        seeds[store(1)] = 0;
        Self { seeds, to_move: first_seat, over: false }
    }

    /// The seat to move.
    pub(crate) const fn to_move(self) -> usize {
        self.to_move
    }

    /// True if the game has ended.
    pub(crate) const fn is_over(self) -> bool {
        self.over
    }

    /// True if the seat to move may sow from this pit (1 to 6).
    pub(crate) fn may_sow(self, number: usize) -> bool {
        !self.over && (1..=PITS).contains(&number) && self.seeds[pit(self.to_move, number - 1)] > 0
    }

    /// True if a view shows this board.
    pub(crate) fn shows(self, pits: &[[u16; PITS]; 2], stores: [u16; 2]) -> bool {
        (0..2).all(|seat| {
            self.seeds[pit(seat, 0)..pit(seat, PITS)] == pits[seat] && self.seeds[store(seat)] == stores[seat]
        })
    }

    /// Sows from a pit that [`Board::may_sow`] allows.
    pub(crate) fn sow(&mut self, number: usize) {
        let (me, other) = (self.to_move, 1 - self.to_move);
        let start = pit(me, number - 1);
        let mut hand = std::mem::take(&mut self.seeds[start]);
        let mut at = start;
        while hand > 0 {
            at = (at + 1) % PLACES;
            if at == store(other) {
                continue;
            }
            self.seeds[at] += 1;
            hand -= 1;
        }
        if at != store(me) {
            self.to_move = other;
            self.capture(me, at);
        }
        self.end_if_empty();
    }

    /// The last seed in one's own empty pit takes itself and the opposite pit, unless that is empty.
    fn capture(&mut self, me: usize, at: usize) {
        let own = pit(me, 0)..pit(me, PITS);
        if !own.contains(&at) || self.seeds[at] != 1 {
            return;
        }
        let opposite = PLACES - 2 - at;
        if self.seeds[opposite] > 0 {
            self.seeds[store(me)] += 1 + std::mem::take(&mut self.seeds[opposite]);
            self.seeds[at] = 0;
        }
    }

    fn end_if_empty(&mut self) {
        let side = |seat: usize| pit(seat, 0)..pit(seat, PITS);
        if (0..2).all(|seat| self.seeds[side(seat)].iter().any(|&seeds| seeds > 0)) {
            return;
        }
        self.over = true;
        for seat in 0..2 {
            let rest: u16 = self.seeds[side(seat)].iter().sum();
            self.seeds[side(seat)].fill(0);
            self.seeds[store(seat)] += rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Trace {
        actions: Vec<usize>,
        players: Vec<usize>,
        boards: Vec<[u16; PLACES]>,
        final_stores_after_sweep: [u16; 2],
    }

    /// A board of the traces: North's store, South's pits, South's store, North's pits. South is seat 0.
    fn seeds_of(trace_board: &[u16; PLACES]) -> [u16; PLACES] {
        let mut seeds = *trace_board;
        seeds.rotate_left(1);
        seeds
    }

    #[test]
    fn traces_of_another_engine_are_equal() {
        #[allow(
            clippy::disallowed_methods,
            reason = "the place of the test data is a setting of the test run"
        )]
        let data = std::env::var("ASTRAGAL_DATA").unwrap_or_else(|_| "../../shared/data".into());
        let text = std::fs::read_to_string(format!("{data}/kalah/spiel_traces_dev.jsonl")).unwrap();
        for line in text.lines() {
            let trace: Trace = serde_json::from_str(line).unwrap();
            let mut board = Board::new(trace.players[0]);
            let last = trace.actions.len() - 1;
            for (step, (&action, &player)) in trace.actions.iter().zip(&trace.players).enumerate() {
                assert_eq!(board.to_move(), player, "step {step} of {line}");
                let number = if player == 0 { action } else { action - 7 };
                assert!(board.may_sow(number), "step {step} of {line}");
                board.sow(number);
                if step < last {
                    assert_eq!(board.seeds, seeds_of(&trace.boards[step + 1]), "step {step} of {line}");
                }
            }
            assert!(board.is_over(), "{line}");
            let stores = trace.final_stores_after_sweep;
            assert_eq!([board.seeds[store(0)], board.seeds[store(1)]], stores, "{line}");
        }
    }

    #[test]
    fn a_view_is_the_board_that_it_shows() {
        let mut board = Board::new(1);
        board.sow(3);
        assert_eq!(board.to_move(), 1, "the last seed in the own store moves again");
        assert!(board.shows(&[[4; 6], [4, 4, 0, 5, 5, 5]], [0, 1]));
        assert!(!board.shows(&[[4; 6], [4, 4, 0, 5, 5, 5]], [1, 0]));
    }
}
