//! Every state against every event, as a table; and what passes with time.

use super::*;
use crate::entry::{Memory, Player};
use crate::next_game::NextGame;
use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::id::{AccountId, SeriesId};

const OPEN: &str = "open";
const ASKED: &str = "asked by 0";
const STARTING: &str = "starting";
const STARTED: &str = "started";
const OVER: &str = "over";

fn start() -> Timestamp {
    ManualClock::default().now()
}

fn second(second: i64) -> Timestamp {
    start() + TimeDelta::seconds(second)
}

/// The rematch of a game that has just ended, with robots of these levels; 0 is a person.
fn entry(levels: &[u8], state: &str) -> Entry {
    let game = TableId::new();
    let next = NextGame {
        attempt: 1,
        id: crate::next_game::next_id(game, 1),
        first_seat: 1,
        series_id: SeriesId::new(),
        series: "[]".to_owned(),
        real_time: false,
    };
    let player = |level: &u8| Player { account: AccountId::new(), robot_level: *level };
    let robots = (0..).zip(levels).filter(|(_, level)| **level > 0).map(|(seat, _)| seat);
    let state = match state {
        OPEN => State::Open,
        ASKED => {
            State::Asked { by: 0, agreed: std::iter::once(0).chain(robots).collect(), expires_at: second(60) }
        }
        STARTING => State::Starting { by: 1, again_at: second(2) },
        STARTED => State::Started,
        _ => State::Over,
    };
    let players: Vec<Player> = levels.iter().map(player).collect();
    let memory = vec![Memory::default(); players.len()];
    Entry { game, players, next, ended_at: start(), state, memory }
}

fn state(entry: &Entry) -> &'static str {
    match entry.state {
        State::Open => OPEN,
        State::Asked { .. } => ASKED,
        State::Starting { .. } => STARTING,
        State::Started => STARTED,
        State::Over => OVER,
    }
}

/// What is to be done, in short: who is told what, and the rest.
fn done(step: &Step) -> String {
    let effect = |effect: &Effect| match effect {
        Effect::Tell(seat, Notice::Requested { from_seat, .. }) => format!("{seat}<{from_seat}"),
        Effect::Tell(seat, Notice::Ended(reason)) => format!("{seat}:{}", reason.as_str()),
        Effect::Lead => "lead".to_owned(),
        Effect::Start => "start".to_owned(),
    };
    step.effects.iter().map(effect).collect::<Vec<_>>().join(" ")
}

fn answer(answer: Answer) -> String {
    match answer {
        Answer::Nothing => "-".to_owned(),
        Answer::Asked(_) => "asked".to_owned(),
        Answer::Starting => "starting".to_owned(),
        Answer::Started => "started".to_owned(),
        Answer::Ended(reason) => reason.as_str().to_owned(),
        Answer::TooOften => "too often".to_owned(),
        Answer::Reused => "reused".to_owned(),
        Answer::Missed(reason) => format!("missed {}", reason.as_str()),
    }
}

const ALL_THERE: [bool; 4] = [true; 4];

fn ask(seat: u8) -> Event<'static> {
    Event::Ask { seat, request: RequestId::new(), online: &ALL_THERE }
}

fn decline(seat: u8) -> Event<'static> {
    Event::Decline { seat, request: RequestId::new() }
}

/// Who comes back is told what the entry says that is written then, and nobody is told twice.
#[test]
fn r1_what_was_missed_is_told_with_the_step_that_forgets_it() {
    let mut entry = entry(&[0, 0], OPEN);
    entry.memory[1].missed = Some(Reason::Offline);
    let back = step(&entry, Event::CameBack { seat: 1 }, second(1));
    assert_eq!(back.answer, Answer::Missed(Reason::Offline));
    assert_eq!(step(&back.entry, Event::CameBack { seat: 1 }, second(2)).answer, Answer::Nothing);
    assert_eq!(step(&entry, Event::CameBack { seat: 0 }, second(1)).answer, Answer::Nothing);
}

#[test]
fn r1_every_state_against_every_event() {
    let away = [true, false];
    let asks_the_absent = Event::Ask { seat: 0, request: RequestId::new(), online: &away };
    // State, event, answer, state after it, what is done.
    let rows: Vec<(&str, Event<'_>, &str, &str, &str)> = vec![
        (OPEN, ask(0), "asked", ASKED, "1<0"),
        (OPEN, asks_the_absent, "offline", OPEN, "1:offline"),
        (OPEN, decline(0), "-", OPEN, ""),
        (OPEN, Event::Left, "-", OVER, ""),
        (OPEN, Event::WentOffline { seat: 0 }, "-", OPEN, ""),
        (OPEN, Event::CameBack { seat: 0 }, "-", OPEN, ""),
        (OPEN, Event::Created, "-", OPEN, ""),
        (OPEN, Event::Refused, "-", OPEN, ""),
        (OPEN, Event::Time, "-", OPEN, ""),
        (ASKED, ask(0), "asked", ASKED, ""),
        (ASKED, ask(1), "starting", STARTING, "start"),
        (ASKED, decline(0), "-", OPEN, "0:withdrawn 1:withdrawn"),
        (ASKED, decline(1), "-", OVER, "0:declined 1:declined"),
        (ASKED, Event::Left, "-", OVER, "0:left 1:left"),
        (ASKED, Event::WentOffline { seat: 0 }, "-", OPEN, "0:offline 1:offline"),
        (ASKED, Event::WentOffline { seat: 1 }, "-", OPEN, "0:offline 1:offline"),
        (ASKED, Event::CameBack { seat: 0 }, "-", ASKED, ""),
        (ASKED, Event::Created, "-", ASKED, ""),
        (ASKED, Event::Refused, "-", ASKED, ""),
        (ASKED, Event::Time, "-", ASKED, ""),
        (STARTING, ask(0), "starting", STARTING, ""),
        (STARTING, decline(0), "-", STARTING, ""),
        (STARTING, Event::Left, "-", STARTING, ""),
        (STARTING, Event::WentOffline { seat: 0 }, "-", STARTING, ""),
        (STARTING, Event::CameBack { seat: 0 }, "-", STARTING, ""),
        (STARTING, Event::Created, "-", STARTED, "lead"),
        (STARTING, Event::Refused, "-", OVER, "0:closed"),
        (STARTING, Event::Time, "-", STARTING, ""),
        (STARTED, ask(0), "closed", STARTED, ""),
        (STARTED, decline(0), "-", STARTED, ""),
        (STARTED, Event::Left, "-", STARTED, ""),
        (STARTED, Event::WentOffline { seat: 0 }, "-", STARTED, ""),
        (STARTED, Event::CameBack { seat: 0 }, "-", STARTED, ""),
        (STARTED, Event::Created, "-", STARTED, ""),
        (STARTED, Event::Refused, "-", STARTED, ""),
        (STARTED, Event::Time, "-", STARTED, ""),
        (OVER, ask(0), "closed", OVER, ""),
        (OVER, decline(0), "-", OVER, ""),
        (OVER, Event::Left, "-", OVER, ""),
        (OVER, Event::WentOffline { seat: 0 }, "-", OVER, ""),
        (OVER, Event::CameBack { seat: 0 }, "-", OVER, ""),
        (OVER, Event::Created, "-", OVER, ""),
        (OVER, Event::Refused, "-", OVER, ""),
        (OVER, Event::Time, "-", OVER, ""),
    ];
    for (before, event, answered, after, effects) in rows {
        let entry = entry(&[0, 0], before);
        let step = step(&entry, event, second(1));
        let place = format!("{event:?} while {before}");
        assert_eq!(answer(step.answer), answered, "{place}");
        assert_eq!(state(&step.entry), after, "{place}");
        assert_eq!(done(&step), effects, "{place}");
    }
}

#[test]
fn r12_an_abort_opens_only_the_rematch_that_it_was_the_next_game_of() {
    for (before, after) in [(OPEN, OPEN), (ASKED, ASKED), (STARTING, OPEN), (STARTED, OPEN), (OVER, OVER)] {
        let entry = entry(&[0, 0], before);
        let aborted = Event::Aborted { next: entry.next.id, at: second(600) };
        let step = step(&entry, aborted, second(1));
        assert_eq!(state(&step.entry), after, "while {before}");
        if before == STARTED {
            assert_eq!((step.entry.next.attempt, step.entry.ended_at), (2, second(600)));
            assert_ne!(step.entry.next.id, entry.next.id);
            assert_eq!(step.entry.deadline(), Some(second(1200)));
        }
    }
    let entry = entry(&[0, 0], STARTED);
    let another = Event::Aborted { next: TableId::new(), at: second(2) };
    assert_eq!(state(&step(&entry, another, second(2)).entry), STARTED);
}

#[test]
fn r1_time_that_has_passed_counts_before_anything_else() {
    // State, instant, event, answer, state after it, what is done.
    let rows: Vec<(&str, i64, Event<'_>, &str, &str, &str)> = vec![
        (OPEN, 599, Event::Time, "-", OPEN, ""),
        (OPEN, 600, Event::Time, "-", OVER, ""),
        (OPEN, 600, ask(1), "closed", OVER, ""),
        (ASKED, 59, ask(1), "starting", STARTING, "start"),
        (ASKED, 60, Event::Time, "-", OPEN, "0:expired 1:expired"),
        (ASKED, 60, ask(1), "asked", ASKED, "0:expired 1:expired 0<1"),
        (ASKED, 60, decline(1), "-", OPEN, "0:expired 1:expired"),
        (ASKED, 600, Event::Time, "-", OVER, "0:closed 1:closed"),
        (ASKED, 600, ask(1), "closed", OVER, "0:closed 1:closed"),
        (STARTING, 2, Event::Time, "-", STARTING, "start"),
        (STARTING, 600, Event::Time, "-", OVER, "0:closed"),
        (STARTED, 600, Event::Time, "-", STARTED, ""),
        (OVER, 600, Event::Time, "-", OVER, ""),
    ];
    for (before, at, event, answered, after, effects) in rows {
        let step = step(&entry(&[0, 0], before), event, second(at));
        let place = format!("{event:?} while {before} at {at} s");
        assert_eq!(answer(step.answer), answered, "{place}");
        assert_eq!(state(&step.entry), after, "{place}");
        assert_eq!(done(&step), effects, "{place}");
    }
}

#[test]
fn r8_a_deadline_is_the_first_thing_that_happens_by_itself() {
    for (before, deadline) in
        [(OPEN, Some(600)), (ASKED, Some(60)), (STARTING, Some(2)), (STARTED, None), (OVER, None)]
    {
        assert_eq!(entry(&[0, 0], before).deadline(), deadline.map(second), "while {before}");
    }
    // Asked in the last minute: there are no sixty seconds left.
    let asked = step(&entry(&[0, 0], OPEN), ask(0), second(570)).entry;
    assert_eq!(asked.deadline(), Some(second(600)));
}

#[test]
fn r4_robots_agree_at_once() {
    let step = step(&entry(&[0, 3], OPEN), ask(0), second(1));
    assert_eq!((answer(step.answer), done(&step)), ("starting".to_owned(), "start".to_owned()));
}

#[test]
fn r10_with_more_seats_all_must_accept_and_one_no_ends_it() {
    let asked = step(&entry(&[0, 0, 2, 0], OPEN), ask(3), second(1));
    assert_eq!((answer(asked.answer), done(&asked)), ("asked".to_owned(), "0<3 1<3".to_owned()));
    let one = step(&asked.entry, ask(0), second(2));
    assert_eq!((answer(one.answer), done(&one)), ("asked".to_owned(), String::new()));
    let all = step(&one.entry, ask(1), second(3));
    assert_eq!((answer(all.answer), done(&all)), ("starting".to_owned(), "start".to_owned()));
    // Also of who has agreed before.
    for seat in [0, 1] {
        let no = step(&one.entry, decline(seat), second(3));
        assert_eq!((state(&no.entry), done(&no)), (OVER, "0:declined 1:declined 3:declined".to_owned()));
    }
    let withdrawn = step(&one.entry, decline(3), second(3));
    assert_eq!(state(&withdrawn.entry), OPEN);
}

#[test]
fn l14_a_repetition_is_answered_the_same_and_changes_nothing() {
    let request = RequestId::new();
    let again = Event::Ask { seat: 0, request, online: &ALL_THERE };
    let asked = step(&entry(&[0, 0], OPEN), again, second(1));
    let expired = step(&asked.entry, Event::Time, second(61));
    let repeated = step(&expired.entry, again, second(62));
    assert_eq!((repeated.answer, &repeated.entry), (asked.answer, &expired.entry));

    let accept = Event::Ask { seat: 1, request, online: &ALL_THERE };
    let starting = step(&asked.entry, accept, second(2));
    assert_eq!(step(&starting.entry, accept, second(3)).answer, Answer::Starting);
    let started = step(&starting.entry, Event::Created, second(3));
    assert_eq!(step(&started.entry, accept, second(4)).answer, Answer::Started);
    let refused = step(&starting.entry, Event::Refused, second(3));
    assert_eq!(step(&refused.entry, accept, second(4)).answer, Answer::Ended(Reason::Closed));
}

#[test]
fn r1_a_second_ask_does_not_begin_the_minute_anew() {
    let asked = step(&entry(&[0, 0], OPEN), ask(0), second(1));
    let again = step(&asked.entry, ask(0), second(30));
    assert_eq!((again.answer, again.entry.deadline()), (asked.answer, Some(second(61))));
}

#[test]
fn r1_the_sixth_ask_of_a_minute_is_refused() {
    let mut entry = entry(&[0, 0], OPEN);
    for time in 0..5 {
        let asked = step(&entry, ask(0), second(time));
        assert!(matches!(asked.answer, Answer::Asked(_)), "ask {time}");
        entry = step(&asked.entry, decline(0), second(time)).entry;
    }
    let sixth = step(&entry, ask(0), second(10));
    assert_eq!((sixth.answer, done(&sixth)), (Answer::TooOften, String::new()));
    assert!(matches!(step(&entry, ask(1), second(10)).answer, Answer::Asked(_)), "the other seat may");
    assert!(matches!(step(&entry, ask(0), second(60)).answer, Answer::Asked(_)), "a minute later");
}

#[test]
fn r1_who_was_away_finds_what_it_missed() {
    let missed = |entry: &Entry| [entry.memory[0].missed, entry.memory[1].missed];
    // Both have gone at once; the second one was told in vain.
    let first = step(&entry(&[0, 0], ASKED), Event::WentOffline { seat: 0 }, second(10)).entry;
    assert_eq!(missed(&first), [Some(Reason::Offline), None]);
    let second_gone = step(&first, Event::WentOffline { seat: 1 }, second(11)).entry;
    assert_eq!(missed(&second_gone), [Some(Reason::Offline); 2]);
    let back = step(&second_gone, Event::CameBack { seat: 0 }, second(12)).entry;
    assert_eq!(missed(&back), [None, Some(Reason::Offline)]);
    // Who was there when they were told, and goes later, has missed nothing.
    let later = step(&first, Event::WentOffline { seat: 1 }, second(40)).entry;
    assert_eq!(missed(&later), [Some(Reason::Offline), None]);
    // Who is asked while away hears of it when they come.
    let away = [true, false];
    let absent = Event::Ask { seat: 0, request: RequestId::new(), online: &away };
    assert_eq!(missed(&step(&entry(&[0, 0], OPEN), absent, second(1)).entry), [None, Some(Reason::Offline)]);
}

/// L14: applied once and answered the same, also when others were sent in between.
#[test]
fn l14_an_id_stands_for_one_request_of_a_seat() {
    let [x, y] = [RequestId::new(), RequestId::new()];
    let ask = |request| Event::Ask { seat: 0, request, online: &ALL_THERE };
    let decline = |request| Event::Decline { seat: 0, request };
    let said = |from: &Entry, event| {
        let next = step(from, event, second(1));
        (answer(next.answer), state(&next.entry), done(&next), next.entry.clone())
    };
    let (_, _, _, asked) = said(&entry(&[0, 0], OPEN), ask(x));
    let (reply, after, told, _) = said(&asked, decline(x));
    assert_eq!((&*reply, after, &*told), ("reused", ASKED, ""), "the same id, other content");

    let (_, _, _, withdrawn) = said(&asked, decline(y));
    let (reply, after, told, again) = said(&withdrawn, ask(x));
    assert_eq!((&*reply, after, &*told), ("asked", OPEN, ""), "asked once");
    assert_eq!(again, withdrawn);
    assert_eq!(said(&withdrawn, ask(y)).0, "reused");
    assert_eq!(said(&withdrawn, decline(y)).0, "-");

    // Declining what nobody has asked is a request too, and nothing that is asked later.
    let (_, _, _, open) = said(&entry(&[0, 0], OPEN), decline(y));
    let (_, _, _, asked) = said(&open, Event::Ask { seat: 1, request: x, online: &ALL_THERE });
    let (reply, after, told, _) = said(&asked, decline(y));
    assert_eq!((&*reply, after, &*told), ("-", ASKED, ""));
    // A second tap is a request of its own.
    let (_, _, _, twice) = said(&said(&entry(&[0, 0], OPEN), ask(x)).3, ask(y));
    assert_eq!(said(&twice, decline(y)).0, "reused");
}

#[test]
fn l14_the_last_eight_ids_of_a_seat_are_known() {
    let ids: Vec<RequestId> = (0..9).map(|_| RequestId::new()).collect();
    let decline = |entry: Entry, request: &RequestId| {
        step(&entry, Event::Decline { seat: 0, request: *request }, second(1)).entry
    };
    let after = ids.iter().fold(entry(&[0, 0], OPEN), decline);
    let known = |request: &RequestId| after.memory[0].given(*request).is_some();
    assert_eq!(ids.iter().map(known).collect::<Vec<_>>(), [&[false][..], &[true; 8]].concat());
}
