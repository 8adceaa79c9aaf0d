//! The log and what follows from it, held against games that are hard in their own ways. The
//! names of the tests begin with the requirement that they prove.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail so")]
#![allow(unreachable_pub, reason = "the toys are shared by several binaries")]

mod json_edit;
#[path = "../toys/mod.rs"]
mod toys;

mod advance;
mod bad_bytes;
mod canonical;
mod certificate;
mod certified;
mod chance_place;
mod endings;
mod finished_log;
mod golden;
mod hidden;
mod impossible;
mod log_fields;
mod promises;
mod random_play;
mod replay;
mod retiring;
mod said;
mod samples;
mod secrets;
mod state_fields;
mod undo;
mod verify;
mod versions;
