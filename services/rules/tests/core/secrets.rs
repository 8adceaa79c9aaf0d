//! The seed cannot be printed or written by accident, and nothing but the finished log has it.

use crate::samples::{counter, open};
use crate::toys::NoTwins;
use crate::toys::dare::Dare;
use crate::toys::played::{Played, Setting};
use crate::toys::random::{Whim, next_move};
use astragal_rules::any::AnyTable;
use astragal_rules::chance::Chance;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::game::Viewer;
use astragal_rules::log::{Header, Opening, TableLog};
use astragal_rules::machine::GameTable;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;

/// Fails to compile if a type has a trait: then two answers to `is_lacking` are possible.
macro_rules! lacks {
    ($subject:ty: $($banned:path),+) => {
        $({
            trait Lacking<Answer> {
                const IS_LACKING: bool = true;
            }
            struct HasIt;
            impl<T: ?Sized> Lacking<()> for T {}
            impl<T: ?Sized + $banned> Lacking<HasIt> for T {}
            assert!(<$subject as Lacking<_>>::IS_LACKING);
        })+
    };
}

macro_rules! never_shown {
    ($($subject:ty),+) => {
        $(lacks!($subject: std::fmt::Debug, std::fmt::Display, std::fmt::LowerHex, serde::Serialize);)+
    };
}

#[test]
fn l5_what_holds_a_seed_can_be_neither_printed_nor_written() {
    never_shown!(Seed, Opening, Header, TableLog, FinishedLog, Chance<'static>);
    never_shown!(GameTable<Dare>, dyn AnyTable, Box<dyn AnyTable>);
    lacks!(Seed: AsRef<[u8]>, Into<[u8; 32]>, Into<String>, PartialEq, std::hash::Hash);
}

/// Forms in which 32 bytes of 0x5a would show.
fn shows_seed(text: &str) -> bool {
    let bytes = ["90"; 8];
    ["5a5a5a5a", "5A5A5A5A", "ZZZZZZ", "WlpaWlpa", &bytes.join(","), &bytes.join(", ")]
        .iter()
        .any(|form| text.contains(form))
}

/// All texts that a table gives.
fn texts(played: &Played) -> Vec<String> {
    let table = played.now();
    let viewers = Seat::all(4).map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Admin]);
    let mut texts = vec![table.state_json().unwrap(), format!("{:?}", table.turn())];
    for viewer in viewers {
        texts.push(table.view(viewer).unwrap());
        if let Some(last) = played.moves().last() {
            let before = played.after(played.moves().len() - 1);
            texts.push(format!("{last:?} {:?}", table.shown(before, last, viewer)));
        }
    }
    for wrong in ["", "{}", "5", r#"{"time":9}"#, r#"{"lay":"zz"}"#] {
        let errors =
            [table.step(Some(Seat(0)), wrong, &NoTwins).err(), table.step(None, wrong, &NoTwins).err()];
        texts.extend(errors.iter().map(|error| format!("{error:?}")));
    }
    texts
}

#[test]
fn g5_no_text_of_a_table_shows_its_seed() {
    for (game, options) in [("dare", "{}"), ("letters", r#"{"words":"challenged"}"#), ("counter", "{}")] {
        let mut played = open(Setting { options, seats: 3, seed: 0x5a, ..Setting::of(game) });
        let mut whim = Whim::new(5);
        while played.now().outcome().is_none() && played.moves().len() < 40 {
            let (seat, action) = next_move(played.now(), &mut whim);
            let _ = played.step(seat, &action, &NoTwins);
            for text in texts(&played) {
                assert!(!shows_seed(&text), "{text}");
            }
        }
        played.give_up();
        assert!(shows_seed(&played.finished().to_json().unwrap()), "the scan finds what it looks for");
    }
}

#[test]
fn l5_an_error_about_a_seed_does_not_repeat_it() {
    let text = counter(1).finished().to_json().unwrap();
    let seed = "07".repeat(32);
    for wrong in ["07".repeat(31), "07".repeat(40), "0A".repeat(32)] {
        let error = FinishedLog::from_json(&text.replace(&seed, &wrong)).err().unwrap();
        assert!(!format!("{error:?}").contains("07") && !format!("{error:?}").contains("0A"));
    }
}
