//! Two at the same instant, on two replicas over one database, again and again.

use astragal_runtime::error::Code;

use crate::world::{Answer, KALAH, World};

const TIMES: usize = 200;

/// Two replicas and three people, who each stand at one of them.
async fn two_replicas() -> (World, World, [String; 3]) {
    let here = World::new().await;
    let there = here.again(2).await;
    let people = [here.guest("Ada").await, here.guest("Bob").await, there.guest("Eve").await];
    (here, there, people)
}

/// Runs two calls at once, each on a task of its own.
async fn at_once<A: Send + 'static, B: Send + 'static>(
    first: impl Future<Output = A> + Send + 'static,
    second: impl Future<Output = B> + Send + 'static,
) -> (A, B) {
    let (first, second) = (tokio::spawn(first), tokio::spawn(second));
    (first.await.expect("the first"), second.await.expect("the second"))
}

fn code<T>(answer: &Answer<T>) -> Option<Code> {
    answer.as_ref().err().map(|problem| problem.code)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_of_two_who_join_at_once_one_gets_the_seat() {
    let (here, there, [ada, bob, eve]) = two_replicas().await;
    for _ in 0..TIMES {
        let game = here.friends(&ada, &[], KALAH).await.expect("a game");
        let (first, second) = at_once(
            {
                let (world, bob, game) = (here.clone(), bob.clone(), game.clone());
                async move { world.join(&bob, &game).await }
            },
            {
                let (world, eve, game) = (there.clone(), eve.clone(), game.clone());
                async move { world.join(&eve, &game).await }
            },
        )
        .await;
        let (winner, seat) = match (&first, &second) {
            (Ok(joined), refused) if code(refused) == Some(Code::SeatTaken) => (&bob, joined.seat),
            (refused, Ok(joined)) if code(refused) == Some(Code::SeatTaken) => (&eve, joined.seat),
            both => panic!("not exactly one got the seat: {both:?}"),
        };
        let table = here.engine.table(&game);
        assert_eq!(table.seated, [seat]);
        assert_eq!(&table.occupants[&seat].account_id, winner);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_a_game_that_is_joined_and_cancelled_at_once_is_one_or_the_other() {
    let (here, there, [ada, bob, _]) = two_replicas().await;
    for _ in 0..TIMES {
        let game = here.find(&ada, KALAH).await.expect("a game").game_id;
        let (joined, cancelled) = at_once(
            {
                let (world, bob, game) = (there.clone(), bob.clone(), game.clone());
                async move { world.join(&bob, &game).await }
            },
            {
                let (world, ada, game) = (here.clone(), ada.clone(), game.clone());
                async move { world.cancel(&ada, &game).await }
            },
        )
        .await;
        let table = here.engine.table(&game);
        match (&joined, &cancelled) {
            (Ok(_), refused) if code(refused) == Some(Code::FailedPrecondition) => {
                assert!(!table.cancelled && table.occupants.len() == 2);
            }
            (refused, Ok(())) if code(refused) == Some(Code::FailedPrecondition) => {
                assert!(table.cancelled && table.occupants.len() == 1);
            }
            both => panic!("not exactly one happened: {both:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_two_who_look_at_once_never_wait_side_by_side() {
    let (here, there, [ada, bob, _]) = two_replicas().await;
    for _ in 0..TIMES {
        let (first, second) = at_once(
            {
                let (world, ada) = (here.clone(), ada.clone());
                async move { world.find(&ada, KALAH).await }
            },
            {
                let (world, bob) = (there.clone(), bob.clone());
                async move { world.find(&bob, KALAH).await }
            },
        )
        .await;
        let (first, second) = (first.expect("found"), second.expect("found"));
        assert_eq!(first.game_id, second.game_id);
        assert_ne!(first.joined, second.joined);
        let table = here.engine.table(&first.game_id);
        assert_eq!(table.occupants.len(), 2);
        assert!(here.draw(&first.game_id).await.expect("a draw").full);
    }
    assert!(here.open_games("").await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l14_the_same_request_at_two_replicas_at_once_is_one_game() {
    let (here, there, [ada, bob, _]) = two_replicas().await;
    for _ in 0..TIMES {
        let id = astragal_runtime::id::RequestId::new().to_string();
        let (first, second) = at_once(
            {
                let (world, ada, id) = (here.clone(), ada.clone(), id.clone());
                async move { world.find_again(&ada, &id, KALAH).await }
            },
            {
                let (world, ada, id) = (there.clone(), ada.clone(), id.clone());
                async move { world.find_again(&ada, &id, KALAH).await }
            },
        )
        .await;
        assert!(first.is_ok(), "{first:?}");
        assert_eq!(first, second);
        assert_eq!(here.open_games("").await.len(), 1);
        assert!(here.find(&bob, KALAH).await.expect("a game").joined);
    }
}
