//! Dictionaries as files, and the one that is part of the program.

use crate::file;
use anyhow::{Context, Result, ensure};
use astragal_rules::crossword::dictionary::{Dictionaries, Dictionary};
use astragal_rules::crossword::edition::Variant;
use std::path::{Path, PathBuf};

/// Where it comes from, and under which licence, is in `dictionaries/README.md`.
const ENGLISH: &[u8] = include_bytes!("../dictionaries/english.dict");

/// Reads one that `astragal dictionary build` has written.
pub(crate) fn read(path: &Path) -> Result<Dictionary> {
    Dictionary::from_bytes(&file::bytes(path)?).with_context(|| format!("cannot use {}", path.display()))
}

/// English, and what else is named, of which the last of each variant judges new tables.
pub(crate) fn at_hand(files: &[(Variant, PathBuf)]) -> Result<Dictionaries> {
    let english = Dictionary::from_bytes(ENGLISH).context("cannot use the English words of this program")?;
    let mut dictionaries = Dictionaries::default().with(english);
    for (variant, path) in files {
        let dictionary = read(path)?;
        let (name, of) = (variant.edition().set.name(), dictionary.variant());
        let shown = path.display();
        ensure!(of == *variant, "the dictionary {shown} is for {}, not for {name}", of.edition().set.name());
        dictionaries = dictionaries.with(dictionary);
    }
    Ok(dictionaries)
}
