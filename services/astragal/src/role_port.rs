//! The two ports of a role that other roles call, and its life between start and stop.

use crate::flags::listening::ListeningFlags;
use crate::flags::operators::OperatorsFlag;
use crate::flags::tls::ServerTlsFlags;
use crate::health::Health;
use crate::{grpc, listen, metrics_page};
use anyhow::Result;
use astragal_runtime::auth::gate::Gate;
use astragal_runtime::error;
use astragal_runtime::telemetry::calls::Calls;
use astragal_runtime::tls::ServerTls;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

/// The ports, taken.
pub(crate) struct RolePort {
    listener: TcpListener,
    tls: Option<ServerTls>,
    operators: Option<TcpListener>,
    calls: Calls,
}

impl RolePort {
    /// Takes both.
    pub(crate) async fn bind(
        listening: &ListeningFlags,
        tls: &ServerTlsFlags,
        operators: &OperatorsFlag,
        calls: Calls,
    ) -> Result<Self> {
        let tls = tls.server()?;
        Ok(Self { listener: listening.bind().await?, tls, operators: operators.bind().await?, calls })
    }

    /// Serves until `stop`, and until what runs by then is answered. Health says no before the port closes.
    pub(crate) async fn serve(
        self,
        services: Routes,
        gate: Gate,
        health: &Health,
        probe: impl AsyncFn() -> error::Result<()>,
        stop: &CancellationToken,
    ) -> Result<()> {
        listen::announce(&self.listener, self.tls.is_some())?;
        let (closing, end) = (CancellationToken::new(), CancellationToken::new());
        let operators = async {
            if let Some(listener) = self.operators {
                let pages = health.operators_router().merge(metrics_page::router(self.calls.metrics()));
                listen::serve(listener, pages, end.clone()).await;
            }
        };
        let following = async {
            health.follow(probe, stop).await;
            closing.cancel();
        };
        let serving = async {
            let services = services.add_service(health.server());
            let served =
                grpc::serve(self.listener, self.tls, services, gate, self.calls.clone(), closing.clone());
            let served = served.await;
            end.cancel();
            served
        };
        tokio::join!(operators, following, serving).2
    }
}
