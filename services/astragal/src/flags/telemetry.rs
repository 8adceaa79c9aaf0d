//! How a process is watched: its log lines, its traces. Metrics need no setting but the operators' port.

use anyhow::{Result, ensure};
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::telemetry::Telemetry;
use astragal_runtime::telemetry::export::Exporter;
use astragal_runtime::telemetry::log::{self, Format};
use astragal_runtime::telemetry::tracer::{Recorder, Tracer};
use clap::{Args, ValueEnum};

/// What of a process is shown to operators.
#[derive(Args)]
pub(crate) struct TelemetryFlags {
    /// How log lines look on standard error; `ASTRAGAL_LOG` says which, such as `info` or `astragal_engine=debug`.
    #[arg(long, env = "ASTRAGAL_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
    /// The collector of traces, `http://HOST:PORT` (OTLP over gRPC); without it no trace is sent anywhere.
    #[arg(long, env = "ASTRAGAL_OTLP_ENDPOINT")]
    otlp_endpoint: Option<String>,
    /// The share of requests that are traced from end to end, 0 to 1. Whatever fails is traced in any case.
    #[arg(long, env = "ASTRAGAL_TRACE_RATIO", default_value_t = 0.01)]
    trace_ratio: f64,
}

#[derive(Clone, Copy, ValueEnum)]
enum LogFormat {
    /// For people.
    Text,
    /// For collectors: an object a line, with the trace that it belongs to.
    Json,
}

impl TelemetryFlags {
    /// Starts logging; once in a process.
    pub(crate) fn start_log(&self) -> Result<()> {
        ensure!((0.0..=1.0).contains(&self.trace_ratio), "--trace-ratio is a share, from 0 to 1");
        log::init(match self.log_format {
            LogFormat::Text => Format::Text,
            LogFormat::Json => Format::Json,
        })?;
        Ok(())
    }

    /// What a process that plays `role` is watched with, and what has to be closed at its end. Must be
    /// called inside a runtime.
    pub(crate) fn open(&self, role: &'static str) -> Result<(Telemetry, Option<Exporter>)> {
        let exporter = self.otlp_endpoint.as_deref().map(|endpoint| Exporter::open(endpoint, role));
        let exporter = exporter.transpose()?;
        let recorder = exporter.clone().map(|exporter| Box::new(exporter) as Box<dyn Recorder>);
        let tracer = Tracer::new(self.trace_ratio, recorder, &OsEntropy)?;
        Ok((Telemetry { tracer, ..Telemetry::default() }, exporter))
    }
}
