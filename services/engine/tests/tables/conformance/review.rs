//! What administrators look for, and what is remembered of their looks.

use super::{new_table, now};
use crate::direct::Direct;
use astragal_engine::header::Phase;
use astragal_engine::store::TableStore;
use astragal_engine::store::review::{Look, Wanted};
use astragal_runtime::id::{AccountId, TableId};
use chrono::TimeDelta;

pub(super) async fn finds_tables<S: TableStore>(store: &S) {
    let account = AccountId::new();
    let mut tables = Vec::new();
    for place in 0..3 {
        let id = TableId::new();
        let mut new = new_table(id, &[account], [7; 32]);
        new.header.opened_at = now() + TimeDelta::seconds(place);
        tables.push((id, new.header.series_id));
        store.open_table(new).await.expect("a table");
    }
    let all = Wanted { account: Some(account), limit: 10, ..Wanted::default() };
    let find = async |wanted: Wanted| store.find(wanted).await.expect("an answer");
    let [(first, series), (second, _), (third, _)] = tables[..] else { panic!("three tables") };
    assert_eq!(find(all.clone()).await, [third, second, first]);
    assert_eq!(find(Wanted { after: Some(third), limit: 1, ..all.clone() }).await, [second]);
    assert_eq!(find(Wanted { table: Some(second), ..all.clone() }).await, [second]);
    assert_eq!(find(Wanted { series, ..all.clone() }).await, [first]);
    assert_eq!(find(Wanted { phase: Some(Phase::Over), ..all.clone() }).await, []);
    assert_eq!(find(Wanted { game: Some("kalah".to_owned()), ..all.clone() }).await, []);
    let waiting = Wanted { phase: Some(Phase::Waiting), game: Some("tally".to_owned()), ..all };
    assert_eq!(find(waiting).await.len(), 3);
}

pub(super) async fn keeps_looks<S: TableStore>(store: &S) {
    let table = TableId::new();
    store.open_table(new_table(table, &[], [8; 32])).await.expect("a table");
    assert_eq!(store.looks(table).await.expect("an answer"), []);
    let look = |looker: &str, revision, seconds| Look {
        looker: looker.to_owned(),
        at: now() + TimeDelta::seconds(seconds),
        revision,
    };
    let noted = [look("ada", 1, 0), look("ada", 1, 5), look("<b>", 1, 6), look("ada", 2, 7)];
    for look in &noted {
        store.note_look(table, look.clone()).await.expect("a look");
    }
    let kept = store.looks(table).await.expect("an answer");
    assert_eq!(kept, [noted[0].clone(), noted[2].clone(), noted[3].clone()]);
}
