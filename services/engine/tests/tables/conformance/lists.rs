//! What every store must know of who plays where.

use super::{move_entry, new_table, now};
use crate::direct::Direct;
use astragal_engine::header::Phase;
use astragal_engine::outcome::{Reason, TableOutcome};
use astragal_engine::series::Series;
use astragal_engine::store::{
    Append, Appended, LiveTables, NewTable, PlayedRow, TableEnd, TableStore, TablesOf,
};
use astragal_rules::outcome::SeatResult;
use astragal_runtime::id::{AccountId, TableId};
use chrono::TimeDelta;
use std::sync::Arc;

pub(super) async fn lists_tables_of_an_account<S: TableStore>(store: &S) {
    let account = AccountId::new();
    let mut tables = Vec::new();
    for age in 0..5 {
        let id = TableId::new();
        let mut new = new_table(id, &[account, AccountId::new()], [4; 32]);
        new.header.opened_at = now() - TimeDelta::seconds(age);
        store.open_table(new).await.expect("a table");
        tables.push(id);
    }
    let asked = TablesOf { account, in_progress: false, after: None, limit: 3 };
    assert_eq!(store.tables_of(asked).await.expect("tables"), tables[..3]);
    for in_progress in [true, false] {
        let next = TablesOf { after: Some(tables[2]), in_progress, ..asked };
        assert_eq!(store.tables_of(next).await.expect("tables"), tables[3..]);
    }
    let nobody = TablesOf { account: AccountId::new(), ..asked };
    assert_eq!(store.tables_of(nobody).await.expect("tables"), []);
}

/// Who plays elsewhere may have no time for a rematch.
pub(super) async fn r2_knows_what_people_play<S: TableStore>(store: &S) {
    let [ada, bob, nobody] = [AccountId::new(), AccountId::new(), AccountId::new()];
    let mut tables = Vec::new();
    for (sitting, phase) in [
        (&[ada, bob][..], Phase::Playing),
        (&[bob], Phase::Playing),
        (&[ada], Phase::Waiting),
        (&[bob, ada], Phase::Playing),
    ] {
        let new = NewTable { phase, ..new_table(TableId::new(), sitting, [4; 32]) };
        tables.push(PlayedRow { id: new.header.id, time_control: new.header.time_control });
        store.open_table(new).await.expect("a table");
    }
    let outcome = TableOutcome {
        results: vec![SeatResult::Lost, SeatResult::Won],
        reason: Reason::Time,
        scores: vec![0, 0],
    };
    let end = TableEnd { outcome, series: Series::of_text("").expect("a series") };
    let (table, entry) = (tables[3].id, move_entry(3, 1));
    let last = Append { table, entry, phase: None, ended: Some(end), due: Vec::new() };
    assert_eq!(store.append(&[Arc::new(last)]).await.expect("an answer"), [Appended::Yes]);
    let playing = async |people: &[AccountId]| store.playing(people).await.expect("tables");
    assert_eq!(playing(&[ada, nobody]).await, tables[..1]);
    let mut both = playing(&[ada, bob]).await;
    both.sort_by_key(|row| tables.iter().position(|known| known.id == row.id));
    assert_eq!(both, tables[..2], "each table once");
    assert_eq!(playing(&[nobody]).await, []);
}

pub(super) async fn lists_live_tables<S: TableStore>(store: &S) {
    let game = format!("game {}", TableId::new());
    let mut tables = Vec::new();
    for (age, listed, phase) in [
        (0, true, Phase::Playing),
        (1, true, Phase::Waiting),
        (2, false, Phase::Playing),
        (3, true, Phase::Playing),
    ] {
        let mut new = new_table(TableId::new(), &[AccountId::new(), AccountId::new()], [4; 32]);
        (new.listed, new.phase) = (listed, phase);
        new.header.game.clone_from(&game);
        new.header.opened_at = now() - TimeDelta::seconds(age);
        tables.push(new.header.id);
        store.open_table(new).await.expect("a table");
    }
    let asked = LiveTables { game: Some(game), after: None, limit: 100 };
    let live = async |asked: &LiveTables| store.live(asked.clone()).await.expect("tables");
    assert_eq!(live(&asked).await, [tables[0], tables[3]]);
    assert_eq!(live(&LiveTables { limit: 1, ..asked.clone() }).await, tables[..1]);
    assert_eq!(live(&LiveTables { after: Some(tables[0]), ..asked.clone() }).await, tables[3..]);
    assert!(live(&LiveTables { game: None, ..asked }).await.starts_with(&tables[..1]));
}
