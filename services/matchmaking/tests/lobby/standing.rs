//! Draws that stand: whoever gives a game up before it is played is drawn nothing anew.

use std::collections::BTreeSet;
use std::time::Duration;

use astragal_matchmaking::settings::Settings;
use astragal_proto::engine::v1::ClockSettings;
use astragal_proto::matchmaking::v1::create_game_request::Kind;
use astragal_proto::matchmaking::v1::{CreateGameRequest, FindGameRequest, Friends, GameRequest, Robots};
use astragal_runtime::clock::Clock;
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::RequestId;

use crate::by_hand::seen;
use crate::world::{Game, KALAH, World, game_request};

/// What was drawn: every tile with its entropy, and the seat that it led to.
async fn drawn(world: &World, game: &str) -> Vec<(String, String, Option<u32>)> {
    let draw = seen(world, game).await;
    let picks = draw.rounds.into_iter().flat_map(|round| round.picks);
    picks.map(|pick| (pick.letter, pick.entropy, pick.seat)).collect()
}

/// One of many ways to ask for a game of kalah with an empty seat, or with a robot in it.
async fn open(world: &World, account: &str, way: u8) -> String {
    let seconds = |seconds: u64| Some(Duration::from_secs(seconds).into());
    let clock = match way % 3 {
        0 => None,
        1 => Some(ClockSettings { initial: seconds(60 * u64::from(way)), ..ClockSettings::default() }),
        _ => Some(ClockSettings { per_move: seconds(86_400), ..ClockSettings::default() }),
    };
    let options = [&b""[..], br#"{"seeds":5}"#, br#"{"capture":"empty"}"#, br#"{"seeds":3}"#];
    let asked = GameRequest {
        options: options[usize::from(way) % options.len()].to_vec().into(),
        clock,
        ..game_request(account, &RequestId::new().to_string(), KALAH)
    };
    if way.is_multiple_of(2) {
        let request = FindGameRequest { game: Some(asked) };
        world.lobby().find_game(request).await.map_err(Problem::from).expect("a game").into_inner().game_id
    } else {
        let request = CreateGameRequest { game: Some(asked), kind: Some(Kind::Friends(Friends::default())) };
        world.lobby().create_game(request).await.map_err(Problem::from).expect("a game").into_inner().game_id
    }
}

/// Cancel and reopen until one starts first (lila #13192, online-go #2390).
#[tokio::test]
async fn d11_fifty_games_that_are_cancelled_and_opened_again_have_one_draw() {
    for world in [World::new().await, World::on_postgres(Settings::default()).await] {
        let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
        let replica = world.again(9).await;
        let first = open(&world, &ada, 0).await;
        let tiles = drawn(&world, &first).await;
        assert_eq!(seen(&world, &first).await.reused_from, None);
        let mut last = first.clone();
        for way in 1..=50 {
            world.clock.advance(chrono::Duration::minutes(9));
            world.cancel(&ada, &last).await.expect("cancelled");
            let at = if way % 2 == 0 { &world } else { &replica };
            last = open(at, &ada, way).await;
            assert_eq!(drawn(&world, &last).await, tiles, "way {way}");
            assert_eq!(seen(&world, &last).await.reused_from, Some(first.clone()));
        }
        // Somebody else has their own.
        let own = drawn(&world, &open(&world, &bob, 51).await).await;
        assert!(own != tiles);
        world.cancel(&ada, &last).await.expect("cancelled");
        world.clock.advance(chrono::Duration::minutes(10) + chrono::Duration::seconds(1));
        let anew = open(&world, &ada, 1).await;
        assert_eq!(seen(&world, &anew).await.reused_from, None, "after ten minutes");
        assert!(drawn(&world, &anew).await != tiles);
    }
}

/// Whoever waits is not held up by those of whom it isn't known.
#[tokio::test]
async fn d11_nobody_opens_a_game_while_it_is_unknown_whether_their_last_one_was_aborted() {
    let world = World::new().await;
    let (ada, bob, eve) = (world.guest("Ada").await, world.guest("Bob").await, world.guest("Eve").await);
    let game = world.find(&ada, KALAH).await.expect("a game").game_id;
    world.find(&bob, KALAH).await.expect("joined");
    let tiles = drawn(&world, &game).await;
    world.engine.end(&game, "aborted", world.clock.now());
    world.engine.notes().keeps_ends = true;
    let refused = world.find(&ada, KALAH).await.expect_err("nobody knows");
    assert_eq!(refused.code, Code::Unavailable);
    let waiting = world.find(&eve, KALAH).await.expect("she has played nothing yet").game_id;
    world.cancel(&eve, &waiting).await.expect("cancelled");

    world.engine.notes().keeps_ends = false;
    let again = world.find(&ada, KALAH).await.expect("a game").game_id;
    assert_eq!(drawn(&world, &again).await, tiles);
}

#[tokio::test]
async fn d11_several_searches_at_once_are_not_several_draws() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let (one, other) = (world.clone(), world.again(9).await);
    let (first, second, third) =
        tokio::join!(open(&one, &ada, 0), open(&other, &ada, 2), open(&one, &ada, 3));
    let mut draws = BTreeSet::new();
    for game in [first, second, third] {
        draws.insert(drawn(&world, &game).await);
    }
    assert_eq!(draws.len(), 1, "whoever opens three and keeps the best has one");
}

#[tokio::test]
async fn d11_a_game_that_is_aborted_before_a_move_gives_no_other_draw() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let now = || world.clock.now();
    // Opened, joined, aborted: the same for who opened it and, in the seat that was theirs, for who joined.
    let game = world.find(&ada, KALAH).await.expect("a game").game_id;
    let tiles = drawn(&world, &game).await;
    let joined = world.join(&bob, &game).await.expect("joined");
    world.engine.end(&game, "aborted", now());
    world.clock.advance(chrono::Duration::minutes(10));
    let again = open(&world, &ada, 3).await;
    assert_eq!(drawn(&world, &again).await, tiles);
    let bobs = open(&world, &bob, 1).await;
    assert_eq!(seen(&world, &bobs).await.participants[0].seat, Some(joined.seat));
    assert_eq!(seen(&world, &bobs).await.reused_from, Some(game.clone()));

    // The same against robots, where there is nothing to cancel.
    world.cancel(&ada, &again).await.expect("cancelled");
    let robots = world.robots(&ada, 3, KALAH).await.expect("a game");
    assert_eq!(drawn(&world, &robots).await, tiles);
    world.engine.end(&robots, "aborted", now());
    world.clock.advance(chrono::Duration::minutes(10) + chrono::Duration::seconds(1));
    let late = world.robots(&ada, 3, KALAH).await.expect("a game");
    assert_eq!(seen(&world, &late).await.reused_from, None, "after ten minutes");
}

#[tokio::test]
async fn d11_a_game_that_is_played_is_followed_by_a_new_draw() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let mut draws = BTreeSet::new();
    for reason in ["finished", "resigned", "left", "time", ""] {
        let game = world.robots(&ada, 1, KALAH).await.expect("a game");
        assert_eq!(seen(&world, &game).await.reused_from, None);
        draws.insert(drawn(&world, &game).await);
        if !reason.is_empty() {
            world.engine.end(&game, reason, world.clock.now());
        }
    }
    world.robots(&ada, 1, KALAH).await.expect("one that still goes on doesn't stand either");
    assert_eq!(draws.len(), 5);

    let bob = world.guest("Bob").await;
    for reason in ["finished", "resigned", "left", "time", ""] {
        let game = open(&world, &ada, 1).await;
        assert_eq!(seen(&world, &game).await.reused_from, None, "after {reason}");
        world.join(&bob, &game).await.expect("joined");
        if !reason.is_empty() {
            world.engine.end(&game, reason, world.clock.now());
        }
    }
}

/// Robots were a way around cancel and reopen: each of their games used the draw up, and the next one was a new one.
#[tokio::test]
async fn d11_a_game_against_robots_neither_uses_a_draw_up_nor_replaces_it() {
    for world in [World::new().await, World::on_postgres(Settings::default()).await] {
        let ada = world.guest("Ada").await;
        let mut game = open(&world, &ada, 0).await;
        let (first, tiles) = (game.clone(), drawn(&world, &game).await);
        for reason in ["resigned", "left", "finished", "aborted", "time", ""] {
            world.cancel(&ada, &game).await.expect("cancelled");
            let robots = world.robots(&ada, 1, KALAH).await.expect("a game");
            assert_eq!(drawn(&world, &robots).await, tiles);
            if !reason.is_empty() {
                world.engine.end(&robots, reason, world.clock.now());
            }
            game = open(&world, &ada, 2).await;
            assert_eq!(drawn(&world, &game).await, tiles, "after a game against a robot: {reason}");
            assert_eq!(seen(&world, &game).await.reused_from, Some(first.clone()));
        }
    }
}

/// The draw was looked for among the newest 64 games of whatever kind.
#[tokio::test]
async fn d11_a_draw_stands_behind_any_number_of_games_of_another_kind() {
    for world in [World::new().await, World::on_postgres(Settings::default()).await] {
        let ada = world.guest("Ada").await;
        let game = open(&world, &ada, 0).await;
        let tiles = drawn(&world, &game).await;
        world.cancel(&ada, &game).await.expect("cancelled");
        for _ in 0..66 {
            let other = world.robots(&ada, 1, Game("parlour", 0)).await.expect("a game");
            world.engine.end(&other, "resigned", world.clock.now());
        }
        assert_eq!(drawn(&world, &open(&world, &ada, 1).await).await, tiles);
    }
}

#[tokio::test]
async fn d11_another_game_another_number_of_seats_another_draw() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let mut draws = BTreeSet::new();
    for game in [KALAH, Game("parlour", 2), Game("parlour", 3), Game("parlour", 4)] {
        for _ in 0..2 {
            let opened = world.find(&ada, game).await.expect("a game").game_id;
            draws.insert(drawn(&world, &opened).await);
            world.cancel(&ada, &opened).await.expect("cancelled");
        }
    }
    assert_eq!(draws.len(), 4);
}

/// Ties decided by list order (buttonmen #371): of two who draw the same tile neither leads by their place.
#[tokio::test]
async fn d2_ties_are_drawn_again_and_not_decided_by_the_order_of_asking() {
    let mut leaders = BTreeSet::new();
    let mut tied = 0;
    for seed in 0..=u8::MAX {
        let world = World::with([seed; 32], Settings::default()).await;
        let ada = world.guest("Ada").await;
        let request = CreateGameRequest {
            game: Some(game_request(&ada, &RequestId::new().to_string(), KALAH)),
            kind: Some(Kind::Robots(Robots { level: 1 })),
        };
        let game = world.lobby().create_game(request).await.expect("a game").into_inner().game_id;
        let draw = seen(&world, &game).await;
        if draw.rounds.len() > 1 {
            let ranks: BTreeSet<_> = draw.rounds[0].picks.iter().map(|pick| pick.rank).collect();
            assert_eq!(ranks.len(), 1, "a second round follows from a tie");
            leaders.insert(draw.winner);
            tied += 1;
        }
        if leaders.len() == 2 {
            return;
        }
    }
    panic!("of {tied} ties all were won by {leaders:?}");
}
