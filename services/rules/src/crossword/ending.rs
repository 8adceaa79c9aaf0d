//! When the game is over, and what is added to the scores then. It knows nothing of moves.

use crate::crossword::data::Data;
use crate::outcome::Ending;
use crate::seat::Seat;

/// How many turns without points in a row each seat may have.
const SCORELESS_ROUNDS: usize = 3;

impl Data {
    /// True if a seat has no tiles and can't draw any.
    pub(super) fn is_out(&self, seat: Seat) -> bool {
        self.bag.is_empty() && self.racks.get(seat.index()).is_some_and(super::tiles::Tiles::is_empty)
    }

    /// Ends the game if it is over: adds what is left on the racks to the scores.
    pub(super) fn conclude(&mut self, playing: &[Seat]) -> Option<Ending> {
        let out = playing.iter().copied().find(|seat| self.is_out(*seat));
        let stuck = usize::from(self.scoreless) >= SCORELESS_ROUNDS * playing.len();
        if out.is_none() && !stuck {
            return None;
        }
        let values: Vec<i32> = self.racks.iter().map(|rack| rack.value(self.edition())).collect();
        for (score, more) in self.scores.iter_mut().zip(adjustments(&values, playing, out)) {
            *score += more;
        }
        Some(Ending::by_scores(self.scores.to_vec(), playing))
    }
}

/// What each seat gains or loses. With two seats at the table, the one that went out gains twice
/// the other's rack; with more, the others lose theirs and the one that went out gains the sum.
/// If nobody went out, everybody loses their own. Who retired neither loses nor gives.
pub(crate) fn adjustments(values: &[i32], playing: &[Seat], out: Option<Seat>) -> Vec<i32> {
    let mut added = vec![0; values.len()];
    let mut sum = 0;
    for seat in playing.iter().filter(|seat| Some(**seat) != out) {
        let Some(value) = values.get(seat.index()) else { continue };
        sum += value;
        if out.is_none() || values.len() > 2 {
            added[seat.index()] = -value;
        }
    }
    if let Some(gain) = out.and_then(|seat| added.get_mut(seat.index())) {
        *gain = if values.len() > 2 { sum } else { 2 * sum };
    }
    added
}
