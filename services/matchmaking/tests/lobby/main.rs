//! The role as its clients see it: over its gRPC services, with an engine that only takes notes.

#![expect(clippy::expect_used, reason = "a test that can't go on has failed")]

mod accounts;
mod balance;
mod by_hand;
mod clocks;
mod crashes;
mod crowds;
mod draws;
mod engine;
mod events;
mod joining;
mod parlour;
mod people;
mod races;
mod recompute;
mod requests;
mod searches;
mod standing;
mod tournaments;
mod world;
