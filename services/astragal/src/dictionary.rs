//! `astragal dictionary`: the compact form of a word list, which engines judge by.

use crate::{file, gcg};
use anyhow::{Context, Result, anyhow, ensure};
use astragal_rules::crossword::dictionary::Dictionary;
use astragal_rules::crossword::edition::Variant;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

/// A name is part of the options of every table that the words judge.
const NAME_CHARACTERS_MAX: usize = 64;

/// What to do with word lists.
#[derive(Args)]
pub(crate) struct DictionarySettings {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Builds a dictionary of a word list and prints its SHA-256.
    Build(BuildSettings),
}

#[derive(Args)]
struct BuildSettings {
    /// A word a line, in UTF-8; empty lines and those that begin with # are left out.
    list: PathBuf,
    /// Where the dictionary is written.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The tile set whose letters the words are of.
    #[arg(long, value_name = "NAME", value_parser = gcg::variant)]
    alphabet: Variant,
    /// The name that tables record; without it, that of the list's file.
    #[arg(long)]
    name: Option<String>,
    /// A text that says where the words come from and under which licence; it becomes part of the
    /// dictionary.
    #[arg(long, value_name = "FILE")]
    notice: Option<PathBuf>,
}

/// Writes the file, or fails with the line of the list that is wrong.
pub(crate) fn run(settings: &DictionarySettings) -> Result<()> {
    match &settings.task {
        Task::Build(settings) => build(settings),
    }
}

#[expect(clippy::print_stdout, reason = "the digest is what others compare")]
fn build(settings: &BuildSettings) -> Result<()> {
    let list = file::text(&settings.list)?;
    let notice = settings.notice.as_deref().map(file::text).transpose()?.unwrap_or_default();
    let name = match &settings.name {
        Some(name) => name.clone(),
        None => stem(&settings.list)?,
    };
    let fits = (1..=NAME_CHARACTERS_MAX).contains(&name.chars().count());
    ensure!(
        fits && !name.contains(char::is_control),
        "a name has 1 to {NAME_CHARACTERS_MAX} characters on one line"
    );
    let wrong = |error| anyhow!("{}: {error}", settings.list.display());
    let built = Dictionary::build(&name, settings.alphabet, &notice, &list).map_err(wrong)?;
    let bytes = built.to_bytes();
    // Whatever is written can be read again: a notice may be too long.
    Dictionary::from_bytes(&bytes).context("the notice does not fit into a dictionary")?;
    file::write(&settings.output, &bytes)?;
    println!("{}  {}", built.sha256(), settings.output.display());
    println!("{} words, {} bytes", built.words(), bytes.len());
    Ok(())
}

fn stem(list: &Path) -> Result<String> {
    let stem = list.file_stem().and_then(|stem| stem.to_str());
    Ok(stem.context("the name of the list is not text; give the dictionary a name with --name")?.to_owned())
}
