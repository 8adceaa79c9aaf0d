//! What tests of several crates start from outside: real servers of their own, gone with the test. And what they count
//! inside of a database.
//!
//! It knows nothing of ours, so every crate may use it for its tests, and none for anything else.

#![expect(clippy::expect_used, clippy::missing_panics_doc, reason = "a test that can't go on has failed")]

pub mod ports;
pub mod postgres;
pub mod proxy;
pub mod redis;
pub mod redis_cluster;
pub mod steps;
