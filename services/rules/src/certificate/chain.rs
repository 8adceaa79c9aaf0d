//! The chain of digests: its first link is of everything but the journal, each further one of the link
//! before and one entry. So a changed byte anywhere gives another last link.

use crate::canonical::canonical;
use crate::error::InvalidGame;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The last link over a file without its chain, in lower-case hex.
pub(super) fn digest(file: &Value) -> Result<String, InvalidGame> {
    let members = file.as_object().ok_or_else(|| InvalidGame::new("certificate", "not an object"))?;
    let besides: BTreeMap<_, _> = members.iter().filter(|(name, _)| *name != "journal").collect();
    let journal = members.get("journal").and_then(Value::as_array);
    let journal = journal.ok_or_else(|| InvalidGame::new("journal", "not a list"))?;
    let mut link = Sha256::digest(text("certificate", &besides)?);
    for (place, entry) in journal.iter().enumerate() {
        let entry = text(format_args!("journal[{place}]"), entry)?;
        link = Sha256::new().chain_update(link).chain_update(entry).finalize();
    }
    Ok(hex::encode(link))
}

fn text(place: impl std::fmt::Display, value: &impl Serialize) -> Result<String, InvalidGame> {
    canonical(value).map_err(|error| InvalidGame::new(place, error))
}
