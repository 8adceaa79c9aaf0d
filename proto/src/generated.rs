//! The generated code, one module per protobuf package; the comments of the protocol files are its documentation.
#![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

/// The client protocol.
pub mod gateway {
    /// Version 1.
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/astragal.gateway.v1.rs"));
    }
}

/// Tables.
pub mod engine {
    /// Version 1.
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/astragal.engine.v1.rs"));
    }
}

/// Accounts and the lobby.
pub mod matchmaking {
    /// Version 1.
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/astragal.matchmaking.v1.rs"));
    }
}

/// Rematches.
pub mod rematch {
    /// Version 1.
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/astragal.rematch.v1.rs"));
    }
}

/// Looking back at tables.
pub mod replay {
    /// Version 1.
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/astragal.replay.v1.rs"));
    }
}

/// Draws.
pub mod seeding {
    /// Version 1.
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/astragal.seeding.v1.rs"));
    }
}
