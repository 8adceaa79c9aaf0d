//! Which crate may use which, from `cargo metadata`, and the lints that all share.

use crate::sources;
use anyhow::{Context, Result, ensure};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

/// What of ours each crate may use, as `ARCHITECTURE.md` has it. Who isn't here may use all.
const MAY_USE: [(&str, &[&str]); 9] = [
    ("astragal-proto", &[]),
    ("astragal-support", &[]),
    ("astragal-rules", &[]),
    ("astragal-runtime", &["astragal-proto"]),
    ("astragal-gateway", &["astragal-proto", "astragal-runtime"]),
    ("astragal-rematch", &["astragal-proto", "astragal-runtime"]),
    ("astragal-matchmaking", &["astragal-proto", "astragal-runtime", "astragal-rules"]),
    ("astragal-engine", &["astragal-proto", "astragal-runtime", "astragal-rules"]),
    ("astragal-replay", &["astragal-proto", "astragal-runtime", "astragal-rules"]),
];
/// The binary, and what drives it from outside.
const MAY_USE_ALL: [&str; 2] = ["astragal", "astragal-tests"];
/// What the pure crates never touch: sockets, tasks, databases, clocks and the system's randomness.
const NOT_IN_RULES: [&str; 6] = ["tokio", "sqlx", "chrono", "getrandom", "tonic", "axum"];

fn metadata() -> Result<Metadata> {
    let manifest = sources::root().join("Cargo.toml");
    MetadataCommand::new().manifest_path(manifest).no_deps().exec().context("cargo metadata")
}

/// The names of what a crate needs to be built, without what only its tests need.
fn uses(package: &Package) -> impl Iterator<Item = &str> {
    let built = |kind| matches!(kind, DependencyKind::Normal | DependencyKind::Build);
    package.dependencies.iter().filter(move |used| built(used.kind)).map(|used| used.name.as_str())
}

#[test]
fn crates_use_what_they_may() -> Result<()> {
    for package in &metadata()?.packages {
        let name = package.name.as_str();
        if MAY_USE_ALL.contains(&name) {
            continue;
        }
        let (_, may_use) = MAY_USE
            .iter()
            .find(|(listed, _)| *listed == name)
            .with_context(|| format!("{name} isn't in the table of who may use whom"))?;
        let ours = uses(package).filter(|used| used.starts_with("astragal"));
        for used in ours {
            ensure!(may_use.contains(&used), "{name} may not use {used}");
        }
    }
    Ok(())
}

#[test]
fn the_rules_reach_nothing_outside_and_the_gateway_no_sql() -> Result<()> {
    for package in &metadata()?.packages {
        let banned: &[&str] = match package.name.as_str() {
            "astragal-rules" => &NOT_IN_RULES,
            "astragal-gateway" => &["sqlx"],
            _ => &[],
        };
        for used in uses(package) {
            ensure!(!banned.contains(&used), "{} may not use {used}", package.name);
        }
    }
    Ok(())
}

#[test]
fn every_crate_takes_the_shared_lints_and_versions() -> Result<()> {
    for package in &metadata()?.packages {
        let manifest = std::fs::read_to_string(&package.manifest_path)?;
        let squeezed: String = manifest.lines().map(str::trim).collect::<Vec<_>>().join("\n");
        ensure!(squeezed.contains("[lints]\nworkspace = true"), "{} has lints of its own", package.name);
        for shared in ["version", "edition", "rust-version", "license"] {
            ensure!(squeezed.contains(&format!("{shared}.workspace = true")), "{}: {shared}", package.name);
        }
    }
    Ok(())
}
