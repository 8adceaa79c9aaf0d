//! Where a role keeps its data, as one writes it in a setting.

use anyhow::{Result, bail};
use astragal_runtime::database::Location;
use std::str::FromStr;

/// An embedded database, or one that several processes share.
#[derive(Clone)]
pub(crate) enum DatabaseUrl {
    /// `sqlite:FILE` or `sqlite::memory:`.
    Embedded(Location),
    /// `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; never printed.
    Postgres(String),
}

impl FromStr for DatabaseUrl {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some(("sqlite", ":memory:")) => Ok(Self::Embedded(Location::Memory)),
            Some(("sqlite", file)) if !file.is_empty() => Ok(Self::Embedded(Location::File(file.into()))),
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
                Ok(Self::Postgres(text.to_owned()))
            }
            _ => bail!("write sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/DATABASE"),
        }
    }
}
