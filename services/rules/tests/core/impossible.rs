//! Certificates whose chain is whole and whose content no table can have written.

use crate::certified::{certified, chained, digest_of, kalah};
use crate::toys::played::{Played, Setting};
use crate::toys::registry;
use astragal_rules::certificate::Certificate;
use astragal_rules::certificate::journal::{Event, Record};
use astragal_rules::finished_log::{FinishedLog, Sitter};
use serde_json::{Value, json};
use uuid::Uuid;

/// P5: what no table can have written, behind a chain that was computed anew.
#[test]
fn p5_what_no_table_writes_is_refused_behind_a_whole_chain() {
    let certificate = kalah(4);
    let file: Value = serde_json::from_str(&certificate.to_json().unwrap()).unwrap();
    let last = file["journal"].as_array().unwrap().len() - 1;
    let (moved, at_last) = (4, format!("journal[{last}]"));
    assert!(last > moved && file["journal"][moved]["event"]["seat"] == 0);
    let early = file["openedAtUs"].as_i64().unwrap() - 1;
    let before = |place: usize| file["journal"][place - 1]["atUs"].as_i64().unwrap() - 1;
    let in_journal = |place: usize, member: &str, lie: Value| (format!("/journal/{place}/{member}"), lie);
    let lies = [
        (in_journal(0, "atUs", json!(early)), "journal[0]", "atUs"),
        (in_journal(moved, "atUs", json!(before(moved))), "journal[4]", "atUs"),
        (in_journal(moved, "spentUs", json!(-1)), "journal[4]", "spentUs"),
        (in_journal(0, "spentUs", json!(1)), "journal[0]", "spentUs"),
        (in_journal(moved, "creditUs", json!(-1)), "journal[4]", "creditUs"),
        (in_journal(moved, "creditUs", json!(500_001)), "journal[4]", "creditUs"),
        (in_journal(last, "creditUs", json!(1)), &*at_last, "creditUs"),
        (in_journal(moved, "runs", json!(7)), "journal[4]", "runs"),
        (in_journal(0, "runs", json!(0)), "journal[0]", "runs"),
        (in_journal(2, "runs", json!(0)), "journal[2]", "runs"),
        (in_journal(last, "runs", json!(0)), &*at_last, "runs"),
        (in_journal(2, "event", json!({"kind":"clockResumed"})), "journal[2]", "event"),
        (in_journal(0, "event", json!({"kind":"clockStopped","reason":"outage"})), "journal[0]", "event"),
        (("/clock".to_owned(), Value::Null), "journal[1]", "runs"),
    ];
    for ((field, lie), place, member) in lies {
        let mut changed = file.clone();
        *changed.pointer_mut(&field).unwrap() = lie;
        assert_eq!(refusal(changed), (place.to_owned(), member.to_owned()), "{field}");
    }
    // One more entry after the end; one fewer, so that a seat moves in which nobody sits.
    let mut longer = file.clone();
    let mut more = file["journal"][3].clone();
    more["revision"] = json!(last + 2);
    more["atUs"] = file["journal"][last]["atUs"].clone();
    longer["journal"].as_array_mut().unwrap().push(more);
    assert_eq!(refusal(longer), (format!("journal[{}]", last + 1), "event".to_owned()));
    let mut standing = file.clone();
    standing["journal"][0]["event"] = json!({"kind":"seatTaken","seat":1,"sitter":{"kind":"player"}});
    standing["journal"].as_array_mut().unwrap().drain(1..4);
    for (revision, entry) in (1..).zip(standing["journal"].as_array_mut().unwrap()) {
        entry["revision"] = json!(revision);
        entry["runs"] = Value::Null;
        (entry["spentUs"], entry["creditUs"]) = (json!(0), json!(0));
    }
    assert_eq!(refusal(standing), ("journal[1]".to_owned(), "seat".to_owned()));
}

/// P5, R5: the games before this one are those of the same seats, each once.
#[test]
fn p5_r5_a_series_that_cannot_be_is_refused() {
    let file: Value = serde_json::from_str(&kalah(3).to_json().unwrap()).unwrap();
    let this = file["series"]["games"][0].clone();
    let mut earlier = this.clone();
    earlier["table"] = json!(Uuid::from_u128(77));
    let with = |earlier: Value| {
        let mut changed = file.clone();
        changed["series"]["games"] = json!([earlier, this]);
        let read = Certificate::from_json(&chained(changed)).unwrap();
        read.check(&registry()).err().map(|error| error.place)
    };
    assert_eq!(with(earlier.clone()), None);
    for (member, lie) in
        [("firstSeat", json!(9)), ("winner", json!(2)), ("scores", json!([3])), ("reason", json!("bored"))]
    {
        let mut changed = earlier.clone();
        changed[member] = lie;
        assert_eq!(with(changed), Some(format!("series.games[0].{member}")));
    }
    assert_eq!(with(this.clone()).as_deref(), Some("series.games[1].table"));
}

/// P5, G3: without a clock no flag falls, and only the flag of whose clock ran.
#[test]
fn p5_g3_a_flag_falls_only_where_a_clock_ran() {
    let ended = |seat: u8, clocked: bool| {
        let setting = Setting { options: r#"{"seeds":3}"#, ..Setting::of("kalah") };
        let mut played = Played::open(&registry(), setting);
        let mut certificate = certified(setting, 3, 1);
        played.decree(&format!(r#"{{"time":{seat}}}"#));
        let event = Event::Move { number: 1, seat: None, action: json!({"time":seat}), drew: false };
        certificate.journal.truncate(4);
        let before = certificate.journal[3].clone();
        let (revision, state) = (5, Some(digest_of(&played)));
        certificate.journal.push(Record { revision, event, state, credit_us: 0, runs: None, ..before });
        certificate.outcome = played.now().outcome().unwrap().clone();
        let game = &mut certificate.series.games[0];
        game.reason = "time".to_owned();
        (game.winner, game.scores) = (certificate.outcome.winner(), certificate.outcome.scores.clone());
        certificate.log = played.finished();
        if !clocked {
            certificate.clock = None;
            certificate.journal.drain(2..4);
            for (revision, record) in (1..).zip(&mut certificate.journal) {
                (record.revision, record.spent_us, record.credit_us, record.runs) = (revision, 0, 0, None);
            }
        }
        certificate.check(&registry()).err().map(|error| error.to_string())
    };
    assert_eq!(ended(0, true), None);
    let why = |place: u8, seat: u8| {
        Some(format!("invalid game at journal[{place}]: move: the clock of seat {seat} did not run"))
    };
    assert_eq!(ended(1, true), why(4, 1));
    assert_eq!(ended(0, false), why(2, 0));
}

/// P5: with everybody at the table a game is aborted only before a move; while a seat is empty also later.
#[test]
fn p5_a_game_is_aborted_only_while_it_may_be() {
    let aborted = |moves: u8, full: bool| {
        let mut played = Played::open(&registry(), Setting { seats: 3, ..Setting::of("counter") });
        let mut certificate = certified(Setting { seats: 3, ..Setting::of("counter") }, 3, 0);
        let end = certificate.journal.pop().unwrap();
        certificate.journal.truncate(if full { 3 } else { 2 });
        certificate.clock = None;
        (0..moves).for_each(|seat| played.play(seat, r#"{"add":1}"#));
        played.decree(r#"{"aborted":null}"#);
        for (place, made) in played.moves().iter().enumerate() {
            let action = serde_json::from_str(&made.action).unwrap();
            let event = Event::Move { number: made.number, seat: made.seat, action, drew: made.drew };
            let state = hex::encode(played.after(place + 1).state_hash().unwrap());
            certificate.journal.push(Record { event, state: Some(state), ..end.clone() });
        }
        for (revision, record) in (1..).zip(&mut certificate.journal) {
            (record.revision, record.spent_us, record.credit_us, record.runs) = (revision, 0, 0, None);
        }
        certificate.outcome = played.now().outcome().unwrap().clone();
        certificate.series.games[0].scores.clone_from(&certificate.outcome.scores);
        let sitters = certificate.log.sitters().iter().take(2).copied();
        let third = if full { Sitter::Robot { level: 3 } } else { Sitter::Player {} };
        let sitters = sitters.chain([third]).collect();
        certificate.log = FinishedLog::of(played.log(), sitters, played.now()).unwrap();
        certificate.draw = None;
        certificate.check(&registry()).err().map(|error| error.place)
    };
    assert_eq!((aborted(0, true), aborted(0, false), aborted(2, false)), (None, None, None));
    assert_eq!(aborted(1, true).as_deref(), Some("outcome"));
}

/// Where a file is refused once its chain is computed anew: the place, and the member there.
fn refusal(file: Value) -> (String, String) {
    let error = Certificate::from_json(&chained(file)).unwrap().check(&registry()).err().unwrap();
    let member = error.why.split(':').next().unwrap().to_owned();
    (error.place, member)
}
