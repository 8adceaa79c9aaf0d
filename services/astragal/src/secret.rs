//! A secret of a setting: the name of a file that holds it, or the secret itself, as environment
//! variables often have it. It is never printed.

use anyhow::{Context, Result};
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

/// How keys and tokens begin, and files do not.
const BEGINNINGS: [&str; 2] = ["-----BEGIN ", "eyJ"];

/// Where a key or a token comes from.
#[derive(Clone)]
pub(crate) enum Secret {
    /// From a file.
    File(PathBuf),
    /// From the setting itself.
    Text(String),
}

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let itself = BEGINNINGS.iter().any(|beginning| text.trim_start().starts_with(beginning));
        Ok(if itself { Self::Text(text.to_owned()) } else { Self::File(text.into()) })
    }
}

impl Secret {
    /// The key or the token.
    pub(crate) fn read(&self) -> Result<String> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            Self::File(path) => {
                std::fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))
            }
        }
    }

    /// Where it comes from, to be named when it is no good.
    pub(crate) fn source(&self) -> String {
        match self {
            Self::Text(_) => "what was given".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }
}
