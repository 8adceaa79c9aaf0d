//! Checks of single files.

use crate::sources::{self, Source};
use anyhow::{Result, ensure};

const LINES_WARN: usize = 400;
const LINES_MAX: usize = 600;

/// Files that may hand out the bytes of a seed: the seed itself with its test, what draws from it,
/// what writes the finished log, and the one module that keeps it.
const MAY_EXPOSE: [&str; 5] = [
    "services/rules/src/seed.rs",
    "services/rules/src/chance.rs",
    "services/rules/src/finished_log.rs",
    "services/engine/src/store/seed_column.rs",
    "services/rules/tests/chance/seed.rs",
];

fn complain(what: &str, found: &[String]) -> Result<()> {
    ensure!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
    Ok(())
}

fn places(source: &Source, wrong: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    let found: Vec<_> = (1..).zip(source.text.lines()).filter(|(_, line)| wrong(line)).collect();
    found.into_iter().map(|(number, line)| format!("{}:{number}: {}", source.path, line.trim()))
}

/// A test is the one place that may name what it forbids.
fn is_tidy(source: &Source) -> bool {
    source.path.starts_with("tests/tidy/")
}

#[test]
fn every_file_says_first_what_it_is() -> Result<()> {
    let silent = |source: &Source| !source.text.starts_with("//! ");
    let found: Vec<_> =
        sources::rust()?.iter().filter(|source| silent(source)).map(|s| s.path.clone()).collect();
    complain("files that don't begin with `//!`", &found)
}

#[test]
fn no_file_is_longer_than_a_reader_is_patient() -> Result<()> {
    let mut found = Vec::new();
    for source in sources::with_endings(&[".rs", ".ts", ".proto"])? {
        let lines = source.text.lines().count();
        if lines > LINES_MAX {
            found.push(format!("{}: {lines} lines", source.path));
        } else if lines > LINES_WARN {
            println!("{}: {lines} lines, perhaps two nouns", source.path);
        }
    }
    complain("files of more than 600 lines", &found)
}

#[test]
fn nothing_is_left_over() -> Result<()> {
    let leftovers = [
        "todo!",
        "unimplemented!",
        "dbg!",
        "TODO",
        "FIXME",
        "XXX",
        "#[ignore",
        ".only(",
        ".skip_test(",
        "HACK",
    ];
    let sources = sources::with_endings(&[".rs", ".ts", ".svelte", ".proto", ".sql"])?;
    let found: Vec<_> = sources
        .iter()
        .filter(|source| !is_tidy(source))
        .flat_map(|source| places(source, |line| leftovers.iter().any(|word| line.contains(word))))
        .collect();
    complain("leftovers", &found)
}

#[test]
fn l5_the_seed_is_read_in_few_files() -> Result<()> {
    let found: Vec<_> = sources::rust()?
        .iter()
        .filter(|source| !MAY_EXPOSE.contains(&source.path.as_str()) && !is_tidy(source))
        .flat_map(|source| places(source, |line| line.contains(".expose()") || line.contains("Seed::expose")))
        .collect();
    complain("files that take the bytes out of a seed", &found)
}

#[test]
fn no_registry_is_named() -> Result<()> {
    let hosts =
        ["crates.io", "index.crates", "registry.npmjs", "pypi.org", "proxy.golang", "docker.io", "ghcr.io"];
    let endings =
        [".rs", ".toml", ".ts", ".json", ".yaml", ".yml", ".sh", "Makefile", "Dockerfile", ".ci/run"];
    let found: Vec<_> = sources::with_endings(&endings)?
        .iter()
        .filter(|source| !is_tidy(source))
        .flat_map(|source| places(source, |line| hosts.iter().any(|host| line.contains(host))))
        .collect();
    complain("hosts of registries; a build takes them from its surroundings", &found)
}

#[test]
fn places_are_named_with_their_line() {
    let source = Source { path: "a.rs".to_owned(), text: "one\n  two todo!\n".to_owned() };
    assert_eq!(places(&source, |line| line.contains("todo!")).collect::<Vec<_>>(), ["a.rs:2: two todo!"]);
}
