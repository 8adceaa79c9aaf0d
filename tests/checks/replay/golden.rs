//! The logs of `tests/golden`, one for each released version, and the timeline of one of them.

use anyhow::{Context, Result, ensure};
use astragal_rules::crossword::game::Crossword;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_rules::timeline::{TimelineStep, deal, follow, step};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

fn registry() -> Registry {
    Registry::new().with(Kalah).with(Crossword::default())
}

fn timeline(log: &FinishedLog) -> Result<Vec<TimelineStep>> {
    let mut table = registry().setup(&log.log().header())?;
    let mut steps = vec![deal(&*table)?];
    for logged in log.log().moves() {
        let after = follow(&*table, logged)?;
        steps.push(step(&*table, &*after, logged)?);
        table = after;
    }
    Ok(steps)
}

fn line(step: &TimelineStep) -> Result<Value> {
    Ok(json!({
        "number": step.number,
        "seat": step.seat,
        "move": serde_json::from_str::<Value>(&step.action)?,
        "annotations": serde_json::from_str::<Value>(&step.notes)?,
        "drew": step.drew,
        "view": serde_json::from_str::<Value>(&step.view)?,
        "toMove": step.to_move,
    }))
}

/// P6: every released version has a log, and it comes out as it did.
#[test]
fn p6_a_golden_log_of_each_released_version_replays() -> Result<()> {
    for game in registry().catalogue() {
        let about = game.about();
        for version in 1..=about.version {
            let file = golden(&format!("{}_{version}.json", about.name));
            let text =
                std::fs::read_to_string(&file).with_context(|| format!("{} is missing", file.display()))?;
            let log = FinishedLog::from_json(text.trim_end())?;
            ensure!(log.to_json()? == text.trim_end() && log.log().opening().version == version);
            registry().verify(&log, &log.log().commitment())?;
        }
    }
    Ok(())
}

/// P1: the golden timeline, and what anyone can work out with pencil and paper from line to line.
#[test]
fn p1_the_golden_timeline_of_a_crossword_game() -> Result<()> {
    let log = FinishedLog::from_json(std::fs::read_to_string(golden("crossword_1.json"))?.trim_end())?;
    let lines = timeline(&log)?.iter().map(line).collect::<Result<Vec<_>>>()?;
    let text: String = lines.iter().flat_map(|line| [line.to_string(), "\n".into()]).collect();
    let kept = std::fs::read_to_string(golden("crossword_1.timeline.jsonl"))?;
    ensure!(text == kept, "the timeline is another one:\n{text}");
    let seats = log.log().opening().seats.into();
    for (before, after) in lines.iter().zip(&lines[1..]) {
        by_hand(before, after, seats).with_context(|| format!("step {}", after["number"]))?;
    }
    Ok(())
}

/// A multiset of tiles.
fn tiles(text: &Value) -> BTreeMap<char, i64> {
    let mut tiles = BTreeMap::new();
    for tile in text.as_str().unwrap_or_default().chars() {
        *tiles.entry(tile).or_default() += 1;
    }
    tiles
}

fn add(to: &mut BTreeMap<char, i64>, more: &BTreeMap<char, i64>, sign: i64) {
    for (tile, count) in more {
        *to.entry(*tile).or_default() += sign * count;
    }
    to.retain(|_, count| *count != 0);
}

/// One step from the one before: squares, hands, bag and scores.
fn by_hand(before: &Value, after: &Value, seats: usize) -> Result<()> {
    let (was, is, notes) = (&before["view"], &after["view"], &after["annotations"]);
    let grid = |view: &Value| -> Vec<char> {
        view["board"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|row| row.as_str().unwrap_or("").chars())
            .collect()
    };
    let mut board = grid(was);
    let mut used = BTreeMap::new();
    for placed in notes["placed"].as_array().into_iter().flatten() {
        let square = placed[0].as_u64().context("a square")? as usize;
        let letter = placed[1].as_str().and_then(|letter| letter.chars().next()).context("a letter")?;
        ensure!(board[square] == '.', "a tile lies on a tile");
        board[square] = letter;
        *used.entry(if letter.is_lowercase() { '?' } else { letter }).or_default() += 1;
    }
    ensure!(board == grid(is), "the board is not the one before with the tiles that were laid");
    add(&mut used, &tiles(&after["move"]["exchange"]), 1);
    let mut drawn_count = 0;
    for seat in 0..seats {
        let mut hand = tiles(&was["hands"][seat]);
        if after["seat"] == seat {
            add(&mut hand, &used, -1);
        }
        let drawn = tiles(&notes["drawn"][seat]);
        drawn_count += drawn.values().sum::<i64>();
        add(&mut hand, &drawn, 1);
        ensure!(hand == tiles(&is["hands"][seat]), "the hand of seat {seat} does not add up");
        let points = |value: &Value| value.as_i64().context("points");
        let sum = points(&was["scores"][seat])? + notes["points"][seat].as_i64().unwrap_or_default();
        ensure!(sum == points(&is["scores"][seat])?, "the score of seat {seat} does not add up");
    }
    let back = tiles(&after["move"]["exchange"]).values().sum::<i64>();
    let bag = was["bag"].as_i64().context("a bag")? - drawn_count + back;
    ensure!(is["bag"].as_i64() == Some(bag), "the bag does not add up");
    Ok(())
}
