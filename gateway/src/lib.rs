//! The role gateway: sockets and HTTP in, calls to the other roles out.
//!
//! It owns who is connected and who watches what. It has no database, and it knows no rules: what a viewer may see
//! was decided by the engine, and is passed on as it is.

mod compose;
mod doors;
mod gateway;
mod gm;
mod heads;
mod http;
mod hub;
mod limits;
mod metrics;
mod play;
mod roles;
mod sessions;
pub mod settings;
mod socket;

pub use gateway::Gateway;
pub use roles::Channels;
