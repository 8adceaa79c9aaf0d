//! Rematches from asking to the next game, on both stores, with two replicas and a clock that stands.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod conformance;
mod house;
mod older;
mod races;
mod running;
mod scenarios;
mod script;
