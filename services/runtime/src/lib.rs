//! What every process of Astragal needs, whatever role it plays: errors, ids, time, chance from
//! the operating system, tokens, the bus, connections between roles, the embedded database.
//!
//! It knows nothing of games, tables or lobbies, and no role depends on another through it.

pub mod auth;
pub mod bus;
pub mod channel;
pub mod clock;
pub mod database;
pub mod entropy;
pub mod error;
pub mod fault;
pub mod gather;
pub mod id;
pub mod panics;
pub mod presence;
mod queue;
pub mod redis_link;
pub mod shutdown;
pub mod telemetry;
pub mod time_control;
pub mod tls;
