//! What a viewer can't see changes nothing for it: two tables that differ only in that look the
//! same, byte for byte, in views, notes, errors and robots' moves. G5.

use crate::play_outs::{a_move, judge_of, settings};
use crate::table;
use crate::toys::played::{Played, Setting};
use crate::toys::random::Whim;
use astragal_rules::any::AnyTable;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::game::{Judge, Viewer};
use astragal_rules::seat::Seat;
use serde_json::{Value, json};
use std::fmt::Write;

/// Mixes the bag and the racks that the viewer does not see, but for the tiles that the next move
/// needs.
fn disguised(
    table: &dyn AnyTable,
    viewer: Viewer,
    kept: Option<(Seat, &str)>,
    whim: &mut Whim,
) -> Box<dyn AnyTable> {
    let mut state = table::state(table);
    let variant: Variant = serde_json::from_value(state["data"]["variant"].clone()).unwrap();
    let alphabet = &variant.edition().alphabet;
    let unseen = |seat: usize| viewer != Viewer::Seat(Seat(seat as u8));
    let data = &mut state["data"];
    let mut racks: Vec<Vec<char>> = data["racks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rack| rack.as_str().unwrap().chars().collect())
        .collect();
    let sizes: Vec<usize> = racks.iter().map(Vec::len).collect();
    let mut hidden: Vec<char> = data["bag"].as_str().unwrap().chars().collect();
    let bag = hidden.len();
    for (seat, rack) in racks.iter_mut().enumerate().filter(|(seat, _)| unseen(*seat)) {
        let needed = kept.filter(|(holder, _)| holder.index() == seat).map_or("", |(_, needed)| needed);
        let mut own = Vec::new();
        for character in needed.chars() {
            let tile =
                alphabet.laid(character).map_or(character, |laid| alphabet.face_character(laid.tile()));
            if let Some(place) = rack.iter().position(|held| *held == tile) {
                own.push(rack.swap_remove(place));
            }
        }
        hidden.append(rack);
        *rack = own;
    }
    for last in (1..hidden.len()).rev() {
        hidden.swap(last, whim.below(last + 1));
    }
    for (rack, size) in racks.iter_mut().zip(sizes) {
        let missing = size - rack.len();
        rack.extend(hidden.drain(..missing));
    }
    assert_eq!(hidden.len(), bag);
    let sorted = |tiles: &[char]| {
        let mut tiles = tiles.to_vec();
        tiles.sort_by_key(|tile| alphabet.face(*tile));
        Value::from(tiles.into_iter().collect::<String>())
    };
    data["racks"] = racks.iter().map(|rack| sorted(rack)).collect();
    data["bag"] = sorted(&hidden);
    table::restored(table, &state)
}

/// All that the viewer gets of a table, refusals of its own moves included.
fn sight(table: &dyn AnyTable, viewer: Viewer, judge: &dyn Judge) -> String {
    let mut sight = format!("{} {:?} {:?}", table.view(viewer).unwrap(), table.turn(), table.outcome());
    if let Viewer::Seat(seat) = viewer {
        write!(sight, "{:?} {:?}", table.robot_move(seat, 5, &[3; 32]), table.legal_moves(seat)).unwrap();
        for action in [
            table::play("1A", "ZZ"),
            table::play("8G", "ЯЯ"),
            table::play("H7", "..."),
            json!({ "exchange": "????" }).to_string(),
            json!({ "challenge": false }).to_string(),
            json!({ "verdict": true }).to_string(),
        ] {
            let error = table.step(Some(seat), &action, judge).err().map(|error| error.to_string());
            write!(sight, " {error:?}").unwrap();
        }
    }
    sight
}

/// The tiles that a move needs, and the move that looks the same with any others.
fn needed(action: &str) -> String {
    let action: Value = serde_json::from_str(action).unwrap();
    action["play"]["tiles"].as_str().unwrap_or("").replace('.', "")
}

/// The same move at the twin table: of an exchange only the number of tiles is known.
fn counterpart(action: &str, twin: &dyn AnyTable, seat: Seat) -> String {
    let value: Value = serde_json::from_str(action).unwrap();
    let Some(tiles) = value["exchange"].as_str() else { return action.to_owned() };
    let rack: String = table::rack(twin, seat.index()).chars().take(tiles.chars().count()).collect();
    json!({ "exchange": rack }).to_string()
}

fn check_step(
    played: &Played,
    viewer: Viewer,
    seat: Seat,
    action: &str,
    judge: &dyn Judge,
    whim: &mut Whim,
) -> bool {
    let before = played.now();
    let needs = needed(action);
    let twin = disguised(before, viewer, Some((seat, &needs)), whim);
    assert_eq!(sight(&*twin, viewer, judge), sight(before, viewer, judge));
    let (Ok(step), Ok(twin_step)) = (
        before.step(Some(seat), action, judge),
        twin.step(Some(seat), &counterpart(action, &*twin, seat), judge),
    ) else {
        return false;
    };
    // Racks are shown at the end, and what the viewer draws is its own to know.
    let draws = |table: &dyn AnyTable| matches!(viewer, Viewer::Seat(seat) if table::rack(table, seat.index()) != table::rack(before, seat.index()));
    if step.after.outcome().is_some() || twin_step.after.outcome().is_some() || draws(&*step.after) {
        return false;
    }
    assert_eq!(sight(&*twin_step.after, viewer, judge), sight(&*step.after, viewer, judge));
    let shown = step.after.shown(before, &step.logged, viewer).unwrap();
    assert_eq!(twin_step.after.shown(&*twin, &twin_step.logged, viewer).unwrap(), shown);
    true
}

#[test]
fn g5_crossword_what_a_viewer_cannot_see_changes_nothing_for_it() {
    let registry = table::registry();
    let (mut compared, mut whim) = (0, Whim::new(3));
    for setting in settings() {
        let judge = judge_of(&setting);
        let variant =
            Variant::ALL.into_iter().find(|variant| setting.options.contains(variant.edition().set.name()));
        for seed in 0..4 {
            let mut played = Played::open(&registry, Setting { seed, ..setting });
            for _ in 0..40 {
                if played.now().outcome().is_some() {
                    break;
                }
                if let Some(due) = played.now().automatic(&judge).unwrap() {
                    played.step(None, &due, &judge).unwrap();
                    continue;
                }
                let seat = played.now().turn().acting.unwrap();
                let action = a_move(played.now(), seat, &mut whim, variant.unwrap());
                for viewer in Seat::all(setting.seats).map(Viewer::Seat).chain([Viewer::Spectator]) {
                    if viewer != Viewer::Seat(seat) {
                        compared += u32::from(check_step(&played, viewer, seat, &action, &judge, &mut whim));
                    }
                }
                let _ = played.step(Some(seat.0), &action, &judge);
            }
        }
    }
    assert!(compared > 3_000, "only {compared} moves were compared");
}

#[test]
fn g5_crossword_a_refused_move_tells_nothing_of_the_bag() {
    // The bag is told as a number, in the one error that speaks of it.
    let position = |racks: &[&str]| {
        table::Position { options: r#"{"words":"any"}"#, racks, rows: &[(4, ".....CAT.......")], bag: 6 }
            .table()
    };
    let says =
        |racks| table::refused(&*position(racks), 0, r#"{"exchange":"A"}"#, &astragal_rules::game::AcceptAll);
    assert_eq!(says(&["AAAAAAA", "EEEEEEE"]), says(&["AAAAAAA", "QZXJKVW"]));
}
