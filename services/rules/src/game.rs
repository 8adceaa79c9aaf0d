//! What a game is: the one trait that its author writes. It knows nothing of logs, seeds,
//! journals, clocks or who sits in the seats.
//!
//! A game is pure. It gets values and returns values; the only chance it may use is the one it
//! is handed, and the only outside knowledge (a dictionary) comes through the judge.

use crate::chance::Chance;
use crate::error::{IllegalMove, InvalidGame};
use crate::outcome::Ending;
use crate::seat::{Seat, Turn};
use crate::state::State;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A game by one version of its rules.
///
/// The reader of moves, options and data is strict only if their types are: put
/// `#[serde(deny_unknown_fields)]` on each, and `#[serde(default)]` on the options.
pub trait Game: Send + Sync + Sized + 'static {
    /// What can be chosen at the opening.
    type Options: Serialize + DeserializeOwned + JsonSchema + Clone + Send + Sync;
    /// The game's own part of the state, hidden parts included.
    type Data: Serialize + DeserializeOwned + Clone + PartialEq + Debug + Send + Sync;
    /// A move of a seat, or one of the table's that this game defines: an object or a word, never
    /// a list.
    type Move: Serialize + DeserializeOwned + JsonSchema + Clone + PartialEq + Debug + Send + Sync;
    /// What one viewer sees.
    type View: Serialize + JsonSchema;
    /// What a move did, in words that a client can show: captures, words formed, points.
    type Notes: Serialize;

    /// The moves of a seat by example, for whoever sent something else.
    const MOVE_FORM: &'static str = "a move as the catalogue's JSON Schema has it";

    /// Name, version, seats and the rest of what the catalogue shows.
    fn about(&self) -> About;

    /// The options of a new table, with what it has to remember of this build: which word list
    /// judges it. Refuses those that this build can replay but not offer, because it has none. What
    /// no table can have at all is for `setup` to refuse.
    fn offer(&self, options: Self::Options) -> Result<Self::Options, InvalidGame> {
        Ok(options)
    }

    /// What a page has to know to show the board: its layout, what the squares and the pieces are worth.
    /// Plain JSON; the same for every viewer and at every step.
    fn describe(&self, _table: &Table<Self>) -> serde_json::Value {
        serde_json::json!({})
    }

    /// The position before the first move. Refuses options that no table can have.
    fn setup(&self, table: &Table<Self>, chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame>;

    /// Refuses data of a state that a cache gave back, when its type alone can't: a list without
    /// an entry for each seat. The place in the error is below the data.
    fn check_data(&self, _table: &Table<Self>, _data: &Self::Data) -> Result<(), InvalidGame> {
        Ok(())
    }

    /// One move. The machine has checked that the seat is to move and that the game goes on; no
    /// seat is a move of the table itself.
    fn play(
        &self,
        table: &Table<Self>,
        state: &State<Self>,
        actor: Option<Seat>,
        action: &Self::Move,
        chance: &mut Chance<'_>,
        judge: &dyn Judge,
    ) -> Result<Next<Self>, IllegalMove>;

    /// Every legal move of a seat that is to move; none where the game can't list them.
    fn legal_moves(&self, table: &Table<Self>, state: &State<Self>, seat: Seat) -> Option<Vec<Self::Move>>;

    /// What a viewer may see of a state.
    fn view(&self, table: &Table<Self>, state: &State<Self>, viewer: Viewer) -> Self::View;

    /// What a move did, as a viewer may know it.
    fn notes(&self, table: &Table<Self>, made: &Made<'_, Self>, viewer: Viewer) -> Self::Notes;

    /// The move as a viewer may know it; none: the move itself.
    fn shown_move(
        &self,
        _table: &Table<Self>,
        _made: &Made<'_, Self>,
        _viewer: Viewer,
    ) -> Option<serde_json::Value> {
        None
    }

    /// The points of each seat, for a game that ends by time, resignation or leaving.
    fn scores(&self, table: &Table<Self>, state: &State<Self>) -> Vec<i32>;

    /// True if the last move, which led to this state and drew nothing, may be taken back.
    fn may_undo(&self, _table: &Table<Self>, _after: &State<Self>, _last: &Self::Move) -> bool {
        false
    }

    /// A seat retires while at least two others play on. A game in which several are waited for
    /// at once, or the table itself is to move, has to say here what becomes of that.
    fn retire(
        &self,
        _table: &Table<Self>,
        state: &State<Self>,
        seat: Seat,
        _chance: &mut Chance<'_>,
    ) -> Next<Self> {
        Next { turn: state.turn.without(seat), data: state.data.clone(), ending: None }
    }

    /// Who judges new moves at a table. Refuses to if what judged it before is not at hand. Replays
    /// never ask.
    fn judge(&self, _table: &Table<Self>) -> Result<&dyn Judge, InvalidGame> {
        Ok(&AcceptAll)
    }

    /// The move that the table itself has to make now, if one is due (a verdict on a challenge).
    fn automatic(
        &self,
        _table: &Table<Self>,
        _state: &State<Self>,
        _judge: &dyn Judge,
    ) -> Option<Self::Move> {
        None
    }

    /// A robot's move, of a level from 1 to 5. It sees what its seat sees. Its chance comes from
    /// the operating system, never from the seed.
    fn robot_move(
        &self,
        _table: &Table<Self>,
        _view: &Self::View,
        _seat: Seat,
        _level: u8,
        _chance: &mut Chance<'_>,
    ) -> Option<Self::Move> {
        None
    }
}

/// What the catalogue says of a game.
#[derive(Clone, Debug)]
pub struct About {
    /// The name in logs and requests.
    pub name: &'static str,
    /// The version of the rules, from 1.
    pub version: u32,
    /// At least one; the first is the default. With more than one, the options have a member
    /// `variant` that holds the name.
    pub variants: &'static [Variant],
    /// The fewest seats.
    pub seats_min: u8,
    /// The most seats.
    pub seats_max: u8,
    /// Every word that a turn's phase can be.
    pub phases: &'static [&'static str],
    /// True if viewers see different things.
    pub hidden: bool,
    /// True if robots play it.
    pub robots: bool,
}

/// A variant of a game.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The name in requests and options.
    pub name: &'static str,
    /// The tile set of the draw that decides who goes first.
    pub draw_set: &'static str,
}

/// What never changes at a table.
pub struct Table<G: Game> {
    /// How many seats there are.
    pub seats: u8,
    /// Who moves first.
    pub first_seat: Seat,
    /// What was chosen.
    pub options: G::Options,
}

/// The position after a setup or a move.
pub struct Next<G: Game> {
    /// Whose turn it is.
    pub turn: Turn,
    /// The game's data.
    pub data: G::Data,
    /// Present when the game is over by its rules.
    pub ending: Option<Ending>,
}

/// A move that was made, between the states before and after it.
pub struct Made<'a, G: Game> {
    /// The state before.
    pub before: &'a State<G>,
    /// Who moved; none: the table itself.
    pub actor: Option<Seat>,
    /// The move.
    pub action: &'a G::Move,
    /// The state after.
    pub after: &'a State<G>,
}

/// Who looks. There is no default: every view is asked for on purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// The player in a seat.
    Seat(Seat),
    /// Somebody without a seat.
    Spectator,
    /// An administrator, whose look is recorded.
    Admin,
}

/// Answers what the rules can't know of themselves: is this a word?
pub trait Judge: Send + Sync {
    /// True if the word is good.
    fn accepts(&self, word: &str) -> bool;
}

/// Accepts every word: for replays, whose moves were judged when they were made, and for games
/// that ask nothing.
pub struct AcceptAll;

impl Judge for AcceptAll {
    fn accepts(&self, _word: &str) -> bool {
        true
    }
}
