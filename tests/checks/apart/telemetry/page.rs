//! A page of metrics, read back.

use anyhow::{Context, Result, ensure};
use astragal_tests::http::Http;
use astragal_tests::server::Server;
use std::collections::BTreeMap;

/// A page: each sample by its name with all labels, as it stands there.
pub(super) struct Page {
    pub(super) text: String,
    samples: BTreeMap<String, String>,
}

impl Page {
    /// Asks a process for it.
    pub(super) async fn of(server: &Server) -> Result<Self> {
        let answer = Http::connect(&server.operators_url()?).await?.get("/metrics").await?;
        ensure!(answer.status.is_success(), "/metrics was answered {}", answer.status);
        let text = answer.text();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let samples = lines.map(|line| {
            let (name, value) = line.rsplit_once(' ').with_context(|| format!("no sample: {line}"))?;
            Ok((name.to_owned(), value.to_owned()))
        });
        Ok(Self { samples: samples.collect::<Result<_>>()?, text })
    }

    /// The value of a sample that is a whole number; 0 for one that has not been counted yet.
    pub(super) fn count(&self, name: &str) -> Result<u64> {
        let Some(value) = self.samples.get(name) else { return Ok(0) };
        let whole = value.strip_suffix(".0").unwrap_or(value);
        whole.parse().with_context(|| format!("{name} is {value}"))
    }

    /// Whether anything of this name is counted.
    pub(super) fn has(&self, name: &str) -> bool {
        self.samples.keys().any(|sample| sample.split('{').next() == Some(name))
    }

    /// The values of all labels.
    pub(super) fn labels(&self) -> impl Iterator<Item = &str> {
        // A value stands between quotes, so every second piece is one.
        self.samples.keys().flat_map(|sample| sample.split('"').skip(1).step_by(2))
    }
}
