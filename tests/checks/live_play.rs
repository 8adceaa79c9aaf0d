//! Live play from outside: who may watch what, coming back to a game, and clients that want too much.
//!
//! The tests name what went wrong for others, in the words of the style guide's lists.

mod hidden;
mod limits;
mod resuming;
mod watching;
