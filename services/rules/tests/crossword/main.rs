//! Crossword against real games and vectors that others made, against brute force, and against
//! itself: conservation, hidden tiles, robots.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail so")]
#![allow(unreachable_pub, dead_code, reason = "the toys are shared by several binaries")]

mod challenges;
#[path = "../data/mod.rs"]
mod data;
mod dictionary;
mod editions;
mod endings;
mod gcg_edge;
mod gcg_export;
mod gcg_games;
mod generator;
mod golden;
mod hidden;
mod judging;
mod moves;
mod notation;
mod offers;
mod oracle;
mod play_outs;
mod plays;
mod refusals;
mod robots;
mod robots_golden;
mod table;
mod timeline;
#[path = "../toys/mod.rs"]
mod toys;
mod undo;
mod words;
