//! Whether a role can serve: asked again and again, told by gRPC health and on the operators' port.
//!
//! A role answers for its own dependencies only. If a role that it calls were one of them, one that
//! is away would take all others away with it.

use astragal_runtime::error::{Problem, Result};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};

const PROBE_EVERY: Duration = Duration::from_secs(1);
const PROBE_MAX: Duration = Duration::from_secs(2);

/// The health of one role.
pub(crate) struct Health {
    services: &'static [&'static str],
    reporter: HealthReporter,
    ready: watch::Sender<bool>,
}

impl Health {
    /// Of a role that offers `services` and can't serve yet.
    pub(crate) async fn of(services: &'static [&'static str]) -> Self {
        let health = Self { services, reporter: HealthReporter::new(), ready: watch::Sender::new(false) };
        health.tell(false).await;
        health
    }

    /// The gRPC service.
    pub(crate) fn server(&self) -> HealthServer<HealthService> {
        HealthServer::new(HealthService::from_health_reporter(self.reporter.clone()))
    }

    /// The operators' pages.
    pub(crate) fn operators_router(&self) -> Router {
        Router::new()
            .route("/healthz", get(async || "alive\n"))
            .route("/readyz", get(readiness))
            .with_state(self.ready.subscribe())
    }

    /// Asks `probe` until `stop`; from then on the role is said not to serve.
    pub(crate) async fn follow(&self, probe: impl AsyncFn() -> Result<()>, stop: &CancellationToken) {
        let mut ticks = tokio::time::interval(PROBE_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut known = None;
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                _ = ticks.tick() => {}
            }
            let answer = tokio::time::timeout(PROBE_MAX, probe()).await;
            let answer =
                answer.unwrap_or_else(|_| Err(Problem::unavailable("the database does not answer in time")));
            let serves = answer.is_ok();
            if known != Some(serves) {
                known = Some(serves);
                match answer {
                    Ok(()) => tracing::info!("ready"),
                    Err(problem) => tracing::warn!(%problem, "not ready"),
                }
                self.tell(serves).await;
            }
        }
        self.tell(false).await;
    }

    async fn tell(&self, serves: bool) {
        self.ready.send_replace(serves);
        let status = if serves { ServingStatus::Serving } else { ServingStatus::NotServing };
        // The empty name stands for the whole process.
        for service in self.services.iter().chain(&[""]) {
            self.reporter.set_service_status(*service, status).await;
        }
    }
}

async fn readiness(State(ready): State<watch::Receiver<bool>>) -> (StatusCode, &'static str) {
    if *ready.borrow() {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
    }
}
