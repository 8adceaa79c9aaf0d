//! Replay as it is called, with a real engine behind it.

#![expect(clippy::expect_used, reason = "a test that can't go on has failed")]

mod certified;
#[path = "../../benches/replays/endless.rs"]
mod endless;
#[path = "../../benches/replays/games.rs"]
mod games;
mod house;
mod shown;
mod unread;
mod verdicts;
