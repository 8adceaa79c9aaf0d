//! The catalogue, heads, and tables of an account.

use crate::house::{ABORT, House, RESIGN, answer, code, json, tally, two};
use astragal_proto::engine::v1::{
    GetEndsRequest, GetHeadsRequest, ListGamesRequest, ListLiveTablesRequest, ListTablesRequest,
    OpenTableRequest,
};
use astragal_runtime::error::Code;
use astragal_runtime::id::TableId;

#[tokio::test]
async fn the_catalogue_says_what_each_game_takes() {
    let house = House::in_memory().await;
    let games = answer(house.client().list_games(ListGamesRequest {}).await).expect("games").games;
    let names: Vec<_> = games.iter().map(|game| game.game.as_str()).collect();
    assert_eq!(names, ["kalah", "tally"]);
    let kalah = &games[0];
    assert_eq!((kalah.seats_min, kalah.seats_max, kalah.robots), (2, 2, true));
    assert_eq!(
        (&*kalah.variants, &*kalah.draw_sets),
        (&["standard".to_owned()][..], &["english".to_owned()][..])
    );
    assert!(json(&kalah.move_schema)["properties"]["pit"].is_object());
    assert!(json(&kalah.options_schema).is_object() && json(&kalah.view_schema).is_object());
}

#[tokio::test]
async fn heads_are_in_the_order_of_asking() {
    let house = House::in_memory().await;
    let accounts = two();
    let (full, empty) = (house.tally(2, &accounts).await, house.tally(2, &[]).await);
    let asked = [TableId::new(), full, empty].map(|table| table.to_string()).to_vec();
    let heads = answer(house.client().get_heads(GetHeadsRequest { table_ids: asked }).await);
    assert_eq!(heads.expect("heads").revisions, [0, 2, 0]);
    let table_ids = vec![full.to_string(); 1_001];
    let too_many = answer(house.client().get_heads(GetHeadsRequest { table_ids }).await);
    assert_eq!(code(&too_many), Some(Code::InvalidArgument));
}

/// D11: who opens games asks how the last ones ended.
#[tokio::test]
async fn ends_are_told_of_tables_that_are_over() {
    let house = House::in_memory().await;
    let accounts = two();
    let (over, live) = (house.tally(2, &accounts).await, house.tally(2, &two()).await);
    house.play(over, accounts[0], ABORT).await.expect("aborted");
    let table_ids = [live, TableId::new(), over].map(|table| table.to_string()).to_vec();
    let told = answer(house.client().get_ends(GetEndsRequest { table_ids }).await).expect("ends").ends;
    let told: Vec<_> = told.iter().map(|end| (&*end.table_id, &*end.reason, end.at.is_some())).collect();
    assert_eq!(told, [(&*over.to_string(), "aborted", true)]);
}

#[tokio::test]
async fn my_tables_come_newest_first_and_in_pages() {
    let house = House::in_memory().await;
    let [me, other] = two();
    let mut tables = Vec::new();
    for number in 0..5 {
        let table = TableId::new();
        let sitting = if number % 2 == 0 { vec![me, other] } else { vec![me] };
        house.open(tally(table, 2, &sitting)).await.expect("a table");
        tables.insert(0, table.to_string());
    }
    house.play(tables[2].parse().expect("an id"), me, RESIGN).await.expect("the end");
    let list = async |in_progress, limit, after: &str| {
        let asked = ListTablesRequest {
            account_id: me.to_string(),
            in_progress,
            limit,
            after_table_id: after.to_owned(),
        };
        let listed = answer(house.client().list_tables(asked).await).expect("a list").tables;
        assert!(listed.iter().all(|table| table.your_seat == Some(0)));
        listed.into_iter().map(|table| table.table_id).collect::<Vec<_>>()
    };
    assert_eq!(list(false, 0, "").await, tables);
    assert_eq!(list(false, 2, "").await, tables[..2]);
    assert_eq!(list(false, 100, &tables[1]).await, tables[2..]);
    let going_on: Vec<_> = tables.iter().filter(|table| **table != tables[2]).cloned().collect();
    assert_eq!(list(true, 0, "").await, going_on);
}

/// G5: what is listed goes on, has no empty seat, and shows what strangers may see.
#[tokio::test]
async fn g5_live_tables_come_newest_first_and_in_pages() {
    let house = House::in_memory().await;
    let accounts = two();
    let mut tables = Vec::new();
    for sitting in [&accounts[..], &accounts[..1], &accounts, &accounts] {
        let table = TableId::new();
        house.open(OpenTableRequest { listed: true, ..tally(table, 2, sitting) }).await.expect("a table");
        tables.insert(0, table.to_string());
    }
    house.tally(2, &accounts).await;
    let list = async |game: &str, limit, after: &str| {
        let (game, after_table_id) = (game.to_owned(), after.to_owned());
        let asked = ListLiveTablesRequest { game, limit, after_table_id };
        let listed = answer(house.client().list_live_tables(asked).await).expect("a list").tables;
        assert!(listed.iter().all(|table| table.your_seat.is_none() && table.legal_moves.is_none()));
        listed.into_iter().map(|table| table.table_id).collect::<Vec<_>>()
    };
    // The third from the left still waits, and the unlisted one is nobody's business.
    let [newest, second, _, oldest] = &*tables else { panic!("four tables were opened") };
    let live = [newest.clone(), second.clone(), oldest.clone()];
    assert_eq!(list("", 0, "").await, live);
    assert_eq!(list("tally", 2, "").await, live[..2]);
    assert_eq!(list("", 100, second).await, live[2..]);
    assert_eq!(list("kalah", 0, "").await, [""; 0]);
    house.play(newest.parse().expect("an id"), accounts[0], RESIGN).await.expect("the end");
    assert_eq!(list("", 0, "").await, live[1..]);
}
