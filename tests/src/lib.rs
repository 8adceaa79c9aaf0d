//! What the whole-system checks, the demo and the load tool share: a server to start and kill,
//! a client that speaks the protocol, a player of kalah, and one who comes back after every fall.
//!
//! Nothing here reaches into the server. Everything goes through its command line, its sockets
//! and its files, as it would for a stranger.

pub mod ask;
pub mod client;
pub mod http;
pub mod kalah_player;
pub mod persistent;
pub mod program;
pub mod record;
pub mod roles;
pub mod server;
pub mod tally;
