//! The life of a process that plays a role: logging, the runtime, and an end in time.

use anyhow::{Context, Result};
use astragal_runtime::{fault, shutdown, telemetry};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a process that was asked to stop may still finish what it does. Whoever started it kills
/// it after ten seconds.
const STOP_MAX: Duration = Duration::from_millis(9_500);
/// How long threads may still compute when everything else has ended.
const THREADS_MAX: Duration = Duration::from_millis(200);

/// Runs a role until it has ended by itself, or by a signal and in time.
pub(crate) fn run<F>(role: impl FnOnce(CancellationToken) -> F) -> Result<()>
where
    F: Future<Output = Result<()>>,
{
    telemetry::log::init(telemetry::log::Format::Text)?;
    fault::arm()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("can't start the runtime")?;
    let ended = runtime.block_on(async {
        let stop = shutdown::on_signal().context("can't listen for signals")?;
        tokio::select! {
            ended = role(stop.clone()) => ended,
            () = out_of_time(stop) => {
                tracing::warn!("the time to stop is over; what still ran is given up, and was acknowledged to nobody");
                Ok(())
            }
        }
    });
    runtime.shutdown_timeout(THREADS_MAX);
    ended
}

async fn out_of_time(stop: CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(STOP_MAX).await;
}
