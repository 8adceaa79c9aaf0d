//! Games and tables without their types, as the registry, the engine and the checks hold them.
//! Content goes in and out as JSON text; states stay typed inside.

use crate::canonical::canonical;
use crate::chance::Chance;
use crate::error::{InvalidGame, UndoError};
use crate::game::{About, AcceptAll, Game, Judge, Made, Viewer};
use crate::log::{Header, LoggedMove, Opening, TableLog};
use crate::machine::{Action, GameTable, StepError, read_action, read_options};
use crate::outcome::Outcome;
use crate::said::Quoted;
use crate::seat::{Seat, Turn};
use crate::strict::any_value;
use schemars::schema_for;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::any::Any;
use std::sync::Arc;

/// A game of one version.
pub trait AnyGame: Send + Sync {
    /// What the catalogue says of it.
    fn about(&self) -> About;

    /// Reads the options of a new table strictly, fills in defaults and gives their canonical JSON.
    /// A variant that is asked for apart from the options is put among them, if the game has several.
    fn options(&self, variant: Option<&str>, options: &str) -> Result<String, InvalidGame>;

    /// The variant that canonical options name.
    fn variant(&self, options: &str) -> &'static str;

    /// The JSON Schemas of options, move and view.
    fn schemas(&self) -> Schemas;

    /// A table before its first move.
    fn setup(&self, opening: Arc<Opening>) -> Result<Box<dyn AnyTable>, InvalidGame>;

    /// A table in a state that a cache gave back.
    fn restore(&self, opening: Arc<Opening>, state: &str) -> Result<Box<dyn AnyTable>, InvalidGame>;
}

/// JSON Schemas of a game's content.
pub struct Schemas {
    /// Of the options.
    pub options: Value,
    /// Of a move.
    pub action: Value,
    /// Of a view.
    pub view: Value,
}

/// SHA-256 of the canonical JSON of a state.
pub type StateHash = [u8; 32];

/// A table in one state.
pub trait AnyTable: Any + Send + Sync {
    /// What never changes.
    fn opening(&self) -> &Arc<Opening>;
    /// How many moves were made.
    fn number(&self) -> u32;
    /// Whose turn it is.
    fn turn(&self) -> &Turn;
    /// Present when the game is over.
    fn outcome(&self) -> Option<&Outcome>;
    /// True if viewers see different things.
    fn hidden(&self) -> bool;
    /// What a page has to know to show the board, as canonical JSON.
    fn description(&self) -> Result<String, InvalidGame>;
    /// The state as canonical JSON, hidden parts included.
    fn state_json(&self) -> Result<String, InvalidGame>;
    /// What stands for the state in journals and certificates.
    fn state_hash(&self) -> Result<StateHash, InvalidGame> {
        Ok(Sha256::digest(self.state_json()?).into())
    }

    /// One more move: what to append, and the table after it.
    fn step(&self, seat: Option<Seat>, action: &str, judge: &dyn Judge) -> Result<Step, StepError>;
    /// Applies the moves that follow, as they were made.
    fn advance(
        &self,
        header: &Header,
        moves: &[LoggedMove],
        judge: &dyn Judge,
    ) -> Result<Box<dyn AnyTable>, InvalidGame>;
    /// True if exactly this table follows from the log.
    fn follows_from(&self, log: &TableLog) -> bool;
    /// Whether the last move may be taken back by a seat, or by the table itself.
    fn check_undo(&self, last: &LoggedMove, actor: Option<Seat>) -> Result<(), UndoError>;

    /// What a viewer sees, as canonical JSON.
    fn view(&self, viewer: Viewer) -> Result<String, InvalidGame>;
    /// The legal moves of a seat as a JSON array; none if it is not to move, or the game can't list them.
    fn legal_moves(&self, seat: Seat) -> Result<Option<String>, InvalidGame>;
    /// The last move of this state as a viewer may know it, given the table before it.
    fn shown(&self, before: &dyn AnyTable, last: &LoggedMove, viewer: Viewer) -> Result<Shown, InvalidGame>;

    /// Who judges new moves; refused while what judged the table before is not at hand.
    fn judge(&self) -> Result<&dyn Judge, InvalidGame>;
    /// The move that the table itself has to make now, if one is due.
    fn automatic(&self, judge: &dyn Judge) -> Result<Option<String>, InvalidGame>;
    /// A robot's move for a seat, of a level from 1 to 5.
    fn robot_move(&self, seat: Seat, level: u8, entropy: &[u8; 32]) -> Result<Option<String>, InvalidGame>;
}

/// A step that was taken.
pub struct Step {
    /// What to append.
    pub logged: LoggedMove,
    /// The table after it.
    pub after: Box<dyn AnyTable>,
}

/// A move as one viewer may know it, as canonical JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The move.
    pub action: String,
    /// What it did.
    pub notes: String,
}

impl<G: Game> AnyGame for Arc<G> {
    fn about(&self) -> About {
        G::about(self)
    }

    fn options(&self, variant: Option<&str>, options: &str) -> Result<String, InvalidGame> {
        let about = G::about(self);
        let known = |name: &str| about.variants.iter().any(|variant| variant.name == name);
        if let Some(name) = variant.filter(|name| !known(name)) {
            let names: Vec<_> = about.variants.iter().map(|variant| variant.name).collect();
            let why = format!("{} is not a variant of {}: {}", Quoted(name), about.name, names.join(", "));
            return Err(InvalidGame::new("variant", why));
        }
        let mut text = options.to_owned();
        if let Some(name) = variant.filter(|_| about.variants.len() > 1) {
            let mut value = any_value(options).map_err(|error| InvalidGame::new("options", error))?;
            let members = value.as_object_mut();
            let members = members.ok_or_else(|| InvalidGame::new("options", "not an object"))?;
            members.insert("variant".to_owned(), Value::from(name));
            text = value.to_string();
        }
        let options = read_options::<G>(&text)?;
        json("options", &self.offer(options)?)
    }

    fn variant(&self, options: &str) -> &'static str {
        let variants = G::about(self).variants;
        let value: Option<Value> = serde_json::from_str(options).ok();
        let name = value.as_ref().and_then(|value| value.get("variant")).and_then(Value::as_str);
        let named = name.and_then(|name| variants.iter().find(|variant| variant.name == name));
        named.or(variants.first()).map_or("standard", |variant| variant.name)
    }

    fn schemas(&self) -> Schemas {
        Schemas {
            options: schema_for!(G::Options).to_value(),
            action: schema_for!(G::Move).to_value(),
            view: schema_for!(G::View).to_value(),
        }
    }

    fn setup(&self, opening: Arc<Opening>) -> Result<Box<dyn AnyTable>, InvalidGame> {
        Ok(Box::new(GameTable::setup(Self::clone(self), opening)?))
    }

    fn restore(&self, opening: Arc<Opening>, state: &str) -> Result<Box<dyn AnyTable>, InvalidGame> {
        Ok(Box::new(GameTable::restore(Self::clone(self), opening, state)?))
    }
}

impl<G: Game> AnyTable for GameTable<G> {
    fn opening(&self) -> &Arc<Opening> {
        &self.opening
    }

    fn number(&self) -> u32 {
        self.state.number
    }

    fn turn(&self) -> &Turn {
        &self.state.turn
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.outcome.as_ref()
    }

    fn hidden(&self) -> bool {
        self.game.about().hidden
    }

    fn description(&self) -> Result<String, InvalidGame> {
        json("description", &self.game.describe(&self.table))
    }

    fn state_json(&self) -> Result<String, InvalidGame> {
        self.state.to_json()
    }

    fn step(&self, seat: Option<Seat>, action: &str, judge: &dyn Judge) -> Result<Step, StepError> {
        let (logged, after) = Self::step(self, seat, action, judge)?;
        Ok(Step { logged, after: Box::new(after) })
    }

    fn advance(
        &self,
        header: &Header,
        moves: &[LoggedMove],
        judge: &dyn Judge,
    ) -> Result<Box<dyn AnyTable>, InvalidGame> {
        Ok(Box::new(Self::advance(self, header, moves, judge)?))
    }

    fn follows_from(&self, log: &TableLog) -> bool {
        let replayed = Self::setup(Arc::clone(&self.game), Arc::clone(log.opening()))
            .and_then(|table| Self::advance(&table, &log.header(), log.moves(), &AcceptAll));
        replayed.is_ok_and(|replayed| replayed.state == self.state)
    }

    fn check_undo(&self, last: &LoggedMove, actor: Option<Seat>) -> Result<(), UndoError> {
        Self::check_undo(self, last, actor)
    }

    fn view(&self, viewer: Viewer) -> Result<String, InvalidGame> {
        json("view", &self.game.view(&self.table, &self.state, viewer))
    }

    fn legal_moves(&self, seat: Seat) -> Result<Option<String>, InvalidGame> {
        if self.state.outcome.is_some() || !self.state.turn.awaits(seat) {
            return Ok(None);
        }
        let moves = self.game.legal_moves(&self.table, &self.state, seat);
        moves.map(|moves| json("legal moves", &moves)).transpose()
    }

    fn shown(&self, before: &dyn AnyTable, last: &LoggedMove, viewer: Viewer) -> Result<Shown, InvalidGame> {
        let before = (before as &dyn Any)
            .downcast_ref::<Self>()
            .ok_or_else(|| InvalidGame::at_move(last.number, "the table before is of another game"))?;
        let action = read_action::<G>(last.seat, &last.action)
            .map_err(|error| InvalidGame::at_move(last.number, error))?;
        let Action::Game(action) = action else {
            return Ok(Shown { action: last.action.to_string(), notes: "{}".to_owned() });
        };
        let made = Made { before: &before.state, actor: last.seat, action: &action, after: &self.state };
        let action = match self.game.shown_move(&self.table, &made, viewer) {
            Some(shown) => json("move", &shown)?,
            None => last.action.to_string(),
        };
        Ok(Shown { action, notes: json("annotations", &self.game.notes(&self.table, &made, viewer))? })
    }

    fn judge(&self) -> Result<&dyn Judge, InvalidGame> {
        self.game.judge(&self.table)
    }

    fn automatic(&self, judge: &dyn Judge) -> Result<Option<String>, InvalidGame> {
        if self.state.outcome.is_some() {
            return Ok(None);
        }
        let due = self.game.automatic(&self.table, &self.state, judge);
        due.map(|action| json("automatic move", &action)).transpose()
    }

    fn robot_move(&self, seat: Seat, level: u8, entropy: &[u8; 32]) -> Result<Option<String>, InvalidGame> {
        if self.state.outcome.is_some() || !self.state.turn.awaits(seat) {
            return Ok(None);
        }
        let view = self.game.view(&self.table, &self.state, Viewer::Seat(seat));
        let mut chance = Chance::of_entropy(entropy);
        let action = self.game.robot_move(&self.table, &view, seat, level, &mut chance);
        action.map(|action| json("robot's move", &action)).transpose()
    }
}

fn json<T: Serialize>(place: &str, value: &T) -> Result<String, InvalidGame> {
    canonical(value).map_err(|error| InvalidGame::new(place, error))
}
