//! What one viewer sees of a table.

use crate::crossword::content::Play;
use crate::crossword::data::Data;
use crate::crossword::game::Crossword;
use crate::crossword::place::SIDE;
use crate::game::Viewer;
use crate::seat::Seat;
use crate::state::State;
use schemars::JsonSchema;
use serde::Serialize;

/// A table through the eyes of one viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// The rows: `.` is an empty square, a small letter a blank.
    pub board: [String; SIDE],
    /// The viewer's own tiles, `?` for a blank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rack: Option<String>,
    /// How many tiles each seat has.
    pub racks: Vec<u8>,
    /// The tiles of each seat, when the game is over; for administrators at any time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<Vec<String>>,
    /// By seat.
    pub scores: Vec<i32>,
    /// How many tiles nobody has drawn yet.
    pub bag: u8,
    /// The play that the seat to move may challenge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh: Option<FreshPlay>,
}

/// A play that can be challenged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FreshPlay {
    /// Who laid it.
    pub seat: Seat,
    /// The play.
    pub play: Play,
    /// The words that it formed.
    pub words: Vec<String>,
    /// What it scored.
    pub score: i32,
    /// True if its seat has no tile left and the bag none for it: with the next pass the game is
    /// over.
    pub last: bool,
}

impl View {
    /// What a viewer may see of a state.
    pub(super) fn of(state: &State<Crossword>, viewer: Viewer) -> Self {
        let data = &state.data;
        let edition = data.edition();
        let own = match viewer {
            Viewer::Seat(seat) => data.racks.get(seat.index()),
            Viewer::Spectator | Viewer::Admin => None,
        };
        let all = viewer == Viewer::Admin || state.outcome.is_some();
        let hands = || data.racks.iter().map(|rack| rack.text(edition)).collect();
        Self {
            board: data.board.rows(edition),
            rack: own.map(|rack| rack.text(edition)),
            racks: data.racks.iter().map(|rack| rack.count() as u8).collect(),
            hands: all.then(hands),
            scores: data.scores.to_vec(),
            bag: data.bag.count() as u8,
            fresh: FreshPlay::of(data),
        }
    }
}

impl FreshPlay {
    fn of(data: &Data) -> Option<Self> {
        let (fresh, _, laying) = data.before_fresh()?;
        let edition = data.edition();
        let words = laying.score(edition, &data.board).words;
        Some(Self {
            seat: fresh.seat,
            play: fresh.play.clone(),
            words: words.iter().map(|(word, _)| word.letters(&data.board, edition)).collect(),
            score: fresh.score,
            last: data.is_out(fresh.seat),
        })
    }
}
