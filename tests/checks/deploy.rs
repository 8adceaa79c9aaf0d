//! The installations of `deploy/`, started as its files describe them: their own command lines,
//! variables, ports, secrets and probes. Only names of hosts are replaced, by addresses of this machine.
//!
//! Each process gets an address of its own, as a container has, so ports stay as they are written. With
//! `ASTRAGAL_CONTAINER` the processes run in that container of buildah's.

mod certificates;
mod compose;
mod image;
mod kubernetes;
mod manifests;
mod observed;
mod place;
mod role;
mod running;
mod yaml;

use self::place::Place;
use self::role::Role;
use self::running::Running;
use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

/// Where the files under test are.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy")
}

/// Roles that run.
struct Installation {
    place: Place,
    processes: Vec<Process>,
}

struct Process {
    role: Role,
    address: Ipv4Addr,
    running: Running,
}

impl Process {
    /// Waits until it passes a probe. If it doesn't, or ends, its last words are told.
    async fn passes(&mut self, mut probe: impl AsyncFnMut(&Role, Ipv4Addr) -> Result<bool>) -> Result<()> {
        let Self { role, address, running } = self;
        let waited = place::wait_until(async || {
            ensure!(running.is_alive()?, "it has ended");
            probe(role, *address).await
        })
        .await;
        let said = || running.said().unwrap_or_default();
        waited.with_context(|| format!("{} passes no probe; it said:\n{}", role.name, said()))
    }
}

impl Installation {
    /// Brings the database up to date, then starts every process of every role, in the given order.
    fn start(place: Place, migrate: &Role, roles: Vec<Role>) -> Result<Self> {
        place.run(migrate)?;
        let mut processes = Vec::new();
        for role in roles {
            for address in place.addresses(&role.name)?.to_vec() {
                let running = place.start(&role, address)?;
                processes.push(Process { role: role.clone(), address, running });
            }
        }
        Ok(Self { place, processes })
    }

    /// A whole game between players on the first and the last gateway, a look back at it, and a rematch.
    async fn play(&self, gateway: &str, port: u16) -> Result<()> {
        let addresses = self.place.addresses(gateway)?;
        let url = |address: Option<&Ipv4Addr>| Some(format!("http://{}:{port}", address?));
        let first = url(addresses.first()).context("no gateway")?;
        let last = url(addresses.last()).context("no gateway")?;
        ensure!(first != last, "one gateway alone is no installation");
        let (mut ada, _) = Client::guest(&first, "Ada", Wire::Json).await?;
        let (mut blaise, _) = Client::guest(&last, "Blaise", Wire::Binary).await?;
        let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 1).await?;
        let mut clients = [ada, blaise];
        let outcome = play_both(&mut players, &mut clients).await?;
        ensure!(outcome.reason == "finished", "{outcome:?}");
        let id = players[0].id();
        look_back(&first, id).await?;
        let [ada, blaise] = &mut clients;
        ada.done(ask::rematch(id)).await?;
        let answer = blaise.done(ask::rematch(id)).await?;
        ensure!(matches!(answer, Event::OnGameStart(_)), "a rematch was answered by {answer:?}");
        Ok(())
    }

    /// Asks every process to stop, at once; each has to end well within the time that its role is given.
    fn stop(self) -> Result<()> {
        for process in &self.processes {
            process.running.terminate()?;
        }
        for process in self.processes {
            let Role { name, grace, .. } = &process.role;
            process.running.ends(*grace).with_context(|| format!("{name} doesn't stop as it should"))?;
        }
        Ok(())
    }
}

/// What the role replay shows of a game that is over: a line for its head, and one for each step.
async fn look_back(gateway: &str, game_id: &str) -> Result<()> {
    let answer = Http::connect(gateway).await?.get(&format!("/v1/tables/{game_id}/timeline")).await?;
    ensure!(answer.status.is_success(), "the timeline of {game_id}: {}", answer.text());
    ensure!(answer.text().lines().count() > 2, "a timeline without steps: {}", answer.text());
    Ok(())
}
