//! Rules have versions, and tables keep theirs.

use crate::house::{Database, House, code, json, tally, two};
use crate::tally::Tally;
use astragal_proto::engine::v1::ListTablesRequest;
use astragal_rules::registry::Registry;
use astragal_runtime::error::Code;
use astragal_runtime::id::TableId;

fn versions(versions: &[u32]) -> Registry {
    versions.iter().fold(Registry::new(), |games, version| games.with(Tally { version: *version }))
}

#[tokio::test]
async fn l9_a_table_goes_on_by_the_version_that_opened_it() {
    let database = Database::new();
    let house = House::with(&database.location(), versions(&[1])).await;
    let accounts = two();
    let old = house.tally(2, &accounts).await;
    house.add(old, accounts[0], "{\"add\":1}").await.expect("a move");
    house.stop().await;

    let house = House::with(&database.location(), versions(&[1, 2])).await;
    house.add(old, accounts[1], "{\"add\":1}").await.expect("a move");
    let view = house.view(old, None).await.expect("a view");
    assert_eq!((view.version, &json(&view.view)["total"]), (1, &2.into()));
    let new = TableId::new();
    assert_eq!(house.open(tally(new, 2, &accounts)).await.expect("a table").version, 2);
    house.add(new, accounts[0], "{\"add\":1}").await.expect("a move");
    assert_eq!(json(&house.view(new, None).await.expect("a view").view)["total"], 2);
    house.stop().await;

    // A build without version 1 refuses that table, and that table only.
    let house = House::with(&database.location(), versions(&[2])).await;
    assert_eq!(code(&house.add(old, accounts[0], "{\"add\":1}").await), Some(Code::InvalidGame));
    house.add(new, accounts[1], "{\"add\":1}").await.expect("a move");
    let asked = ListTablesRequest { account_id: accounts[0].to_string(), ..ListTablesRequest::default() };
    let listed = house.client().list_tables(asked).await.expect("a list").into_inner().tables;
    assert_eq!(listed.into_iter().map(|table| table.table_id).collect::<Vec<_>>(), [new.to_string()]);
    house.stop().await;

    let house = House::with(&database.location(), versions(&[1, 2])).await;
    let view = house.view(old, None).await.expect("a view that is as it was");
    assert_eq!((view.phase.as_str(), view.revision), ("playing", 4));
}
