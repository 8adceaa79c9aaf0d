//! Two states that differ only in what a viewer can't see look the same to that viewer, byte for
//! byte: the position, the legal moves, and each move of another as it is shown.

use crate::samples::{open, rack};
use crate::toys::NoTwins;
use crate::toys::played::{Played, Setting};
use crate::toys::random::{Whim, next_move, play_on};
use astragal_rules::any::AnyTable;
use astragal_rules::game::Viewer;
use astragal_rules::seat::Seat;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// The same table with everything changed that the viewer has no right to see.
fn disguised(table: &dyn AnyTable, played: &Played, viewer: Viewer, whim: &mut Whim) -> Box<dyn AnyTable> {
    let mut state: Value = serde_json::from_str(&table.state_json().unwrap()).unwrap();
    let own = |seat: usize| viewer == Viewer::Seat(Seat(seat as u8));
    match played.now().opening().game.as_str() {
        "dare" => {
            let chosen = state["data"]["chosen"].as_array_mut().unwrap();
            for (_, choice) in
                chosen.iter_mut().enumerate().filter(|(seat, choice)| !own(*seat) && !choice.is_null())
            {
                *choice = json!(1 + whim.below(3));
            }
        }
        _ => deal_anew(&mut state["data"], own, whim),
    }
    let game = played.registry.newest(&played.now().opening().game).unwrap();
    game.restore(Arc::clone(table.opening()), &state.to_string()).unwrap()
}

/// Mixes the bag and the racks that are not seen. What a seat drew last is among its tiles.
fn deal_anew(data: &mut Value, own: impl Fn(usize) -> bool, whim: &mut Whim) {
    let text = |tiles: &Value| tiles.as_str().unwrap().to_owned();
    let mut hidden: Vec<char> = text(&data["bag"]).chars().collect();
    let racks = data["racks"].as_array().unwrap().clone();
    for (_, rack) in racks.iter().enumerate().filter(|(seat, _)| !own(*seat)) {
        hidden.extend(text(rack).chars());
    }
    for last in (1..hidden.len()).rev() {
        hidden.swap(last, whim.below(last + 1));
    }
    let mut deal = |count: usize| {
        let mut tiles = hidden.split_off(hidden.len() - count);
        tiles.sort_unstable();
        Value::from(tiles.into_iter().collect::<String>())
    };
    for (seat, rack) in racks.iter().enumerate().filter(|(seat, _)| !own(*seat)) {
        data["racks"][seat] = deal(text(rack).len());
        if data["fresh"]["seat"] == seat {
            let drawn = text(&data["fresh"]["drawn"]).len();
            data["fresh"]["drawn"] = Value::from(&data["racks"][seat].as_str().unwrap()[..drawn]);
        }
    }
    data["bag"] = deal(text(&data["bag"]).len());
}

/// All that the viewer gets of a table.
fn sight(table: &dyn AnyTable, viewer: Viewer) -> String {
    let own_moves = match viewer {
        Viewer::Seat(seat) => (table.legal_moves(seat), table.robot_move(seat, 2, &[3; 32])),
        _ => (Ok(None), Ok(None)),
    };
    format!("{} {own_moves:?} {:?} {:?}", table.view(viewer).unwrap(), table.turn(), table.outcome())
}

/// A hidden move of the same size for another position: a choice, or other tiles.
fn counterpart(action: &str, table: &dyn AnyTable, seat: u8, whim: &mut Whim) -> String {
    let action: Value = serde_json::from_str(action).unwrap();
    if let Some(tiles) = action["exchange"].as_str() {
        let state: Value = serde_json::from_str(&table.state_json().unwrap()).unwrap();
        let rack = state["data"]["racks"][usize::from(seat)].as_str().unwrap();
        return json!({ "exchange": &rack[..tiles.len()] }).to_string();
    }
    if action["dice"].is_number() {
        return json!({ "dice": 1 + whim.below(3) }).to_string();
    }
    action.to_string()
}

fn hidden_games() -> impl Strategy<Value = Setting> {
    let form = prop_oneof![
        Just(("dare", "{}")),
        Just(("letters", r#"{"variant":"long"}"#)),
        Just(("letters", r#"{"variant":"long","words":"challenged"}"#)),
    ];
    (form, 2..=4_u8, any::<u8>()).prop_map(|((game, options), seats, seed)| Setting {
        seats,
        options,
        seed,
        ..Setting::of(game)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn g5_what_a_viewer_cannot_see_changes_nothing_for_it(
        setting in hidden_games(),
        number in any::<u64>(),
        length in 0..20_usize,
    ) {
        let mut played = open(setting);
        let mut whim = Whim::new(number);
        play_on(&mut played, &mut whim, length);
        for viewer in Seat::all(setting.seats).map(Viewer::Seat).chain([Viewer::Spectator]) {
            let before = played.now();
            let twin = disguised(before, &played, viewer, &mut whim);
            prop_assert_eq!(sight(&*twin, viewer), sight(before, viewer));
            if before.outcome().is_some() {
                continue;
            }
            // One more move, made by somebody else, that settles nothing yet.
            let (seat, action) = next_move(before, &mut whim);
            let Some(mover) = seat.filter(|seat| viewer != Viewer::Seat(Seat(*seat))) else { continue };
            let other = counterpart(&action, &*twin, mover, &mut whim);
            let Ok(step) = before.step(Some(Seat(mover)), &action, &NoTwins) else { continue };
            let Ok(twin_step) = twin.step(Some(Seat(mover)), &other, &NoTwins) else { continue };
            if setting.game == "dare" && step.logged.drew {
                continue;
            }
            prop_assert_eq!(sight(&*twin_step.after, viewer), sight(&*step.after, viewer));
            let shown = step.after.shown(before, &step.logged, viewer).unwrap();
            let twin_shown = twin_step.after.shown(&*twin, &twin_step.logged, viewer).unwrap();
            prop_assert_eq!(shown, twin_shown);
        }
    }
}

#[test]
fn g5_a_choice_is_shown_to_its_own_seat_and_to_all_once_thrown() {
    let mut played = open(Setting { seats: 3, ..Setting::of("dare") });
    played.play(1, r#"{"dice":3}"#);
    let shown = |played: &Played, viewer| {
        let last = played.moves().len();
        played.now().shown(played.after(last - 1), &played.moves()[last - 1], viewer).unwrap()
    };
    for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(2)), Viewer::Spectator] {
        assert_eq!(shown(&played, viewer).action, "{}");
        assert_eq!(shown(&played, viewer).notes, "{}");
    }
    for viewer in [Viewer::Seat(Seat(1)), Viewer::Admin] {
        assert_eq!(shown(&played, viewer).action, r#"{"dice":3}"#);
    }
    played.play(0, r#"{"dice":1}"#);
    played.play(2, r#"{"dice":1}"#);
    let all = shown(&played, Viewer::Spectator);
    assert_eq!(all.action, r#"{"dice":1}"#);
    let notes: Value = serde_json::from_str(&all.notes).unwrap();
    assert_eq!(notes["dice"][1].as_array().unwrap().len(), 3);
}

#[test]
fn g5_exchanged_tiles_are_shown_to_their_own_seat_only() {
    let mut played = open(Setting { seats: 2, ..Setting::of("letters") });
    let tiles = rack(&played, 0)[..3].to_owned();
    let action = format!(r#"{{"exchange":"{tiles}"}}"#);
    played.play(0, &action);
    let shown = |viewer| played.now().shown(played.after(0), &played.moves()[0], viewer).unwrap().action;
    assert_eq!(shown(Viewer::Seat(Seat(0))), action);
    assert_eq!(shown(Viewer::Admin), action);
    assert_eq!(shown(Viewer::Seat(Seat(1))), r#"{"exchange":3}"#);
    assert_eq!(shown(Viewer::Spectator), r#"{"exchange":3}"#);
    assert_eq!(shown(Viewer::Seat(Seat(9))), r#"{"exchange":3}"#);
}

#[test]
fn g5_a_move_is_shown_between_its_own_two_states_only() {
    let (dare, kalah) = (open(Setting::of("dare")), open(Setting::of("kalah")));
    let mut played = open(Setting::of("dare"));
    played.play(0, r#"{"dice":1}"#);
    let last = &played.moves()[0];
    assert!(played.now().shown(kalah.now(), last, Viewer::Spectator).is_err());
    assert!(played.now().shown(dare.now(), last, Viewer::Spectator).is_ok());
}
