//! `astragal gcg` on real games, on odd ones and on games of our own.

use anyhow::{Context, Result, ensure};
use astragal_tests::program;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

/// A folder of the shared test data.
#[allow(clippy::disallowed_methods, reason = "the place of the test data is a setting of the test run")]
fn data(folder: &str) -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    std::env::var("ASTRAGAL_DATA").map_or(beside, PathBuf::from).join("crossword").join(folder)
}

fn check(file: &Path) -> Result<Output> {
    program::run(&["gcg", "check", file.to_str().context("an odd path")?])
}

fn lines(output: &[u8]) -> Result<Vec<&str>> {
    Ok(std::str::from_utf8(output)?.lines().collect())
}

/// Crossword, build 4: every event of a real game scores the same, and is printed with score and total.
#[test]
fn gcg_real_games_score_the_same_at_every_event() -> Result<()> {
    let folder = data("gcg");
    let manifest: Value = serde_json::from_slice(&std::fs::read(folder.join("manifest_dev.json"))?)?;
    let games = manifest.as_array().context("a list")?;
    for game in games {
        let file = folder.join(game["file"].as_str().context("a name")?);
        let output = check(&file)?;
        ensure!(output.status.code() == Some(0), "{output:?}");
        let said = lines(&output.stdout)?;
        let (summary, events) = said.split_last().context("nothing was said")?;
        ensure!(events.len() as u64 == game["event_lines"], "{said:?}");
        for (nick, total) in game["final_scores"].as_object().context("scores")? {
            ensure!(summary.contains(&format!("{nick} {total}")), "{summary} has no {nick} {total}");
        }
        let written = std::fs::read(&file)?;
        for event in events {
            let line: usize = event.split_whitespace().next().context("no line number")?.parse()?;
            let bytes = written.split(|byte| *byte == b'\n').nth(line - 1).context("no such line")?;
            let theirs: String = bytes.iter().copied().map(char::from).collect();
            // Our line ends with score and total; theirs holds them, and remarks after them.
            let points = |text: &str| -> Vec<Option<i32>> {
                text.split_whitespace().map(|word| word.parse().ok()).collect()
            };
            let (ours, theirs) = (points(event), points(&theirs));
            let last = ours.last_chunk::<2>().context("no score and total")?;
            ensure!(theirs.windows(2).any(|pair| pair == last && pair[1].is_some()), "{event} differs");
        }
    }
    ensure!(games.len() == 22, "22 games are there");
    Ok(())
}

fn view(file: &Path) -> Result<Output> {
    program::run(&["gcg", "view", file.to_str().context("an odd path")?])
}

/// Crossword, build 4: a real game is stepped to its final board, a board an event.
#[test]
fn gcg_view_steps_real_games_to_their_final_boards() -> Result<()> {
    let folder = data("gcg");
    let manifest: Value = serde_json::from_slice(&std::fs::read(folder.join("manifest_dev.json"))?)?;
    let games = manifest.as_array().context("a list")?;
    for game in games {
        let file = folder.join(game["file"].as_str().context("a name")?);
        let output = view(&file)?;
        ensure!(output.status.code() == Some(0) && output.stderr.is_empty(), "{output:?}");
        let text = String::from_utf8(output.stdout)?;
        let pages: Vec<&str> = text.split("\n\n").collect();
        ensure!(pages.len() as u64 == 1 + game["event_lines"].as_u64().context("a number")?, "{text}");
        let mut laid = 0;
        for page in &pages {
            let board = board(page)?;
            let now = board.concat().chars().filter(|square| *square != '.').count();
            // Only a play that is taken back takes tiles off.
            ensure!(now >= laid || page.contains(" -- "), "tiles have gone: {page}");
            laid = now;
        }
        let last = pages.last().context("no page")?;
        ensure!(serde_json::json!(board(last)?) == game["final_board"], "{last}");
        for (nick, total) in game["final_scores"].as_object().context("scores")? {
            ensure!(
                last.lines().last().is_some_and(|line| line.contains(&format!("{nick} {total}"))),
                "{last}"
            );
        }
    }
    ensure!(games.len() == 22, "22 games are there");
    Ok(())
}

/// The rows of a page.
fn board(page: &str) -> Result<Vec<String>> {
    let rows = page.lines().skip(2).take(15);
    rows.map(|row| Ok(row.get(3..).context("a short row")?.split(' ').collect())).collect()
}

/// Crossword, bad input: the boards before the first difference are shown, and the difference is the error.
#[test]
fn gcg_view_stops_at_the_first_difference() -> Result<()> {
    let output = view(&data("gcg_edge").join("edge_14.gcg"))?;
    let (shown, said) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    ensure!(output.status.code() == Some(1), "{said}");
    ensure!(said.contains("line 4: the total is 33, the sum is 59"), "{said}");
    ensure!(shown.contains("line 3: ") && !shown.contains("line 4: "), "{shown}");
    Ok(())
}

/// Crossword, bad input: an odd file is scored to its end, or refused with the line where it is wrong.
#[test]
fn gcg_odd_files_are_scored_or_refused_by_line() -> Result<()> {
    let refusals = [
        ("edge_01", "line 18: the score is 115, by the rules it is 113, in >p1: ?BCHRUY N1 BRUnCH..Y"),
        ("edge_11", "line 1: the encoding \"ISO8859-6\" is not read"),
        ("edge_12", "line 4: the score is 20, by the rules it is 28"),
        ("edge_13", "line 12: the score is 0, by the rules it is -45"),
        ("edge_14", "line 4: the total is 33, the sum is 59"),
        ("edge_16", "line 29: the score is 1, by the rules it is 2"),
        ("edge_18", "line 7: G7: F is not on your rack"),
    ];
    for number in 1..=23 {
        let name = format!("edge_{number:02}");
        let output = check(&data("gcg_edge").join(format!("{name}.gcg")))?;
        let said = lines(&output.stderr)?;
        match refusals.iter().find(|(odd, _)| *odd == name) {
            None => ensure!(output.status.code() == Some(0) && said.is_empty(), "{name}: {output:?}"),
            Some((_, why)) => {
                ensure!(output.status.code() == Some(1), "{name}: {output:?}");
                ensure!(said.len() == 1 && said[0].contains(why), "{name}: {said:?}");
            }
        }
    }
    Ok(())
}

/// Crossword, bad input: the events before the first difference are printed, nothing after it.
#[test]
fn gcg_check_stops_at_the_first_difference() -> Result<()> {
    let output = check(&data("gcg_edge").join("edge_01.gcg"))?;
    let said = lines(&output.stdout)?;
    let last = said.last().context("nothing was said")?;
    ensure!(said.len() == 14 && last.trim_start().starts_with("17 "), "{said:?}");
    Ok(())
}

/// Crossword, bad input: lines of 10 MB, cut files, other encodings and files that are none.
#[test]
fn gcg_bad_files_are_refused_with_the_line() -> Result<()> {
    let folder = TempDir::new()?;
    let head = "#player1 a Ann\n#player2 b Bob\n";
    let bad: [(Vec<u8>, &str); 5] = [
        (
            format!("{head}>a: {} 8H AB +8 8\n", "A".repeat(10 << 20)).into(),
            "line 3: the line is longer than",
        ),
        (format!("{head}>a: AB 8H AB +8").into(), "line 3: not an event: the total is missing"),
        ([b"#character-encoding UTF-8\n", head.as_bytes(), b">a: \xff 8H"].concat(), "line 4: the bytes are"),
        (format!("#character-encoding KOI8-R\n{head}").into(), "line 1: the encoding \"KOI8-R\" is not read"),
        (Vec::new(), "line 1: the file names no player"),
    ];
    let file = folder.path().join("game.gcg");
    for (bytes, why) in bad {
        std::fs::write(&file, bytes)?;
        let output = check(&file)?;
        ensure!(output.status.code() == Some(1) && output.stdout.is_empty(), "{why}: {output:?}");
        let said = lines(&output.stderr)?;
        ensure!(said.len() == 1 && said[0].contains(why), "{why}: {said:?}");
    }
    let missing = check(&folder.path().join("none"))?;
    ensure!(missing.status.code() == Some(1), "{missing:?}");
    Ok(())
}

/// Crossword, build 4: a finished log of each variant is written as GCG, which scores the same again.
#[test]
fn gcg_of_finished_logs_scores_the_same_again() -> Result<()> {
    let folder = TempDir::new()?;
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../services/rules/tests/golden");
    for variant in ["english", "russian", "erudit", "turkish"] {
        let log = logs.join(format!("log_crossword_{variant}.json"));
        let log = log.to_str().context("an odd path")?;
        let exported = program::run(&["gcg", "export", log, "--name", "Änne"])?;
        ensure!(exported.status.code() == Some(0), "{exported:?}");
        let file = folder.path().join(format!("{variant}.gcg"));
        std::fs::write(&file, &exported.stdout)?;
        ensure!(std::str::from_utf8(&exported.stdout)?.contains("#player1 p1 Änne\n"), "{exported:?}");
        let checked =
            program::run(&["gcg", "check", file.to_str().context("an odd path")?, "--variant", variant])?;
        ensure!(checked.status.code() == Some(0), "{checked:?}");
        let verified = String::from_utf8(program::run(&["verify", log])?.stdout)?;
        let said = lines(&checked.stdout)?;
        let totals = said.last().and_then(|said| said.split_once(": ")).context("no totals")?.1;
        for (number, total) in (0..).zip(totals.split(", ")) {
            let total = total.split(' ').next_back().context("no total")?;
            let seat = verified.lines().find(|line| line.starts_with(&format!("seat {number} ")));
            ensure!(
                seat.is_some_and(|seat| seat.contains(&format!(" {total} points"))),
                "{totals}\n{verified}"
            );
        }
    }
    let kalah = logs.join("log_kalah.json");
    let refused = program::run(&["gcg", "export", kalah.to_str().context("an odd path")?])?;
    let said = lines(&refused.stderr)?;
    ensure!(refused.status.code() == Some(1) && said[0].contains("only crossword"), "{refused:?}");
    Ok(())
}
