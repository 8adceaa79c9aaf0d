//! How searches end: by another game, by age, or with their account; and how they rest while their opener is offline.

use astragal_matchmaking::settings::Settings;
use astragal_proto::engine::v1::ClockSettings;
use astragal_proto::matchmaking::v1::{
    DeleteAccountRequest, FindGameRequest, WatchOpenGamesRequest, WatchOpenGamesResponse,
};
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::RequestId;
use astragal_runtime::presence::{Presence, PresenceTimes};
use std::time::Duration;
use tokio_stream::StreamExt;
use tonic::Streaming;

use crate::events::{listen, told};
use crate::world::{Answer, Game, KALAH, World, game_request};

const PARLOUR: Game = Game("parlour", 0);

/// A search against the clock.
async fn find_live(world: &World, account: &str, game: Game) -> Answer<String> {
    let mut game = game_request(account, &RequestId::new().to_string(), game);
    let initial = Some(Duration::from_mins(5).into());
    game.clock = Some(ClockSettings { initial, ..ClockSettings::default() });
    let found = world.lobby().find_game(FindGameRequest { game: Some(game) }).await.map_err(Problem::from)?;
    Ok(found.into_inner().game_id)
}

fn code<T>(answer: Answer<T>) -> Option<Code> {
    answer.err().map(|problem| problem.code)
}

#[tokio::test]
async fn a_search_that_finds_a_game_ends_the_others_against_the_clock() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let first = find_live(&world, &ada, KALAH).await.expect("a game");
    let second = find_live(&world, &ada, PARLOUR).await.expect("a game");
    let slow = world.find(&ada, PARLOUR).await.expect("a game").game_id;
    let mut receiver = listen(&world, &[&ada, &bob]).await;
    assert_eq!(find_live(&world, &bob, KALAH).await.as_ref(), Ok(&first));
    let mut news = told(&world, &mut receiver).await;
    while news.len() < 3 {
        tokio::task::yield_now().await;
        news.extend(told(&world, &mut receiver).await);
    }
    news.sort();
    let mut expected =
        [format!("closed {first}"), format!("closed {second}"), format!("started {bob} {first}")];
    expected.sort();
    assert_eq!(news, expected);
    assert!(world.engine.table(&second).cancelled);
    assert!(!world.engine.table(&slow).cancelled);
    assert_eq!(code(world.join(&bob, &second).await), Some(Code::FailedPrecondition));
    assert_eq!(world.open_games("").await.len(), 1);
    // Three more may be opened at once: what is over is counted no longer.
    for game in [KALAH, Game("parlour", 3)] {
        find_live(&world, &ada, game).await.expect("a game");
    }
    assert_eq!(code(find_live(&world, &ada, Game("parlour", 4)).await), Some(Code::AlreadySearching));
}

#[tokio::test]
async fn how_many_searches_an_account_may_have_is_a_setting() {
    let world = World::with([1; 32], Settings { searches_max: 1, ..Settings::default() }).await;
    let ada = world.guest("Ada").await;
    let game = world.find(&ada, KALAH).await.expect("a game").game_id;
    assert_eq!(code(world.friends(&ada, &[], KALAH).await), Some(Code::AlreadySearching));
    world.cancel(&ada, &game).await.expect("cancelled");
    world.friends(&ada, &[], KALAH).await.expect("a game");
}

#[tokio::test]
async fn nobody_waits_longer_than_a_day() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let listed = world.find(&ada, KALAH).await.expect("a game").game_id;
    let unlisted = world.friends(&ada, &[], KALAH).await.expect("a game");
    world.clock.advance(chrono::Duration::hours(24) - chrono::Duration::seconds(1));
    let young = world.friends(&ada, &[], KALAH).await.expect("a game");
    world.role.sweeper().end_overdue().await.expect("looked");
    assert_eq!(world.open_games(&ada).await.len(), 3);

    world.clock.advance(chrono::Duration::seconds(1));
    let mut receiver = listen(&world, &[&ada]).await;
    world.role.sweeper().end_overdue().await.expect("looked");
    world.again(9).await.role.sweeper().end_overdue().await.expect("nothing is left");
    assert_eq!(told(&world, &mut receiver).await, [format!("closed {listed}")]);
    for game in [&listed, &unlisted] {
        assert!(world.engine.table(game).cancelled);
        assert_eq!(code(world.join(&bob, game).await), Some(Code::FailedPrecondition));
    }
    world.join(&bob, &young).await.expect("joined");
}

#[tokio::test]
async fn g8_the_searches_of_an_account_end_with_it() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let (listed, unlisted) =
        (world.find(&ada, KALAH).await.expect("a game").game_id, world.friends(&ada, &[], KALAH).await);
    let unlisted = unlisted.expect("a game");
    let request = || DeleteAccountRequest { account_id: ada.clone() };
    world.accounts().delete_account(request()).await.expect("deleted");
    for game in [&listed, &unlisted] {
        assert!(world.engine.table(game).cancelled);
    }
    assert_eq!(code(world.find(&ada, KALAH).await), Some(Code::Unauthenticated));
    assert_eq!(
        code(world.friends(&bob, &[&ada], KALAH).await),
        Some(Code::NotFound),
        "she is nobody's friend"
    );
    let again = world.accounts().delete_account(request()).await.map_err(Problem::from);
    assert_eq!(code(again), Some(Code::Unauthenticated));
    assert!(!world.find(&bob, KALAH).await.expect("a game").joined);
}

/// Nobody would ever move for somebody who is gone before the game begins.
#[tokio::test]
async fn g8_a_game_that_waits_ends_with_an_account_that_joined_it() {
    let world = World::new().await;
    let (ada, bob, eve) = (world.guest("Ada").await, world.guest("Bob").await, world.guest("Eve").await);
    let game = world.find(&ada, Game("parlour", 3)).await.expect("a game").game_id;
    assert!(world.find(&bob, Game("parlour", 3)).await.expect("a game").joined);
    let request = DeleteAccountRequest { account_id: bob.clone() };
    world.accounts().delete_account(request).await.expect("deleted");
    assert!(world.engine.table(&game).cancelled);
    assert_eq!(code(world.join(&eve, &game).await), Some(Code::FailedPrecondition));
}

/// A ghost filled a seat (bones #476).
#[tokio::test]
async fn nobody_is_matched_against_the_clock_with_somebody_who_is_offline() {
    let presence = Presence::new(PresenceTimes {
        offline_after: Duration::ZERO,
        sweep_every: Duration::from_millis(5),
        ..PresenceTimes::default()
    });
    let (gateway, mut heard) = presence.open_desk();
    let world = World::with_presence(presence).await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let person = |account: &str| account.parse().expect("an id");
    gateway.arrive(person(&ada));
    gateway.arrive(person(&bob));
    let game = find_live(&world, &ada, KALAH).await.expect("a game");
    let without_clock = world.find(&ada, PARLOUR).await.expect("a game").game_id;
    let comings = world.role.comings();
    comings.look_at_all().await.expect("looked");
    assert_eq!(world.open_games("").await.len(), 2, "she is there");

    let mut receiver = listen(&world, &[]).await;
    gateway.depart(person(&ada));
    while !matches!(heard.recv().await, Some(astragal_runtime::presence::PresenceChange::Offline(_))) {}
    comings.look_at_all().await.expect("looked");
    comings.look_at_all().await.expect("no news");
    assert_eq!(told(&world, &mut receiver).await, [format!("closed {game}")]);
    let open: Vec<_> = world.open_games("").await.into_iter().map(|open| open.game_id).collect();
    assert_eq!(open, std::slice::from_ref(&without_clock));
    assert_eq!(code(world.join(&bob, &game).await), Some(Code::FailedPrecondition));
    assert_ne!(find_live(&world, &bob, KALAH).await.expect("a game"), game);

    gateway.arrive(person(&ada));
    comings.look_at_all().await.expect("looked");
    let eve = world.guest("Eve").await;
    assert_eq!(find_live(&world, &eve, KALAH).await.as_ref(), Ok(&game), "she is back, and waits longest");

    gateway.depart(person(&ada));
    while !matches!(heard.recv().await, Some(astragal_runtime::presence::PresenceChange::Offline(_))) {}
    comings.look_at_all().await.expect("looked");
    assert_eq!(
        world.find(&bob, PARLOUR).await.expect("a game").game_id,
        without_clock,
        "no clock runs there"
    );
}

async fn next(stream: &mut Streaming<WatchOpenGamesResponse>) -> (bool, Vec<String>, Vec<String>) {
    let change = stream.next().await.expect("a change").expect("no error");
    (change.anew, change.added.into_iter().map(|game| game.game_id).collect(), change.removed_game_ids)
}

#[tokio::test]
async fn the_open_games_can_be_watched_as_a_stream() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let first = world.find(&ada, KALAH).await.expect("a game").game_id;
    world.friends(&ada, &[], KALAH).await.expect("unlisted");
    let request = |game: &str| WatchOpenGamesRequest { game: game.into() };
    let mut all = world.lobby().watch_open_games(request("")).await.expect("a stream").into_inner();
    let mut parlours =
        world.lobby().watch_open_games(request("parlour")).await.expect("a stream").into_inner();
    assert_eq!(next(&mut all).await, (true, vec![first.clone()], vec![]));
    assert_eq!(next(&mut parlours).await, (true, vec![], vec![]));

    let second = world.find(&ada, PARLOUR).await.expect("a game").game_id;
    assert_eq!(next(&mut all).await, (false, vec![second.clone()], vec![]));
    assert_eq!(next(&mut parlours).await, (false, vec![second.clone()], vec![]));
    world.find(&bob, KALAH).await.expect("joined");
    assert_eq!(next(&mut all).await, (false, vec![], vec![first]));
    world.cancel(&ada, &second).await.expect("cancelled");
    assert_eq!(next(&mut all).await, (false, vec![], vec![second]));
}

/// Lists of open games show neither the draw nor who goes first, and nor does the draw itself before the table is full.
#[tokio::test]
async fn d8_what_strangers_see_of_an_open_game_does_not_tell_its_draw() {
    // Who is drawn first differs, and what is listed doesn't.
    let mut firsts = std::collections::BTreeSet::new();
    let mut shown = std::collections::BTreeSet::new();
    for seed in 0..16 {
        let world = World::with([seed; 32], Settings::default()).await;
        let ada = world.guest("Ada").await;
        let game = world.find(&ada, Game("parlour", 3)).await.expect("a game").game_id;
        let mut open = world.open_games("").await.remove(0);
        firsts.insert(world.engine.table(&game).occupants.keys().copied().next());
        open.game_id.clear();
        open.account_ids.clear();
        shown.insert(format!("{open:?}"));
        assert!(
            !world.draw(&game).await.expect("a draw").full,
            "whoever shows it is told that it is not for strangers"
        );
    }
    assert_eq!((firsts.len(), shown.len()), (3, 1));
}
