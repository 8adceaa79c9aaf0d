//! Timelines of games that were really played, as lines of JSON.

use super::certificates::played;
use anyhow::{Context, Result, ensure};
use astragal_rules::certificate::Certificate;
use astragal_rules::certificate::journal::Event;
use astragal_tests::http::Http;
use astragal_tests::server::Server;
use serde_json::Value;

async fn lines(http: &mut Http, address: &str) -> Result<Vec<Value>> {
    let answer = http.get(address).await?;
    ensure!(answer.status.is_success(), "{address}: {}", answer.text());
    answer.text().lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// P1: the deal and every move, with the hashes of the journal, up to the table as it ended.
#[tokio::test]
async fn p1_a_timeline_leads_from_the_deal_to_the_end() -> Result<()> {
    let server = Server::start()?;
    let (mut http, id) = played(&server).await?;
    let all = lines(&mut http, &format!("/v1/tables/{id}/timeline")).await?;
    let (head, steps) = all.split_first().context("no head")?;
    ensure!(head["gameId"] == *id && head["over"] == true && head["description"]["pits"] == 6, "{head}");
    ensure!(head["moves"] == steps.len() - 1, "{head}");
    ensure!(steps.iter().enumerate().all(|(number, step)| step["number"] == number), "a gap");
    let table: Value = serde_json::from_str(&http.get(&format!("/v1/tables/{id}")).await?.text())?;
    let last = steps.last().context("no steps")?;
    ensure!(last["view"] == table["view"] && head["revision"] == table["revision"], "{last} {table}");

    let text = http.get(&format!("/v1/tables/{id}/certificate")).await?.text();
    let certificate = Certificate::from_json(&text)?;
    let mut standing = vec![None];
    for record in &certificate.journal {
        match record.event {
            Event::Move { .. } => standing.push(record.state.clone()),
            Event::Undo { .. } => drop(standing.pop()),
            _ => {}
        }
    }
    for (step, hash) in steps.iter().zip(&standing).skip(1) {
        ensure!(step["stateHash"].as_str() == hash.as_deref(), "{step}");
    }
    let taken_back: u64 = steps.iter().filter_map(|step| step["takenBack"].as_u64()).sum();
    ensure!(taken_back == 1 && steps[1]["takenBack"] == 1, "one move was taken back");

    let part = lines(&mut http, &format!("/v1/tables/{id}/timeline?from=3&to=5")).await?;
    ensure!(part[1..] == steps[3..=5], "a part is not a part of the whole");
    let beyond = http.get(&format!("/v1/tables/{id}/timeline?from={}", steps.len())).await?;
    ensure!(beyond.status == 400, "{}", beyond.text());
    Ok(())
}
