//! The checker in Python, which was written from `docs/log-format.md` alone, against this build's rules.

use super::robot_games;
use anyhow::{Context, Result, ensure};
use astragal_rules::certificate::Certificate;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/checker.py");

/// Runs the checker over files.
pub(super) fn check(files: &[PathBuf]) -> Result<Output> {
    let ran = Command::new("python3").arg(CHECKER).args(files).output();
    ran.context("python3 is missing; `make test` installs it")
}

fn write(directory: &Path, name: impl std::fmt::Display, text: &str) -> Result<PathBuf> {
    let file = directory.join(format!("{name}.json"));
    std::fs::write(&file, text)?;
    Ok(file)
}

/// P5: both agree on 1,000 games between robots, by certificate and by log.
#[test]
fn p5_the_second_checker_agrees_on_a_thousand_games() -> Result<()> {
    let (directory, registry) = (tempfile::tempdir()?, Registry::new().with(Kalah));
    let (mut files, mut undone) = (Vec::new(), 0);
    for number in 0..1_000 {
        let certificate = robot_games::certificate(number)?;
        certificate.check(&registry)?;
        let text = certificate.to_json()?;
        undone += text.matches(r#""kind":"undo""#).count();
        files.push(write(directory.path(), number, &text)?);
        if number < 100 {
            files.push(write(directory.path(), format!("log-{number}"), &certificate.log.to_json()?)?);
        }
    }
    ensure!(undone > 1_000, "only {undone} moves were taken back");
    let output = check(&files)?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success() && said.starts_with("1100 hold"), "{output:?}");
    Ok(())
}

/// P5: what one refuses the other refuses too, byte by byte of some certificates.
#[test]
fn p5_the_second_checker_refuses_what_is_changed() -> Result<()> {
    let directory = tempfile::tempdir()?;
    let mut files = Vec::new();
    for number in 0..10 {
        let text = robot_games::certificate(number)?.to_json()?;
        for place in (number as usize..text.len()).step_by(97) {
            let mut changed = text.clone().into_bytes();
            changed[place] ^= 1;
            let changed = String::from_utf8(changed)?;
            ensure!(Certificate::from_json(&changed).is_err(), "{place} of {number} can be changed");
            files.push(write(directory.path(), format!("{number}-{place}"), &changed)?);
        }
    }
    let output = check(&files)?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(files.len() > 500 && said == format!("0 hold, {} don't\n", files.len()), "{said}");
    Ok(())
}
