//! Rematches and series, between real processes.

mod asking;
pub(crate) mod couple;
mod matches;
mod scenarios;
mod series;
mod spectators;
mod turning;
