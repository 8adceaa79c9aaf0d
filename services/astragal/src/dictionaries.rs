//! Dictionaries as files, and those that are part of the program.

use crate::file;
use anyhow::{Context, Result, ensure};
use astragal_rules::crossword::dictionary::{Dictionaries, Dictionary};
use astragal_rules::crossword::edition::Variant;
use std::path::{Path, PathBuf};

/// Where they come from, and under which licences, is in `dictionaries/README.md`.
const BUILT_IN: [&[u8]; Variant::ALL.len()] = [
    include_bytes!("../dictionaries/english.dict"),
    include_bytes!("../dictionaries/russian.dict"),
    include_bytes!("../dictionaries/erudit.dict"),
    include_bytes!("../dictionaries/turkish.dict"),
];

/// Reads one that `astragal dictionary build` has written.
pub(crate) fn read(path: &Path) -> Result<Dictionary> {
    Dictionary::from_bytes(&file::bytes(path)?).with_context(|| format!("cannot use {}", path.display()))
}

/// Those of this program, and what else is named, of which the last of each variant judges new tables.
pub(crate) fn at_hand(files: &[(Variant, PathBuf)]) -> Result<Dictionaries> {
    let mut dictionaries = Dictionaries::default();
    for bytes in BUILT_IN {
        let built_in = Dictionary::from_bytes(bytes).context("cannot use the words of this program")?;
        dictionaries = dictionaries.with(built_in);
    }
    for (variant, path) in files {
        let dictionary = read(path)?;
        let (name, of) = (variant.edition().set.name(), dictionary.variant());
        let shown = path.display();
        ensure!(of == *variant, "the dictionary {shown} is for {}, not for {name}", of.edition().set.name());
        dictionaries = dictionaries.with(dictionary);
    }
    Ok(dictionaries)
}
