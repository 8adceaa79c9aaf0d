//! The seed of a game is nowhere before its end: not in a frame, an HTTP answer or a log line.
//! Halves of it are looked for in every form that a program might print bytes in.

use crate::finished::Finished;
use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both, told_both};
use astragal_tests::server::Launch;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use std::collections::HashMap;

/// Of each of four kinds.
const GAMES: usize = 25;

/// A game that is over.
struct Over {
    id: String,
    commitment: String,
}

#[tokio::test]
async fn g5_l5_l13_no_seed_is_shown_before_the_end_of_100_games() -> Result<()> {
    let roles = ["", "_engine", "_gateway", "_matchmaking", "_rules", "_runtime"];
    let filter = roles.map(|role| format!("astragal{role}=trace")).join(",");
    let server = Launch::new()?.log_filter(&format!("debug,{filter}")).start()?;
    let url = server.url();
    let mut heard: Vec<Vec<u8>> = Vec::new();
    let mut games = Vec::new();
    let mut http = Http::connect(url).await?;
    for wire in [Wire::Json, Wire::Binary] {
        let mut clients = people::two(url, wire).await?;
        let mut watcher = people::one(url, wire).await?;
        for client in clients.iter_mut().chain([&mut watcher]) {
            client.keep_transcript();
        }
        for game in 0..GAMES {
            games.push(of_two(&mut clients, &mut watcher, &mut http, &mut heard, game).await?);
            games.push(against_robot(&mut clients[0], game).await?);
        }
        for client in clients.iter().chain([&watcher]) {
            heard.extend(client.transcript().iter().cloned());
        }
    }
    heard.push(server.said()?);

    // Only from here on is a seed shown to anyone.
    let mut needles = Needles::default();
    for game in &games {
        let finished = Finished::download(&mut http, &game.id, &game.commitment).await?;
        needles.add(finished.json["seed"].as_str().context("a log without a seed")?)?;
    }
    ensure!(
        games.len() == 4 * GAMES && heard.iter().map(Vec::len).sum::<usize>() > 1_000_000,
        "too little was heard"
    );
    for text in &heard {
        if let Some(seed) = needles.find(text) {
            let shown = String::from_utf8_lossy(&text[..text.len().min(2_000)]);
            anyhow::bail!("the seed {seed} is in what was heard before the end, in: {shown}");
        }
    }
    Ok(())
}

/// A game of two clients, one in five of them given up, with a watcher and every kind of request meanwhile.
async fn of_two(
    clients: &mut [Client; 2],
    watcher: &mut Client,
    http: &mut Http,
    heard: &mut Vec<Vec<u8>>,
    game: usize,
) -> Result<Over> {
    let [first, second] = clients;
    let mut players = KalahPlayer::pair(first, second, game as u64).await?;
    let id = players[0].id().to_owned();
    watcher.done(ask::watch(&id, None)).await?;
    for path in [format!("/v1/tables/{id}"), format!("/v1/tables/{id}/draw"), format!("/v1/tables/{id}/log")]
    {
        heard.push(http.get(&path).await?.body.to_vec());
    }
    if game.is_multiple_of(5) {
        first.done(ask::resign(&id)).await?;
        told_both(&mut players, clients).await?;
    } else {
        play_both(&mut players, clients).await?;
    }
    watcher.event_where(|event| ends(&event, &id)).await?;
    Ok(Over { id, commitment: players[0].table.commitment.clone() })
}

fn ends(event: &astragal_proto::gateway::v1::server_frame::Event, id: &str) -> Option<()> {
    use astragal_proto::gateway::v1::server_frame::Event;
    matches!(event, Event::OnGameEnd(end) if end.game_id == id).then_some(())
}

async fn against_robot(client: &mut Client, game: usize) -> Result<Over> {
    let mut player = KalahPlayer::against_robot(client, 1, game as u64).await?;
    player.play_to_end(client).await?;
    Ok(Over { id: player.id().to_owned(), commitment: player.table.commitment.clone() })
}

/// What is looked for, by its first two bytes.
#[derive(Default)]
pub(crate) struct Needles(HashMap<[u8; 2], Vec<(Vec<u8>, String)>>);

impl Needles {
    pub(crate) fn add(&mut self, seed: &str) -> Result<()> {
        for needle in forms(&hex::decode(seed)?) {
            let start = *needle.first_chunk().context("a needle too short")?;
            self.0.entry(start).or_default().push((needle, seed.to_owned()));
        }
        Ok(())
    }

    /// The seed that a text holds a half of, if it holds one.
    pub(crate) fn find(&self, text: &[u8]) -> Option<&str> {
        let mut starts = vec![false; 1 << 16];
        for start in self.0.keys() {
            starts[usize::from(u16::from_be_bytes(*start))] = true;
        }
        for (at, pair) in text.windows(2).enumerate() {
            let start = [pair[0], pair[1]];
            if starts[usize::from(u16::from_be_bytes(start))]
                && let Some((_, seed)) =
                    self.0[&start].iter().find(|(needle, _)| text[at..].starts_with(needle))
            {
                return Some(seed);
            }
        }
        None
    }
}

/// Both halves of a seed in every form. The halves have 15 bytes, so that base64 cuts at whole groups.
fn forms(seed: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    for half in seed.chunks_exact(15) {
        let numbers: Vec<_> = half.iter().map(ToString::to_string).collect();
        forms.push(half.to_vec());
        forms.push(half.escape_ascii().to_string().into_bytes());
        let texts = [
            hex::encode(half),
            hex::encode_upper(half),
            STANDARD_NO_PAD.encode(half),
            URL_SAFE_NO_PAD.encode(half),
            numbers.join(","),
            numbers.join(", "),
        ];
        forms.extend(texts.map(String::into_bytes));
    }
    forms
}

#[test]
fn a_planted_seed_is_found_in_every_form() {
    let seed: Vec<u8> = (0..32).map(|byte| byte * 7 + 3).collect();
    let mut needles = Needles::default();
    needles.add(&hex::encode(&seed)).unwrap();
    let whole = [
        hex::encode(&seed),
        hex::encode_upper(&seed),
        STANDARD_NO_PAD.encode(&seed),
        URL_SAFE_NO_PAD.encode(&seed),
        format!("{seed:?}"),
        serde_json::to_string(&seed).unwrap(),
        seed.escape_ascii().to_string(),
    ];
    for text in whole {
        assert!(needles.find(format!("before {text} after").as_bytes()).is_some(), "{text}");
    }
    assert!(needles.find(&[b"x".as_slice(), &seed[..15]].concat()).is_some());
    assert!(needles.find(b"nothing of it").is_none());
}
