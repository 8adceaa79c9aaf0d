//! Searches that are over because another one has found a game, because they are old, or that rest while their opener
//! is offline. Part of [`super::conformance`].

use std::sync::Arc;

use astragal_runtime::clock::Clock;
use astragal_runtime::id::{AccountId, TableId};
use astragal_runtime::time_control::TimeControl;
use chrono::Duration;

use super::alone::{Alone, find};
use super::conformance::Bench;
use super::{MatchmakingStore, OpenGames};
use crate::error::LobbyError;
use crate::game::{Game, NewGame, Origin, Player, Status};
use crate::order::{Batch, Done, Order, Wanted};

/// Every check in turn.
pub(super) async fn suite<S: MatchmakingStore>(bench: &Bench<S>) {
    who_has_found_a_game_is_not_looked_for_elsewhere(bench).await;
    everyone_at_a_table_of_four_has_found_a_game_when_it_is_full(bench).await;
    a_batch_ends_the_searches_of_those_who_meet_in_it(bench).await;
    a_game_of_somebody_who_is_away_rests(bench).await;
    a_game_that_waits_too_long_ends_once(bench).await;
}

const SLOW: Option<TimeControl> = Some(TimeControl::PerMove { per_move_ms: 86_400_000 });

async fn outcome<S: MatchmakingStore>(bench: &Bench<S>, order: Order) -> Result<Done, LobbyError> {
    let batch = Arc::new(Batch { orders: vec![order], ..Batch::default() });
    bench.store.change(batch).await.expect("outcomes").pop().expect("an outcome")
}

fn search<S: MatchmakingStore>(bench: &Bench<S>, new: &NewGame) -> Order {
    Order::Asked(bench.request(new.opener, [11; 32]), find(new, 9))
}

async fn opened<S: MatchmakingStore>(bench: &Bench<S>, new: NewGame) -> TableId {
    outcome(bench, search(bench, &new)).await.expect("opened").game.id
}

async fn status<S: MatchmakingStore>(bench: &Bench<S>, game: TableId) -> Status {
    bench.store.game(game).await.expect("an answer").expect("a game").status
}

fn ids(games: &[Game]) -> Vec<TableId> {
    games.iter().map(|game| game.id).collect()
}

async fn who_has_found_a_game_is_not_looked_for_elsewhere<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let live = |game: &str, person| bench.game(game, Origin::Auto, person, &[None]);
    let mut slow = live("others slow", ada);
    slow.kind.clock = SLOW;
    let mut timeless = live("others timeless", ada);
    timeless.kind.clock = None;
    let (first, second) =
        (opened(bench, live("others 1", ada)).await, opened(bench, live("others 2", ada)).await);
    let kept = [opened(bench, slow).await, opened(bench, timeless).await, {
        let among_friends = bench.game("others friends", Origin::Friends, ada, &[None]);
        bench.store.create(&bench.request(ada, [12; 32]), &among_friends, 9).await.expect("a game").id
    }];
    let bobs = opened(bench, live("others 3", bob)).await;

    let joined = outcome(bench, search(bench, &live("others 1", bob))).await.expect("joined");
    assert_eq!((joined.game.id, joined.game.status), (first, Status::Full));
    let mut ended = ids(&joined.ended);
    ended.sort();
    let mut expected = [second, bobs];
    expected.sort();
    assert_eq!(ended, expected);
    for game in expected {
        assert_eq!(status(bench, game).await, Status::Cancelled);
    }
    for game in kept {
        assert_eq!(status(bench, game).await, Status::Waiting, "no clock runs there, or nobody looks for it");
    }
    let unsettled = bench.store.unsettled(bench.clock.now(), None, 1_000).await.expect("games");
    assert!(expected.iter().all(|game| unsettled.contains(game)), "the engine is told");
}

async fn everyone_at_a_table_of_four_has_found_a_game_when_it_is_full<S: MatchmakingStore>(bench: &Bench<S>) {
    let people = [bench.person().await, bench.person().await, bench.person().await, bench.person().await];
    let four = |person| bench.game("four", Origin::Auto, person, &[None, None, None]);
    let table = opened(bench, four(people[0])).await;
    let mut others = Vec::new();
    for (place, person) in people.iter().enumerate() {
        others
            .push(opened(bench, bench.game(&format!("four {place}"), Origin::Auto, *person, &[None])).await);
    }
    for person in &people[1..3] {
        let joined = outcome(bench, search(bench, &four(*person))).await.expect("joined");
        assert_eq!((joined.game.id, joined.game.status, joined.ended), (table, Status::Waiting, vec![]));
    }
    let full = outcome(bench, search(bench, &four(people[3]))).await.expect("joined");
    assert_eq!((full.game.id, full.game.status), (table, Status::Full));
    let mut ended = ids(&full.ended);
    ended.sort();
    others.sort();
    assert_eq!(ended, others);
}

async fn a_batch_ends_the_searches_of_those_who_meet_in_it<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob, eve) = (bench.person().await, bench.person().await, bench.person().await);
    let new = |game: &str, person| bench.game(game, Origin::Auto, person, &[None]);
    let games = [new("met 1", ada), new("met 2", ada), new("met 1", bob), new("met 2", eve)];
    let orders = games.iter().map(|new| search(bench, new)).collect();
    let outcomes =
        bench.store.change(Arc::new(Batch { orders, ..Batch::default() })).await.expect("outcomes");
    let [Ok(first), Ok(second), Ok(met), Ok(alone)] = &outcomes[..] else { panic!("{outcomes:?}") };
    assert_eq!((met.game.id, ids(&met.ended)), (first.game.id, vec![second.game.id]));
    assert_ne!(alone.game.id, second.game.id, "whoever came later waits at a table of their own");
    for (game, expected) in [(first, Status::Full), (second, Status::Cancelled), (alone, Status::Waiting)] {
        assert_eq!(status(bench, game.game.id).await, expected);
    }
}

async fn listed<S: MatchmakingStore>(bench: &Bench<S>, game: &str) -> Vec<TableId> {
    let asked = OpenGames { game: Some(game.into()), account: None, limit: 10 };
    ids(&bench.store.open_games(&asked).await.expect("games"))
}

async fn a_game_of_somebody_who_is_away_rests<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob, eve) = (bench.person().await, bench.person().await, bench.person().await);
    let new = |person| bench.game("away", Origin::Auto, person, &[None]);
    let mut slow = bench.game("away slowly", Origin::Auto, ada, &[None]);
    slow.kind.clock = SLOW;
    let (table, slow) = (opened(bench, new(ada)).await, opened(bench, slow).await);
    let mut searchers = bench.store.live_searchers(None, 1_000).await.expect("people");
    assert!(searchers.contains(&ada) && searchers.is_sorted());
    searchers.retain(|person| *person > ada);
    assert_eq!(bench.store.live_searchers(Some(ada), 1_000).await.expect("people"), searchers);

    let away = bench.store.note_away(&[ada, bob], true).await.expect("games");
    assert_eq!(ids(&away), [table], "a game without a clock that runs can wait for its opener");
    assert!(away[0].away);
    assert_eq!(bench.store.note_away(&[ada], true).await.expect("games"), [], "that is no news");
    assert_eq!(listed(bench, "away").await, []);
    assert_eq!(listed(bench, "away slowly").await, [slow]);
    let lonely = bench.store.lonely(bench.clock.now(), 1_000).await.expect("games");
    assert!(!ids(&lonely).contains(&table), "no robot sits down there");
    let refused = bench.store.join(&bench.request(eve, [13; 32]), table).await;
    assert!(matches!(refused, Err(LobbyError::OpenerAway)), "{refused:?}");
    let bobs = opened(bench, new(bob)).await;
    assert_ne!(bobs, table, "nobody is matched with somebody who is away");

    let back = bench.store.note_away(&[ada], false).await.expect("games");
    assert_eq!((ids(&back), back[0].away), (vec![table], false));
    assert_eq!(listed(bench, "away").await, [bobs, table]);
    let joined = outcome(bench, search(bench, &new(eve))).await.expect("joined");
    assert_eq!(joined.game.id, table, "the oldest game again");
}

async fn a_game_that_waits_too_long_ends_once<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let old = opened(bench, bench.game("old", Origin::Auto, ada, &[None])).await;
    let friends = bench.game("old", Origin::Friends, ada, &[None, Some(Player::person(bob))]);
    bench.store.create(&bench.request(ada, [14; 32]), &friends, 9).await.expect("a game");
    let before = bench.clock.now();
    let overdue = bench.store.overdue(before - Duration::seconds(1), 1_000).await.expect("games");
    assert!(!overdue.contains(&old));
    let overdue = bench.store.overdue(before, 1_000).await.expect("games");
    assert!(overdue.contains(&old) && overdue.contains(&friends.id), "also one among friends");

    let end = || Order::End { game: old, at: bench.clock.now() };
    let ended = outcome(bench, end()).await.expect("ended").game;
    assert_eq!((ended.status, ended.change), (Status::Cancelled, 2));
    assert_eq!(outcome(bench, end()).await.expect("no change").game, ended);
    let refused = outcome(bench, Order::Asked(bench.request(bob, [15; 32]), Wanted::Join(old))).await;
    assert!(matches!(refused, Err(LobbyError::Cancelled)), "{refused:?}");
    assert_eq!(bench.waiting_of(ada).await, [friends.id]);
    let nobody = AccountId::new();
    assert_eq!(bench.waiting_of(nobody).await, []);
}
