//! What every store must do with time: what is due, outages, and what an account may do in an hour.

use super::{move_entry, now, opened};
use crate::direct::Direct;
use astragal_engine::store::heart::{Abort, Beat};
use astragal_engine::store::{Append, Appended, DueChange, DueKind, TableStore};
use astragal_runtime::id::{AccountId, TableId};
use chrono::TimeDelta;
use std::sync::Arc;

pub(super) async fn knows_what_is_due<S: TableStore>(store: &S) {
    let id = opened(store).await;
    let minute = now() + TimeDelta::minutes(1);
    let is_due = async |by| store.is_due(id, by).await;
    let robot = |at| DueChange { kind: DueKind::Robot, at };
    for (revision, change, due_now, due_later) in [
        (1, robot(Some(minute)), false, true),
        (2, robot(Some(now())), true, true),
        (3, DueChange { kind: DueKind::Automatic, at: None }, true, true),
        (4, robot(None), false, false),
        (5, DueChange { kind: DueKind::Automatic, at: Some(now()) }, true, true),
    ] {
        let entry = move_entry(revision, revision);
        let append = Append { table: id, entry, phase: None, ended: None, due: vec![change] };
        assert_eq!(store.append(&[Arc::new(append)]).await.expect("an answer"), [Appended::Yes]);
        assert_eq!((is_due(now()).await, is_due(minute).await), (due_now, due_later), "at {revision}");
    }
    store.postpone(id, minute).await.expect("an answer");
    assert!(!is_due(now()).await);
    assert!(is_due(minute).await);
}

pub(super) async fn moves_a_flag_that_was_due<S: TableStore>(store: &S) {
    let id = opened(store).await;
    let second = |seconds| now() + TimeDelta::seconds(seconds);
    let is_due = async |by| store.is_due(id, by).await;
    let due = vec![DueChange { kind: DueKind::Flag, at: Some(second(10)) }];
    let append = Append { table: id, entry: move_entry(1, 1), phase: None, ended: None, due };
    assert_eq!(store.append(&[Arc::new(append)]).await.expect("an answer"), [Appended::Yes]);
    // It was written anew meanwhile, and is not due.
    store.move_flag(id, second(9), second(30)).await.expect("an answer");
    assert!(!is_due(second(9)).await && is_due(second(10)).await);
    store.move_flag(id, second(10), second(30)).await.expect("an answer");
    assert!(!is_due(second(29)).await && is_due(second(30)).await);
}

pub(super) async fn notes_outages<S: TableStore>(store: &S) {
    let silence_max = TimeDelta::milliseconds(1_500);
    let start = now();
    let beat = async |after_ms, known_until, silence_max| {
        let now = start + TimeDelta::milliseconds(after_ms);
        store.beat(Beat { now, silence_max, known_until }).await.expect("an answer")
    };
    let first = beat(0, start - TimeDelta::days(1), silence_max).await;
    assert_eq!(first.outages, []);
    // A database with a clock of its own says what it shows, whatever the process thinks.
    let known = first.at.unwrap_or(start);
    assert_eq!(beat(1_500, known, silence_max).await.outages, []);
    // Any silence is too long here, so that a database with a clock of its own finds one too.
    let noted = beat(8_500, known, TimeDelta::zero()).await;
    let [outage] = noted.outages[..] else { panic!("one outage, not {:?}", noted.outages) };
    assert!(outage.began_at < outage.ended_at);
    if noted.at.is_none() {
        let after = |ms| start + TimeDelta::milliseconds(ms);
        assert_eq!((outage.began_at, outage.ended_at), (after(1_500), after(8_500)));
    }
    let again = beat(8_600, known, silence_max).await;
    assert_eq!(again.outages, [outage], "every engine is told of it");
    assert_eq!(beat(8_700, outage.ended_at, silence_max).await.outages, [], "and once");
}

pub(super) async fn counts_aborts<S: TableStore>(store: &S) {
    let (account, table) = (AccountId::new(), TableId::new());
    let abort = |minutes, table| {
        let at = now() + TimeDelta::minutes(minutes);
        Abort { account, table, at, since: at - TimeDelta::hours(1), aborts_max: 3 }
    };
    for (minutes, table, allowed) in [
        (0, TableId::new(), true),
        (10, table, true),
        (20, TableId::new(), true),
        (30, TableId::new(), false),
        (30, table, true),
        (59, TableId::new(), false),
        (60, TableId::new(), true),
        (61, TableId::new(), false),
    ] {
        assert_eq!(
            store.allow_abort(abort(minutes, table)).await.expect("an answer"),
            allowed,
            "at {minutes}"
        );
    }
    let other = Abort { account: AccountId::new(), ..abort(30, TableId::new()) };
    assert!(store.allow_abort(other).await.expect("an answer"));
}
