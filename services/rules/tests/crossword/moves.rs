//! Exchanges, notes and views: what a move does, and who gets to know it.

use crate::table::{Position, play, rack, state, step, table};
use astragal_rules::any::AnyTable;
use astragal_rules::game::{AcceptAll, Viewer};
use astragal_rules::log::LoggedMove;
use astragal_rules::seat::Seat;
use serde_json::{Value, json};

const ANY: &str = r#"{"words":"any"}"#;

fn notes(before: &dyn AnyTable, made: &(LoggedMove, Box<dyn AnyTable>), viewer: Viewer) -> Value {
    let shown = made.1.shown(before, &made.0, viewer).expect("notes");
    serde_json::from_str(&shown.notes).unwrap()
}

#[test]
fn crossword_new_tiles_are_drawn_before_the_old_ones_go_back() {
    let position =
        Position { options: ANY, racks: &["AAEEIOU", "EE"], rows: &[(4, ".....CAT.......")], bag: 7 };
    let before = position.table();
    let bag = state(&*before)["data"]["bag"].clone();
    let made = step(&*before, 0, r#"{"exchange":"UOIEEAA"}"#, &AcceptAll);
    assert!(made.0.drew);
    let data = &state(&*made.1)["data"];
    assert_eq!((&data["racks"][0], &data["bag"]), (&bag, &json!("AAEEIOU")));
    assert_eq!(notes(&*before, &made, Viewer::Seat(Seat(0)))["tiles"], bag);
    for stranger in [Viewer::Seat(Seat(1)), Viewer::Spectator] {
        assert_eq!(notes(&*before, &made, stranger), json!({ "points": [0, 0], "drew": [7, 0] }));
        assert_eq!(made.1.shown(&*before, &made.0, stranger).unwrap().action, r#"{"exchange":7}"#);
    }
    let own = made.1.shown(&*before, &made.0, Viewer::Seat(Seat(0))).unwrap().action;
    assert_eq!(own, r#"{"exchange":"UOIEEAA"}"#);
}

#[test]
fn crossword_notes_tell_the_words_and_their_points() {
    let position =
        Position { options: ANY, racks: &["SED??IO", "EE"], rows: &[(4, ".....CAT.......")], bag: 20 };
    let before = position.table();
    let made = step(&*before, 0, &play("I4", "SEzIDOa"), &AcceptAll);
    let told = notes(&*before, &made, Viewer::Spectator);
    assert_eq!(
        told,
        json!({
            "words": [{ "word": "SEzIDOa", "score": 8 }, { "word": "CATS", "score": 6 }],
            "bonus": 50,
            "points": [64, 0],
            "drew": [7, 0],
        })
    );
    let own = notes(&*before, &made, Viewer::Seat(Seat(0)));
    assert_eq!(own["tiles"], rack(&*made.1, 0));
}

#[test]
fn g5_crossword_each_seat_sees_its_own_rack_only() {
    let table = table(3, "{}");
    let view = |viewer| -> Value { serde_json::from_str(&table.view(viewer).unwrap()).unwrap() };
    for seat in 0..3 {
        let seen = view(Viewer::Seat(Seat(seat)));
        assert_eq!(seen["rack"], rack(&*table, seat.into()));
        assert_eq!((&seen["racks"], &seen["bag"]), (&json!([7, 7, 7]), &json!(79)));
        assert!(seen["hands"].is_null());
    }
    let public =
        json!({ "board": vec![".".repeat(15); 15], "racks": [7, 7, 7], "scores": [0, 0, 0], "bag": 79 });
    assert_eq!(view(Viewer::Spectator), public);
    assert_eq!(view(Viewer::Seat(Seat(3))), public);
    let racks: Vec<String> = (0..3).map(|seat| rack(&*table, seat)).collect();
    assert_eq!(view(Viewer::Admin)["hands"], json!(racks));
    for seat in 0..3 {
        assert_eq!(table.legal_moves(Seat(seat)).unwrap(), None);
    }
}

#[test]
fn crossword_a_state_that_no_game_leads_to_is_refused() {
    let table = table(2, "{}");
    let registry = crate::table::registry();
    let game = registry.newest("crossword").unwrap();
    let refused = |place: &[&str], value: Value| {
        let mut state = state(&*table);
        let mut member = &mut state["data"];
        for name in place {
            member = match name.parse::<usize>() {
                Ok(index) => &mut member[index],
                Err(_) => &mut member[*name],
            };
        }
        *member = value;
        let restored = game.restore(std::sync::Arc::clone(table.opening()), &state.to_string());
        restored.err().map(|error| error.to_string()).expect("refused")
    };
    let set = "invalid game at state.data.bag: bag, racks and board together are not the set";
    assert_eq!(refused(&["bag"], json!("A")), set);
    assert_eq!(refused(&["racks", "0"], json!("")), set);
    assert!(refused(&["racks"], json!([""])).contains("needs an entry for each seat"));
    assert!(refused(&["racks", "1"], json!("AAAAAAAA")).contains("racks[1]: holds too many tiles"));
    assert!(refused(&["bag"], json!("BA")).contains("tiles out of order"));
    assert!(refused(&["bag"], json!("A".repeat(300))).contains("more tiles than any set has"));
    assert!(refused(&["bag"], json!("А")).contains("only looks like the A"));
    assert!(refused(&["board", "3"], json!("....")).contains("row 4 has not 15 squares"));
    assert!(refused(&["variant"], json!("turkish")).contains("state.data"));
    let fresh = json!({ "seat": 0, "play": { "at": "8H", "tiles": "AB" }, "score": 8, "scoreless": 0, "challenger": null });
    assert!(refused(&["fresh"], fresh).contains("fresh.play: not what lies on the board"));
}
