//! A database that answers and writes nothing: whoever plays is told so, and the engine is not ready.

use crate::house::{House, a_move, two};
use astragal_runtime::error::Code;
use std::sync::atomic::Ordering;

/// O1: the reason is named, and nobody is sent to an engine that can't write until it can.
#[tokio::test]
async fn o1_a_database_that_refuses_to_write_is_named_and_makes_the_engine_unready() {
    let (house, store) = House::faulty().await;
    let [first, second] = two();
    let table = house.tally(2, &[first, second]).await;
    house.engine().ready().await.expect("a database that writes");
    store.read_only.store(true, Ordering::SeqCst);
    let refused = house.play(table, first, a_move(2, "{\"add\":1}")).await.expect_err("nothing is written");
    assert_eq!(refused.code, Code::Unavailable);
    assert!(refused.message.contains("the database refuses to write"), "{refused}");
    // It is known as soon as the last sign of life is no longer fresh.
    let unready = loop {
        tokio::task::yield_now().await;
        if let Err(problem) = house.engine().ready().await {
            break problem;
        }
    };
    assert!(unready.message.contains("the database refuses to write"), "{unready}");
    assert_eq!(house.view(table, None).await.expect("what is read").revision, 2);
    store.read_only.store(false, Ordering::SeqCst);
    house.engine().ready().await.expect("a database that writes again");
    assert_eq!(house.play(table, first, a_move(2, "{\"add\":1}")).await, Ok(3));
}
