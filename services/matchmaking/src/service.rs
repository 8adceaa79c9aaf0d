//! The edge of the role: wire types in, wire types out, and nothing decided.

pub mod accounts;
pub mod lobby;
pub mod next_games;
pub mod seeding;
