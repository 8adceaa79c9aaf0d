//! `kill -9` at every step of creating, joining and cancelling: after the restart each game is whole or absent, and
//! whoever sends again what was cut off is answered.
#![cfg(debug_assertions)]

use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Table, Welcome};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::server::{Launch, Server};
use std::collections::BTreeSet;
use std::time::Duration;
use uuid::Uuid;

const FAULTS: &str = "ASTRAGAL_FAULTS";
/// Every step between a request and its answer.
const POINTS: [&str; 7] = [
    "matchmaking.ordered",
    "matchmaking.written",
    "matchmaking.claimed",
    "engine.opened",
    "engine.committed",
    "matchmaking.confirmed",
    "matchmaking.told",
];
/// How long it may take until all is whole. The promise is five seconds; the machine may be busy.
const PATIENCE: Duration = Duration::from_mins(1);

/// A request that is sent until it is answered, always under the same id.
struct Step {
    by: usize,
    id: String,
    operation: Operation,
}

/// What the two have asked for, and the games that came of it.
#[derive(Default)]
struct Story {
    /// Listed, among friends, against a robot, and one that is cancelled.
    opened: Vec<String>,
    asked: usize,
}

impl Story {
    /// The next request: open listed and among friends, find, join, play a robot, cancel.
    fn next(&self) -> Option<Step> {
        let (by, operation) = match self.asked {
            0 => (0, ask::new_game()),
            1 | 5 => (0, ask::new_friend_game()),
            2 => (1, ask::new_game()),
            3 => (1, ask::join(&self.opened[1])),
            4 => (1, ask::new_bot_game(1)),
            6 => (0, ask::cancel(&self.opened[3])),
            _ => return None,
        };
        Some(Step { by, id: Uuid::from_u128(1_000 + self.asked as u128).to_string(), operation })
    }

    fn note(&mut self, answer: Event) -> Result<()> {
        let game = match answer {
            Event::Searching(searching) => searching.game_id,
            Event::OnGameStart(start) => start.table.context("a table")?.game_id,
            Event::SearchCancelled(cancelled) => cancelled.game_id,
            odd => bail!("{odd:?}"),
        };
        match self.asked {
            2 => ensure!(game == self.opened[0], "the second search did not find the first"),
            3 => ensure!(game == self.opened[1], "another game was joined"),
            6 => ensure!(game == self.opened[3], "another game was cancelled"),
            _ => self.opened.push(game),
        }
        self.asked += 1;
        Ok(())
    }
}

/// Goes on with the story until it ends (true) or the process does.
async fn go_on(url: &str, guests: &[Guest; 2], story: &mut Story) -> Result<bool> {
    let mut clients = Vec::new();
    for guest in guests {
        match Client::enter(url, guest, Wire::Json).await {
            Ok((client, _)) => clients.push(client),
            Err(_) => return Ok(false),
        }
    }
    while let Some(Step { by, id, operation }) = story.next() {
        if clients[by].send_as(&id, operation).await.is_err() {
            return Ok(false);
        }
        match clients[by].answer(&id).await {
            Ok(Ok(answer)) => story.note(answer)?,
            Ok(Err(refusal)) if refusal.code == "UNAVAILABLE" => return Ok(false),
            Ok(Err(refusal)) => bail!("request {} was refused: {refusal:?}", story.asked),
            Err(_) => return Ok(false),
        }
    }
    Ok(true)
}

async fn welcomes(url: &str, guests: &[Guest; 2]) -> Result<[Welcome; 2]> {
    let mut both = Vec::new();
    for guest in guests {
        both.push(Client::enter(url, guest, Wire::Json).await?.1);
    }
    both.try_into().ok().context("two")
}

fn seated(table: &Table) -> usize {
    table.seats.iter().filter(|seat| !seat.empty).count()
}

/// Whether every game is at the lobby and at the engine, with everyone in their seats, or at neither.
fn is_whole([ada, bob]: &[Welcome; 2]) -> bool {
    let open: BTreeSet<_> = ada.open_games.iter().chain(&bob.open_games).map(|game| &game.game_id).collect();
    let tables = || ada.tables.iter().chain(&bob.tables);
    let waiting: BTreeSet<_> =
        tables().filter(|table| table.phase == "waiting").map(|table| &table.game_id).collect();
    let full_are_full =
        tables().all(|table| (table.phase == "waiting") == (seated(table) < table.seats.len()));
    open == waiting && full_are_full
}

async fn until_whole(url: &str, guests: &[Guest; 2]) -> Result<[Welcome; 2]> {
    let mut looks = tokio::time::interval(Duration::from_millis(100));
    let waiting = async {
        loop {
            looks.tick().await;
            let welcomes = welcomes(url, guests).await?;
            if is_whole(&welcomes) {
                return anyhow::Ok(welcomes);
            }
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.context("a game stays half done")?
}

/// Kills the process when it reaches a point for the `at`th time; false if it never does.
async fn killed_at(point: &str, at: u32) -> Result<bool> {
    let launch = Launch::new()?.variable(FAULTS, &format!("{point}=kill@{at}"));
    let mut server: Server = launch.start()?;
    let mut http = Http::connect(server.url()).await?;
    let guests = [http.sign_up("Ada").await?, http.sign_up("Bob").await?];
    let mut story = Story::default();
    if go_on(server.url(), &guests, &mut story).await? {
        return Ok(false);
    }
    while server.ended()?.is_none() {
        tokio::task::yield_now().await;
    }
    server.forget(FAULTS);
    server.start_again()?;
    until_whole(server.url(), &guests).await?;
    ensure!(go_on(server.url(), &guests, &mut story).await?, "it does not go on");

    let [ada, bob] = until_whole(server.url(), &guests).await?;
    let games = |welcome: &Welcome| -> BTreeSet<String> {
        welcome.tables.iter().map(|table| table.game_id.clone()).collect()
    };
    let shared: BTreeSet<_> = story.opened[..2].iter().cloned().collect();
    ensure!(games(&ada) == shared, "hers are {:?}, not {shared:?}", games(&ada));
    let with_robot: BTreeSet<_> = shared.iter().cloned().chain([story.opened[2].clone()]).collect();
    ensure!(games(&bob) == with_robot, "his are {:?}, not {with_robot:?}", games(&bob));
    ensure!(ada.open_games.is_empty() && bob.open_games.is_empty(), "somebody waits for nobody");
    Ok(true)
}

async fn killed_everywhere(points: &[&str]) -> Result<()> {
    for point in points {
        let mut at = 1;
        while killed_at(point, at).await.with_context(|| format!("{point}, time {at}"))? {
            at += 1;
        }
        ensure!(at > 1, "{point} is never reached");
    }
    Ok(())
}

#[tokio::test]
async fn d10_a_kill_before_or_after_what_is_written_leaves_no_game_half_done() -> Result<()> {
    killed_everywhere(&POINTS[..3]).await
}

#[tokio::test]
async fn d10_a_kill_while_the_engine_is_told_leaves_no_game_half_done() -> Result<()> {
    killed_everywhere(&POINTS[3..5]).await
}

#[tokio::test]
async fn d10_a_kill_before_or_after_everyone_is_told_leaves_no_game_half_done() -> Result<()> {
    killed_everywhere(&POINTS[5..]).await
}
