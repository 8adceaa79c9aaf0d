//! Entries in every state, packed and read back, and what they take.

use super::*;
use crate::entry::{Answered, Given};
use crate::reason::Reason;
use astragal_proto::engine::v1::{Ending, Occupant};
use astragal_runtime::id::{RequestId, robot_account};
use chrono::TimeDelta;

/// After some games of two people, or of one and a robot.
fn entry(games: usize, robot_level: u8) -> Entry {
    let other = if robot_level > 0 { robot_account(robot_level) } else { AccountId::new() };
    let occupant = |seat, account: AccountId, level: u8| Occupant {
        seat,
        account_id: account.to_string(),
        robot_level: level.into(),
    };
    let game = |place: usize| SeriesGame {
        game_id: TableId::new().to_string(),
        first_seat: (place % 2) as u32,
        reason: ENDS[place % ENDS.len()].into(),
        winner: (place > 0).then_some(1),
        scores: vec![-30, 18],
    };
    let series: Vec<SeriesGame> = (0..games).map(game).collect();
    let ending = Ending {
        table_id: TableId::new().to_string(),
        occupants: vec![occupant(0, AccountId::new(), 0), occupant(1, other, robot_level)],
        ended_at: DateTime::from_timestamp_micros(1_764_489_600_000_001).map(Into::into),
        series_id: SeriesId::new().to_string(),
        series: serde_json::to_vec(&series).expect("JSON").into(),
        ..Ending::default()
    };
    Entry::open(&ending).expect("an entry")
}

fn read_back(entry: &Entry) -> Entry {
    let kept = [b"1207".to_vec(), pack(entry).expect("a value")].concat();
    let stored = unpack(entry.game, &kept).expect("readable");
    assert_eq!(stored.version, 1207);
    stored.entry
}

#[test]
fn an_entry_in_any_state_is_read_back_as_it_was() {
    let at = |us: i64| DateTime::from_timestamp_micros(1_764_489_660_000_000 + us).expect("an instant");
    let states = [
        State::Open,
        State::Asked { by: 1, agreed: vec![1, 0], expires_at: at(7) },
        State::Starting { by: 0, again_at: at(1) },
        State::Started,
        State::Over,
    ];
    for (games, state) in (0..).zip(states) {
        let open = Entry { state, ..entry(games, (games % 2) as u8) };
        assert_eq!(read_back(&open), open);
    }
}

#[test]
fn what_is_remembered_of_seats_is_read_back_as_it_was() {
    let request = RequestId::new();
    let open = entry(1, 0);
    let now = open.ended_at + TimeDelta::microseconds(3);
    let answers =
        [Given::Asked(now), Given::Agreed, Given::Ended(Reason::Offline), Given::Declined].map(Some);
    for answer in answers.into_iter().chain([None]) {
        let memory = Memory {
            asked_at: vec![now, open.ended_at],
            answered: answer.map(|answer| Answered { request, answer }),
            told: answer.map(|_| (Reason::Withdrawn, now)),
            missed: answer.map(|_| Reason::Left),
            earlier: answer
                .map(|answer| Answered { request: RequestId::new(), answer })
                .into_iter()
                .collect(),
        };
        let remembered = Entry { memory: vec![Memory::default(), memory], ..open.clone() };
        assert_eq!(read_back(&remembered), remembered);
    }
}

/// As a build wrote it that remembered no more than the last answer.
#[derive(serde::Serialize)]
struct OlderMemory {
    asked_at: Vec<astragal_runtime::clock::Timestamp>,
    answered: Option<Answered>,
    told: Option<(Reason, astragal_runtime::clock::Timestamp)>,
    missed: Option<Reason>,
}

#[test]
fn r1_what_a_build_wrote_that_remembered_one_answer_is_read() {
    let answered = Some(Answered { request: RequestId::new(), answer: Given::Declined });
    let now = entry(1, 0).ended_at;
    let older = OlderMemory {
        asked_at: vec![now],
        answered: answered.clone(),
        told: Some((Reason::Withdrawn, now)),
        missed: None,
    };
    let same = Memory { asked_at: older.asked_at.clone(), answered, told: older.told, ..Memory::default() };
    let bytes = rmp_serde::to_vec(&older).expect("a value");
    assert_eq!(rmp_serde::from_slice::<Memory>(&bytes).expect("readable"), same);
    assert_eq!(rmp_serde::to_vec(&same).expect("a value"), bytes, "and that build reads this one's");
}

#[test]
fn r12_a_further_attempt_has_its_own_id_again() {
    let mut open = entry(1, 0);
    open.next = NextGame { attempt: 3, id: next_id(open.game, 3), real_time: true, ..open.next };
    assert_eq!(read_back(&open), open);
}

#[test]
fn o2_an_entry_packs_into_a_hundred_and_ten_bytes_and_thirty_for_each_further_game() {
    let bytes = |games| pack(&entry(games, 0)).expect("a value").len();
    assert!(bytes(1) <= 110 && bytes(11) - bytes(1) <= 300, "{} {}", bytes(1), bytes(11));
}

#[test]
fn a_series_that_cannot_be_is_refused() {
    let open = entry(1, 0);
    for (from, to) in [("finished", "vanished"), ("-", "_")] {
        let next = NextGame { series: open.next.series.replacen(from, to, 1), ..open.next.clone() };
        assert!(pack(&Entry { next, ..open.clone() }).is_err(), "{to}");
    }
}

#[test]
fn a_value_that_is_torn_or_foreign_is_refused() {
    let open = entry(2, 0);
    let kept = [b"1".to_vec(), pack(&open).expect("a value")].concat();
    for torn in (0..kept.len()).map(|length| &kept[..length]).chain([&b"1 of another kind"[..]]) {
        assert!(unpack(open.game, torn).is_err(), "{torn:?}");
    }
}
