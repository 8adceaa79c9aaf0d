//! Two guests play a whole game of kalah and check it: `cargo run -p astragal-tests --example demo`.
//!
//! It plays on the server of `make run` if that runs, on another with `--url`, and else on one of its
//! own. What it prints is what a player's program sees; the check at the end trusts nothing of the
//! server.

#![expect(clippy::print_stdout, reason = "a demo is there to be read")]

use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::{DrawPick, Table};
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::game::Viewer;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_rules::seed::Commitment;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::Server;
use clap::Parser;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Where `make run` listens.
const USUAL_URL: &str = "http://127.0.0.1:8080";

/// The board is shown once in so many moves.
const MOVES_BETWEEN_BOARDS: u32 = 12;

#[derive(Parser)]
struct Options {
    /// A server that runs; without it the one of `make run`, or else one for this demo
    #[arg(long)]
    url: Option<String>,
}

/// Whether an Astragal is there.
async fn plays_kalah(url: &str) -> Result<bool> {
    let games = Http::connect(url).await?.get("/v1/games").await?;
    Ok(games.status.is_success() && games.text().contains("\"kalah\""))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = Options::parse();
    println!("Two guests meet, the draw decides who begins, they play kalah, and check what they were told.");
    let running = match options.url {
        None if plays_kalah(USUAL_URL).await.unwrap_or(false) => Some(USUAL_URL.to_owned()),
        given => given,
    };
    let own = if running.is_none() { Some(Server::start()?) } else { None };
    let url = running.or(own.as_ref().map(|server| server.url().to_owned())).context("no server")?;
    heading("The table");
    line("server", &format!("{url}{}", if own.is_some() { "  (started for this demo)" } else { "" }));

    let (mut ada, _) = Client::guest(&url, "Ada", Wire::Json).await?;
    let (mut blaise, _) = Client::guest(&url, "Blaise", Wire::Binary).await?;
    let opened = KalahPlayer::opener(&mut ada, ask::new_friend_game(), 17).await?;
    let joined = KalahPlayer::joiner(&mut blaise, opened.id(), 29).await?;
    let commitment = opened.table.commitment.clone();
    ensure!(joined.table.commitment == commitment, "the players were shown two commitments");
    line("game", opened.id());
    line("Ada", "opened it; her socket speaks JSON");
    line("Blaise", "joined by the game's id; his socket speaks protobuf");
    line("commitment", &commitment);
    line("", "the SHA-256 of a seed that nobody sees before the end");

    heading("The draw: one tile each, the lowest begins, a blank beats A");
    show_draw(&joined.table)?;

    heading("The game");
    let game_id = opened.id().to_owned();
    let names = seat_names(&joined.table);
    let view = play(&names, [opened, joined], [ada, blaise]).await?;

    heading("The proof");
    prove(&url, &game_id, &commitment, &view).await
}

/// Prints every tile of the draw, and who begins.
fn show_draw(table: &Table) -> Result<()> {
    let draw = table.draw.as_ref().context("a table without its draw")?;
    let names = seat_names(table);
    for (number, round) in (1..).zip(&draw.rounds) {
        for pick in &round.picks {
            line(
                &format!("round {number}"),
                &format!("{} draws {}", name_of(&names, pick.seat)?, tile(pick)),
            );
        }
    }
    let picks = draw.rounds.iter().flat_map(|round| &round.picks);
    let leader = picks.filter(|pick| pick.participant == draw.winner).map(|pick| pick.seat).next_back();
    let leader = leader.context("a draw that nobody won")?;
    line("leads", &format!("{}, who takes seat {leader} and moves first", name_of(&names, leader)?));
    Ok(())
}

fn tile(pick: &DrawPick) -> String {
    if pick.blank { "a blank".to_owned() } else { format!("{}  (rank {})", pick.letter, pick.rank) }
}

fn seat_names(table: &Table) -> Vec<String> {
    table.seats.iter().map(|seat| seat.name.clone()).collect()
}

fn name_of(names: &[String], seat: u32) -> Result<&str> {
    Ok(names.get(seat as usize).context("a seat that isn't there")?)
}

/// Plays to the end and prints moves and boards; the last view.
async fn play(names: &[String], mut players: [KalahPlayer; 2], mut clients: [Client; 2]) -> Result<Value> {
    show_board(names, &players[0].view)?;
    let mut number = 0;
    while players[0].outcome.is_none() {
        let mover = usize::from(players[1].is_to_move());
        let content = players[mover].pick()?;
        let seat = players[mover].seat;
        let operation = ask::make_move(players[mover].id(), players[mover].revision, &content);
        clients[mover].done(operation).await?;
        number += 1;
        for side in 0..2 {
            while players[side].number < number {
                players[side].wait(&mut clients[side]).await?;
            }
        }
        let over = players[0].to_move.is_empty();
        let again = if players[mover].to_move.contains(&seat) { ", and moves again" } else { "" };
        println!("  {number:>3}.  {:<7} sows pit {}{again}", name_of(names, seat)?, content["pit"]);
        if over || number.is_multiple_of(MOVES_BETWEEN_BOARDS) {
            show_board(names, &players[0].view)?;
        }
        if over {
            for side in 0..2 {
                while players[side].outcome.is_none() {
                    players[side].wait(&mut clients[side]).await?;
                }
            }
        }
    }
    let outcome = players[0].outcome.as_ref().context("a game without an end")?;
    let result = match outcome.winner {
        Some(winner) => format!("{} wins", name_of(names, winner)?),
        None => "a draw".to_owned(),
    };
    let scores: Vec<_> = outcome.scores.iter().map(ToString::to_string).collect();
    println!("  {result}, {} seeds", scores.join(" to "));
    Ok(players[0].view.clone())
}

/// Prints the board from the side of seat 0.
fn show_board(names: &[String], view: &Value) -> Result<()> {
    let row = |seat: usize| -> Result<Vec<String>> {
        let pits = view["pits"][seat].as_array().context("a view without pits")?;
        Ok(pits.iter().map(|seeds| format!("{seeds:>3}")).collect())
    };
    let mut far = row(1)?;
    far.reverse();
    let store = |seat: usize| view["stores"][seat].to_string();
    println!();
    println!("             {}    {}", far.join(" "), name_of(names, 1)?);
    println!("        {:>3}  {:23}  {:>3}", store(1), "", store(0));
    println!("             {}    {}", row(0)?.join(" "), name_of(names, 0)?);
    println!();
    Ok(())
}

/// Downloads the log and checks it with nothing but SHA-256 and the rules.
async fn prove(url: &str, game_id: &str, commitment: &str, last_view: &Value) -> Result<()> {
    let answer = Http::connect(url).await?.get(&format!("/v1/tables/{game_id}/log")).await?;
    ensure!(answer.status.is_success(), "the log can't be had: {}", answer.text());
    let text = answer.text();
    let log: Value = serde_json::from_str(&text)?;
    let seed = log["seed"].as_str().context("a log without a seed")?;
    line("seed", seed);

    let digest = hex::encode(Sha256::digest(hex::decode(seed)?));
    line("SHA-256 of it", &digest);
    ensure!(digest == commitment, "the seed is NOT the one that was committed to: {commitment}");
    line("", "equal to the commitment that both players kept from the opening");

    let kept: Commitment = commitment.parse().ok().context("a commitment is 64 lower-case hex digits")?;
    let registry = Registry::new().with(Kalah);
    let table = registry.verify(&FinishedLog::from_json(&text)?, &kept)?;
    let replayed: Value = serde_json::from_str(&table.view(Viewer::Spectator)?)?;
    ensure!(&replayed == last_view, "the replay ends as {replayed}, the players saw {last_view}");
    line(
        "replay",
        &format!("all {} moves apply, and the last board is the one that was shown", table.number()),
    );

    let file = std::env::temp_dir().join(format!("astragal-{game_id}.json"));
    std::fs::write(&file, &text)?;
    line("verdict", "fair");
    println!("\nThe log is kept. Check it again with\n");
    println!("  cargo run -- verify {} --commitment {commitment}", file.display());
    Ok(())
}

fn heading(text: &str) {
    println!("\n{text}\n");
}

fn line(label: &str, text: &str) {
    println!("  {label:<14} {text}");
}
