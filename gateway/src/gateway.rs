//! The parts of a running gateway, and its life from start to stop.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use astragal_runtime::auth::{Claims, Role, TokenVerifier};
use astragal_runtime::bus::{Bus, BusReceiver};
use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::presence::{Presence, PresenceChanges};
use astragal_runtime::telemetry::Telemetry;
use astragal_runtime::telemetry::tracer::Tracer;
use tokio_util::sync::CancellationToken;

use crate::compose::Composer;
use crate::doors::Doors;
use crate::heads::Heads;
use crate::hub::Hub;
use crate::hub::accounts::Accounts;
use crate::hub::audience::Spectators;
use crate::limits::Limits;
use crate::metrics::GatewayMetrics;
use crate::play::PlayLink;
use crate::roles::{Channels, Roles};
use crate::sessions::Sessions;
use crate::settings::GatewaySettings;
use crate::socket::Sockets;

/// How often callers are forgotten who have not come for a while.
const FORGET_EVERY: Duration = Duration::from_mins(1);

/// A gateway; cheap to clone.
#[derive(Clone)]
pub struct Gateway(Arc<Parts>);

struct Parts {
    settings: Arc<GatewaySettings>,
    roles: Roles,
    composer: Composer,
    hub: Hub,
    play: PlayLink,
    sockets: Sockets,
    doors: Doors,
    limits: Limits,
    sessions: Sessions,
    heads: Heads,
    verifier: TokenVerifier,
    clock: Arc<dyn Clock>,
    tracer: Tracer,
    metrics: GatewayMetrics,
    /// Taken by [`Gateway::run`].
    news: Mutex<Option<(BusReceiver, PresenceChanges)>>,
}

impl Gateway {
    /// A gateway that serves nobody yet: [`Gateway::run`] must run for as long as its router is served. Several
    /// gateways share `bus` and `presence`.
    pub fn new(
        settings: GatewaySettings,
        channels: Channels,
        bus: &Bus,
        presence: &Presence,
        verifier: TokenVerifier,
        clock: Arc<dyn Clock>,
        telemetry: &Telemetry,
    ) -> Self {
        let metrics = GatewayMetrics::new(&telemetry.metrics);
        let (desk, changes) = presence.open_desk();
        let settings = Arc::new(settings);
        let roles = Roles::new(channels, settings.call_timeout);
        let accounts = Arc::new(Accounts::new(desk));
        let spectators = Arc::new(Spectators::new(presence.open_audience()));
        let composer = Composer::new(&roles, accounts.clone(), spectators.clone());
        let heads = Heads::open(roles.clone());
        let sessions = Sessions::open(roles.clone(), composer.names.clone());
        let (hub, receiver) =
            Hub::new(bus, roles.clone(), composer.clone(), accounts, spectators, settings.clone());
        let play =
            PlayLink::new(settings.actions_in_flight_max, settings.call_timeout, metrics.actions.clone());
        Self(Arc::new(Parts {
            roles,
            composer,
            hub,
            play,
            sockets: Sockets::default(),
            doors: Doors::new(settings.doors_at_once_max),
            limits: Limits::new(&settings),
            sessions,
            heads,
            verifier,
            clock,
            tracer: telemetry.tracer.clone(),
            metrics,
            news: Mutex::new(Some((receiver, changes))),
            settings,
        }))
    }

    /// Does the work behind the sockets. When `stop` is cancelled it says goodbye to all clients, and returns once
    /// they have gone.
    pub async fn run(&self, stop: CancellationToken) {
        let news = self.0.news.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((bus, presence)) = news else { return };
        // The tables and the link to the engine outlive the sockets, which still wait for answers.
        let end = CancellationToken::new();
        let goodbye = async {
            stop.cancelled().await;
            self.0.sockets.stop();
            self.0.hub.drain();
            let patience = 2 * self.0.settings.drain_max;
            if tokio::time::timeout(patience, self.0.sockets.gone()).await.is_err() {
                tracing::warn!("some clients did not go in time");
            }
            end.cancel();
        };
        tokio::join!(
            goodbye,
            self.0.hub.run(bus, presence, &end),
            self.0.play.run(&self.0.roles, &end),
            end.run_until_cancelled(self.forget_callers()),
        );
    }

    async fn forget_callers(&self) {
        let mut forget = tokio::time::interval(FORGET_EVERY);
        loop {
            forget.tick().await;
            self.0.limits.forget();
        }
    }

    /// Whether sessions were ended before their time.
    pub(crate) fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    /// How far tables have come.
    pub(crate) fn heads(&self) -> &Heads {
        &self.0.heads
    }

    /// Who the bearer of a token is, whatever the role.
    pub(crate) fn verify_any(&self, token: &str) -> Result<Claims> {
        self.0.verifier.verify(token, self.0.clock.now())
    }

    /// As [`Self::verify_any`], for players only: nobody else sits at tables. Whether the session was ended since,
    /// [`Self::sessions`] knows.
    pub(crate) fn verify(&self, token: &str) -> Result<Claims> {
        let claims = self.verify_any(token)?;
        if claims.role == Role::Player {
            return Ok(claims);
        }
        Err(Problem::unauthenticated("this token is not a player's; sign in as one"))
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    pub(crate) fn settings(&self) -> &GatewaySettings {
        &self.0.settings
    }

    pub(crate) fn roles(&self) -> &Roles {
        &self.0.roles
    }

    pub(crate) fn composer(&self) -> &Composer {
        &self.0.composer
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.0.hub
    }

    pub(crate) fn play(&self) -> &PlayLink {
        &self.0.play
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn tracer(&self) -> &Tracer {
        &self.0.tracer
    }

    pub(crate) fn metrics(&self) -> &GatewayMetrics {
        &self.0.metrics
    }

    pub(crate) fn sockets(&self) -> &Sockets {
        &self.0.sockets
    }

    pub(crate) fn doors(&self) -> &Doors {
        &self.0.doors
    }
}
