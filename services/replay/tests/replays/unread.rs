//! Readers who ask for a long game and don't read it.

use crate::endless;
use crate::games::{played, write};
use crate::house::{House, games};
use astragal_proto::replay::v1::TimelinePart;
use std::time::Duration;
use tokio::runtime::Builder;
use tonic::Streaming;

/// More than what is made ahead of a reader.
const MOVES: u32 = 2_000;

/// Far longer than it takes.
const ENOUGH: Duration = Duration::from_mins(2);

/// P1: steps are made as they are read, so whoever doesn't read holds no thread, and nobody up.
#[test]
fn p1_whoever_does_not_read_holds_no_thread() {
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(1).build();
    runtime.expect("a runtime").block_on(async {
        let read = tokio::time::timeout(ENOUGH, two_who_do_not_read()).await;
        read.expect("somebody who doesn't read holds up who does");
    });
}

async fn two_who_do_not_read() {
    let house = House::open().await;
    let game = played(&games(), endless::NAME, 1, MOVES);
    write(&*house.store, &game).await;
    assert_eq!(game.moves(), MOVES as usize);
    let game = game.id.to_string();
    let mut idle = [house.timeline(&game).await, house.timeline(&game).await];
    for parts in &mut idle {
        let first = parts.message().await.expect("a part").expect("a head");
        assert!(first.head.is_some_and(|head| head.moves == MOVES));
    }
    assert_eq!(rest(house.timeline(&game).await).await, MOVES + 1);
    for parts in idle {
        assert_eq!(rest(parts).await, MOVES + 1, "it goes on where it was");
    }
}

/// Reads to the end; gives the number of steps, which come one after the other.
async fn rest(mut parts: Streaming<TimelinePart>) -> u32 {
    let mut next = 0;
    while let Some(part) = parts.message().await.expect("a part") {
        for step in part.steps {
            assert_eq!(step.number, next);
            next += 1;
        }
    }
    next
}
