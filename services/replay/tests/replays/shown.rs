//! Who is shown what of which game.

use crate::house::{House, code, step};
use astragal_engine::clocks::TimeMark;
use astragal_engine::journal::{Entry, EntryKind};
use astragal_engine::outcome::TableOutcome;
use astragal_engine::series::Series;
use astragal_engine::store::{Append, Appended, TableEnd, TableStore, Write};
use astragal_proto::engine::v1::ListLooksRequest;
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::error::Code;
use astragal_runtime::id::TableId;
use std::sync::Arc;

/// P1, P3, L13: an unknown game, one that goes on, and one that is over, for anyone and for an administrator.
#[tokio::test]
async fn p1_p3_l13_who_is_shown_what() {
    let house = House::open().await;
    assert_eq!(house.codes(&TableId::new().to_string()).await, [Some(Code::NotFound); 5]);
    assert_eq!(house.codes("nonsense").await, [Some(Code::InvalidArgument); 5]);
    let game = house.game().await;
    assert_eq!(house.codes(&game).await, [Some(Code::GameInProgress); 5]);
    let seen = house.replay.clone().step(step(&game, 0, "ada")).await.expect("a step").into_inner();
    assert!(seen.head.is_some_and(|head| !head.over) && seen.step.is_some_and(|deal| deal.number == 0));
    house.end(&game).await;
    assert_eq!(house.codes(&game).await, [None, None, None, None, Some(Code::FailedPrecondition)]);
}

/// P1: a step that there is not, of a game that goes on and of one that is over.
#[tokio::test]
async fn p1_a_step_out_of_range_is_refused() {
    let house = House::open().await;
    let game = house.game().await;
    for is_over in [false, true] {
        for number in [2, 100_000, u32::MAX] {
            let refused = house.replay.clone().step(step(&game, number, "ada")).await;
            assert_eq!(code(refused), Some(Code::InvalidArgument), "step {number}, over: {is_over}");
        }
        if !is_over {
            house.end(&game).await;
        }
    }
    let last = house.replay.clone().step(step(&game, 1, "")).await.expect("a step").into_inner();
    assert!(last.head.is_some_and(|head| head.over && head.moves == 1));
}

/// P1, P3, L0: what a game was that broke down is for administrators alone, and a look at it is written down.
#[tokio::test]
async fn p1_p3_l0_a_game_that_broke_down_is_shown_to_administrators_alone() {
    let house = House::open().await;
    let game = house.game().await;
    crash(&house, game.parse().expect("an id")).await;
    assert_eq!(house.codes(&game).await, [Some(Code::FailedPrecondition); 5]);
    let seen = house.replay.clone().step(step(&game, 0, "ada")).await.expect("a step").into_inner();
    assert!(seen.head.is_some_and(|head| head.over) && seen.step.is_some_and(|deal| deal.number == 0));
    let asked = ListLooksRequest { table_id: game.clone() };
    let looks = house.tables.clone().list_looks(asked).await.expect("looks").into_inner().looks;
    assert!(matches!(&looks[..], [look] if look.looker == "ada" && look.revision == 3), "{looks:?}");
    let beyond = house.replay.clone().step(step(&game, 1, "ada")).await;
    assert_eq!(code(beyond), Some(Code::InvalidArgument));
}

/// As another engine would have noted it, whose build could not go on.
async fn crash(house: &House, table: TableId) {
    let entry = Entry {
        revision: 3,
        kind: EntryKind::Crashed { place: "journal[2].stateHash".to_owned() },
        actor: None,
        stamp: None,
        at: SystemClock.now(),
        state_hash: None,
        time: TimeMark::default(),
    };
    let ended = TableEnd { series: Series::default(), outcome: TableOutcome::crashed(2) };
    let append = Append { table, entry, phase: None, ended: Some(ended), due: Vec::new() };
    let written = house.store.write(&[Write::Append(Arc::new(append))]).await.expect("a database");
    assert_eq!(written, [Appended::Yes]);
}
