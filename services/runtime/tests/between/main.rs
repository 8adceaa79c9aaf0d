//! What is between processes: the bus and presence, in memory and over a real Redis, and what happens without it.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod audience;
mod bus;
mod bus_outage;
mod closing;
mod cluster;
mod encrypted;
mod installations;
mod patience;
mod presence;
mod presence_outage;
