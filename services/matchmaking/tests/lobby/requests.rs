//! The same request again: done once, answered the same, on any replica.

use astragal_proto::matchmaking::v1::create_game_request::Kind;
use astragal_proto::matchmaking::v1::{Friends, Robots};
use astragal_runtime::error::Code;
use astragal_runtime::id::RequestId;

use crate::world::{Answer, Game, KALAH, World};

fn id() -> String {
    RequestId::new().to_string()
}

fn code<T>(answer: Answer<T>) -> Option<Code> {
    answer.err().map(|problem| problem.code)
}

#[tokio::test]
async fn l14_a_search_sent_again_is_one_search() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let (opened, joined) = (id(), id());
    let first = world.find_again(&ada, &opened, KALAH).await.expect("a game");
    let found = world.find_again(&bob, &joined, KALAH).await.expect("a game");
    let draw = world.draw(&first.game_id).await;

    let restarted = world.once_more().await;
    for world in [&world, &restarted] {
        for (who, id, before) in [(&ada, &opened, &first), (&bob, &joined, &found)] {
            let again = world.find_again(who, id, KALAH).await.expect("the same game");
            assert_eq!((again.game_id, again.joined), (before.game_id.clone(), before.joined));
        }
    }
    assert_eq!(world.draw(&first.game_id).await, draw);
    assert_eq!(world.engine.calls(), ["open", "seat"]);
    assert!(world.open_games("").await.is_empty());
}

#[tokio::test]
async fn l14_a_creation_sent_again_is_one_game() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    for kind in [Kind::Robots(Robots { level: 2 }), Kind::Friends(Friends::default())] {
        let id = id();
        let game = world.create_again(&ada, &id, kind.clone(), KALAH).await.expect("a game");
        assert_eq!(world.once_more().await.create_again(&ada, &id, kind, KALAH).await, Ok(game));
    }
    assert_eq!(world.engine.calls(), ["open", "open"]);
}

#[tokio::test]
async fn l14_joining_and_cancelling_again_change_nothing() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let (join, cancel) = (id(), id());
    let game = world.friends(&ada, &[], KALAH).await.expect("a game");
    let seat = world.join_again(&bob, &join, &game).await.expect("joined");
    let other = world.friends(&ada, &[], KALAH).await.expect("a game");
    world.cancel_again(&ada, &cancel, &other).await.expect("cancelled");

    let restarted = world.once_more().await;
    let again = restarted.join_again(&bob, &join, &game).await.expect("the same seat");
    assert_eq!((again.game_id, again.seat), (seat.game_id, seat.seat));
    assert_eq!(restarted.cancel_again(&ada, &cancel, &other).await, Ok(()));
    assert_eq!(world.engine.calls(), ["open", "seat", "open", "cancel"]);
}

#[tokio::test]
async fn l14_an_id_with_other_content_is_refused() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let used = id();
    let game = world.find_again(&ada, &used, KALAH).await.expect("a game").game_id;
    let refused = [
        code(world.find_again(&ada, &used, Game("parlour", 0)).await),
        code(world.create_again(&ada, &used, Kind::Friends(Friends::default()), KALAH).await),
        code(world.join_again(&ada, &used, &game).await),
        code(world.cancel_again(&ada, &used, &game).await),
    ];
    assert_eq!(refused, [Some(Code::InvalidArgument); 4]);
    // The id is the account's own: somebody else may have chosen the same.
    assert!(world.find_again(&bob, &used, KALAH).await.expect("a game").joined);
}

#[tokio::test]
async fn l14_after_a_day_an_id_is_a_new_one() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let used = id();
    let first = world.find_again(&ada, &used, KALAH).await.expect("a game").game_id;
    world.clock.advance(chrono::Duration::hours(24));
    assert_eq!(world.find_again(&ada, &used, KALAH).await.map(|found| found.game_id), Ok(first.clone()));
    world.clock.advance(chrono::Duration::seconds(1));
    assert_ne!(world.find_again(&ada, &used, KALAH).await.map(|found| found.game_id), Ok(first));
}
