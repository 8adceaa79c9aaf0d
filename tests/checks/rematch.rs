//! Rematches and series, between real processes.

mod asking;
mod couple;
mod matches;
mod series;
mod spectators;
