//! Every requirement that is built has a test whose name holds its id, such as `l7_…` or `…_d10_…`.

use crate::sources;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;

/// The requirements that are built so far. Those of the page (W) are named by its own tests, those of the
/// documents (O4) by nothing that runs.
fn built() -> impl Iterator<Item = String> {
    let areas = [('l', 0..=14), ('d', 1..=14), ('r', 1..=12), ('p', 1..=6), ('g', 1..=8), ('o', 1..=3)];
    areas.into_iter().flat_map(|(area, numbers)| numbers.map(move |number| format!("{area}{number}")))
}

/// The ids in the names of all tests of a text.
fn ids(text: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some((_, after)) = line.split_once("fn ") {
            let name = after.split(['(', '<']).next().unwrap_or_default();
            if std::mem::take(&mut is_test) {
                ids.extend(name.split('_').map(str::to_owned));
            }
        }
    }
    ids
}

#[test]
fn every_requirement_is_named_by_a_test() -> Result<()> {
    let named: BTreeSet<_> = sources::rust()?.iter().flat_map(|source| ids(&source.text)).collect();
    let missing: Vec<_> = built().filter(|id| !named.contains(id)).collect();
    ensure!(missing.is_empty(), "no test names {}", missing.join(", ").to_uppercase());
    Ok(())
}

#[test]
fn ids_are_read_from_names_of_tests_alone() {
    let text = "fn l1_no_test() {}\n#[test]\nfn l2_d10_is_one() {}\n#[tokio::test]\nasync fn the_l3() {}\nfn l4() {}";
    let found = ids(text);
    for (id, expected) in [("l1", false), ("l2", true), ("d10", true), ("l3", true), ("l4", false)] {
        assert_eq!(found.contains(id), expected, "{id}");
    }
}
