//! Rules of two versions side by side, and of versions that this build does not have.

use crate::samples::{check, counter, open};
use crate::toys::counter::Counter;
use crate::toys::played::{Played, Setting};
use crate::toys::registry;
use astragal_rules::finished_log::{FinishedLog, Sitter};
use astragal_rules::registry::Registry;

/// A log that only version 1 allows: it repeats numbers.
fn repeats(registry: &Registry) -> Played {
    let mut played = Played::open(registry, Setting { options: r#"{"target":6}"#, ..Setting::of("counter") });
    for turn in 0..3 {
        played.play(turn % 2, r#"{"add":2}"#);
    }
    played
}

#[test]
fn l9_a_log_replays_by_the_version_that_wrote_it() {
    let played = repeats(&registry());
    let text = played.finished().to_json().unwrap();
    assert_eq!(check(&text, &registry(), &played), Ok(()));
    let as_2 = text.replace(r#""version":1"#, r#""version":2"#);
    let error = check(&as_2, &registry(), &played).unwrap_err();
    assert_eq!(error.to_string(), "invalid game at move 2: the number before can't be repeated");

    let newer = counter(2);
    assert_eq!(newer.now().opening().version, 2);
    assert_eq!(check(&newer.finished().to_json().unwrap(), &registry(), &newer), Ok(()));
}

#[test]
fn l9_the_newest_version_is_offered_and_the_old_one_is_kept() {
    let registry = registry();
    let versions: Vec<_> =
        registry.catalogue().map(|game| (game.about().name, game.about().version)).collect();
    assert_eq!(versions, [("counter", 2), ("dare", 1), ("kalah", 1), ("letters", 1)]);
    assert_eq!(registry.newest("counter").unwrap().about().version, 2);
    assert_eq!(registry.get("counter", 1).unwrap().about().version, 1);
    assert!(registry.get("counter", 3).is_none() && registry.newest("chess").is_none());
}

#[test]
fn l9_a_table_opened_before_an_upgrade_goes_on_by_the_old_rules() {
    let before = Registry::new().with(Counter { version: 1 });
    let mut old = Played::open(&before, Setting::of("counter"));
    old.play(0, r#"{"add":2}"#);
    // The program is replaced by one that knows both versions.
    let after = registry();
    let table = after.replay(&old.log()).unwrap();
    let step = table.step(Some(astragal_rules::seat::Seat(1)), r#"{"add":2}"#, &crate::toys::NoTwins);
    assert_eq!(step.ok().unwrap().logged.number, 2);
    let mut new = open(Setting { version: 2, ..Setting::of("counter") });
    new.play(0, r#"{"add":2}"#);
    new.refused(Some(1), r#"{"add":2}"#);
}

#[test]
fn l9_an_unregistered_version_refuses_its_own_tables_only() {
    let played = repeats(&registry());
    let only_2 = Registry::new().with(Counter { version: 2 });
    let error = only_2.replay(&played.log()).err().unwrap();
    assert_eq!(error.to_string(), "invalid game at version: this build has no counter of version 1");
    assert!(only_2.replay(&counter(2).log()).is_ok());
    let none = Registry::new();
    let error = none.replay(&played.log()).err().unwrap();
    assert_eq!(error.to_string(), "invalid game at game: unknown game \"counter\"");
}

#[test]
fn l9_a_state_of_one_version_finishes_no_log_of_another() {
    let played = repeats(&registry());
    let text = played.finished().to_json().unwrap().replace(r#""version":1"#, r#""version":2"#);
    let other = FinishedLog::from_json(&text).unwrap().log().clone();
    let sitters = vec![Sitter::Player {}; 2];
    assert!(FinishedLog::of(other, sitters, played.now()).is_err());
}
