//! The data directory of `dev`: a database a role, and the key that signs sessions.

use crate::flags::database::Database;
use anyhow::{Context, Result, bail};
use astragal_runtime::auth::TokenKey;
use astragal_runtime::database::Location;
use astragal_runtime::entropy::Entropy;
use std::convert::Infallible;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

const KEY_FILE: &str = "token-key.pem";
/// Empty; what counts is who has locked it.
const LOCK_FILE: &str = "lock";

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
    /// Takes the directory for this process, for as long as what is returned lives. Two processes on the same files would
    /// not hear each other's news, nor know who is there.
    pub(crate) fn lock(&self) -> Result<Option<File>> {
        let Self::Path(directory) = self else { return Ok(None) };
        let shown = directory.display();
        let path = directory.join(LOCK_FILE);
        fs::create_dir_all(directory)
            .with_context(|| format!("can't make the directory {shown}; choose another one with --data"))?;
        let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let lock = opened.with_context(|| {
            format!("can't write {}; choose another directory with --data", path.display())
        })?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => {
                bail!("another process runs on {shown}; stop it, or choose another directory with --data")
            }
            // Not every file system has locks, and the data is no worse off there than it was.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(Some(lock)),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("can't lock {}", path.display()))
            }
        }
    }

    /// Where the database of a role lies.
    pub(crate) fn database(&self, role: &str) -> Database {
        Database::Embedded(match self {
            Self::Path(path) => Location::File(path.join(format!("{role}.sqlite"))),
            Self::Memory => Location::Memory,
        })
    }

    /// The key that signs sessions: made at the first start, so that tokens survive the next one. The directory is
    /// locked by now, and so it is there.
    pub(crate) fn token_key(&self, entropy: &dyn Entropy) -> Result<TokenKey> {
        let Self::Path(directory) = self else { return Ok(TokenKey::generate(entropy)?) };
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

#[cfg(test)]
mod tests {
    use super::*;

    /// O3: a directory is one process's, until that one is gone.
    #[test]
    fn o3_a_data_directory_is_taken_by_one_process() -> Result<()> {
        let parent = std::env::temp_dir().join(format!("astragal-lock-{}", std::process::id()));
        let data = DataDirectory::Path(parent.join("data"));
        let lock = data.lock()?;
        let refused = data.lock().map(drop).expect_err("a refusal").to_string();
        assert!(refused.contains("another process runs on") && refused.contains("--data"), "{refused}");
        drop(lock);
        assert!(data.lock()?.is_some(), "it is free again");
        assert!(DataDirectory::Memory.lock()?.is_none());
        fs::remove_dir_all(parent)?;
        Ok(())
    }
}
