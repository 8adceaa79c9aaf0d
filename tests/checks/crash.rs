//! `kill -9` in the middle of many games: what was acknowledged is there after a restart, and
//! every game goes on to its end.

use crate::finished::Finished;
use crate::people;
use anyhow::{Context, Result, bail, ensure};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::kalah_player::KalahPlayer;
use astragal_tests::server::Server;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::sync::Notify;
use tokio::task::JoinSet;

const ROBOT_GAMES: usize = 50;
const CLIENT_GAMES: usize = 50;
/// The kill comes after so many acknowledged moves, when every game is under way.
const MOVES_BEFORE: u32 = 1_000;

/// A seat of a game, by one account.
struct Sitting {
    guest: Guest,
    player: KalahPlayer,
}

/// Counts acknowledged moves and says when there are enough.
#[derive(Default)]
struct Tally {
    moves: AtomicU32,
    enough: Notify,
}

impl Tally {
    fn count(&self) {
        if self.moves.fetch_add(1, Ordering::Relaxed) + 1 == MOVES_BEFORE {
            self.enough.notify_one();
        }
    }

    fn is_full(&self) -> bool {
        self.moves.load(Ordering::Relaxed) >= MOVES_BEFORE
    }
}

#[tokio::test]
async fn l0_l14_a_kill_loses_no_acknowledged_move_and_every_game_goes_on() -> Result<()> {
    let mut server = Server::start()?;
    let tally = Arc::new(Tally::default());
    let mut games = JoinSet::new();
    for (sitting, client) in sit_down(server.url()).await? {
        games.spawn(play_until_cut(sitting, client, Arc::clone(&tally)));
    }
    tally.enough.notified().await;
    server.kill()?;
    let mut sittings = Vec::new();
    while let Some(sitting) = games.join_next().await {
        sittings.push(sitting??);
    }
    ensure!(sittings.len() == ROBOT_GAMES + 2 * CLIENT_GAMES, "{} seats", sittings.len());

    server.start_again()?;
    let mut games = JoinSet::new();
    for sitting in sittings {
        games.spawn(go_on(server.url().to_owned(), sitting));
    }
    while let Some(ended) = games.join_next().await {
        ended??;
    }
    Ok(())
}

async fn sit_down(url: &str) -> Result<Vec<(Sitting, Client)>> {
    let guests = people::many(url, ROBOT_GAMES + 2 * CLIENT_GAMES).await?;
    let (alone, paired) = guests.split_at(ROBOT_GAMES);
    let mut seats = Vec::new();
    for (state, guest) in (0..).zip(alone) {
        let (mut client, _) = Client::enter(url, guest, Wire::Json).await?;
        let player = KalahPlayer::against_robot(&mut client, 2, state).await?;
        seats.push((Sitting { guest: guest.clone(), player }, client));
    }
    for (state, pair) in (100..).zip(paired.chunks(2)) {
        let (mut opener, _) = Client::enter(url, &pair[0], Wire::Json).await?;
        let (mut joiner, _) = Client::enter(url, &pair[1], Wire::Binary).await?;
        let [first, second] = KalahPlayer::pair(&mut opener, &mut joiner, state).await?;
        seats.push((Sitting { guest: pair[0].clone(), player: first }, opener));
        seats.push((Sitting { guest: pair[1].clone(), player: second }, joiner));
    }
    Ok(seats)
}

/// Plays until the connection breaks. It may break only once the kill is due.
async fn play_until_cut(mut sitting: Sitting, mut client: Client, tally: Arc<Tally>) -> Result<Sitting> {
    while sitting.player.outcome.is_none() {
        let step = if sitting.player.is_to_move() {
            sitting.player.make_move(&mut client).await.map(|_| tally.count())
        } else {
            sitting.player.wait(&mut client).await
        };
        match step {
            Ok(()) => {}
            Err(_) if tally.is_full() => break,
            Err(error) => return Err(error),
        }
    }
    Ok(sitting)
}

/// Comes back, finds all that was told, plays to the end, and replays the log.
async fn go_on(url: String, sitting: Sitting) -> Result<()> {
    let Sitting { guest, player: before } = sitting;
    let id = before.id().to_owned();
    let (mut client, welcome) = Client::enter(&url, &guest, Wire::Json).await?;
    let mut player = KalahPlayer::returned(&mut client, &id, 7).await?;
    ensure!(
        player.revision >= before.told,
        "{id}: revision {} was told of, {} is there",
        before.told,
        player.revision
    );
    if before.told == player.revision && before.revision == player.revision {
        ensure!(player.view == before.view, "{id}: {} became {}", before.view, player.view);
    }
    ensure!(player.table.commitment == before.table.commitment, "{id}: another commitment");
    if player.outcome.is_none() {
        ensure!(welcome.tables.iter().any(|table| table.game_id == id), "{id}: the welcome lacks the game");
    }
    let outcome = player.play_to_end(&mut client).await.with_context(|| format!("{id} doesn't go on"))?;
    ensure!(outcome.reason == "finished", "{id}: {outcome:?}");

    let mut http = Http::connect(&url).await?;
    let finished = Finished::download(&mut http, &id, &player.table.commitment).await?;
    ensure!(finished.view == player.view, "{id}: the log replays to {}, not {}", finished.view, player.view);
    match client.done(ask::watch(&id, None)).await? {
        astragal_proto::gateway::v1::server_frame::Event::Table(table) => {
            let served = table.view.context("a table without a view")?;
            ensure!(serde_json::from_slice::<serde_json::Value>(served.as_json())? == finished.view, "{id}");
            Ok(())
        }
        other => bail!("{other:?}"),
    }
}
