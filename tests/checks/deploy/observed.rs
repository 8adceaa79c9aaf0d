//! What operators look at: every metric that the dashboard and the alerts ask for is one that some role
//! of the installation has.

use super::{Installation, folder, yaml};
use anyhow::{Context, Result, ensure};
use astragal_tests::http::Http;
use serde_json::Value;
use std::collections::BTreeSet;

/// What the names of our metrics begin with.
const PREFIX: &str = "astragal_";
/// Where Prometheus asks.
const PORT: u16 = 9090;

/// Asks every process for its metrics.
pub(super) async fn check(installation: &Installation) -> Result<()> {
    let mut there = BTreeSet::new();
    for process in &installation.processes {
        let mut http = Http::connect(&format!("http://{}:{PORT}", process.address)).await?;
        let answer = http.get("/metrics").await?;
        ensure!(answer.status.is_success(), "{}: {}", process.role.name, answer.status);
        let page = answer.text();
        ensure!(page.contains(PREFIX), "{} counts nothing: {page}", process.role.name);
        there.extend(samples(&page)?);
    }
    let asked = asked()?;
    let missing: Vec<_> = asked.difference(&there).collect();
    ensure!(!asked.is_empty() && missing.is_empty(), "nobody has {missing:?}; there are {there:?}");
    Ok(())
}

/// The names that queries may use for the instruments of a page, also for those that have counted nothing yet.
fn samples(page: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for line in page.lines() {
        let Some(described) = line.strip_prefix("# TYPE ") else { continue };
        let (name, kind) = described.split_once(' ').with_context(|| format!("an odd line {line}"))?;
        let endings: &[&str] = match kind {
            "counter" => &["_total"],
            "histogram" => &["_bucket", "_sum", "_count"],
            "gauge" => &[""],
            "info" => &["_info"],
            other => anyhow::bail!("{name} is of an unknown kind {other}"),
        };
        names.extend(endings.iter().map(|ending| format!("{name}{ending}")));
    }
    Ok(names)
}

/// Our names in the queries of the dashboard and of the alerts.
fn asked() -> Result<BTreeSet<String>> {
    let dashboard = std::fs::read_to_string(folder().join("grafana/astragal.json"))?;
    let alerts = yaml::document(&folder().join("prometheus/alerts.yaml"))?;
    let mut queries = Vec::new();
    collect(&serde_json::from_str(&dashboard)?, &mut queries);
    collect(&alerts, &mut queries);
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words = queries.iter().flat_map(|query| query.split(|letter| !is_part(letter)));
    Ok(words.filter(|word| word.starts_with(PREFIX)).map(str::to_owned).collect())
}

/// The values of `expr`, however deep.
fn collect(value: &Value, queries: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            queries.extend(map.get("expr").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| collect(value, queries));
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, queries)),
        _ => {}
    }
}
