//! What administrators and replays are given: everything of a game that is over, and of one that goes on
//! what an administrator may see, once the look is written down.

use crate::house::{House, RESIGN, answer, code, two, undo};
use astragal_proto::engine::v1::{
    FindTablesRequest, JournalEntry, ListLooksRequest, Look, StreamJournalRequest, StreamStepsRequest,
};
use astragal_proto::replay::v1::{TimelineHead, TimelineStep};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;
use prost::Message;
use tokio_stream::StreamExt;

type Timeline = (TimelineHead, Vec<TimelineStep>);

async fn steps(house: &House, table: TableId, looker: &str) -> Result<Timeline> {
    let asked =
        StreamStepsRequest { table_id: table.to_string(), from: 0, to: None, looker: looker.to_owned() };
    let mut parts = answer(house.client().stream_steps(asked).await)?;
    let (mut head, mut steps) = (None, Vec::new());
    while let Some(part) = parts.next().await {
        let part = part.map_err(Problem::from)?;
        head = head.or(part.head);
        steps.extend(part.steps);
    }
    Ok((head.expect("a head"), steps))
}

async fn looks(house: &House, table: TableId) -> Vec<Look> {
    let asked = ListLooksRequest { table_id: table.to_string() };
    answer(house.client().list_looks(asked).await).expect("looks").looks
}

async fn journal(house: &House, table: TableId) -> Result<Vec<JournalEntry>> {
    let asked = StreamJournalRequest { table_id: table.to_string() };
    let mut parts = answer(house.client().stream_journal(asked).await)?;
    let mut entries = Vec::new();
    while let Some(part) = parts.next().await {
        entries.extend(part.map_err(Problem::from)?.entries);
    }
    Ok(entries)
}

/// P3: no look without a name, and none that isn't written down first; after the end nobody looks in secret.
#[tokio::test]
async fn p3_a_look_at_a_game_that_goes_on_is_written_down() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    house.add(table, first, "{\"whisper\":2}").await.expect("a move");
    for nameless in ["", "a\nb", &"x".repeat(201)] {
        assert_eq!(code(&steps(&house, table, nameless).await), Some(Code::InvalidArgument));
    }
    assert_eq!(looks(&house, table).await, []);
    steps(&house, table, "ada").await.expect("steps");
    steps(&house, table, "ada").await.expect("steps");
    let seen = looks(&house, table).await;
    assert_eq!(seen.iter().map(|look| (&*look.looker, look.revision)).collect::<Vec<_>>(), [("ada", 3)]);
    house.play(table, second, RESIGN).await.expect("the end");
    steps(&house, table, "").await.expect("a game that is over hides nothing");
    assert_eq!(looks(&house, table).await.len(), 1);
}

/// P1, P3: the steps are those that stand, with the hashes of the journal, and the seed is in none of them.
#[tokio::test]
async fn p1_p3_steps_are_those_that_stand_and_hold_no_seed() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    house.add(table, first, "{\"add\":1}").await.expect("a move");
    house.play(table, first, undo(3)).await.expect("an undo");
    house.add(table, first, "{\"add\":2}").await.expect("a move");
    house.add(table, second, "\"roll\"").await.expect("a move");
    let (head, shown) = steps(&house, table, "ada").await.expect("steps");
    assert_eq!((head.moves, head.revision, head.over), (2, 6, false));
    assert_eq!(shown.iter().map(|step| step.number).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(shown.iter().map(|step| step.taken_back).collect::<Vec<_>>(), [0, 1, 0]);

    let stored = house.store().load(table).await.expect("an answer").expect("the table");
    let hashes: Vec<_> =
        stored.entries.iter().filter_map(|entry| entry.state_hash.map(hex::encode)).collect();
    assert_eq!(
        [&shown[1].state_hash, &shown[2].state_hash],
        [&hashes[hashes.len() - 2], &hashes[hashes.len() - 1]]
    );
    let opening = stored.header.opening(stored.seed);
    let seed = opening.seed.clone();
    let bytes: Vec<u8> = shown.iter().flat_map(Message::encode_to_vec).chain(head.encode_to_vec()).collect();
    let text = String::from_utf8_lossy(&bytes);
    // Whoever had the seed could show it by its commitment; nothing of 64 digits here is a seed of it.
    let digits = text.split(|character: char| !character.is_ascii_hexdigit()).filter(|word| word.len() >= 64);
    for word in digits {
        let found = astragal_rules::seed::Seed::from_hex(&word[..64]);
        assert!(
            found.is_none_or(|found| !found.commitment().matches(&seed.commitment())),
            "the seed is shown"
        );
    }
}

/// P5, L13: the journal is for a game that is over, and tells of nobody who they are.
#[tokio::test]
async fn p5_l13_a_journal_comes_after_the_end_without_accounts() {
    let house = House::in_memory().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    assert_eq!(code(&journal(&house, table).await), Some(Code::GameInProgress));
    assert_eq!(code(&journal(&house, TableId::new()).await), Some(Code::NotFound));
    house.add(table, first, "{\"add\":1}").await.expect("a move");
    house.play(table, second, RESIGN).await.expect("the end");
    let entries = journal(&house, table).await.expect("a journal");
    let kinds: Vec<_> = entries.iter().map(|entry| (entry.revision, &*entry.kind)).collect();
    assert_eq!(kinds, [(1, "seat_taken"), (2, "seat_taken"), (3, "move"), (4, "move")]);
    let text = format!("{entries:?}");
    assert!(!text.contains(&first.to_string()) && !text.contains(&second.to_string()), "{text}");
}

/// P2: a table that waits is found with what everyone may know of it, and without a view.
#[tokio::test]
async fn p2_tables_are_found_without_their_views() {
    let house = House::in_memory().await;
    let [first, _] = two();
    let table = house.tally(2, &[first]).await;
    let asked = FindTablesRequest { account_id: first.to_string(), ..FindTablesRequest::default() };
    let found = answer(house.client().find_tables(asked).await).expect("tables").tables;
    assert_eq!(found.len(), 1);
    assert_eq!((&*found[0].table_id, &*found[0].phase), (&*table.to_string(), "waiting"));
    assert_eq!((&found[0].view[..], found[0].your_seat), (&b"null"[..], None));
    let odd = FindTablesRequest { phase: "sleeping".to_owned(), ..FindTablesRequest::default() };
    assert_eq!(code(&answer(house.client().find_tables(odd).await)), Some(Code::InvalidArgument));
}
