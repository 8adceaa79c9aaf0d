//! The role rematch: who wants to play on with whom, and the next game once all agree.
//!
//! The story of a rematch: the engine says that a game has ended ([`service`]), which opens an [`entry`];
//! [`machine`] decides what becomes of it with each thing that happens; [`offers`] compares and sets that in
//! the [`store`], tells the players, and has matchmaking create the next game. It knows nothing of moves,
//! rules, sockets or databases.

pub mod entry;
pub mod machine;
mod making;
pub mod next_game;
pub mod offers;
mod opening;
pub mod peers;
pub mod present;
pub mod reason;
pub mod series;
pub mod service;
pub mod standing;
pub mod store;
mod teller;
mod watch;

use crate::offers::Offers;
use crate::peers::{Peers, Roles};
use crate::present::Present;
use crate::service::RematchEdge;
use crate::store::OfferStore;
use crate::teller::Teller;
use astragal_proto::rematch::v1::rematch_service_server::RematchServiceServer;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::Clock;
use astragal_runtime::error::Result;
use astragal_runtime::id::TableId;
use astragal_runtime::presence::PresenceChanges;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What the role is connected to; all of it is chosen outside.
pub struct Wiring {
    /// Where it keeps rematches.
    pub store: Arc<dyn OfferStore>,
    /// The engine.
    pub engine: RoleChannel,
    /// Matchmaking.
    pub matchmaking: RoleChannel,
    /// Where it tells its news.
    pub bus: Bus,
    /// Who is there.
    pub present: Arc<dyn Present>,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
}

/// The role; cheap to clone.
#[derive(Clone)]
pub struct Rematch(Offers);

impl Rematch {
    /// Makes the role ready to serve.
    pub fn new(wiring: Wiring) -> Self {
        let Wiring { store, engine, matchmaking, bus, present, clock } = wiring;
        Self::among(Arc::new(Roles::new(engine, matchmaking)), store, bus, present, clock)
    }

    /// The same among peers of any kind.
    pub fn among(
        peers: Arc<dyn Peers>,
        store: Arc<dyn OfferStore>,
        bus: Bus,
        present: Arc<dyn Present>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let teller = Arc::new(Teller::new(store.clone(), bus));
        Self(Offers { store, teller, peers, present, clock })
    }

    /// The service, for a server or for a channel inside this process.
    pub fn service(&self) -> RematchServiceServer<RematchEdge> {
        RematchServiceServer::new(RematchEdge(self.0.clone()))
    }

    /// Whether the store can be read now.
    pub async fn ready(&self) -> Result<()> {
        self.0.store.load(TableId::new()).await.map(drop)
    }

    /// Does what is due, tells what others left untold, and follows who comes and goes, until it is told to
    /// stop.
    pub async fn run(&self, presence: PresenceChanges, stop: CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => {}
            () = watch::deadlines(&self.0) => {}
            () = watch::outbox(&self.0) => {}
            () = watch::presence(&self.0, presence) => {}
        }
    }

    /// Tells what others left untold; for tests, which don't wait.
    pub async fn tell_left_behind(&self) -> Result<()> {
        self.0.teller.round().await
    }

    /// What the service does; for tests, which don't wait.
    pub const fn offers(&self) -> &Offers {
        &self.0
    }
}
