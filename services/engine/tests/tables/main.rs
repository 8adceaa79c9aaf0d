//! The engine through its own service: what matchmaking, gateways and the operators rely on.

#![expect(clippy::expect_used, reason = "a test that can't go on has failed")]

mod before_rematches;
mod broken;
mod clocks;
mod conformance;
mod database_time;
mod direct;
mod endings;
mod ends;
mod events;
mod faulty;
mod growth;
mod house;
mod lists;
mod moves;
mod outages;
mod postgres;
mod races;
mod requests;
mod review;
mod robots;
mod seats;
mod snapshots;
mod streams;
mod tally;
mod time;
mod undo;
mod unwritable;
mod versions;
