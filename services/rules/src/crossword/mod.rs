//! Crossword: words laid on a board from hidden racks that are filled from a bag.
//!
//! [`edition`] holds the data of each variant, [`laying`] places tiles and scores them, [`game`]
//! is what the machine plays by. [`dictionary`] judges words, [`generator`] finds every play of a
//! rack, [`robot`] chooses among them. [`gcg`] reads, writes and scores the notation that other
//! programs use.

pub mod alphabet;
pub mod board;
pub mod content;
pub mod data;
pub mod dictionary;
pub mod edition;
mod ending;
pub mod game;
pub mod gcg;
pub mod generator;
pub mod judging;
pub mod laying;
mod leaves;
mod line;
pub mod notes;
pub mod place;
pub mod premium;
pub mod robot;
pub mod tiles;
mod turns;
pub mod view;
pub mod word;
