//! Two of each role on a database and a Redis of their own, all of which may be taken away; and what is done to single
//! processes while the others go on.

use anyhow::{Context, Result, ensure};
use astragal_support::postgres::Postgres;
use astragal_support::redis::Redis;
use astragal_tests::http::Http;
use astragal_tests::program;
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::server::{Launch, Server};
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::Instant;

/// The variable that arms fault points.
pub(super) const FAULTS: &str = "ASTRAGAL_FAULTS";
/// The promise is ten seconds; the machine may be busy.
const STOP_MAX: Duration = Duration::from_secs(30);
/// How long a condition may take to come true; a busy machine is slow.
pub(super) const PATIENCE: Duration = Duration::from_mins(2);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Times are promised, and two systems at once on a small machine would break them for each other.
static ALONE: Mutex<()> = Mutex::const_new(());

/// The system, gone with its test.
pub(super) struct System {
    pub(super) roles: Roles,
    pub(super) redis: Redis,
    pub(super) postgres: &'static Postgres,
    pub(super) database_url: String,
    _alone: Option<MutexGuard<'static, ()>>,
}

impl System {
    /// As operators run it.
    pub(super) async fn start() -> Result<Self> {
        Self::start_with(|_, _| None).await
    }

    /// On a PostgreSQL of its own, which may be taken away. It goes with the process of the tests.
    pub(super) async fn start_with_postgres() -> Result<Self> {
        let alone = Some(ALONE.lock().await);
        let postgres = Box::leak(Box::new(Postgres::start(&[])));
        Self::start_on(postgres, alone, 0, None, |_, _, launch| Ok(launch))
    }

    /// With faults in single processes, known by their role and number.
    pub(super) async fn start_with(faults: impl Fn(&str, usize) -> Option<&'static str>) -> Result<Self> {
        Self::start_adding(0, None, failing(faults)).await
    }

    /// The same with two who offer rematches, and beside others: nothing is held to times there.
    pub(super) fn start_offering(faults: impl Fn(&str, usize) -> Option<&'static str>) -> Result<Self> {
        Self::start_on(Postgres::shared(), None, 2, None, failing(faults))
    }

    /// With anything added to the start of single processes, and over another Redis than its own.
    pub(super) async fn start_adding(
        rematches: usize,
        redis_url: Option<String>,
        add: impl Fn(&str, usize, Launch) -> Result<Launch>,
    ) -> Result<Self> {
        let alone = Some(ALONE.lock().await);
        Self::start_on(Postgres::shared(), alone, rematches, redis_url, add)
    }

    fn start_on(
        postgres: &'static Postgres,
        alone: Option<MutexGuard<'static, ()>>,
        rematches: usize,
        redis_url: Option<String>,
        add: impl Fn(&str, usize, Launch) -> Result<Launch>,
    ) -> Result<Self> {
        let redis = Redis::start();
        let database_url = postgres.database();
        migrate(&database_url)?;
        let plan = Plan {
            engines: 2,
            matchmakings: 2,
            rematches,
            gateways: 2,
            heads_interval: Duration::from_secs(2),
            database_url: Some(database_url.clone()),
            redis_url: redis_url.or_else(|| Some(redis.url())),
        };
        let roles =
            Roles::start_with(&plan, |role, number, launch: Launch| add(role, number, launch.operators()))?;
        Ok(Self { roles, redis, postgres, database_url, _alone: alone })
    }

    /// An error if any process has ended.
    pub(super) fn all_run(&mut self) -> Result<()> {
        for process in self.roles.processes() {
            let ended = process.ended()?;
            ensure!(ended.is_none(), "a process ended ({ended:?}): {}", last_words(process)?);
        }
        Ok(())
    }

    /// Waits until those roles that have a store say whether they are ready.
    pub(super) async fn until_ready(&self, ready: bool) -> Result<()> {
        for process in self.roles.engines.iter().chain(&self.roles.matchmakings) {
            until(&format!("ready: {ready}"), async || Ok(is_ready(process).await? == ready)).await?;
        }
        Ok(())
    }
}

/// Adds faults to the starts of processes.
fn failing(
    faults: impl Fn(&str, usize) -> Option<&'static str>,
) -> impl Fn(&str, usize, Launch) -> Result<Launch> {
    move |role, number, launch| {
        Ok(match faults(role, number) {
            Some(plan) => launch.variable(FAULTS, plan),
            None => launch,
        })
    }
}

/// Brings a database up to date.
pub(super) fn migrate(database_url: &str) -> Result<()> {
    let migrated = program::run(&["migrate", "--database-url", database_url])?;
    ensure!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    Ok(())
}

/// Whether `/readyz` says so; `/healthz` must always say that the process lives.
pub(super) async fn is_ready(process: &Server) -> Result<bool> {
    let mut http = Http::connect(&process.operators_url()?).await?;
    let alive = http.get("/healthz").await?;
    ensure!(alive.status.is_success(), "/healthz: {}", alive.text());
    Ok(http.get("/readyz").await?.status.is_success())
}

/// Looks again and again until it is so.
pub(super) async fn until(what: &str, is_so: impl AsyncFn() -> Result<bool>) -> Result<()> {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let wait = async {
        while !is_so().await? {
            looks.tick().await;
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(PATIENCE, wait).await.with_context(|| format!("in vain: {what}"))?
}

/// Stops a process in good order and starts it again on its port, while others go on.
pub(super) fn restart(server: &mut Server) -> Result<()> {
    tokio::task::block_in_place(|| {
        let begin = Instant::now();
        let status = server.terminate()?;
        ensure!(status.code() == Some(0), "{status:?}: {}", last_words(server)?);
        ensure!(begin.elapsed() < STOP_MAX, "the stop took {:?}", begin.elapsed());
        server.start_again_there()
    })
}

/// Kills a process and starts it again on its port, while others go on.
pub(super) fn kill(server: &mut Server) -> Result<()> {
    tokio::task::block_in_place(|| {
        server.kill()?;
        server.start_again_there()
    })
}

/// Waits until a process has killed itself, and starts it again without that fault.
#[cfg(debug_assertions)]
pub(super) async fn revive(server: &mut Server) -> Result<()> {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let revival = async {
        while !revive_if_dead(server)? {
            looks.tick().await;
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(PATIENCE, revival).await.context("the fault point was not reached")?
}

/// Lets something happen while all who kill themselves are started again without that fault; what came of it, and how
/// many they were.
#[cfg(debug_assertions)]
pub(super) async fn reviving<T>(
    roles: &mut Roles,
    happens: impl Future<Output = Result<T>>,
) -> Result<(T, usize)> {
    let mut happens = std::pin::pin!(happens);
    let (mut looks, mut deaths) = (tokio::time::interval(LOOK_EVERY), 0);
    loop {
        let happened = tokio::select! {
            happened = &mut happens => Some(happened?),
            _ = looks.tick() => None,
        };
        for process in roles.processes() {
            deaths += usize::from(revive_if_dead(process)?);
        }
        if let Some(happened) = happened {
            return Ok((happened, deaths));
        }
    }
}

#[cfg(debug_assertions)]
fn revive_if_dead(server: &mut Server) -> Result<bool> {
    let Some(status) = server.ended()? else { return Ok(false) };
    ensure!(status.signal() == Some(9), "{status:?}: {}", last_words(server)?);
    server.forget(FAULTS);
    tokio::task::block_in_place(|| server.start_again_there())?;
    Ok(true)
}

fn last_words(server: &Server) -> Result<String> {
    let said = String::from_utf8_lossy(&server.said()?).into_owned();
    Ok(said.chars().rev().take(2_000).collect::<Vec<_>>().into_iter().rev().collect())
}
