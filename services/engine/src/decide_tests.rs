//! Decisions at the bounds that no test reaches by playing.

use super::*;
use crate::clocks::TimeMark;
use crate::header::TableHeader;
use crate::journal::{Entry, EntryKind};
use crate::occupant::Occupant;
use crate::series::Series;
use crate::store::StoredTable;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_rules::seed::Seed;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use bytes::Bytes;
use chrono::DateTime;

fn live() -> LiveTable {
    let seed = Seed::new([1; 32]);
    let header = TableHeader {
        id: TableId::new(),
        game: "kalah".to_owned(),
        version: 1,
        variant: "standard".to_owned(),
        options: "{}".to_owned(),
        seats: 2,
        first_seat: Seat(0),
        commitment: seed.commitment().to_string(),
        series_id: None,
        opened_at: DateTime::UNIX_EPOCH,
        time_control: None,
        best_of: 0,
        follows: None,
    };
    let sat = |revision: u32| Entry {
        revision,
        kind: EntryKind::SeatTaken(Occupant {
            seat: Seat(revision as u8 - 1),
            account: AccountId::new(),
            robot_level: 0,
        }),
        actor: None,
        stamp: None,
        at: DateTime::UNIX_EPOCH,
        state_hash: None,
        time: TimeMark::default(),
    };
    let series = Series::of_text("").expect("a series");
    let stored = StoredTable { header, seed, outcome: None, series, entries: vec![sat(1), sat(2)] };
    LiveTable::rebuild(&Registry::new().with(Kalah), stored, None)
        .map_err(|wreck| wreck.why)
        .expect("a table")
}

fn ask(live: &LiveTable, action: &Action) -> Option<Code> {
    let stamp = action.stamp(RequestId::new());
    let at = DateTime::UNIX_EPOCH;
    match play(live, Seat(0), action, stamp, at, at) {
        Ok(_) => None,
        Err(Refused::Problem(problem)) => Some(problem.code),
        Err(Refused::Broken(why)) => panic!("{why}"),
    }
}

#[test]
fn l0_the_last_entries_of_a_journal_are_for_endings() {
    let mut live = live();
    let last = JOURNAL_MAX - KEPT_FOR_ENDINGS;
    let sow = |revision| Action::Move { revision, content: Bytes::from_static(b"{\"pit\":1}") };
    live.head.revision = last - 1;
    assert_eq!(ask(&live, &sow(last - 1)), None);
    live.head.revision = last;
    assert_eq!(ask(&live, &sow(last)), Some(Code::IllegalMove));
    assert_eq!(ask(&live, &Action::Undo { revision: last }), Some(Code::UndoRefused));
    for ending in [Action::Resign, Action::Leave, Action::Abort] {
        assert_eq!(ask(&live, &ending), None);
    }
}

#[test]
fn a_seat_does_not_make_moves_of_the_table() {
    let live = live();
    for content in ["{\"resigned\":1}", "{\"time\":1}", "{\"aborted\":null}"] {
        let action = Action::Move { revision: 2, content: Bytes::from_static(content.as_bytes()) };
        assert_eq!(ask(&live, &action), Some(Code::IllegalMove));
    }
}
