//! Certificates of random games: they hold, and nothing in them can be changed unnoticed, neither by who
//! leaves the chain as it is nor by who computes it anew.

use crate::certified::{certified, chained, kalah};
use crate::random_play::settings;
use crate::toys::random::Whim;
use crate::toys::registry;
use astragal_rules::certificate::Certificate;
use astragal_rules::certificate::draw::{DrawRecord, PickRecord};
use proptest::prelude::*;
use serde_json::{Value, json};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// P5.
    #[test]
    fn p5_a_certificate_reads_back_and_holds(setting in settings(), number in any::<u64>()) {
        let certificate = certified(setting, number, if number % 8 == 0 { 0 } else { 60 });
        let text = certificate.to_json().unwrap();
        prop_assert!(Certificate::is_named_by(&text) && !Certificate::is_named_by(&certificate.log.to_json().unwrap()));
        let read = Certificate::from_json(&text).unwrap();
        prop_assert_eq!(read.to_json().unwrap(), text.clone());
        if read.draw.is_none() || setting.game == "kalah" {
            read.check(&registry()).unwrap();
        }
        prop_assert_eq!(chained(serde_json::from_str(&text).unwrap()), text);
    }
}

/// P5: another byte at every place of 50 certificates, and none there in 10 of them.
#[test]
fn p5_no_byte_of_a_certificate_can_be_changed() {
    let (mut whim, mut refused) = (Whim::new(1), 0_u32);
    for number in 0..50 {
        let text = kalah(number).to_json().unwrap();
        let bytes = text.as_bytes();
        for place in 0..bytes.len() {
            let mut other = bytes.to_vec();
            other[place] ^= 1 + whim.below(127) as u8;
            let mut without = bytes.to_vec();
            without.remove(place);
            for changed in [Some(other), Some(without).filter(|_| number < 10)].into_iter().flatten() {
                // What is not UTF-8 is no file of text at all.
                let Ok(changed) = String::from_utf8(changed) else { continue };
                assert!(Certificate::from_json(&changed).is_err(), "{place}: {changed}");
                refused += 1;
            }
        }
        let spaced = text.replace(',', " ,\n ").replace(':', "\t: ");
        assert_eq!(Certificate::from_json(&spaced).unwrap().to_json().unwrap(), text);
    }
    assert!(refused > 50_000, "only {refused} changes were tried");
}

/// P5, D13: a lie whose author computes the chain anew.
#[test]
fn p5_d13_a_lie_is_found_behind_a_whole_chain() {
    let text = kalah(3).to_json().unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(chained(file.clone()), text);
    let moved = file["journal"].as_array().unwrap().iter().position(|entry| entry["event"]["kind"] == "move");
    let moved = moved.unwrap();
    let zeros = "0".repeat(64);
    let lies: Vec<(&str, Value, &str)> = vec![
        ("/commitment", json!(zeros), "log.seed"),
        ("/log/seed", json!(zeros), "log.seed"),
        ("/log/firstSeat", json!(1), "log.firstSeat"),
        ("/log/seats/0", json!({"kind":"robot","level":1}), "log.seats"),
        ("/log/moves", json!([]), "log.moves"),
        ("/outcome/scores", json!([48, 0]), "outcome"),
        ("/outcome/reason", json!("time"), "outcome"),
        ("/series/games", json!([]), "series.games"),
        ("/series/games/0/firstSeat", json!(1), "series.games"),
        ("/draw/winner", json!(1 - file["draw"]["winner"].as_u64().unwrap()), "draw.winner"),
        ("/draw/tileSet", json!("turkish"), "draw.rounds[0][0]"),
        ("/draw/rounds/0/0/letter", json!("Q"), "draw.rounds[0][0]"),
        ("/draw/rounds/0/0/entropy", json!(zeros), "draw.rounds[0][0]"),
        ("/draw/rounds/0/0/entropySha256", json!(zeros), "draw.rounds[0][0]"),
        ("/draw/rounds/0/0/seat", json!(2), "draw, pick 1: seat"),
        ("/journal/0/revision", json!(9), "journal[0]"),
        ("/journal/0/event/seat", json!(3), "journal[0]"),
        ("/dictionary", json!("none"), "certificate"),
        ("/journal", json!([]), "log.moves"),
    ];
    for (field, lie, place) in lies {
        let mut changed = file.clone();
        *changed.pointer_mut(field).unwrap() = lie;
        let read = Certificate::from_json(&chained(changed));
        let error = read.and_then(|read| read.check(&registry())).err();
        assert_eq!(error.map(|error| error.place).as_deref(), Some(place), "{field}");
    }
    for (member, lie) in [("state", json!(zeros)), ("state", Value::Null)] {
        let mut changed = file.clone();
        changed["journal"][moved][member] = lie;
        let read = Certificate::from_json(&chained(changed)).unwrap();
        assert_eq!(read.check(&registry()).err().unwrap().place, format!("journal[{moved}]"));
    }
}

/// D9: a tile drawn by hand is taken as it was noted, and marked.
#[test]
fn d9_a_recorded_tile_is_marked_and_not_proven() {
    let draw = |letter: &str, rank: i8, recorded: bool| DrawRecord {
        tile_set: "english".to_owned(),
        winner: 0,
        firsts: None,
        reused_from: None,
        rounds: vec![vec![
            PickRecord { rank: 0, letter: "A".to_owned(), ..by_hand(0, 0, true) },
            PickRecord { rank, letter: letter.to_owned(), ..by_hand(1, 1, recorded) },
        ]],
    };
    assert!(draw("Z", 25, true).check(2).is_ok());
    assert!(draw("Z", 24, true).check(2).is_err());
    assert!(draw("Ж", 6, true).check(2).is_err());
    assert!(draw("Z", 25, false).check(2).is_err());
}

/// D12: whoever has gone first least often leads; only those who are equal draw.
#[test]
fn d12_the_ledger_decides_and_equals_draw() {
    let ledger = |winner, firsts: &[u32], rounds| DrawRecord {
        tile_set: "english".to_owned(),
        winner,
        firsts: Some(firsts.to_vec()),
        reused_from: None,
        rounds,
    };
    assert!(ledger(1, &[3, 1], vec![]).check(2).is_ok());
    assert!(ledger(0, &[3, 1], vec![]).check(2).is_err());
    assert!(ledger(1, &[1, 1], vec![]).check(2).is_err());
    assert!(ledger(1, &[1], vec![]).check(2).is_err());
    let picks = |first: u8, second: u8| {
        let pick = |participant: u8, rank: i8, letter: &str| {
            let seat = (participant + 3 - second) % 3;
            PickRecord { rank, letter: letter.to_owned(), ..by_hand(participant, seat, true) }
        };
        vec![vec![pick(first, 1, "B"), pick(second, 0, "A")]]
    };
    assert!(ledger(2, &[1, 2, 1], picks(0, 2)).check(3).is_ok());
    assert!(ledger(1, &[1, 2, 1], picks(0, 1)).check(3).is_err());
}

fn by_hand(participant: u8, seat: u8, recorded: bool) -> PickRecord {
    PickRecord {
        participant,
        seat,
        letter: String::new(),
        blank: false,
        rank: 0,
        recorded,
        entropy_sha256: None,
        entropy: None,
    }
}
