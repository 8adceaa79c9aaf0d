//! The rules of Astragal: the log and what follows from it, chance, the draw, and the games.
//!
//! Values in, values out. There is no clock, file, network, operating-system randomness or
//! async in this crate: time, entropy and ids are arguments.

pub mod any;
pub mod canonical;
pub mod certificate;
pub mod chance;
pub mod crossword;
pub mod draw;
pub mod error;
pub mod finished_log;
pub mod game;
pub mod kalah;
pub mod log;
pub mod machine;
pub mod outcome;
pub mod registry;
pub mod replay;
pub mod said;
pub mod seat;
pub mod seed;
pub mod state;
mod strict;
pub mod table_move;
pub mod tile_set;
pub mod timeline;
