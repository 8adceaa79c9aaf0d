//! Log lines for collectors.

use super::{Collector, Pair, new_game, processes, watched};
use anyhow::{Context, Result, ensure};
use serde_json::Value;

#[tokio::test]
async fn o1_json_lines_name_the_trace_of_what_went_wrong() -> Result<()> {
    let collector = Collector::start().await?;
    let mut roles = watched(&collector, "0")?;
    let mut pair = Pair::seat(&roles).await?;
    roles.matchmakings[0].kill()?;
    let refused = pair.clients[0].refused(new_game()).await?;
    ensure!(refused.code == "UNAVAILABLE", "{refused:?}");
    let searching =
        |name: &str, failure: Option<&str>| name == "frame newGame" && failure == Some("UNAVAILABLE");
    let failed = collector.find(|spans| {
        let mut searches = spans.iter().filter(|span| searching(&span.name, span.failure.as_deref()));
        searches.next().map(|span| span.trace.clone())
    });
    let trace = failed.await?;

    let mut named = 0;
    for server in processes(&mut roles) {
        let said = String::from_utf8(server.said()?)?;
        // The address is printed, all else is logged.
        for line in said.lines().filter(|line| !line.starts_with("astragal listens on ")) {
            let line: Value = serde_json::from_str(line).with_context(|| format!("no JSON: {line}"))?;
            for field in ["time", "level", "target", "message"] {
                ensure!(line[field].is_string(), "a line without {field}: {line}");
            }
            named += usize::from(line["traceId"] == *trace);
        }
    }
    ensure!(named > 0, "no line names the trace {trace}");
    Ok(())
}
