//! Timelines of random games: from each step to the next no tile is lost, and the last is the table.

use crate::play_outs::{judge_of, play_out, settings};
use crate::table;
use crate::toys::played::Setting;
use crate::toys::random::Whim;
use astragal_rules::game::Viewer;
use astragal_rules::timeline::{deal, follow, step};
use serde_json::Value;

/// Tiles in order, as one word.
fn sorted(parts: &[&str]) -> Vec<char> {
    let mut tiles: Vec<char> = parts.iter().flat_map(|part| part.chars()).collect();
    tiles.sort_unstable();
    tiles
}

fn count(value: &Value) -> i64 {
    value.as_str().map_or(0, |text| text.chars().map(|_| 1).sum())
}

/// P1: what was drawn is what a hand has now and had not before, in a thousand games; the bag shrinks by it.
#[test]
fn p1_the_tiles_drawn_add_up_in_a_thousand_games() {
    let registry = table::registry();
    let (mut whim, mut games, mut drawn) = (Whim::new(11), 0, 0);
    for setting in settings() {
        let judge = judge_of(&setting);
        for seed in 0..28 {
            let played = play_out(&registry, Setting { seed, ..setting }, &judge, &mut whim);
            let mut now = registry.setup(&played.log().header()).unwrap();
            let mut before: Value = serde_json::from_str(&deal(&*now).unwrap().view).unwrap();
            for logged in played.moves() {
                let after = follow(&*now, logged).unwrap();
                let shown = step(&*now, &*after, logged).unwrap();
                let (view, notes): (Value, Value) =
                    (serde_json::from_str(&shown.view).unwrap(), serde_json::from_str(&shown.notes).unwrap());
                if notes["drawn"].is_array() {
                    drawn += adds_up(&before, &view, &notes, &serde_json::from_str(&shown.action).unwrap());
                }
                (now, before) = (after, view);
            }
            assert_eq!(now.state_json().unwrap(), played.state());
            assert_eq!(now.view(Viewer::Admin).unwrap(), played.now().view(Viewer::Admin).unwrap());
            games += 1;
        }
    }
    assert!(games >= 1_000 && drawn > 30_000, "{games} games, {drawn} tiles");
}

/// Every hand before, with what was drawn, is the hand after with what left it. Gives how many were drawn.
fn adds_up(before: &Value, after: &Value, notes: &Value, action: &Value) -> i64 {
    let text = |value: &Value, seat: usize| value[seat].as_str().unwrap_or_default().to_owned();
    let laid: String = notes["placed"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|placed| placed[1].as_str()?.chars().next())
        .map(|letter| if letter.is_lowercase() { '?' } else { letter })
        .collect();
    let given = format!("{laid}{}", action["exchange"].as_str().unwrap_or_default());
    let back = action["verdict"] == false;
    let seats = after["hands"].as_array().unwrap().len();
    let (mut left, mut drawn) = (given.clone(), 0);
    for seat in 0..seats {
        let has = sorted(&[&text(&before["hands"], seat), &text(&notes["drawn"], seat)]);
        let alone = sorted(&[&text(&after["hands"], seat)]);
        // The hand of the mover, who alone gave tiles away.
        if has != alone && !back {
            assert_eq!(has, sorted(&[&text(&after["hands"], seat), &left]), "{action} {notes}");
            left.clear();
        }
        drawn += count(&notes["drawn"][seat]);
    }
    let exchanged = count(&action["exchange"]);
    if !back {
        assert_eq!(
            after["bag"].as_i64(),
            before["bag"].as_i64().map(|bag| bag - drawn + exchanged),
            "{action}"
        );
    }
    drawn
}
