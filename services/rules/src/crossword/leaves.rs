//! What the robot makes of the tiles that it would keep: a number for each choice among those of its rack,
//! reckoned once, because far more plays than choices come up. It knows nothing of boards and plays.

use crate::crossword::edition::Edition;
use crate::crossword::tiles::{RACK, Tiles};
use arrayvec::ArrayVec;

/// What a blank is worth to who keeps it, in tenths of a point.
const BLANK: i32 = 240;
/// What a second tile with the same letter takes away.
const TWIN: i32 = 30;
/// What each vowel too many takes away, or each other letter.
const UNEVEN: i32 = 15;

/// What each choice among the tiles of a rack is worth, in tenths of a point.
pub(super) struct Leaves {
    held: ArrayVec<Held, RACK>,
    /// By the place of the choice.
    worth: Vec<i32>,
}

/// The tiles with one face on a rack.
struct Held {
    face: u8,
    count: u8,
    /// How far one more of them is in the list of choices.
    step: usize,
    points: i32,
    /// What one is worth on a rack.
    kept: i32,
    /// What one adds to how uneven vowels and other letters are.
    uneven: i32,
}

impl Held {
    fn of(edition: &Edition, face: u8, count: u8, step: usize) -> Self {
        let points = i32::from(edition.value(face));
        let letter = edition.alphabet.face_character(face);
        let prized = edition.prized.iter().find(|(prized, _)| *prized == letter);
        // Letters that are common are easy to use; the rarest ones score, but get stuck.
        let common = match points {
            1 => 10,
            2 => 0,
            3..=4 => -5,
            5..=7 => -15,
            _ => -10,
        };
        let kept = prized.map_or(common, |(_, worth)| *worth);
        let (kept, uneven) = match face {
            0 => (BLANK, 0),
            _ if edition.vowels.contains(letter) => (kept, -1),
            _ => (kept, 1),
        };
        Self { face, count, step, points, kept, uneven }
    }
}

impl Leaves {
    /// For a rack, and the points of all tiles that others hold, if the bag is empty.
    pub(super) fn new(edition: &Edition, rack: &Tiles, unseen: Option<i32>) -> Self {
        let mut leaves = Self { held: ArrayVec::new(), worth: Vec::new() };
        let mut choices = 1;
        let mut before = None;
        for face in rack.faces().take(RACK).filter(|face| before.replace(*face) != Some(*face)) {
            leaves.held.push(Held::of(edition, face, rack.of(face), choices));
            choices *= usize::from(rack.of(face)) + 1;
        }
        let mut chosen = [0; RACK];
        for _ in 0..choices {
            leaves.worth.push(leaves.reckon(chosen, unseen));
            for (count, held) in chosen.iter_mut().zip(&leaves.held) {
                if *count < held.count {
                    *count += 1;
                    break;
                }
                *count = 0;
            }
        }
        leaves
    }

    /// What so many tiles of each face are worth.
    fn reckon(&self, chosen: [u8; RACK], unseen: Option<i32>) -> i32 {
        let counted = || self.held.iter().zip(chosen.map(i32::from));
        if let Some(unseen) = unseen {
            // Nothing is drawn any more: going out gains what others hold, other tiles are lost.
            let lost: i32 = counted().map(|(held, count)| held.points * count).sum();
            let is_out = chosen.iter().all(|count| *count == 0);
            return if is_out { 20 * unseen } else { -10 * lost };
        }
        let (mut worth, mut uneven) = (0, 0_i32);
        for (held, count) in counted() {
            let twins = if held.face == 0 { 0 } else { (count - 1).max(0) };
            worth += held.kept * count - TWIN * twins;
            uneven += held.uneven * count;
        }
        worth - UNEVEN * (uneven.abs() - 1).max(0)
    }

    /// What tiles of the rack are worth to who keeps them.
    pub(super) fn worth(&self, kept: &Tiles) -> i32 {
        let place = self.held.iter().map(|held| usize::from(kept.of(held.face)) * held.step).sum::<usize>();
        self.worth.get(place).copied().unwrap_or(0)
    }

    /// The tiles to give back so that what is kept is worth most, one at least, and how much that is.
    pub(super) fn best_to_give(&self) -> (i32, Tiles) {
        let tiles: ArrayVec<&Held, RACK> =
            self.held.iter().flat_map(|held| std::iter::repeat_n(held, held.count.into())).collect();
        let given = |chosen: u32| {
            let tiles = tiles.iter().enumerate();
            tiles.filter(move |(place, _)| chosen >> place & 1 == 1).map(|(_, held)| *held)
        };
        let all = self.worth.len() - 1;
        let (mut most, mut best) = (i32::MIN, 0);
        for chosen in 1..1 << tiles.len() {
            let place = all - given(chosen).map(|held| held.step).sum::<usize>();
            let worth = self.worth.get(place).copied().unwrap_or(0);
            if worth > most {
                (most, best) = (worth, chosen);
            }
        }
        let mut back = Tiles::EMPTY;
        given(best).for_each(|held| back.put(held.face));
        (most, back)
    }
}
