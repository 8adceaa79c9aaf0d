//! What a move did, as a viewer may know it.

use crate::crossword::content::Move;
use crate::crossword::data::Data;
use crate::crossword::game::Crossword;
use crate::crossword::laying::Laying;
use crate::crossword::tiles::Tiles;
use crate::game::{Made, Viewer};
use crate::seat::Seat;
use serde::Serialize;

/// What a move did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Notes {
    /// The words that were formed, each with its points; of a withdrawn play those that fell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<WordNote>,
    /// The points for laying a whole rack, if they were given.
    #[serde(skip_serializing_if = "is_zero")]
    pub bonus: i32,
    /// What each seat gained or lost.
    pub points: Vec<i32>,
    /// How many tiles each seat drew.
    pub drew: Vec<u8>,
    /// The tiles that the viewer drew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<String>,
    /// For administrators: the tiles that each seat drew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<Vec<String>>,
    /// For administrators: the squares that were laid on, row by row from 0, each with its letter; a small
    /// one is a blank.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<(usize, char)>,
}

/// A word and its points.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WordNote {
    /// As it lies on the board, with small letters for blanks.
    pub word: String,
    /// What it scored.
    pub score: i32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(points: &i32) -> bool {
    *points == 0
}

impl Notes {
    /// What a viewer may know of a move.
    pub(super) fn of(made: &Made<'_, Crossword>, viewer: Viewer) -> Self {
        let (before, after) = (&made.before.data, &made.after.data);
        let drawn = drawn(made);
        let mut notes = Self {
            points: after.scores.iter().zip(&before.scores).map(|(after, before)| after - before).collect(),
            drew: drawn.iter().map(|tiles| tiles.count() as u8).collect(),
            ..Self::default()
        };
        if let Viewer::Seat(seat) = viewer {
            let own = drawn.get(seat.index()).filter(|tiles| !tiles.is_empty());
            notes.tiles = own.map(|tiles| tiles.text(before.edition()));
        }
        if viewer == Viewer::Admin {
            notes.drawn = Some(drawn.iter().map(|tiles| tiles.text(before.edition())).collect());
        }
        match made.action {
            Move::Play(play) => {
                let laying = Laying::read(before.edition(), &before.board, play.at, &play.tiles).ok();
                notes.tell(laying.as_ref(), after);
                if let Some(laying) = laying.filter(|_| viewer == Viewer::Admin) {
                    let placed = laying.squares().iter();
                    let written = |laid| before.edition().alphabet.character(laid);
                    notes.placed = placed.map(|(place, laid)| (place.index(), written(*laid))).collect();
                }
            }
            Move::Verdict(false) => {
                notes.tell(before.before_fresh().map(|(_, _, laying)| laying).as_ref(), before);
            }
            _ => (),
        }
        notes
    }

    fn tell(&mut self, laying: Option<&Laying>, data: &Data) {
        let Some(laying) = laying else { return };
        let scored = laying.score(data.edition(), &data.board);
        let told = scored
            .words
            .iter()
            .map(|(word, score)| WordNote { word: word.text(&data.board, data.edition()), score: *score });
        self.words = told.collect();
        self.bonus = scored.bonus;
    }
}

/// The tiles that each seat drew: its rack after, without what it kept.
pub(crate) fn drawn(made: &Made<'_, Crossword>) -> Vec<Tiles> {
    let (before, after) = (&made.before.data, &made.after.data);
    let racks = (0..).zip(before.racks.iter().zip(&after.racks));
    let drawn = racks.map(|(seat, (had, has))| {
        let mut kept = *had;
        if made.actor == Some(Seat(seat)) {
            let given = given(made.action, before);
            let _ = kept.take_all(&given);
        }
        let mut drawn = *has;
        // A rack that got its own tiles back has drawn nothing.
        if *made.action == Move::Verdict(false) || drawn.take_all(&kept).is_err() {
            return Tiles::EMPTY;
        }
        drawn
    });
    drawn.collect()
}

/// The tiles that leave the mover's rack.
fn given(action: &Move, before: &Data) -> Tiles {
    let edition = before.edition();
    match action {
        Move::Play(play) => {
            let mut tiles = Tiles::EMPTY;
            let laid = play.tiles.chars().filter_map(|character| edition.alphabet.laid(character));
            laid.for_each(|laid| tiles.put(laid.tile()));
            tiles
        }
        Move::Exchange(text) => Tiles::read(text, edition).unwrap_or(Tiles::EMPTY),
        _ => Tiles::EMPTY,
    }
}
