//! Many pairs who play game after game, each of a pair at a gateway of their own, whatever happens to the system. In the
//! end every game is over, and every log says what both players were told.

use crate::finished::Finished;
use anyhow::{Context, Result, bail, ensure};
use astragal_tests::client::Wire;
use astragal_tests::http::Http;
use astragal_tests::persistent::Persistent;
use astragal_tests::record::Record;
use astragal_tests::roles::Roles;
use astragal_tests::tally::Tally;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{Barrier, Semaphore};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

/// How long everybody may take to sign up and sit down; a busy machine is slow.
const SEATED_MAX: Duration = Duration::from_mins(5);
/// How many pairs do that at once: how many can is measured elsewhere.
const ARRIVING_MAX: usize = 16;
/// How long a pair may take for its next moves.
const PATIENCE: Duration = Duration::from_mins(2);
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Gateways find within two seconds what they have lost, and then read it.
const SEEN_MAX: Duration = Duration::from_secs(3);
/// What was lost is looked for, asked for and read through about as many processes, each of which may be as late as
/// this one is for its clock, or as all of them together are with the answer to a move.
const LATE_TIMES: u32 = 4;
/// How many logs are read at once.
const READERS: usize = 8;

/// What both players of a game were told.
type Game = [Record; 2];

/// Where they come in.
struct Hall {
    door: Semaphore,
    all_sit: Barrier,
}

/// The pairs.
pub(super) struct Crowd {
    pairs: JoinSet<Result<Vec<Game>>>,
    tallies: Vec<Arc<Tally>>,
    is_over: Arc<AtomicBool>,
    gateways: Vec<String>,
    /// By how many milliseconds the machine was late for its clocks, at most.
    lateness: Arc<AtomicU64>,
    _watch: JoinSet<()>,
}

impl Crowd {
    /// Signs everyone up and seats them. Nobody moves before all tables are open.
    pub(super) async fn gather(roles: &Roles, count: usize) -> Result<Self> {
        let gateways: Vec<_> = roles.gateways.iter().map(|gateway| gateway.url().to_owned()).collect();
        let is_over = Arc::<AtomicBool>::default();
        let hall = Arc::new(Hall { door: Semaphore::new(ARRIVING_MAX), all_sit: Barrier::new(count + 1) });
        let (mut pairs, mut tallies) = (JoinSet::new(), Vec::new());
        for number in 0..count {
            let (tally, gateways) = (Arc::<Tally>::default(), gateways.clone());
            tallies.push(Arc::clone(&tally));
            pairs.spawn(play_on(number, gateways, tally, Arc::clone(&hall), Arc::clone(&is_over)));
        }
        let lateness = Arc::<AtomicU64>::default();
        let mut watch = JoinSet::new();
        watch.spawn(watch_the_clock(Arc::clone(&lateness)));
        let mut crowd = Self { pairs, tallies, is_over, gateways, lateness, _watch: watch };
        tokio::select! {
            failed = crowd.failure() => return Err(failed),
            seated = tokio::time::timeout(SEATED_MAX, hall.all_sit.wait()) => seated.context("not all sit down")?,
        };
        Ok(crowd)
    }

    /// Waits until every pair has made moves from now on.
    pub(super) async fn go_on(&mut self, moves: u32) -> Result<()> {
        let goals: Vec<_> =
            self.tallies.iter().map(|tally| (Arc::clone(tally), tally.moves() + moves)).collect();
        let stuck = || goals.iter().filter(|(tally, goal)| tally.moves() < *goal).count();
        let waited = self.play_until(until(|| stuck() == 0)).await;
        waited.with_context(|| format!("{} of {} pairs don't go on", stuck(), goals.len()))
    }

    /// Waits until more was refused than had been then.
    pub(super) async fn refused_after(&mut self, refusals: u32) -> Result<()> {
        let tallies = self.tallies.clone();
        let refused = until(|| tallies.iter().map(|tally| tally.refusals()).sum::<u32>() > refusals);
        self.play_until(refused).await.context("nothing is refused")
    }

    /// Lets them play until something has happened; an error if anybody fails before.
    pub(super) async fn play_until<T>(&mut self, happens: impl Future<Output = Result<T>>) -> Result<T> {
        tokio::select! {
            happened = happens => happened,
            failed = self.failure() => Err(failed),
        }
    }

    /// Lets them play for a while; an error if anybody fails.
    pub(super) async fn play_for(&mut self, span: Duration) -> Result<()> {
        match tokio::time::timeout(span, self.failure()).await {
            Ok(failed) => Err(failed),
            Err(_) => Ok(()),
        }
    }

    /// No pair ends before it is told to, unless it fails.
    async fn failure(&mut self) -> anyhow::Error {
        match self.pairs.join_next().await {
            Some(Ok(Err(error))) => error,
            Some(Err(error)) => error.into(),
            Some(Ok(Ok(_))) | None => anyhow::anyhow!("a pair has gone home early"),
        }
    }

    /// Lets everyone end the game that they are in, and compares every game with its log; how many there were.
    pub(super) async fn end(&mut self) -> Result<usize> {
        self.is_over.store(true, Ordering::Relaxed);
        let mut games = Vec::new();
        while let Some(played) = self.pairs.join_next().await {
            games.extend(played??);
        }
        let share = games.len().div_ceil(READERS).max(1);
        let readers = games.chunks(share).zip(self.gateways.iter().cycle());
        futures::future::try_join_all(readers.map(|(games, gateway)| compare(gateway, games))).await?;
        Ok(games.len())
    }

    /// Whether everybody saw every move in time since this was asked last; the longest that it took.
    pub(super) fn seen_in_time(&self) -> Result<Duration> {
        let slowest = self.max(Tally::take_slowest);
        let late = Duration::from_millis(self.lateness.load(Ordering::Relaxed));
        let answer = self.max(Tally::slowest_answer);
        ensure!(
            slowest < SEEN_MAX + late.max(answer) * LATE_TIMES,
            "a move was seen after {slowest:?}; the machine is {late:?} late, and moves are answered within {answer:?}"
        );
        Ok(slowest)
    }

    /// A count over all pairs.
    pub(super) fn sum(&self, count: impl Fn(&Tally) -> u32) -> u32 {
        self.tallies.iter().map(|tally| count(tally)).sum()
    }

    /// The largest of all pairs' counts.
    pub(super) fn max<T: Ord + Default>(&self, count: impl Fn(&Tally) -> T) -> T {
        self.tallies.iter().map(|tally| count(tally)).max().unwrap_or_default()
    }
}

/// Looks again and again until it is so.
async fn until(is_so: impl Fn() -> bool) -> Result<()> {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let waiting = async {
        while !is_so() {
            looks.tick().await;
        }
    };
    Ok(tokio::time::timeout(PATIENCE, waiting).await?)
}

/// Notes by how many milliseconds a tick is late.
async fn watch_the_clock(lateness: Arc<AtomicU64>) {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let due = ticks.tick().await;
        lateness.fetch_max(due.elapsed().as_millis() as u64, Ordering::Relaxed);
    }
}

/// One pair, from signing up to the last game.
async fn play_on(
    number: usize,
    mut gateways: Vec<String>,
    tally: Arc<Tally>,
    hall: Arc<Hall>,
    is_over: Arc<AtomicBool>,
) -> Result<Vec<Game>> {
    // The opener of every second pair is at the second gateway.
    let places = gateways.len();
    gateways.rotate_left(number % places);
    let mut door = Some(hall.door.acquire().await?);
    let mut ada = Persistent::arrive("Ada", gateways.clone(), Wire::Json, Arc::clone(&tally)).await?;
    gateways.rotate_left(1);
    let mut blaise = Persistent::arrive("Blaise", gateways, Wire::Binary, tally).await?;
    let (mut games, mut state) = (Vec::new(), 2 * number as u64 + 1);
    loop {
        let game_id = ada.open(state).await?;
        blaise.join(&game_id, state ^ 0x5bd1_e995).await?;
        if let Some(door) = door.take() {
            drop(door);
            hall.all_sit.wait().await;
        }
        // Both go to their end: what the one still knows says why the other is stuck.
        match tokio::join!(ada.play(), blaise.play()) {
            (Ok(opener), Ok(joiner)) => games.push([opener, joiner]),
            (opener, joiner) => bail!("{game_id}: {:#?}, {:#?}", opener.err(), joiner.err()),
        }
        if is_over.load(Ordering::Relaxed) {
            return Ok(games);
        }
        state += 1_000_003;
    }
}

/// Whether the logs replay, and say what was told.
async fn compare(gateway: &str, games: &[Game]) -> Result<()> {
    let mut http = Http::connect(gateway).await?;
    for game in games {
        let [Record { game_id, commitment, view, .. }, other] = game;
        ensure!(*view == other.view && *commitment == other.commitment, "{game_id}: two boards");
        let finished = Finished::download(&mut http, game_id, commitment).await?;
        ensure!(finished.view == *view, "{game_id}: the log replays to {}, not {view}", finished.view);
        for record in game {
            record.compare(finished.moves()?)?;
        }
    }
    Ok(())
}
