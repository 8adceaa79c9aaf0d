//! Kalah: two rows of six pits, a store at the end of each, and seeds that go around.
//!
//! [`board`] is the bare board and its moves, [`game`] is what the machine plays by, [`robot`]
//! is who plays when nobody else does.

pub mod board;
mod deal;
pub mod game;
pub mod pit;
pub mod robot;
pub mod view;
