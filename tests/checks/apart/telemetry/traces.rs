//! One trace from a client's frame to the commit, across processes.

use super::collector::{Collector, Span, tree};
use super::{Pair, processes, watched, watched_by};
use anyhow::{Result, ensure};
use astragal_tests::program;

/// The trace whose beginning has a name, with a span below it that has another, once all of a way is there.
fn way<'a>(spans: &'a [Span], names: &[&str]) -> Option<Vec<&'a Span>> {
    let (first, rest) = names.split_first()?;
    let mut roots = spans.iter().filter(|span| span.name == *first);
    roots.find_map(|root| {
        let mut way = vec![root];
        for name in rest {
            let above = *way.last()?;
            let part =
                |span: &&Span| span.trace == above.trace && span.parent == above.id && span.name == *name;
            way.push(spans.iter().find(part)?);
        }
        Some(way)
    })
}

fn services(way: &[&Span]) -> Vec<String> {
    way.iter().map(|span| span.service.trim_start_matches("astragal-").to_owned()).collect()
}

/// Waits for a way from the beginning of a trace down, checks which processes it leads through, and shows it.
#[expect(clippy::print_stdout, reason = "the trace is what the test shows")]
async fn check(collector: &Collector, names: &[&str], expected: &[&str]) -> Result<()> {
    let found = collector.find(|spans| {
        let way = way(spans, names)?;
        let trace: Vec<_> = spans.iter().filter(|span| span.trace == way[0].trace).cloned().collect();
        Some((way[0].parent.clone(), services(&way), trace))
    });
    let (above, services, trace) = found.await?;
    println!("{}", tree(&trace));
    ensure!(above.is_empty(), "{} is not the beginning of its trace", names[0]);
    ensure!(services == expected, "{names:?} leads through {services:?}");
    Ok(())
}

#[tokio::test]
async fn o1_a_move_is_one_trace_from_its_frame_to_the_commit() -> Result<()> {
    let collector = Collector::start().await?;
    let roles = watched(&collector, "1")?;
    let mut pair = Pair::seat(&roles).await?;
    pair.move_once().await?;
    let engine = ["gateway", "engine", "engine", "engine"];
    check(&collector, &["frame move", "play", "append", "commit"], &engine).await?;
    check(&collector, &["frame move", "play", "decide"], &engine[..3]).await
}

#[tokio::test]
async fn o1_searches_and_requests_are_traces_through_matchmaking_to_the_engine() -> Result<()> {
    const CREATE: &str = "astragal.matchmaking.v1.MatchmakingService/CreateGame";
    const OPEN: &str = "astragal.engine.v1.EngineService/OpenTable";
    const GUEST: &str = "astragal.matchmaking.v1.AccountService/CreateGuest";
    let collector = Collector::start().await?;
    let roles = watched(&collector, "1")?;
    let _pair = Pair::seat(&roles).await?;
    let through_all = ["gateway", "gateway", "matchmaking", "matchmaking", "engine"];
    check(&collector, &["frame newFriendGame", CREATE, CREATE, OPEN, OPEN], &through_all).await?;
    check(
        &collector,
        &["frame newFriendGame", CREATE, CREATE, "write"],
        &[&through_all[..3], &["matchmaking"]].concat(),
    )
    .await?;
    check(&collector, &["POST /v1/guests", GUEST, GUEST], &through_all[..3]).await
}

#[tokio::test]
async fn o1_an_error_is_traced_all_the_way_although_nothing_else_is() -> Result<()> {
    let collector = Collector::start().await?;
    let mut roles = watched(&collector, "0")?;
    let mut pair = Pair::seat(&roles).await?;
    let refused = pair.move_out_of_turn().await?;
    ensure!(refused == "NOT_YOUR_TURN", "{refused}");
    pair.move_once().await?;
    let way = ["frame move", "play", "decide"];
    check(&collector, &way, &["gateway", "engine", "engine"]).await?;
    // Whatever they still hold back is sent at the end.
    for server in processes(&mut roles) {
        server.terminate()?;
    }
    let spans = collector.spans();
    let codes: Vec<_> = spans.iter().map(|span| span.failure.as_deref()).collect();
    ensure!(codes.iter().all(Option::is_some), "what did not fail is traced:\n{}", tree(&spans));
    ensure!(codes.iter().filter(|code| **code == Some(&*refused)).count() == way.len(), "{}", tree(&spans));
    Ok(())
}

#[tokio::test]
async fn o1_a_collector_that_is_away_costs_spans_and_nothing_else() -> Result<()> {
    let mut roles = watched_by("http://127.0.0.1:1", "1")?;
    let mut pair = Pair::seat(&roles).await?;
    pair.move_once().await?;
    for server in processes(&mut roles) {
        let status = server.terminate()?;
        ensure!(status.code() == Some(0), "{status:?}: {}", String::from_utf8_lossy(&server.said()?));
    }
    Ok(())
}

#[test]
fn o3_a_bad_setting_of_traces_is_named() -> Result<()> {
    for (flag, value, hint) in [
        ("--trace-ratio", "2", "0 to 1"),
        ("--trace-ratio", "some", "--trace-ratio"),
        ("--otlp-endpoint", "collector:4317", "http://HOST:PORT"),
        ("--log-format", "xml", "json"),
    ] {
        let output = program::run(&["dev", "--listen", "127.0.0.1:0", "--data", ":memory:", flag, value])?;
        let said = String::from_utf8(output.stderr)?;
        ensure!(!output.status.success() && said.contains(hint), "{flag} {value}: {said}");
    }
    Ok(())
}
