//! What an installation stands on, here: PostgreSQL and Redis at their usual ports, secrets in files, and
//! an address of the loopback range for every process. It turns what was written for other machines into
//! what works on this one.

use super::role::Role;
use super::running::{Runner, Running};
use anyhow::{Context, Result, ensure};
use astragal_support::postgres::Postgres;
use astragal_tests::program;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Where a process listens that takes calls from other machines.
const EVERYWHERE: &str = "0.0.0.0:";
/// How long something may take until it is ready.
const READY_MAX: Duration = Duration::from_mins(1);
const ASK_EVERY: Duration = Duration::from_millis(20);

/// The surroundings of one installation; gone with it.
pub(super) struct Place {
    runner: Runner,
    scratch: TempDir,
    hosts: BTreeMap<String, Vec<Ipv4Addr>>,
    _redis: Running,
    _postgres: Postgres,
}

impl Place {
    /// Starts what the roles stand on. `hosts` says how many addresses there are behind each name.
    pub(super) async fn prepare(hosts: &[(&str, usize)]) -> Result<Self> {
        let scratch = tempfile::Builder::new().prefix("astragal-deploy-").tempdir()?;
        let mut addresses = addresses();
        let hosts: BTreeMap<_, Vec<_>> = hosts
            .iter()
            .map(|(name, count)| ((*name).to_owned(), addresses.by_ref().take(*count).collect()))
            .collect();
        let own = |name: &str| {
            let address = hosts.get(name).and_then(|addresses| addresses.first());
            address.with_context(|| format!("the installation has no {name}"))
        };
        let postgres = Postgres::start(&["fsync=off", &format!("listen_addresses={}", own("postgres")?)]);
        for statement in ["CREATE ROLE astragal LOGIN", "CREATE DATABASE astragal OWNER astragal"] {
            postgres.run_sql("postgres", statement);
        }
        let address = own("redis")?.to_string();
        let mut command = Command::new("redis-server");
        command.args(["--bind", &address, "--port", "6379", "--save", "", "--appendonly", "no"]);
        let redis = Running::start(command, scratch.path().join("redis.log"))?;
        let place = Self { runner: Runner::chosen()?, scratch, hosts, _redis: redis, _postgres: postgres };
        let answers = async || Ok(tokio::net::TcpStream::connect((address.as_str(), 6379)).await.is_ok());
        wait_until(answers).await.context("Redis doesn't answer")?;
        place.make_secrets()?;
        Ok(place)
    }

    /// The addresses behind a name.
    pub(super) fn addresses(&self, host: &str) -> Result<&[Ipv4Addr]> {
        let addresses = self.hosts.get(host).filter(|addresses| !addresses.is_empty());
        addresses.map(Vec::as_slice).with_context(|| format!("there is no host {host}"))
    }

    /// The variables that the files of an installation are filled in with.
    pub(super) fn filled_in(&self) -> Result<BTreeMap<String, String>> {
        let text = std::fs::read_to_string(self.scratch.path().join(".env"))?;
        let line = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        text.lines().map(|text| line(text).with_context(|| format!("an odd line {text}"))).collect()
    }

    /// Adds a secret to those that `secrets.sh` has made.
    pub(super) fn add_secret(&self, name: &str, text: &str) -> Result<()> {
        Ok(std::fs::write(self.scratch.path().join("secrets").join(name), text)?)
    }

    /// Starts a process of a role.
    pub(super) fn start(&self, role: &Role, own: Ipv4Addr) -> Result<Running> {
        let log = self.scratch.path().join(format!("{}-{own}.log", role.name));
        Running::start(self.command(role, &role.words, own)?, log)
    }

    /// Runs a role that ends by itself.
    pub(super) fn run(&self, role: &Role) -> Result<()> {
        let ran = self.start(role, Ipv4Addr::LOCALHOST)?.ends(READY_MAX);
        ran.with_context(|| format!("{} fails", role.name))
    }

    /// Runs some words beside a process of a role, as a probe does, and says whether they succeed.
    pub(super) fn succeeds(&self, role: &Role, words: &[String], own: Ipv4Addr) -> Result<bool> {
        let mut command = self.command(role, words, own)?;
        Ok(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?.success())
    }

    fn command(&self, role: &Role, words: &[String], own: Ipv4Addr) -> Result<Command> {
        let local = |word: &String| self.localized(word, own, role);
        let words = words.iter().map(local).collect::<Result<Vec<_>>>()?;
        let variable = |(name, value): (&String, &String)| anyhow::Ok((name.clone(), local(value)?));
        let variables = role.variables.iter().map(variable).collect::<Result<_>>()?;
        let file = |(inside, secret): (&String, &String)| anyhow::Ok((inside.clone(), self.secret(secret)?));
        let files = role.files.iter().map(file).collect::<Result<_>>()?;
        Ok(self.runner.command(&words, &variables, &files))
    }

    /// A word of a command line or a variable's value, as it has to be on this machine.
    fn localized(&self, word: &str, own: Ipv4Addr, role: &Role) -> Result<String> {
        if let Some((flag, value)) = word.split_once('=').filter(|(flag, _)| flag.starts_with("--")) {
            return Ok(format!("{flag}={}", self.localized(value, own, role)?));
        }
        if let Some(port) = word.strip_prefix(EVERYWHERE) {
            return Ok(format!("{own}:{port}"));
        }
        if word.starts_with('/') {
            let file =
                role.files.get(word).with_context(|| format!("nobody gives {word} to {}", role.name))?;
            return Ok(match self.runner {
                Runner::Binary(_) => self.secret(file)?.display().to_string(),
                Runner::Container(_) => word.to_owned(),
            });
        }
        match word.split_once("://") {
            Some((scheme, rest)) => self.localized_url(scheme, rest),
            None => Ok(word.to_owned()),
        }
    }

    /// The file of a secret.
    fn secret(&self, name: &str) -> Result<PathBuf> {
        let file = self.scratch.path().join("secrets").join(name);
        ensure!(file.is_file(), "nobody has made {name}");
        Ok(file)
    }

    fn localized_url(&self, scheme: &str, rest: &str) -> Result<String> {
        let (before, rest) = match rest.split_once('@') {
            Some((user, rest)) => (format!("{scheme}://{user}@"), rest),
            None => (format!("{scheme}://"), rest),
        };
        let (host, port) = rest.split_once(':').with_context(|| format!("{rest} names no port"))?;
        let urls = self.addresses(host)?.iter().map(|address| format!("{before}{address}:{port}"));
        Ok(urls.collect::<Vec<_>>().join(","))
    }

    /// Runs `secrets.sh` beside a copy of itself, twice: what it has made once stays.
    fn make_secrets(&self) -> Result<()> {
        let script = self.scratch.path().join("secrets.sh");
        std::fs::copy(super::folder().join("secrets.sh"), &script)?;
        let made = self.run_secrets(&script)?;
        ensure!(self.run_secrets(&script)? == made, "secrets.sh changes what it has made");
        Ok(())
    }

    fn run_secrets(&self, script: &Path) -> Result<BTreeMap<String, String>> {
        let output = program::run_command(Command::new(script).env("ASTRAGAL", program::find()?))?;
        ensure!(output.status.success(), "secrets.sh fails: {}", String::from_utf8_lossy(&output.stderr));
        let mut made = self.filled_in()?;
        for file in std::fs::read_dir(self.scratch.path().join("secrets"))? {
            let path = file?.path();
            made.insert(path.display().to_string(), std::fs::read_to_string(&path)?);
        }
        Ok(made)
    }
}

/// Asks again and again, for as long as anything may take to be ready.
pub(super) async fn wait_until(mut holds: impl AsyncFnMut() -> Result<bool>) -> Result<()> {
    let asking = async {
        let mut ticks = tokio::time::interval(ASK_EVERY);
        loop {
            ticks.tick().await;
            if holds().await? {
                return anyhow::Ok(());
            }
        }
    };
    let asked = tokio::time::timeout(READY_MAX, asking).await;
    asked.with_context(|| format!("not within {READY_MAX:?}"))?
}

/// Addresses of the loopback range that no other installation of these tests has.
fn addresses() -> impl Iterator<Item = Ipv4Addr> {
    static INSTALLATIONS: AtomicU8 = AtomicU8::new(0);
    let installation = 64 + INSTALLATIONS.fetch_add(1, Ordering::Relaxed) % 64;
    let [.., upper, lower] = std::process::id().to_be_bytes();
    (1..=31).map(move |host| Ipv4Addr::new(127, installation ^ (upper & 0x1f), lower, (upper & 0xe0) | host))
}
