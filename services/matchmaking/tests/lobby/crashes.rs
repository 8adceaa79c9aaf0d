//! A crash, or an engine that is away, between what is written and what is told.

use std::time::Duration;

use astragal_runtime::error::{Code, Problem};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use tokio_util::sync::CancellationToken;

use crate::engine::Fault;
use crate::events::{listen, told};
use crate::world::{KALAH, World};

fn away() -> Problem {
    Problem::unavailable("the engine is away")
}

#[tokio::test]
async fn d10_a_game_that_was_written_but_not_opened_is_opened_once_on_restart() {
    for fault in [Fault::Before(away()), Fault::After(away())] {
        let world = World::new().await;
        let ada = world.guest("Ada").await;
        let mut receiver = listen(&world, &[&ada]).await;
        world.engine.fail_next([fault]);
        let request = astragal_runtime::id::RequestId::new().to_string();
        let answer = world.find_again(&ada, &request, KALAH).await;
        assert_eq!(answer.map_err(|problem| problem.code).err(), Some(Code::Unavailable));
        assert!(told(&world, &mut receiver).await.is_empty(), "nobody is told of a table that is not open");

        let restarted = world.again(9).await;
        restarted.sweep().await.expect("swept");
        let game = world.open_games("").await.remove(0).game_id;
        assert_eq!(world.engine.notes().tables.len(), 1);
        let expected = [format!("started {ada} {game}"), format!("opened {game} 1")];
        assert_eq!(told(&world, &mut receiver).await, expected);

        let calls = world.engine.calls();
        restarted.sweep().await.expect("swept");
        world.sweep().await.expect("swept");
        assert_eq!(world.find_again(&ada, &request, KALAH).await.map(|found| found.game_id), Ok(game));
        assert_eq!(world.engine.calls(), calls, "nothing is left to repeat");
        assert!(told(&world, &mut receiver).await.is_empty());
    }
}

#[tokio::test]
async fn d10_a_seat_that_was_claimed_but_not_taken_is_taken_once_on_restart() {
    for fault in [Fault::Before(away()), Fault::After(away())] {
        let world = World::new().await;
        let (ada, bob, eve) = (world.guest("Ada").await, world.guest("Bob").await, world.guest("Eve").await);
        let game = world.find(&ada, KALAH).await.expect("a game").game_id;
        let mut receiver = listen(&world, &[&ada, &bob]).await;
        world.engine.fail_next([fault]);
        let answer = world.join(&bob, &game).await;
        assert_eq!(answer.map_err(|problem| problem.code).err(), Some(Code::Unavailable));
        let refused = world.join(&eve, &game).await;
        assert_eq!(refused.map_err(|problem| problem.code).err(), Some(Code::SeatTaken));

        world.again(9).await.sweep().await.expect("swept");
        let table = world.engine.table(&game);
        assert_eq!(table.seated.len(), 1);
        assert_eq!(table.occupants[&table.seated[0]].account_id, bob);
        let expected = [format!("started {bob} {game}"), format!("closed {game}")];
        assert_eq!(told(&world, &mut receiver).await, expected);
        let calls = world.engine.calls();
        world.sweep().await.expect("swept");
        assert_eq!(world.engine.calls(), calls);
    }
}

#[tokio::test]
async fn d10_a_game_that_was_cancelled_but_not_ended_is_ended_on_restart() {
    for fault in [Fault::Before(away()), Fault::After(away())] {
        let world = World::new().await;
        let ada = world.guest("Ada").await;
        let game = world.find(&ada, KALAH).await.expect("a game").game_id;
        let mut receiver = listen(&world, &[&ada]).await;
        world.engine.fail_next([fault]);
        assert!(world.cancel(&ada, &game).await.is_err());
        world.again(9).await.sweep().await.expect("swept");
        assert!(world.engine.table(&game).cancelled);
        assert_eq!(told(&world, &mut receiver).await, [format!("closed {game}")]);
    }
}

#[tokio::test]
async fn d10_a_game_that_was_never_opened_can_be_cancelled_for_good() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let mut receiver = listen(&world, &[&ada]).await;
    world.engine.fail_next([Fault::Before(away())]);
    assert!(world.find(&ada, KALAH).await.is_err());
    let game = world.open_games("").await.remove(0).game_id;
    world.cancel(&ada, &game).await.expect("cancelled");
    // Opened and cancelled: a call to open it that is late must find it there.
    assert_eq!(world.engine.calls(), ["open", "cancel"]);
    assert!(world.engine.table(&game).cancelled);
    assert!(told(&world, &mut receiver).await.is_empty(), "nobody knew of it");
}

#[tokio::test]
async fn d10_both_players_of_a_game_that_was_joined_before_it_was_opened_are_told() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let mut receiver = listen(&world, &[&ada, &bob]).await;
    world.engine.fail_next([Fault::Before(away())]);
    assert!(world.find(&ada, KALAH).await.is_err());
    let game = world.find(&bob, KALAH).await.expect("joined").game_id;
    assert_eq!(world.engine.calls(), ["open", "seat"]);
    assert_eq!(
        world.engine.table(&game).opened.occupants.len(),
        1,
        "only the opener was there from the start"
    );
    let mut news = told(&world, &mut receiver).await;
    news.sort();
    let mut expected = [format!("started {ada} {game}"), format!("started {bob} {game}")];
    expected.sort();
    assert_eq!(news, expected);
}

#[tokio::test]
async fn a_table_that_the_engine_refuses_for_good_is_given_up() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let refusal = Problem::new(Code::InvalidGame, "no such version");
    world.engine.fail_next([Fault::Before(refusal.clone())]);
    assert_eq!(world.find(&ada, KALAH).await, Err(refusal));
    world.sweep().await.expect("swept");
    assert!(world.engine.calls().is_empty());
    assert!(world.open_games(&ada).await.is_empty());
}

#[tokio::test]
async fn a_sweep_leaves_alone_what_is_under_way_and_stops_when_the_engine_is_away() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    world.engine.fail_next(vec![Fault::Before(away()); 3]);
    assert!(world.friends(&ada, &[], KALAH).await.is_err());
    assert!(world.friends(&bob, &[], KALAH).await.is_err());
    world.role.sweeper().sweep(Duration::from_secs(2)).await.expect("too young to be left undone");
    assert_eq!(world.sweep().await, Err(away()));
    world.clock.advance(chrono::Duration::seconds(2));
    world.role.sweeper().sweep(Duration::from_secs(2)).await.expect("swept");
    assert_eq!(world.engine.calls(), ["open", "open"]);
}

#[tokio::test]
async fn the_task_sweeps_at_once_and_stops_when_it_is_told_to() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let mut receiver = listen(&world, &[&ada]).await;
    world.engine.fail_next([Fault::Before(away())]);
    assert!(world.friends(&ada, &[], KALAH).await.is_err());

    let (role, stop) = (world.role.clone(), CancellationToken::new());
    let running = tokio::spawn({
        let stop = stop.clone();
        async move { role.run(stop).await }
    });
    assert!(receiver.recv().await.is_some(), "the start of the game is told without anyone asking");
    stop.cancel();
    running.await.expect("it ends");
}

/// A disk that is full is read as well as any.
#[tokio::test]
async fn o1_a_role_that_can_write_nothing_is_not_ready() {
    let world = World::new().await;
    world.role.ready().await.expect("ready");
    world.role.ready().await.expect("ready again");
    let file = SqliteConnectOptions::new().filename(world.database());
    let database = SqlitePool::connect_with(file).await.expect("the database");
    for table in ["sign_in_attempts", "games", "accounts"] {
        let full = format!("BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE TRIGGER full_{table} {full}")))
            .execute(&database)
            .await
            .expect("a trigger");
    }
    world.role.ready().await.expect_err("nothing can be written");
    for table in ["sign_in_attempts", "games", "accounts"] {
        let drop = sqlx::AssertSqlSafe(format!("DROP TRIGGER full_{table}"));
        sqlx::raw_sql(drop).execute(&database).await.expect("room");
    }
    world.role.ready().await.expect("there is room again");
}
