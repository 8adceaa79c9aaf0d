//! The checker in Python, which was written from `docs/log-format.md` alone, against this build's rules.

use super::robot_games;
use anyhow::{Context, Result, ensure};
use astragal_rules::certificate::journal::Event;
use astragal_rules::certificate::{Certificate, SeriesGame};
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use uuid::Uuid;

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

/// P5: what no table writes both refuse, although its chain is whole.
#[test]
fn p5_both_checkers_refuse_what_no_table_writes() -> Result<()> {
    let (directory, registry) = (tempfile::tempdir()?, Registry::new().with(Kalah));
    let lies: [fn(&mut Certificate); 12] = [
        |file| file.opened_at_us = file.journal[0].at_us + 1,
        |file| file.journal[3].at_us = file.journal[2].at_us - 1,
        |file| file.journal[3].spent_us = -1,
        |file| file.journal[0].spent_us = 1,
        |file| file.journal[3].credit_us = 500_001,
        |file| file.journal[3].runs = Some(Seat(7)),
        |file| file.journal[0].runs = Some(Seat(0)),
        |file| file.clock = None,
        |file| file.journal[0].event = Event::ClockResumed {},
        |file| file.series.games.insert(0, file.series.games[0].clone()),
        |file| file.series.games.insert(0, SeriesGame { first_seat: Seat(9), ..other(file) }),
        |file| file.series.games.insert(0, SeriesGame { scores: vec![1], ..other(file) }),
    ];
    let mut files = Vec::new();
    for (number, lie) in lies.iter().enumerate() {
        let mut certificate = robot_games::certificate(1)?;
        lie(&mut certificate);
        ensure!(certificate.check(&registry).is_err(), "lie {number} is believed");
        files.push(write(directory.path(), number, &certificate.to_json()?)?);
    }
    let mut later = robot_games::certificate(1)?;
    later.series.games.insert(0, other(&later));
    later.check(&registry)?;
    files.push(write(directory.path(), "true", &later.to_json()?)?);
    let output = check(&files)?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(said == format!("1 hold, {} don't\n", lies.len()), "{said}");
    Ok(())
}

/// An earlier game of the same seats.
fn other(file: &Certificate) -> SeriesGame {
    SeriesGame { table: Uuid::from_u128(77), ..file.series.games[0].clone() }
}
