//! The roles as processes of their own over SQLite files: any number of engines and gateways, one
//! matchmaking, and the key of their installation. It knows nothing of the protocol.

use crate::server::{Launch, Server};
use anyhow::{Context, Result};
use astragal_runtime::auth::{Role, TokenKey};
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::id::AccountId;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// Roles that run, each in a process.
pub struct Roles {
    scratch: TempDir,
    key: TokenKey,
    /// All engines, on one database.
    pub engines: Vec<Server>,
    /// The one matchmaking.
    pub matchmaking: Server,
    /// All gateways.
    pub gateways: Vec<Server>,
}

impl Roles {
    /// Starts them, each on a free port. Gateways ask for missed moves every `heads_interval`; every
    /// second one has the public key only.
    pub fn start(engines: usize, gateways: usize, heads_interval: Duration) -> Result<Self> {
        let scratch = tempfile::Builder::new().prefix("astragal-roles-").tempdir()?;
        let key = TokenKey::generate(&OsEntropy)?;
        let files = KeyFiles::write(scratch.path(), &key)?;
        let database = |role: &str| format!("sqlite:{}", scratch.path().join(role).display());
        let engine = || {
            Launch::role("engine")?
                .flag("--database-url", &database("engine.sqlite"))
                .flag("--token-public-key", &files.public)
                .start()
        };
        let engines = (0..engines).map(|_| engine()).collect::<Result<Vec<_>>>()?;
        let engine_urls = engines.iter().map(Server::url).collect::<Vec<_>>().join(",");
        let matchmaking = Launch::role("matchmaking")?
            .flag("--database-url", &database("matchmaking.sqlite"))
            .flag("--engine-url", &engine_urls)
            .variable("ASTRAGAL_TOKEN_KEY", &key.to_pem()?)
            .start()?;
        let gateway = |number: usize| {
            let launch = Launch::role("gateway")?
                .flag("--frames-per-second-max", "1000000")
                .flag("--heads-interval", &format!("{}ms", heads_interval.as_millis()))
                .flag("--matchmaking-url", matchmaking.url())
                .variable("ASTRAGAL_ENGINE_URL", &engine_urls);
            let launch = if number.is_multiple_of(2) {
                launch.flag("--token-key", &files.private)
            } else {
                launch.flag("--token-public-key", &files.public).flag("--service-token", &files.token)
            };
            launch.start()
        };
        let gateways = (0..gateways).map(gateway).collect::<Result<Vec<_>>>()?;
        Ok(Self { scratch, key, engines, matchmaking, gateways })
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
