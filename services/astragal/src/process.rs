//! The life of a process that plays a role: logging, the runtime, and an end in time.

use crate::flags::telemetry::TelemetryFlags;
use anyhow::{Context, Result};
use astragal_runtime::telemetry::Telemetry;
use astragal_runtime::{fault, shutdown};
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

/// How long a process that was asked to stop may still finish what it does. Whoever started it kills
/// it after ten seconds.
const STOP_MAX: Duration = Duration::from_millis(9_500);
/// How long threads may still compute when everything else has ended.
const THREADS_MAX: Duration = Duration::from_millis(200);

/// Plays a role until it has ended by itself, or by a signal and in time.
pub(crate) fn run<F>(
    role: &'static str,
    watching: &TelemetryFlags,
    play: impl FnOnce(Telemetry, CancellationToken) -> F,
) -> Result<()>
where
    F: Future<Output = Result<()>>,
{
    watching.start_log()?;
    fault::arm()?;
    let runtime = runtime().context("can't start the runtime")?;
    let ended = runtime.block_on(async {
        let stop = shutdown::on_signal().context("can't listen for signals")?;
        let (telemetry, exporter) = watching.open(role)?;
        let playing = async {
            let ended = play(telemetry, stop.clone()).await;
            if let Some(exporter) = exporter {
                tokio::task::spawn_blocking(move || exporter.close()).await?;
            }
            ended
        };
        tokio::select! {
            ended = playing => ended,
            () = out_of_time(stop.clone()) => {
                tracing::warn!("the time to stop is over; what still ran is given up, and was acknowledged to nobody");
                Ok(())
            }
        }
    });
    runtime.shutdown_timeout(THREADS_MAX);
    ended
}

/// Where there is one core, threads that hand work to each other only cost time: a sixteenth of a move.
fn runtime() -> std::io::Result<Runtime> {
    let is_one_core = available_parallelism().is_ok_and(|cores| cores.get() == 1);
    let mut builder = if is_one_core { Builder::new_current_thread() } else { Builder::new_multi_thread() };
    builder.enable_all().build()
}

async fn out_of_time(stop: CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(STOP_MAX).await;
}
