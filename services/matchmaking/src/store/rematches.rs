//! Games that follow a finished one. Part of [`super::conformance`].

use astragal_runtime::clock::Clock;
use astragal_runtime::id::{SeriesId, TableId};
use chrono::Duration;

use super::MatchmakingStore;
use super::alone::Alone;
use super::conformance::Bench;
use crate::game::{Origin, Player, Status};
use crate::next_games::{Following, NextGame};

/// Every check in turn.
pub(super) async fn suite<S: MatchmakingStore>(bench: &Bench<S>) {
    r2_a_next_game_is_created_once_as_a_copy(bench).await;
    r2_next_games_are_created_together(bench).await;
    r3_nothing_follows_a_game_that_is_not_full(bench).await;
}

fn following(follows: TableId) -> NextGame {
    let (id, series_id) = (TableId::new(), SeriesId::new());
    NextGame { id, follows, first_seat: 1, series_id, series: "[{}]".into() }
}

async fn r2_a_next_game_is_created_once_as_a_copy<S: MatchmakingStore>(bench: &Bench<S>) {
    let (store, ada, bob) = (&bench.store, bench.person().await, bench.person().await);
    let new = bench.game("followed", Origin::Friends, ada, &[Some(Player::person(bob))]);
    let finished = store.create(&bench.request(ada, [21; 32]), &new, 3).await.expect("a game");
    let (next, now) = (following(finished.id), bench.clock.now());
    let other = NextGame { first_seat: 0, series: "[]".into(), ..next.clone() };
    let later = now + Duration::seconds(1);
    let (alone, nothing) = ([next.clone()], following(TableId::new()));
    let mut both = [next.clone(), nothing];
    both.sort_by_key(|next| next.id);
    let (one, two) = tokio::join!(store.create_next(&alone, now), store.create_next(&both, now));
    let created = [one.expect("an answer"), two.expect("an answer")].concat();
    assert_eq!(store.create_next(&[other], later).await.expect("it is there"), []);
    let game = store.game(next.id).await.expect("an answer").expect("a game");
    let expected = (Origin::Rematch, Status::Full, 1, now);
    assert_eq!((game.origin, game.status, game.first_seat, game.created_at), expected);
    assert_eq!((&game.kind, game.series), (&finished.kind, next.series_id));
    for account in [ada, bob] {
        assert_eq!(game.seat_of(account), finished.seat_of(account));
    }
    let told = Following { follows: finished.id, series: "[{}]".into(), listed: false };
    assert_eq!(store.following(next.id).await.expect("an answer"), Some(told.clone()));
    assert_eq!(created, [(game, told)], "by one of the two");
}

async fn r2_next_games_are_created_together<S: MatchmakingStore>(bench: &Bench<S>) {
    let (store, now) = (&bench.store, bench.clock.now());
    let mut next = Vec::new();
    for number in 31..36 {
        let (ada, bob) = (bench.person().await, bench.person().await);
        let new = bench.game("followed at once", Origin::Friends, ada, &[Some(Player::person(bob))]);
        let finished = store.create(&bench.request(ada, [number; 32]), &new, 3).await.expect("a game");
        next.push(NextGame { series: format!("[{number}]"), ..following(finished.id) });
    }
    next.sort_by_key(|next| next.id);
    store.create_next(&next[..1], now).await.expect("the first one");
    let mut created = store.create_next(&next, now).await.expect("the others");
    created.sort_by_key(|(game, _)| game.id);
    let told = next[1..].iter().map(|next| (next.id, next.follows, &*next.series));
    let is = created.iter().map(|(game, following)| (game.id, following.follows, &*following.series));
    assert!(is.eq(told), "{created:?}");
    for (game, _) in created {
        assert_eq!(store.game(game.id).await.expect("an answer"), Some(game));
    }
}

async fn r3_nothing_follows_a_game_that_is_not_full<S: MatchmakingStore>(bench: &Bench<S>) {
    let (store, ada) = (&bench.store, bench.person().await);
    let waiting = bench.find("not followed", ada).await.expect("opened");
    for follows in [waiting.id, TableId::new()] {
        let next = following(follows);
        assert_eq!(
            store.create_next(std::slice::from_ref(&next), bench.clock.now()).await.expect("no error"),
            []
        );
        assert_eq!(store.game(next.id).await.expect("an answer"), None);
    }
}
