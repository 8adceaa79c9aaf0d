//! The robot: finds every play and takes the one with the most points and the best tiles kept, or
//! a worse one at lower levels. It sees what its seat sees, and knows the words of a dictionary.

use crate::chance::Chance;
use crate::crossword::board::Board;
use crate::crossword::content::Move;
use crate::crossword::dictionary::Dictionary;
use crate::crossword::edition::Edition;
use crate::crossword::generator::{Found, plays};
use crate::crossword::leaves::Leaves;
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
    let rack = rack.filter(|rack| rack.count() <= RACK);
    let (Some(rack), Ok(board)) = (rack, Board::read(&view.board, edition)) else { return Move::PASS };
    let bag = usize::from(view.bag).saturating_sub(owed);
    let leaves = Leaves::new(edition, &rack, unseen(edition, &board, &rack, bag));
    let best = dictionary.and_then(|dictionary| best(dictionary, &board, &rack, &leaves, level, chance));
    let keep = (bag >= RACK && (level >= 5 || best.is_none())).then(|| leaves.best_to_give());
    match (best, keep) {
        (Some((worth, found)), keep) if keep.is_none_or(|(kept, _)| worth >= kept) => {
            Move::Play(found.play(edition))
        }
        (_, Some((_, given))) => Move::Exchange(given.text(edition)),
        _ => Move::PASS,
    }
}

/// The points of all tiles that others hold, when the bag is empty.
fn unseen(edition: &Edition, board: &Board, rack: &Tiles, bag: usize) -> Option<i32> {
    (bag == 0).then(|| {
        let mut others = Tiles::all(edition);
        let known = others.take_all(&board.tiles()).and_then(|()| others.take_all(rack));
        known.map_or(0, |()| others.value(edition))
    })
}

/// The play of a level, with what it is worth in tenths of a point.
fn best(
    dictionary: &Dictionary,
    board: &Board,
    rack: &Tiles,
    leaves: &Leaves,
    level: u8,
    chance: &mut Chance<'_>,
) -> Option<(i32, Found)> {
    let Level { from, to, more } = LEVELS[usize::from(level.clamp(1, LEVELS.len() as u8)) - 1];
    if to + more == 0 {
        let mut best: Option<(i32, Found)> = None;
        plays(dictionary, board, rack, &mut |found, left| {
            let worth = 10 * found.score + leaves.worth(left);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, *found));
            }
        });
        return best;
    }
    let mut all = Vec::new();
    plays(dictionary, board, rack, &mut |found, left| {
        all.push((10 * found.score + leaves.worth(left), *found));
    });
    let first = all.len() * from / 1_000;
    let place = first + chance.index(all.len() * to / 1_000 + more + 1 - first);
    let place = place.min(all.len().checked_sub(1)?);
    all.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
    all.get(place).copied()
}
