//! Dictionaries as files.

use crate::file;
use anyhow::{Context, Result};
use astragal_rules::crossword::dictionary::Dictionary;
use std::path::Path;

/// Reads one that `astragal dictionary build` has written.
pub(crate) fn read(path: &Path) -> Result<Dictionary> {
    Dictionary::from_bytes(&file::bytes(path)?).with_context(|| format!("cannot use {}", path.display()))
}
