//! The game's own part of a state, hidden parts included, and its strict plain form.

use crate::crossword::board::Board;
use crate::crossword::content::Play;
use crate::crossword::edition::{Edition, Variant};
use crate::crossword::laying::Laying;
use crate::crossword::place::SIDE;
use crate::crossword::tiles::{RACK, Tiles};
use crate::error::InvalidGame;
use crate::seat::{SEATS_MAX, Seat};
use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// Values by seat.
pub type BySeat<T> = ArrayVec<T, { SEATS_MAX as usize }>;

/// Board, racks, bag and scores.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub struct Data {
    /// The edition that the tiles are of.
    pub variant: Variant,
    /// What lies on the squares.
    pub board: Board,
    /// What nobody has drawn yet.
    pub bag: Tiles,
    /// By seat. Who retires takes their tiles along.
    pub racks: BySeat<Tiles>,
    /// By seat.
    pub scores: BySeat<i32>,
    /// Turns without points in a row.
    pub scoreless: u8,
    /// The play that can be challenged, or is.
    pub fresh: Option<Fresh>,
}

/// A play that stands until somebody moves or challenges. Its seat has not drawn for it yet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fresh {
    /// Who laid it.
    pub seat: Seat,
    /// The play.
    pub play: Play,
    /// What it scored.
    pub score: i32,
    /// Turns without points in a row before it.
    pub scoreless: u8,
    /// Who challenged it, while the verdict is due.
    #[serde(deserialize_with = "Option::deserialize")]
    pub challenger: Option<Seat>,
}

/// The plain form: letters as they are written, `?` for a blank in hand.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {
    variant: Variant,
    board: [String; SIDE],
    bag: String,
    racks: BySeat<String>,
    scores: BySeat<i32>,
    scoreless: u8,
    #[serde(deserialize_with = "crate::strict::object_or_null")]
    fresh: Option<Fresh>,
}

impl Data {
    /// The edition that the tiles are of.
    pub fn edition(&self) -> &'static Edition {
        self.variant.edition()
    }

    /// The play that can be challenged, on the board without it, and its tiles.
    pub(crate) fn before_fresh(&self) -> Option<(&Fresh, Board, Laying)> {
        let fresh = self.fresh.as_ref()?;
        let mut board = self.board;
        let mut place = Some(fresh.play.at.place);
        for character in fresh.play.tiles.chars() {
            if character != '.' {
                board.set(place?, None);
            }
            place = place?.next(fresh.play.at.direction);
        }
        let laying = Laying::read(self.edition(), &board, fresh.play.at, &fresh.play.tiles).ok()?;
        Some((fresh, board, laying))
    }

    /// Refuses what no game of so many seats can lead to.
    pub(super) fn check(&self, variant: Variant, seats: u8) -> Result<(), InvalidGame> {
        if self.variant != variant {
            return Err(InvalidGame::new("variant", "not the variant of the table"));
        }
        let seats = usize::from(seats);
        if self.racks.len() != seats || self.scores.len() != seats {
            return Err(InvalidGame::new("racks", "needs an entry for each seat, as scores do"));
        }
        if let Some(seat) = self.racks.iter().position(|rack| rack.count() > RACK) {
            return Err(InvalidGame::new(format_args!("racks[{seat}]"), "holds too many tiles"));
        }
        let mut tiles = self.board.tiles();
        for more in self.racks.iter().chain([&self.bag]) {
            tiles.put_all(more);
        }
        if tiles != Tiles::all(self.edition()) {
            return Err(InvalidGame::new("bag", "bag, racks and board together are not the set"));
        }
        let Some(fresh) = &self.fresh else { return Ok(()) };
        let named = [Some(fresh.seat), fresh.challenger];
        if named.into_iter().flatten().any(|seat| seat.index() >= seats) {
            return Err(InvalidGame::new("fresh.seat", "not a seat of the table"));
        }
        match self.before_fresh() {
            Some((_, mut board, laying)) => {
                laying.lay(&mut board);
                if board != self.board {
                    return Err(InvalidGame::new("fresh.play", "not what lies on the board"));
                }
                if laying.score(self.edition(), &board).total() != fresh.score {
                    return Err(InvalidGame::new("fresh.score", "not the points of the play"));
                }
                Ok(())
            }
            None => Err(InvalidGame::new("fresh.play", "not a play on this board")),
        }
    }
}

impl From<Data> for Plain {
    fn from(data: Data) -> Self {
        let edition = data.edition();
        Self {
            variant: data.variant,
            board: data.board.rows(edition),
            bag: data.bag.text(edition),
            racks: data.racks.iter().map(|rack| rack.text(edition)).collect(),
            scores: data.scores,
            scoreless: data.scoreless,
            fresh: data.fresh,
        }
    }
}

impl TryFrom<Plain> for Data {
    type Error = String;

    fn try_from(plain: Plain) -> Result<Self, String> {
        let edition = plain.variant.edition();
        let tiles = |text: &String| {
            if text.chars().count() > usize::from(u8::MAX) {
                return Err("more tiles than any set has".to_owned());
            }
            let tiles = Tiles::read(text, edition).map_err(|why| why.to_string())?;
            if tiles.text(edition) == *text { Ok(tiles) } else { Err("tiles out of order".to_owned()) }
        };
        Ok(Self {
            variant: plain.variant,
            board: Board::read(&plain.board, edition).map_err(|why| why.to_string())?,
            bag: tiles(&plain.bag)?,
            racks: plain.racks.iter().map(tiles).collect::<Result<_, _>>()?,
            scores: plain.scores,
            scoreless: plain.scoreless,
            fresh: plain.fresh,
        })
    }
}
