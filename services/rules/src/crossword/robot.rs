//! The robot: finds every play and takes the one with the most points and the best tiles kept, or
//! a worse one at lower levels. It sees what its seat sees, and knows the words of a dictionary.

use crate::chance::Chance;
use crate::crossword::alphabet::{SLOTS, slot};
use crate::crossword::board::Board;
use crate::crossword::content::Move;
use crate::crossword::dictionary::Dictionary;
use crate::crossword::edition::Edition;
use crate::crossword::generator::{Found, plays};
use crate::crossword::tiles::{RACK, Tiles};
use crate::crossword::view::View;

/// Which part of all plays, from the best on, a level takes one of.
struct Level {
    /// Where the part begins, in thousandths of all plays.
    from: usize,
    /// Where it ends, in thousandths.
    to: usize,
    /// And so many plays more, for racks that have few.
    more: usize,
}

const LEVELS: [Level; 5] = [
    Level { from: 60, to: 500, more: 8 },
    Level { from: 0, to: 150, more: 6 },
    Level { from: 0, to: 30, more: 3 },
    Level { from: 0, to: 4, more: 1 },
    Level { from: 0, to: 0, more: 0 },
];

/// The move of a level, from 1 to 5. Without words it exchanges, or passes.
pub fn choose(
    edition: &Edition,
    view: &View,
    dictionary: Option<&Dictionary>,
    level: u8,
    chance: &mut Chance<'_>,
) -> Move {
    let mut owed = 0;
    if let Some(fresh) = &view.fresh {
        let doubtful = |dictionary: &Dictionary| fresh.words.iter().any(|word| !dictionary.contains(word));
        if dictionary.is_some_and(doubtful) {
            return Move::CHALLENGE;
        }
        if fresh.last {
            return Move::PASS;
        }
        owed = RACK.saturating_sub(view.racks.get(fresh.seat.index()).copied().unwrap_or(0).into());
    }
    let rack = view.rack.as_deref().and_then(|rack| Tiles::read(rack, edition).ok());
    let (Some(rack), Ok(board)) = (rack, Board::read(&view.board, edition)) else { return Move::PASS };
    let bag = usize::from(view.bag).saturating_sub(owed);
    let eye = Eye::new(edition, &board, &rack, bag);
    let best = dictionary.and_then(|dictionary| eye.choose(dictionary, &board, level, chance));
    let keep = (bag >= RACK && (level >= 5 || best.is_none())).then(|| eye.best_to_keep());
    match (best, keep) {
        (Some((worth, found)), keep) if keep.is_none_or(|(kept, _)| worth >= kept) => {
            Move::Play(found.play(edition))
        }
        (_, Some((_, given))) => Move::Exchange(given.text(edition)),
        _ => Move::PASS,
    }
}

/// What the robot makes of tiles, in tenths of a point.
struct Eye {
    rack: Tiles,
    /// What each tile is worth on a rack.
    kept: [i32; SLOTS],
    vowels: [bool; SLOTS],
    values: [i32; SLOTS],
    /// The points of all tiles that others hold, when the bag is empty.
    unseen: Option<i32>,
}

impl Eye {
    fn new(edition: &Edition, board: &Board, rack: &Tiles, bag: usize) -> Self {
        let mut kept = [0; SLOTS];
        let (mut vowels, mut values) = ([false; SLOTS], [0; SLOTS]);
        for face in 1..=edition.alphabet.count() as u8 {
            let value = i32::from(edition.value(face));
            // Letters that are common are easy to use; the rarest ones score, but get stuck.
            kept[slot(face)] = match value {
                1 => 10,
                2 => 0,
                3..=4 => -5,
                5..=7 => -15,
                _ => -10,
            };
            values[slot(face)] = value;
            let letter = edition.alphabet.face_character(face);
            vowels[slot(face)] = edition.vowels.contains(letter);
        }
        kept[0] = 240;
        for (letter, worth) in edition.prized {
            if let Some(face) = edition.alphabet.face(*letter) {
                kept[slot(face)] = *worth;
            }
        }
        let unseen = (bag == 0).then(|| {
            let mut others = Tiles::all(edition);
            let known = others.take_all(&board.tiles()).and_then(|()| others.take_all(rack));
            known.map_or(0, |()| others.value(edition))
        });
        Self { rack: *rack, kept, vowels, values, unseen }
    }

    /// What tiles are worth to who keeps them.
    fn worth(&self, tiles: &Tiles) -> i32 {
        if let Some(unseen) = self.unseen {
            // Nothing is drawn any more: going out gains what others hold, other tiles are lost.
            if tiles.is_empty() {
                return 20 * unseen;
            }
            return -10 * tiles.faces().map(|face| self.values[slot(face)]).sum::<i32>();
        }
        let (mut worth, mut vowels, mut others) = (0, 0_i32, 0);
        let mut before = None;
        for face in tiles.faces() {
            worth += self.kept[slot(face)];
            if face != 0 && before == Some(face) {
                worth -= 30;
            }
            before = Some(face);
            match face {
                0 => (),
                _ if self.vowels[slot(face)] => vowels += 1,
                _ => others += 1,
            }
        }
        worth - 15 * ((others - vowels).abs() - 1).max(0)
    }

    /// The play of a level, with what it is worth.
    fn choose(
        &self,
        dictionary: &Dictionary,
        board: &Board,
        level: u8,
        chance: &mut Chance<'_>,
    ) -> Option<(i32, Found)> {
        let Level { from, to, more } = LEVELS[usize::from(level.clamp(1, LEVELS.len() as u8)) - 1];
        if to + more == 0 {
            let mut best: Option<(i32, Found)> = None;
            plays(dictionary, board, &self.rack, &mut |found, left| {
                let worth = 10 * found.score + self.worth(left);
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, *found));
                }
            });
            return best;
        }
        let mut all = Vec::new();
        plays(dictionary, board, &self.rack, &mut |found, left| {
            all.push((10 * found.score + self.worth(left), *found));
        });
        let first = all.len() * from / 1_000;
        let place = first + chance.index(all.len() * to / 1_000 + more + 1 - first);
        let place = place.min(all.len().checked_sub(1)?);
        all.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        all.get(place).copied()
    }

    /// The tiles to give back so that what is kept is worth most, and how much that is.
    fn best_to_keep(&self) -> (i32, Tiles) {
        let faces: Vec<u8> = self.rack.faces().collect();
        let mut best = (i32::MIN, self.rack);
        for chosen in 1..1_u32 << faces.len().min(RACK) {
            let (mut kept, mut given) = (Tiles::EMPTY, Tiles::EMPTY);
            for (place, face) in faces.iter().enumerate() {
                if chosen >> place & 1 == 1 { given.put(*face) } else { kept.put(*face) }
            }
            let worth = self.worth(&kept);
            if worth > best.0 {
                best = (worth, given);
            }
        }
        best
    }
}
