//! `/metrics` of every role after games, with the right values and without anybody's id.

use super::page::Page;
use super::{Collector, Pair, processes, watched};
use crate::finished::Finished;
use anyhow::{Context, Result, ensure};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::play_both;
use astragal_tests::server::Launch;
use uuid::Uuid;

/// Moves that are refused on purpose.
const REFUSED: u64 = 3;

fn check(page: &Page, name: &str, expected: u64) -> Result<()> {
    let found = page.count(name)?;
    ensure!(found == expected, "{name} is {found}, not {expected}, in:\n{}", page.text);
    Ok(())
}

#[tokio::test]
async fn o1_every_role_counts_a_game_and_names_nobody() -> Result<()> {
    let collector = Collector::start().await?;
    let mut roles = watched(&collector, "0")?;
    let mut pair = Pair::seat(&roles).await?;
    for _ in 0..REFUSED {
        let refused = pair.move_out_of_turn().await?;
        ensure!(refused == "NOT_YOUR_TURN", "{refused}");
    }
    play_both(&mut pair.players, &mut pair.clients).await?;
    let mut http = Http::connect(roles.gateways[0].url()).await?;
    let finished =
        Finished::download(&mut http, pair.players[0].id(), &pair.players[0].table.commitment).await?;
    let moves = finished.json["moves"].as_array().context("a log without moves")?.len();
    let moves = moves as u64;

    let engine = Page::of(&roles.engines[0]).await?;
    check(&engine, "astragal_moves_total", moves)?;
    check(&engine, "astragal_journal_entries_total{kind=\"move\"}", moves)?;
    check(&engine, "astragal_games_ended_total{reason=\"finished\"}", 1)?;
    check(&engine, "astragal_append_queue_entries", 0)?;
    check(&engine, "astragal_append_failures_total", 0)?;
    let entries = engine.count("astragal_append_batch_entries_sum")?;
    ensure!(entries >= moves, "{entries} entries in batches, and {moves} moves");
    let batches = engine.count("astragal_append_batch_entries_count")?;
    ensure!(batches >= 1 && batches <= entries, "{batches} batches of {entries} entries");
    check(&engine, "astragal_append_batch_seconds_count", batches)?;
    check(&engine, "astragal_errors_total{role=\"engine\",code=\"NOT_YOUR_TURN\"}", REFUSED)?;
    let open = "astragal.engine.v1.EngineService/OpenTable";
    check(&engine, &format!("astragal_grpc_calls_total{{method=\"{open}\",code=\"OK\"}}"), 1)?;

    let matchmaking = Page::of(&roles.matchmakings[0]).await?;
    check(&matchmaking, "astragal_draws_total", 1)?;
    check(&matchmaking, "astragal_games_opened_total{origin=\"friends\"}", 1)?;
    let guest = "astragal.matchmaking.v1.AccountService/CreateGuest";
    check(&matchmaking, &format!("astragal_grpc_calls_total{{method=\"{guest}\",code=\"OK\"}}"), 2)?;

    let mut refused = 0;
    let mut answered = 0;
    for gateway in &roles.gateways {
        let page = Page::of(gateway).await?;
        check(&page, "astragal_sockets", 1)?;
        check(&page, "astragal_actions_under_way", 0)?;
        refused += page.count("astragal_errors_total{role=\"gateway\",code=\"NOT_YOUR_TURN\"}")?;
        answered += page.count("astragal_action_seconds_count")?;
        ensure!(page.count("astragal_frames_total")? > 0, "{}", page.text);
        check(&page, "astragal_http_requests_total{route=\"/v1/guests\",status=\"201\"}", 1)?;
    }
    ensure!((refused, answered) == (REFUSED, moves + REFUSED), "{refused} of {answered} refused");

    for server in processes(&mut roles) {
        no_ids(&Page::of(server).await?)?;
    }
    Ok(())
}

#[tokio::test]
async fn o1_dev_counts_for_all_roles_on_one_page() -> Result<()> {
    let server = Launch::new()?.operators().start()?;
    let mut client = crate::people::one(server.url(), astragal_tests::client::Wire::Json).await?;
    astragal_tests::kalah_player::KalahPlayer::against_robot(&mut client, 1, 1).await?;
    let page = Page::of(&server).await?;
    for name in ["astragal_moves_total", "astragal_draws_total", "astragal_sockets", "astragal_errors_total"]
    {
        ensure!(page.has(name), "{name} is not counted:\n{}", page.text);
    }
    check(&page, "astragal_draws_total", 1)?;
    check(&page, "astragal_sockets", 1)?;
    no_ids(&page)
}

fn no_ids(page: &Page) -> Result<()> {
    ensure!(page.labels().count() > 10, "too few labels");
    for label in page.labels() {
        let hidden = label.split(|letter: char| !letter.is_ascii_hexdigit() && letter != '-');
        let found = hidden.into_iter().find(|word| Uuid::parse_str(word).is_ok());
        ensure!(found.is_none(), "a label names somebody: {label}");
    }
    Ok(())
}
