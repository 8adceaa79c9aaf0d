//! The word lists that tables are judged by, as a process is given them.

use crate::dictionaries;
use crate::gcg;
use anyhow::Result;
use astragal_rules::crossword::dictionary::Dictionaries;
use astragal_rules::crossword::edition::Variant;
use clap::Args;
use std::path::PathBuf;

/// Files beside the words that every process has.
#[derive(Args)]
pub(crate) struct DictionaryFlags {
    /// Judge the words of a variant by this dictionary, such as `russian=russian.dict`; several with
    /// commas between them. Of one variant the last judges new tables, the others those that record
    /// them. Engines and matchmakings need the same. Every process has words for each variant.
    #[arg(
        long,
        env = "ASTRAGAL_DICTIONARIES",
        value_name = "VARIANT=FILE",
        value_delimiter = ',',
        value_parser = of_variant
    )]
    dictionary: Vec<(Variant, PathBuf)>,
}

impl DictionaryFlags {
    /// Reads them.
    pub(crate) fn read(&self) -> Result<Dictionaries> {
        dictionaries::at_hand(&self.dictionary)
    }
}

fn of_variant(text: &str) -> Result<(Variant, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !file.is_empty() => Ok((gcg::variant(name)?, file.into())),
        _ => Err("write the variant and its file, such as russian=russian.dict".to_owned()),
    }
}
