//! What the oracle has to be told of a game.

mod crossword;
mod dare;
mod kalah;

pub(crate) use crossword::Crossword;
pub(crate) use dare::Dare;
pub(crate) use kalah::Kalah;

use crate::toys::random::Whim;
use astragal_rules::any::AnyTable;
use astragal_rules::seat::Seat;
use serde_json::Value;

/// A table, and its whole state.
pub(crate) type Sight<'t> = (&'t dyn AnyTable, Value);

/// A game that may hide something.
pub(crate) trait Subject: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// How many seats, and with which options.
    fn table(&self, whim: &mut Whim) -> (u8, Value);

    /// A move of a seat in each world, which the others may not tell apart; both the same if the seat is not the
    /// odd one. Whether they are legal is found out by trying.
    fn moves(&self, twins: [&Sight<'_>; 2], seat: Seat, odd: Seat, whim: &mut Whim) -> Option<[String; 2]>;

    /// All of a state but what only one seat may know, or nobody.
    fn known(&self, state: &Value, but: Seat) -> Value;

    /// Moves that are refused, most of them with an error that might say too much.
    fn refused(&self) -> Vec<Value>;
}
