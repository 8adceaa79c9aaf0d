//! The roles as processes of their own: any number of each, over SQLite files or over PostgreSQL and
//! Redis, and the key of their installation. It knows nothing of the protocol.

use crate::server::{Launch, Server};
use anyhow::{Context, Result};
use astragal_runtime::auth::{Role, TokenKey};
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::id::AccountId;
use astragal_support::ports::free_address;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// Roles that run, each in a process.
pub struct Roles {
    scratch: TempDir,
    key: TokenKey,
    /// All engines, on one database.
    pub engines: Vec<Server>,
    /// All matchmakings, on one database.
    pub matchmakings: Vec<Server>,
    /// All rematches.
    pub rematches: Vec<Server>,
    /// All gateways.
    pub gateways: Vec<Server>,
}

/// How many of each, and on what.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Engines.
    pub engines: usize,
    /// Matchmakings.
    pub matchmakings: usize,
    /// Rematches; without any, none are offered.
    pub rematches: usize,
    /// Gateways. Every second one has the public key only.
    pub gateways: usize,
    /// How often gateways ask for what the bus did not bring.
    pub heads_interval: Duration,
    /// A migrated database; without it, SQLite files.
    pub database_url: Option<String>,
    /// The bus; without it, none between the processes.
    pub redis_url: Option<String>,
}

impl Roles {
    /// Starts them, each on a free port.
    pub fn start(plan: &Plan) -> Result<Self> {
        Self::start_with(plan, |_, _, launch| Ok(launch))
    }

    /// As [`Roles::start`], with something added to the start of single processes, or put in another's place; they are
    /// known by their role and their number.
    pub fn start_with(
        plan: &Plan,
        add: impl Fn(&'static str, usize, Launch) -> Result<Launch>,
    ) -> Result<Self> {
        let scratch = tempfile::Builder::new().prefix("astragal-roles-").tempdir()?;
        let key = TokenKey::generate(&OsEntropy)?;
        let files = KeyFiles::write(scratch.path(), &key)?;
        let database = |role: &str| {
            let file = || format!("sqlite:{}", scratch.path().join(format!("{role}.sqlite")).display());
            plan.database_url.clone().unwrap_or_else(file)
        };
        let launch = |role: &'static str| {
            // Where it listens, it is looked for also while it is away.
            let launch = Launch::role(role)?.listen(&free_address().to_string());
            anyhow::Ok(match &plan.redis_url {
                Some(url) => launch.variable("ASTRAGAL_REDIS_URL", url),
                None => launch,
            })
        };
        // They call each other, so where they listen is known before they start.
        let rematch_addresses: Vec<_> = (0..plan.rematches).map(|_| free_address()).collect();
        let rematch_urls: Vec<_> =
            rematch_addresses.iter().map(|address| format!("http://{address}")).collect();
        let rematch_urls = rematch_urls.join(",");
        let with_rematches = |launch: Launch| match rematch_urls.as_str() {
            "" => launch,
            urls => launch.flag("--rematch-url", urls),
        };
        let engines = several(plan.engines, |number| {
            let launch = launch("engine")?.flag("--database-url", &database("engine"));
            let launch =
                launch.flag("--token-public-key", &files.public).flag("--service-token", &files.token);
            add("engine", number, with_rematches(launch))?.start()
        })?;
        let engine_urls = urls(&engines);
        let pem = key.to_pem()?;
        let matchmakings = several(plan.matchmakings, |number| {
            let launch = launch("matchmaking")?.flag("--database-url", &database("matchmaking"));
            let launch = launch.flag("--engine-url", &engine_urls).variable("ASTRAGAL_TOKEN_KEY", &pem);
            add("matchmaking", number, with_rematches(launch))?.start()
        })?;
        let matchmaking_urls = urls(&matchmakings);
        let rematches = several(plan.rematches, |number| {
            let launch = launch("rematch")?.listen(&rematch_addresses[number].to_string());
            let launch =
                launch.flag("--engine-url", &engine_urls).flag("--matchmaking-url", &matchmaking_urls);
            add("rematch", number, launch.flag("--token-key", &files.private))?.start()
        })?;
        let heads_interval = format!("{}ms", plan.heads_interval.as_millis());
        let gateways = several(plan.gateways, |number| {
            let launch = launch("gateway")?
                .flag("--frames-per-second-max", "1000000")
                .flag("--sessions-at-once-max", "1000000")
                .flag("--heads-interval", &heads_interval)
                .flag("--matchmaking-url", &matchmaking_urls)
                .variable("ASTRAGAL_ENGINE_URL", &engine_urls);
            let launch = if number.is_multiple_of(2) {
                launch.flag("--token-key", &files.private)
            } else {
                launch.flag("--token-public-key", &files.public).flag("--service-token", &files.token)
            };
            add("gateway", number, with_rematches(launch))?.start()
        })?;
        Ok(Self { scratch, key, engines, matchmakings, rematches, gateways })
    }

    /// Every process.
    pub fn processes(&mut self) -> impl Iterator<Item = &mut Server> {
        let Self { engines, matchmakings, rematches, gateways, .. } = self;
        engines.iter_mut().chain(matchmakings).chain(rematches).chain(gateways)
    }

    /// The key of the installation.
    pub fn key(&self) -> &TokenKey {
        &self.key
    }

    /// Where its files lie.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }
}

fn several(count: usize, start: impl Fn(usize) -> Result<Server>) -> Result<Vec<Server>> {
    (0..count).map(start).collect()
}

fn urls(servers: &[Server]) -> String {
    servers.iter().map(Server::url).collect::<Vec<_>>().join(",")
}

struct KeyFiles {
    private: String,
    public: String,
    token: String,
}

impl KeyFiles {
    fn write(directory: &Path, key: &TokenKey) -> Result<Self> {
        let signer = key.signer()?;
        let token =
            signer.sign(AccountId::SYSTEM, Role::Service, SystemClock.now(), chrono::Duration::hours(1))?;
        let write = |name: &str, text: String| -> Result<String> {
            let path = directory.join(name);
            std::fs::write(&path, text)?;
            Ok(path.to_str().context("a directory with an odd name")?.to_owned())
        };
        Ok(Self {
            private: write("key.pem", key.to_pem()?)?,
            public: write("key.pub.pem", key.to_public_pem()?)?,
            token: write("service.token", format!("{token}\n"))?,
        })
    }
}
