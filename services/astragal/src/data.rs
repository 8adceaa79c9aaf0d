//! The data directory of `dev`: a database a role, and the key that signs sessions.

use crate::flags::database::Database;
use anyhow::{Context, Result};
use astragal_runtime::auth::TokenKey;
use astragal_runtime::database::Location;
use astragal_runtime::entropy::Entropy;
use std::convert::Infallible;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

const KEY_FILE: &str = "token-key.pem";

/// Where everything is kept, or that nothing is.
#[derive(Clone)]
pub(crate) enum DataDirectory {
    /// In this directory.
    Path(PathBuf),
    /// In memory.
    Memory,
}

impl FromStr for DataDirectory {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text == ":memory:" { Self::Memory } else { Self::Path(text.into()) })
    }
}

impl DataDirectory {
    /// Where the database of a role lies.
    pub(crate) fn database(&self, role: &str) -> Database {
        Database::Embedded(match self {
            Self::Path(path) => Location::File(path.join(format!("{role}.sqlite"))),
            Self::Memory => Location::Memory,
        })
    }

    /// The key that signs sessions: made at the first start, so that tokens survive the next one.
    pub(crate) fn token_key(&self, entropy: &dyn Entropy) -> Result<TokenKey> {
        let Self::Path(directory) = self else { return Ok(TokenKey::generate(entropy)?) };
        fs::create_dir_all(directory).with_context(|| {
            let shown = directory.display();
            format!("can't make the directory {shown}; choose another one with --data")
        })?;
        let path = directory.join(KEY_FILE);
        match fs::read_to_string(&path) {
            Ok(pem) => TokenKey::from_pem(&pem).with_context(|| {
                format!("{} is not a key; move it away and sessions start anew", path.display())
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let key = TokenKey::generate(entropy)?;
                write_secret(&path, &key.to_pem()?).with_context(|| {
                    format!("can't write {}; choose another directory with --data", path.display())
                })?;
                Ok(key)
            }
            Err(error) => Err(error).with_context(|| format!("can't read {}", path.display())),
        }
    }
}

/// Written whole or not at all, for nobody else to read.
fn write_secret(path: &Path, text: &str) -> std::io::Result<()> {
    let draft = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(draft, path)
}
