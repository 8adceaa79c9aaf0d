//! `astragal verify` on the log of a game that was really played: good as it is, refused with
//! the place after any change.

use crate::finished::Finished;
use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_tests::client::Wire;
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::program;
use astragal_tests::server::Server;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Output;

struct Played {
    server: Server,
    log: Value,
    text: String,
    commitment: String,
}

async fn played() -> Result<Played> {
    let server = Server::start()?;
    let [mut ada, mut blaise] = people::two(server.url(), Wire::Json).await?;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 8).await?;
    play_both(&mut players, &mut [ada, blaise]).await?;
    let commitment = players[0].table.commitment.clone();
    let mut http = Http::connect(server.url()).await?;
    let finished = Finished::download(&mut http, players[0].id(), &commitment).await?;
    Ok(Played { server, log: finished.json, text: finished.text, commitment })
}

fn verify(file: &Path, text: &str, commitment: &str) -> Result<Output> {
    std::fs::write(file, text)?;
    program::run(&["verify", file.to_str().context("an odd path")?, "--commitment", commitment])
}

#[tokio::test]
async fn l7_p4_the_finished_log_verifies() -> Result<()> {
    let played = played().await?;
    let output = verify(&played.server.scratch().join("log.json"), &played.text, &played.commitment)?;
    ensure!(output.status.code() == Some(0), "{output:?}");
    let summary = String::from_utf8(output.stdout)?;
    let moves = played.log["moves"].as_array().context("no moves")?.len();
    ensure!(summary.contains(&played.commitment) && summary.contains(&moves.to_string()), "{summary}");
    Ok(())
}

#[tokio::test]
async fn l2_l7_l8_a_changed_log_is_refused_with_the_place() -> Result<()> {
    let played = played().await?;
    let file = played.server.scratch().join("log.json");
    let good = &played.log;
    for (place, change) in changes() {
        let mut log = good.clone();
        change(&mut log);
        ensure!(log != *good, "{place}: nothing was changed");
        let output = verify(&file, &log.to_string(), &played.commitment)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.code() == Some(1), "{place}: {output:?}");
        ensure!(said.contains(place) && said.lines().count() == 1, "{place} isn't named: {said}");
    }
    let broken = verify(&file, &played.text[..played.text.len() / 2], &played.commitment)?;
    ensure!(broken.status.code() == Some(1), "{broken:?}");
    let missing = program::run(&["verify", "/nowhere/log.json"])?;
    ensure!(missing.status.code() == Some(1), "{missing:?}");
    Ok(())
}

type Change = Box<dyn Fn(&mut Value)>;

/// Changes to a log, each with what the refusal has to name.
fn changes() -> Vec<(&'static str, Change)> {
    let set = |pointer: &'static str, value: Value| -> Change {
        Box::new(move |log| {
            if let Some(field) = log.pointer_mut(pointer) {
                *field = value.clone();
            }
        })
    };
    let edit = |change: fn(&mut Vec<Value>)| -> Change {
        Box::new(move |log| {
            if let Some(moves) = log["moves"].as_array_mut() {
                change(moves);
            }
        })
    };
    vec![
        ("seed", set("/seed", json!("0".repeat(64)))),
        ("seed", set("/seed", json!("no seed"))),
        ("version", set("/version", json!(2))),
        ("game", set("/game", json!("chess"))),
        ("format", set("/format", json!(9))),
        ("chance", set("/chance", json!(9))),
        ("options", set("/options", json!({ "seeds": 99 }))),
        ("move", set("/options", json!({ "seeds": 3, "capture": "standard" }))),
        ("move", set("/firstSeat", json!(1))),
        ("move", set("/moves/1/move", json!({ "pit": 9 }))),
        ("moves[1].seat", set("/moves/1/seat", json!(7))),
        ("moves[1].number", set("/moves/1/number", json!(3))),
        ("move 1", set("/moves/0/drew", json!(true))),
        ("move", edit(|moves| moves.swap(0, 1))),
        ("move", edit(swap_turns)),
        ("move", edit(|moves| drop(moves.remove(0)))),
        ("move", edit(|moves| drop(moves.pop()))),
        ("move", edit(|moves| moves.extend(moves.last().cloned()))),
        ("extra", Box::new(|log| log["extra"] = json!(1))),
        ("seats", Box::new(|log| drop(log.as_object_mut().map(|log| log.remove("seats"))))),
    ]
}

/// The first turns of the two seats change places, numbers kept in order.
fn swap_turns(moves: &mut Vec<Value>) {
    let first = moves[0]["seat"].clone();
    if let Some(other) = moves.iter().position(|logged| logged["seat"] != first) {
        moves.swap(0, other);
        for (number, logged) in (1..).zip(moves) {
            logged["number"] = json!(number);
        }
    }
}
