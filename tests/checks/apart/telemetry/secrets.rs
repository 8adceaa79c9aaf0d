//! What nobody may read in spans, metrics and log lines: seeds, tokens, names, who plays, and how.

use super::page::Page;
use super::{Collector, Pair, processes, watched};
use crate::finished::Finished;
use crate::secrets::Needles;
use anyhow::{Context, Result, ensure};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::play_both;

const GAMES: usize = 4;

#[tokio::test]
async fn o1_g5_nothing_hidden_is_in_spans_metrics_or_logs() -> Result<()> {
    let collector = Collector::start().await?;
    let mut roles = watched(&collector, "1")?;
    let mut pairs = Vec::new();
    for _ in 0..GAMES {
        let mut pair = Pair::seat(&roles).await?;
        pair.move_out_of_turn().await?;
        play_both(&mut pair.players, &mut pair.clients).await?;
        pairs.push(pair);
    }
    let mut seeds = Needles::default();
    let mut http = Http::connect(roles.gateways[0].url()).await?;
    // Moves and boards, as JSON has them and as it is escaped inside of other JSON.
    let mut words: Vec<String> = ["\"pit", "\\\"pit", "\"stores"].map(str::to_owned).into();
    for pair in &pairs {
        let player = &pair.players[0];
        let finished = Finished::download(&mut http, player.id(), &player.table.commitment).await?;
        seeds.add(finished.json["seed"].as_str().context("a log without a seed")?)?;
        for guest in &pair.guests {
            let id = &guest.account_id;
            words.extend([id.clone(), id.replace('-', ""), guest.token.clone(), guest.name.clone()]);
        }
    }
    let mut heard = Vec::new();
    for server in processes(&mut roles) {
        heard.push(Page::of(server).await?.text);
        server.terminate()?;
        heard.push(String::from_utf8(server.said()?)?);
    }
    ensure!(
        collector.spans().iter().filter(|span| span.name == "commit").count() > 20 * GAMES,
        "too few spans"
    );
    heard.push(collector.heard());
    for text in &heard {
        let word = words.iter().find(|word| text.contains(*word));
        ensure!(word.is_none(), "{word:?} is told to operators");
        ensure!(seeds.find(text.as_bytes()).is_none(), "a seed is told to operators");
    }
    Ok(())
}
