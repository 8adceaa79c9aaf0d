//! The role replay: what tables were, move by move, and whether what is said of them is true.
//!
//! It reads the engine by calls alone. A game that is over it plays again from its log; of a game that goes
//! on it passes on what the engine shows administrators, so that it never has the seed of one. It keeps
//! nothing that the engine doesn't.

mod archive;
mod certificate;
mod engine;
mod gcg;
mod service;
mod timeline;
mod verdict;

use self::archive::Archive;
use self::engine::EngineLink;
use self::service::ReplayEdge;
use astragal_proto::replay::v1::replay_service_server::ReplayServiceServer;
use astragal_rules::registry::Registry;
use astragal_runtime::channel::RoleChannel;
use std::sync::Arc;

/// The largest file that is checked: the certificate of the longest game, with room to spare.
const FILE_BYTES_MAX: usize = 128 << 20;

/// The role; cheap to clone.
#[derive(Clone)]
pub struct Replay {
    parts: Arc<Parts>,
}

pub(crate) struct Parts {
    pub(crate) engine: EngineLink,
    pub(crate) registry: Registry,
    pub(crate) archive: Archive,
}

impl Replay {
    /// The role, which plays by these games and reads this engine.
    pub fn new(engine: RoleChannel, registry: Registry) -> Self {
        let parts = Parts { engine: EngineLink::new(engine), registry, archive: Archive::default() };
        Self { parts: Arc::new(parts) }
    }

    /// The service, for a server or for a channel inside this process.
    pub fn server(&self) -> ReplayServiceServer<ReplayEdge> {
        ReplayServiceServer::new(ReplayEdge(Arc::clone(&self.parts)))
            .max_decoding_message_size(FILE_BYTES_MAX)
    }
}
