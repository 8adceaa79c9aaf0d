//! Where log lines go: to standard error, as text or as JSON, filtered by `ASTRAGAL_LOG`.

use tracing_subscriber::EnvFilter;

use crate::error::{Problem, Result};

/// The variable that holds the filter, such as `info` or `astragal_engine=debug,warn`.
const FILTER: &str = "ASTRAGAL_LOG";

/// How a log line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For collectors.
    Json,
}

/// Starts logging; once in a process, before anything else.
pub fn init(format: Format) -> Result<()> {
    let filter = EnvFilter::builder()
        .with_env_var(FILTER)
        .with_default_directive(tracing::Level::INFO.into())
        .from_env()
        .map_err(|cause| {
            Problem::invalid_argument(format!("{FILTER} can't be read ({cause}); write info or debug"))
        })?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match format {
        Format::Text => lines.with_target(false).try_init(),
        Format::Json => lines.json().try_init(),
    };
    started.map_err(|_| Problem::failed_precondition("logging has been started already; start it once"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logging_starts_once() {
        assert_eq!(init(Format::Text), Ok(()));
        assert!(init(Format::Json).is_err());
    }
}
