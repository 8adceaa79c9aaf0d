//! Who may sit where, and who is refused.

use astragal_matchmaking::settings::Settings;
use astragal_runtime::error::Code;
use astragal_runtime::id::{AccountId, TableId, robot_account};

use crate::world::{Answer, Game, KALAH, World};

fn code<T>(answer: Answer<T>) -> Option<Code> {
    answer.err().map(|problem| problem.code)
}

/// A player met themselves (asobi #230, netrunner #6027).
#[tokio::test]
async fn d10_nobody_plays_themselves() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let first = world.find(&ada, KALAH).await.expect("a game");
    let second = world.find(&ada, KALAH).await.expect("a game");
    assert!(!first.joined && !second.joined && first.game_id != second.game_id);
    assert_eq!(code(world.join(&ada, &first.game_id).await), Some(Code::FailedPrecondition));
    assert_eq!(code(world.friends(&ada, &[&ada], KALAH).await), Some(Code::InvalidArgument));
}

#[tokio::test]
async fn d10_a_seat_is_taken_once_and_a_cancelled_game_never() {
    let world = World::new().await;
    let (ada, bob, eve) = (world.guest("Ada").await, world.guest("Bob").await, world.guest("Eve").await);
    let game = world.friends(&ada, &[], KALAH).await.expect("a game");
    assert_eq!(code(world.cancel(&bob, &game).await), Some(Code::PermissionDenied));
    world.join(&bob, &game).await.expect("joined");
    assert_eq!(code(world.join(&eve, &game).await), Some(Code::SeatTaken));
    assert_eq!(code(world.cancel(&ada, &game).await), Some(Code::FailedPrecondition));

    let other = world.friends(&ada, &[], KALAH).await.expect("a game");
    world.cancel(&ada, &other).await.expect("cancelled");
    world.cancel(&ada, &other).await.expect("cancelled still");
    assert!(world.engine.table(&other).cancelled);
    assert_eq!(code(world.join(&eve, &other).await), Some(Code::FailedPrecondition));
}

/// Whoever comes later can't take the game from those who wait in it.
#[tokio::test]
async fn d8_who_has_joined_cancels_no_game_of_somebody_else() {
    let world = World::new().await;
    let (ada, bob, eve) = (world.guest("Ada").await, world.guest("Bob").await, world.guest("Eve").await);
    let game = world.find(&ada, Game("parlour", 3)).await.expect("a game").game_id;
    assert!(world.find(&bob, Game("parlour", 3)).await.expect("a game").joined);
    let refused = world.cancel(&bob, &game).await.expect_err("it is Ada's");
    assert_eq!((refused.code, refused.message.contains("who opened")), (Code::PermissionDenied, true));
    assert!(!world.engine.table(&game).cancelled);
    assert!(world.find(&eve, Game("parlour", 3)).await.expect("it waits on").joined);

    let game = world.find(&ada, Game("parlour", 3)).await.expect("a game").game_id;
    world.join(&bob, &game).await.expect("joined");
    world.cancel(&ada, &game).await.expect("who opened it may");
    assert!(world.engine.table(&game).cancelled);
    world.cancel(&bob, &game).await.expect("there is nothing left to cancel");
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let nowhere = TableId::new().to_string();
    assert_eq!(code(world.join(&ada, &nowhere).await), Some(Code::NotFound));
    assert_eq!(code(world.cancel(&ada, &nowhere).await), Some(Code::NotFound));
    let nobody = AccountId::new().to_string();
    assert_eq!(code(world.friends(&ada, &[&nobody], KALAH).await), Some(Code::NotFound));
    assert_eq!(code(world.find(&nobody, KALAH).await), Some(Code::Unauthenticated));
    assert_eq!(code(world.join(&nobody, &nowhere).await), Some(Code::Unauthenticated));
}

#[tokio::test]
async fn what_no_table_can_be_is_refused_before_anything_is_written() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let robot = robot_account(1).to_string();
    for refused in [
        world.friends(&ada, &[], Game("chess", 0)).await,
        world.friends(&ada, &[], Game("kalah", 3)).await,
        world.friends(&ada, &[&bob, &bob], Game("parlour", 0)).await,
        world.friends(&ada, &[&bob], Game("parlour", 5)).await,
        world.friends(&ada, &[&robot], KALAH).await,
        world.friends(&ada, &["7"], KALAH).await,
        world.robots(&ada, 0, KALAH).await,
        world.robots(&ada, 6, KALAH).await,
        world
            .create_again(
                &ada,
                "7",
                astragal_proto::matchmaking::v1::create_game_request::Kind::Robots(
                    astragal_proto::matchmaking::v1::Robots { level: 1 },
                ),
                KALAH,
            )
            .await,
    ] {
        assert_eq!(code(refused), Some(Code::InvalidArgument));
    }
    assert!(world.open_games(&ada).await.is_empty());
    assert!(world.engine.calls().is_empty());
}

#[tokio::test]
async fn an_account_waits_in_three_games_at_most() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let first = world.find(&ada, KALAH).await.expect("a game").game_id;
    world.find(&ada, Game("parlour", 0)).await.expect("a game");
    world.friends(&ada, &[], KALAH).await.expect("a game");
    assert_eq!(code(world.find(&ada, Game("parlour", 3)).await), Some(Code::AlreadySearching));
    assert_eq!(code(world.friends(&ada, &[], KALAH).await), Some(Code::AlreadySearching));

    world.robots(&ada, 1, KALAH).await.expect("nobody is waited for");
    world.find(&bob, Game("parlour", 3)).await.expect("a game");
    assert!(world.find(&ada, Game("parlour", 3)).await.expect("joining is no new search").joined);
    world.cancel(&ada, &first).await.expect("cancelled");
    world.find(&ada, KALAH).await.expect("a game");
}

/// Whoever is named is seated at once, so nobody may name them as often as they like.
#[tokio::test]
async fn g6_nobody_is_seated_by_somebody_else_without_end() {
    for world in [World::new().await, World::on_postgres(Settings::default()).await] {
        let (ada, bob, eve) = (world.guest("Ada").await, world.guest("Bob").await, world.guest("Eve").await);
        for _ in 0..Settings::default().invitations_max {
            world.friends(&ada, &[&bob], KALAH).await.expect("a game");
        }
        assert_eq!(code(world.friends(&ada, &[&eve], KALAH).await), Some(Code::RateLimited));
        world.friends(&eve, &[&bob], KALAH).await.expect("somebody else may");
        world.friends(&ada, &[], KALAH).await.expect("a link seats nobody");
        world.clock.advance(chrono::Duration::minutes(10));
        world.friends(&ada, &[&bob], KALAH).await.expect("later again");
    }
}

#[tokio::test]
async fn only_the_same_kind_is_joined() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let two = world.find(&ada, Game("parlour", 2)).await.expect("a game").game_id;
    assert!(!world.find(&bob, Game("parlour", 3)).await.expect("a game").joined);
    let found = world.find(&bob, Game("parlour", 0)).await.expect("a game");
    assert_eq!((found.joined, found.game_id), (true, two));
}
