//! The settings that several subcommands share, one group a file: as flags of the command line and as
//! `ASTRAGAL_*` variables. A group knows how to make of its settings what a role needs, or says what is wrong.

pub(crate) mod clients;
pub(crate) mod database;
pub(crate) mod dictionaries;
pub(crate) mod durations;
pub(crate) mod keys;
pub(crate) mod listening;
pub(crate) mod operators;
pub(crate) mod redis;
pub(crate) mod roles;
pub(crate) mod searches;
pub(crate) mod telemetry;
pub(crate) mod tls;
