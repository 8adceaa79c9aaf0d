//! Two at the same instant, on two replicas over one database, again and again.

use astragal_proto::matchmaking::v1::{FindGameResponse, JoinGameResponse};
use astragal_runtime::error::Code;
use astragal_runtime::id::RequestId;

use crate::world::{Answer, KALAH, World};

const TIMES: usize = 200;

/// Two replicas and three people.
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

fn joining(world: &World, who: &str, game: &str) -> impl Future<Output = Answer<JoinGameResponse>> + use<> {
    let (world, who, game) = (world.clone(), who.to_owned(), game.to_owned());
    async move { world.join(&who, &game).await }
}

fn cancelling(world: &World, who: &str, game: &str) -> impl Future<Output = Answer<()>> + use<> {
    let (world, who, game) = (world.clone(), who.to_owned(), game.to_owned());
    async move { world.cancel(&who, &game).await }
}

fn finding(
    world: &World,
    who: &str,
    id: RequestId,
) -> impl Future<Output = Answer<FindGameResponse>> + use<> {
    let (world, who) = (world.clone(), who.to_owned());
    async move { world.find_again(&who, &id.to_string(), KALAH).await }
}

fn code<T>(answer: &Answer<T>) -> Option<Code> {
    answer.as_ref().err().map(|problem| problem.code)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_of_two_who_join_at_once_one_gets_the_seat() {
    let (here, there, [ada, bob, eve]) = two_replicas().await;
    for _ in 0..TIMES {
        let game = here.friends(&ada, &[], KALAH).await.expect("a game");
        let (first, second) = at_once(joining(&here, &bob, &game), joining(&there, &eve, &game)).await;
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
        let (joined, cancelled) = at_once(joining(&there, &bob, &game), cancelling(&here, &ada, &game)).await;
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
        let (first, second) =
            at_once(finding(&here, &ada, RequestId::new()), finding(&there, &bob, RequestId::new())).await;
        let (first, second) = (first.expect("found"), second.expect("found"));
        assert_eq!(first.game_id, second.game_id);
        assert_ne!(first.joined, second.joined);
        assert_eq!(here.engine.table(&first.game_id).occupants.len(), 2);
        assert!(here.draw(&first.game_id).await.expect("a draw").full);
    }
    assert!(here.open_games("").await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l14_the_same_request_at_two_replicas_at_once_is_one_game() {
    let (here, there, [ada, bob, _]) = two_replicas().await;
    for _ in 0..TIMES {
        let id = RequestId::new();
        let (first, second) = at_once(finding(&here, &ada, id), finding(&there, &ada, id)).await;
        let [first, second] = [first, second].map(|found| found.expect("a game"));
        assert_eq!((first.game_id, first.joined), (second.game_id, second.joined));
        assert_eq!(here.open_games("").await.len(), 1);
        assert!(here.find(&bob, KALAH).await.expect("a game").joined);
    }
}
