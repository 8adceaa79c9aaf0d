//! What every store must do. One suite, run over each back end.

mod lists;
mod review;
mod time;

use crate::direct::Direct;
use crate::house::Database;
use crate::postgres;
use astragal_engine::clocks::TimeMark;
use astragal_engine::header::{Phase, TableHeader};
use astragal_engine::journal::{Entry, EntryKind, StopReason};
use astragal_engine::occupant::Occupant;
use astragal_engine::outcome::{Reason, TableOutcome};
use astragal_engine::request::Stamp;
use astragal_engine::series::Series;
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::store::{
    Append, Appended, DueChange, DueKind, EndRow, NewTable, SeriesRow, TableEnd, TableStore, TablesOf, Write,
};
use astragal_rules::log::LoggedMove;
use astragal_rules::outcome::SeatResult;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_runtime::clock::{Clock, ManualClock, Timestamp};
use astragal_runtime::database::Location;
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use astragal_runtime::time_control::TimeControl;
use astragal_support::postgres::Postgres as Server;
use chrono::TimeDelta;
use std::sync::Arc;

#[tokio::test]
async fn l0_a_file_keeps_tables() {
    let database = Database::new();
    let store = SqliteTables::open(&database.location()).await.expect("a database");
    suite(&store).await;
}

#[tokio::test]
async fn l0_memory_keeps_tables() {
    suite(&SqliteTables::open(&Location::Memory).await.expect("a database")).await;
}

#[tokio::test]
async fn l0_postgresql_keeps_tables() {
    let [store] = postgres::replicas(Server::shared()).await;
    suite(&store).await;
}

async fn suite<S: TableStore>(store: &S) {
    tables(store).await;
    time::notes_outages(store).await;
    knows_nothing_of_other_tables(store).await;
}

/// What may be asked of a store again and again.
pub(crate) async fn tables<S: TableStore>(store: &S) {
    opens_once(store).await;
    appends_and_loads(store).await;
    refuses_a_revision_twice(store).await;
    finds_the_entry_of_a_request(store).await;
    a_conflict_changes_nothing_else(store).await;
    opens_and_appends_together(store).await;
    a_table_that_is_there_harms_no_other(store).await;
    ends_a_table(store).await;
    lists::lists_tables_of_an_account(store).await;
    lists::r2_knows_what_people_play(store).await;
    lists::lists_live_tables(store).await;
    review::finds_tables(store).await;
    review::keeps_looks(store).await;
    time::knows_what_is_due(store).await;
    time::moves_a_flag_that_was_due(store).await;
    time::counts_aborts(store).await;
}

pub(crate) fn now() -> Timestamp {
    ManualClock::default().now()
}

pub(crate) fn new_table(id: TableId, sitting: &[AccountId], seed: [u8; 32]) -> NewTable {
    let seed = Seed::new(seed);
    let header = TableHeader {
        id,
        game: "tally".to_owned(),
        version: 3,
        variant: "standard".to_owned(),
        options: "{\"target\":9}".to_owned(),
        seats: 2,
        first_seat: Seat(1),
        commitment: seed.commitment().to_string(),
        series_id: Some(RequestId::new().0),
        opened_at: now(),
        time_control: Some(TimeControl::SuddenDeath { initial_ms: 300_000, increment_ms: 3_000 }),
        best_of: 3,
        follows: Some(TableId::new()),
    };
    let seated = |(revision, account): (u32, &AccountId)| Entry {
        revision,
        kind: EntryKind::SeatTaken(Occupant {
            seat: Seat(revision as u8 - 1),
            account: *account,
            robot_level: 0,
        }),
        actor: None,
        stamp: None,
        at: now(),
        state_hash: Some([1; 32]),
        time: TimeMark { runs: (revision == 1).then_some(Seat(1)), ..TimeMark::default() },
    };
    NewTable {
        header,
        seed,
        series: Series::of_text("").expect("a series"),
        entries: (1..).zip(sitting).map(seated).collect(),
        phase: Phase::Waiting,
        due: Vec::new(),
        listed: false,
    }
}

pub(crate) fn move_entry(revision: u32, number: u32) -> Entry {
    Entry {
        revision,
        kind: EntryKind::Move(LoggedMove {
            number,
            seat: Some(Seat(0)),
            action: "{\"say\":\"\\\"ж'\"}".into(),
            drew: number % 2 == 1,
        }),
        actor: Some(Seat(0)),
        stamp: Some(Stamp::new(RequestId::new(), 1, revision, b"x")),
        at: now() + TimeDelta::microseconds(revision.into()),
        state_hash: Some([7; 32]),
        time: TimeMark {
            spent: TimeDelta::microseconds(1_234_567),
            credit: TimeDelta::milliseconds(number.into()),
            runs: number.is_multiple_of(2).then_some(Seat(1)),
        },
    }
}

pub(crate) fn append(table: TableId, entry: Entry) -> Arc<Append> {
    Arc::new(Append { table, entry, phase: None, ended: None, due: Vec::new() })
}

pub(crate) async fn opened<S: TableStore>(store: &S) -> TableId {
    let id = TableId::new();
    store.open_table(new_table(id, &[], [5; 32])).await.expect("a table");
    id
}

async fn opens_once<S: TableStore>(store: &S) {
    let (id, sitting) = (TableId::new(), [AccountId::new()]);
    let first = store.open_table(new_table(id, &sitting, [1; 32])).await.expect("a table");
    let again = store.open_table(new_table(id, &[], [2; 32])).await.expect("the table");
    assert_eq!(first, again, "a table is never given a second seed");
    assert_eq!((first.revision, first.version), (1, 3));
    let stored = store.load(id).await.expect("an answer").expect("the table");
    let new = new_table(id, &sitting, [1; 32]);
    assert_eq!(stored.seed.commitment(), new.seed.commitment());
    assert_eq!(stored.entries, new.entries);
    assert_eq!(
        TableHeader { series_id: None, follows: None, ..stored.header },
        TableHeader { series_id: None, follows: None, ..new.header }
    );
    assert_eq!(stored.outcome, None);
}

async fn appends_and_loads<S: TableStore>(store: &S) {
    let id = opened(store).await;
    let sat = Entry {
        kind: EntryKind::SeatTaken(Occupant { seat: Seat(1), account: AccountId::new(), robot_level: 4 }),
        actor: None,
        stamp: None,
        ..move_entry(2, 0)
    };
    let undone = Entry { kind: EntryKind::Undo { number: 1 }, actor: Some(Seat(0)), ..move_entry(3, 0) };
    let stopped = Entry { kind: EntryKind::ClockStopped(StopReason::Outage), ..move_entry(4, 0) };
    let resumed = Entry { kind: EntryKind::ClockResumed, ..move_entry(5, 0) };
    let crashed = Entry {
        kind: EntryKind::Crashed { place: "moves[1]".to_owned() },
        state_hash: None,
        ..move_entry(6, 0)
    };
    let entries = [move_entry(1, 1), sat, undone, stopped, resumed, crashed];
    for entry in &entries {
        let answer = store.append(&[append(id, entry.clone())]).await.expect("an answer");
        assert_eq!(answer, [Appended::Yes]);
    }
    assert_eq!(store.load(id).await.expect("an answer").expect("the table").entries, entries);
    assert_eq!(store.tail(id, 4).await.expect("a tail"), entries[4..]);
    assert_eq!(store.tail(id, 6).await.expect("a tail"), []);
    let unknown = TableId::new();
    assert_eq!(store.heads(&[unknown, id, opened(store).await]).await.expect("heads"), [0, 6, 0]);
}

async fn refuses_a_revision_twice<S: TableStore>(store: &S) {
    let mut tables = [opened(store).await, opened(store).await, opened(store).await];
    tables.sort();
    let [first, second, third] = tables;
    let mine = move_entry(1, 1);
    assert_eq!(store.append(&[append(second, mine.clone())]).await.expect("an answer"), [Appended::Yes]);
    let batch = [first, second, third].map(|table| append(table, move_entry(1, 1)));
    let answers = store.append(&batch).await.expect("an answer");
    assert_eq!(answers, [Appended::Yes, Appended::Conflict, Appended::Yes]);
    assert_eq!(store.tail(second, 0).await.expect("a tail"), [mine]);
    assert_eq!(store.heads(&tables).await.expect("heads"), [1, 1, 1]);
}

async fn a_conflict_changes_nothing_else<S: TableStore>(store: &S) {
    let mut tables = [opened(store).await, opened(store).await];
    tables.sort();
    let [taken, free] = tables;
    store.append(&[append(taken, move_entry(1, 1))]).await.expect("an answer");
    let account = AccountId::new();
    let sitting = |table| {
        let kind = EntryKind::SeatTaken(Occupant { seat: Seat(1), account, robot_level: 0 });
        let due = vec![DueChange { kind: DueKind::Robot, at: Some(now()) }];
        let entry = Entry { kind, actor: None, stamp: None, ..move_entry(1, 0) };
        Arc::new(Append { table, entry, phase: Some(Phase::Playing), ended: None, due })
    };
    let answers = store.append(&tables.map(sitting)).await.expect("an answer");
    assert_eq!(answers, [Appended::Conflict, Appended::Yes]);
    let asked = TablesOf { account, in_progress: true, after: None, limit: 10 };
    assert_eq!(store.tables_of(asked).await.expect("tables"), [free]);
    assert_eq!((store.is_due(taken, now()).await, store.is_due(free, now()).await), (false, true));
}

/// A batch as the engine writes it: sorted by table.
async fn together<S: TableStore>(store: &S, mut batch: Vec<Write>) -> Vec<(TableId, Appended)> {
    batch.sort_by_key(Write::table);
    let answers = store.write(&batch).await.expect("an answer");
    batch.iter().map(Write::table).zip(answers).collect()
}

fn seated(id: TableId, sitting: &[AccountId], seed: u8) -> Write {
    let due = vec![DueChange { kind: DueKind::Robot, at: Some(now()) }];
    let phase = if sitting.len() == 2 { Phase::Playing } else { Phase::Waiting };
    Write::Open(Arc::new(NewTable { due, phase, ..new_table(id, sitting, [seed; 32]) }))
}

async fn opens_and_appends_together<S: TableStore>(store: &S) {
    let (empty, one, full, other) = (TableId::new(), TableId::new(), TableId::new(), opened(store).await);
    let [ada, bob] = [AccountId::new(), AccountId::new()];
    let batch = vec![
        seated(empty, &[], 1),
        seated(one, &[ada], 2),
        seated(full, &[ada, bob], 3),
        Write::Append(append(other, move_entry(1, 1))),
    ];
    assert!(together(store, batch).await.iter().all(|(_, answer)| *answer == Appended::Yes));
    assert_eq!(store.heads(&[empty, one, full, other]).await.expect("heads"), [0, 1, 2, 1]);
    for (id, sitting, seed) in [(empty, &[][..], 1), (one, &[ada], 2), (full, &[ada, bob], 3)] {
        let stored = store.load(id).await.expect("an answer").expect("the table");
        let new = new_table(id, sitting, [seed; 32]);
        assert_eq!(stored.seed.commitment(), new.seed.commitment());
        assert_eq!((stored.entries, stored.header.opened_at), (new.entries, new.header.opened_at));
        let opened = store.opened(id).await.expect("an answer").expect("the table");
        assert_eq!((opened.revision, opened.commitment), (sitting.len() as u32, new.header.commitment));
    }
    let mut of_ada = store
        .tables_of(TablesOf { account: ada, in_progress: true, after: None, limit: 9 })
        .await
        .expect("tables");
    of_ada.sort();
    let mut expected = [one, full];
    expected.sort();
    assert_eq!(of_ada, expected);
    for table in [empty, one, full] {
        assert!(store.is_due(table, now()).await);
    }
    store.done(&[one, full], DueKind::Robot).await.expect("an answer");
    assert!(store.is_due(empty, now()).await && !store.is_due(one, now()).await);
    assert_eq!(store.opened(TableId::new()).await.expect("an answer"), None);
}

async fn a_table_that_is_there_harms_no_other<S: TableStore>(store: &S) {
    let (there, new, taken, free) =
        (opened(store).await, TableId::new(), opened(store).await, opened(store).await);
    store.append(&[append(taken, move_entry(1, 1))]).await.expect("an answer");
    let before = store.opened(there).await.expect("an answer");
    let account = AccountId::new();
    let batch = vec![
        seated(there, &[account], 8),
        seated(new, &[account], 9),
        Write::Append(append(taken, move_entry(1, 1))),
        Write::Append(append(free, move_entry(1, 1))),
    ];
    for (table, answer) in together(store, batch).await {
        let expected = if [new, free].contains(&table) { Appended::Yes } else { Appended::Conflict };
        assert_eq!(answer, expected);
    }
    assert_eq!(store.opened(there).await.expect("an answer"), before, "no second seed, no seat");
    assert_eq!(store.heads(&[there, new, taken, free]).await.expect("heads"), [0, 1, 1, 1]);
    let asked = TablesOf { account, in_progress: true, after: None, limit: 10 };
    assert_eq!(store.tables_of(asked).await.expect("tables"), [new]);
    assert!(!store.is_due(there, now()).await);
}

async fn finds_the_entry_of_a_request<S: TableStore>(store: &S) {
    let (id, other) = (opened(store).await, opened(store).await);
    let entry = move_entry(1, 1);
    let stamp = entry.stamp.expect("a request");
    store.append(&[append(id, entry.clone())]).await.expect("an answer");
    let by_another = Entry { actor: Some(Seat(1)), stamp: entry.stamp, ..move_entry(2, 2) };
    for appended in
        [append(id, by_another.clone()), append(other, Entry { revision: 1, ..by_another.clone() })]
    {
        assert_eq!(store.append(&[appended]).await.expect("an answer"), [Appended::Yes]);
    }
    assert_eq!(store.entry_of(id, Seat(1), stamp.id).await.expect("an answer"), Some(by_another));
    assert_eq!(store.entry_of(id, Seat(0), stamp.id).await.expect("an answer"), Some(entry));
    assert_eq!(store.entry_of(other, Seat(0), stamp.id).await.expect("an answer"), None);
    assert_eq!(store.entry_of(id, Seat(0), RequestId::new()).await.expect("an answer"), None);
}

async fn ends_a_table<S: TableStore>(store: &S) {
    let (id, account) = (TableId::new(), AccountId::new());
    let due = DueChange { kind: DueKind::Robot, at: Some(now()) };
    let new = NewTable { due: vec![due], ..new_table(id, &[account], [3; 32]) };
    let header = new.header.clone();
    store.open_table(new).await.expect("a table");
    assert!(store.is_due(id, now()).await);
    let outcome = TableOutcome {
        results: vec![SeatResult::Won, SeatResult::Lost],
        reason: Reason::Resigned,
        scores: vec![3, -1],
    };
    let series = Series::of_text("").expect("a series").with(&header, &outcome);
    let end = TableEnd { outcome: outcome.clone(), series: series.clone() };
    let last = Append { table: id, entry: move_entry(2, 1), phase: None, ended: Some(end), due: Vec::new() };
    assert_eq!(store.append(&[Arc::new(last)]).await.expect("an answer"), [Appended::Yes]);
    let stored = store.load(id).await.expect("an answer").expect("the table");
    assert_eq!((stored.outcome.as_ref(), stored.series), (Some(&outcome), series));
    let of_series = store.series(SeriesId(header.series_id.expect("a series"))).await.expect("tables");
    let [SeriesRow { id: only, first_seat, outcome: end }] = &of_series[..] else { panic!("one table") };
    assert_eq!((*only, *first_seat, end.as_ref()), (id, header.first_seat, Some(&outcome)));
    let end = EndRow { id, reason: Reason::Resigned, at: move_entry(2, 1).at };
    let asked = [TableId::new(), opened(store).await, id];
    assert_eq!(store.ends(&asked).await.expect("ends"), [end]);
    assert!(!store.is_due(id, now()).await);
    let asked = TablesOf { account, in_progress: true, after: None, limit: 10 };
    assert_eq!(store.tables_of(asked).await.expect("tables"), []);
    assert_eq!(store.tables_of(TablesOf { in_progress: false, ..asked }).await.expect("tables"), [id]);
}

async fn knows_nothing_of_other_tables<S: TableStore>(store: &S) {
    let id = TableId::new();
    assert!(store.load(id).await.expect("an answer").is_none());
    assert_eq!(store.tail(id, 0).await.expect("a tail"), []);
    assert_eq!(store.heads(&[]).await.expect("heads"), [0; 0]);
}
