//! Two replicas at the same instant, and crashes between any two steps.

use crate::house::{House, Kind};
use astragal_rematch::offers::Outcome;
use astragal_rematch::reason::Reason;
use astragal_runtime::id::{RequestId, TableId};
use std::collections::BTreeSet;

/// How often a race is run on each store.
const RACES: usize = 500;

/// "Both asked at once, two games", "a double click made two games".
async fn r2_both_ask_at_the_same_instant_on_two_replicas(kind: Kind) {
    for _ in 0..RACES {
        let mut house = House::open(kind, &[0, 0], 0).await;
        house.end(0, "finished", Some(0)).await;
        let (game, mut asks) = (house.id(0), Vec::new());
        for seat in [0, 1] {
            let (offers, account) = (house.offers(seat), house.account(seat));
            asks.push(tokio::spawn(async move { offers.ask(account, RequestId::new(), game).await }));
        }
        let mut started = BTreeSet::new();
        for ask in asks {
            match ask.await.expect("a task").expect("an answer") {
                Outcome::Started(next) => _ = started.insert(next),
                Outcome::Asked(_) => {}
                Outcome::Ended(reason) => panic!("ended: {reason:?}"),
            }
        }
        assert_eq!(started.len(), 1, "one of them has accepted");
        assert_eq!(house.town.games.lock().unwrap().len(), 2, "one next game");
        let heard = house.heard();
        assert!(!heard.iter().any(|told| told.contains("ended")), "{heard:?}");
        let starts = heard.iter().filter(|told| told.contains("start G2")).count();
        assert_eq!(starts, 2, "each is told once: {heard:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_both_ask_at_the_same_instant_in_memory() {
    r2_both_ask_at_the_same_instant_on_two_replicas(Kind::Memory).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_both_ask_at_the_same_instant_in_redis() {
    r2_both_ask_at_the_same_instant_on_two_replicas(Kind::Redis).await;
}

/// Accepting and declining, searching or expiring at once: the game or a clear end, never both.
async fn r1_one_thing_comes_of_two_at_once(kind: Kind) {
    for round in 0..100 {
        let mut house = House::open(kind, &[0, 0], 0).await;
        house.end(0, "finished", Some(0)).await;
        let (game, ada, bob) = (house.id(0), house.account(0), house.account(1));
        house.offers(0).ask(ada, RequestId::new(), game).await.expect("asked");
        let (first, second) = (house.offers(0), house.offers(1));
        let accept = tokio::spawn(async move { second.ask(bob, RequestId::new(), game).await });
        let other = tokio::spawn(async move {
            match round % 3 {
                0 => first.decline(ada, RequestId::new(), game).await,
                1 => first.left(ada, None, None).await,
                _ => first.went_offline(ada).await,
            }
        });
        let accepted = accept.await.expect("a task").expect("an answer");
        other.await.expect("a task").expect("done");
        let games = house.town.games.lock().unwrap().len();
        let heard = house.heard();
        let ended = heard.iter().filter(|told| told.contains("ended")).count();
        match accepted {
            Outcome::Started(_) => assert_eq!((games, ended), (2, 0), "{heard:?}"),
            // Withdrawn or offline before: the acceptance is a request of its own.
            Outcome::Asked(_) | Outcome::Ended(Reason::Closed) => {
                assert_eq!((games, ended), (1, 2), "{heard:?}");
            }
            Outcome::Ended(reason) => panic!("{reason:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r1_one_thing_comes_of_two_at_once_in_memory() {
    r1_one_thing_comes_of_two_at_once(Kind::Memory).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r1_one_thing_comes_of_two_at_once_in_redis() {
    r1_one_thing_comes_of_two_at_once(Kind::Redis).await;
}

/// An end that is told to both replicas at once, and again.
#[tokio::test(flavor = "multi_thread")]
async fn r1_an_end_that_is_told_often_opens_one_entry() {
    for kind in [Kind::Memory, Kind::Redis] {
        let mut house = House::open(kind, &[0, 0], 0).await;
        house.end(0, "finished", Some(0)).await;
        let (game, ada) = (house.id(0), house.account(0));
        house.offers(0).ask(ada, RequestId::new(), game).await.expect("asked");
        house.heard();
        house.end(0, "finished", Some(0)).await;
        assert_eq!(house.heard(), [""; 0], "{kind:?}");
        let (offers, _) = house.offers(1).came_back(ada).await.expect("offers");
        assert_eq!(offers.len(), 1, "{kind:?}: the request stands");
        assert_eq!(house.offers(0).standing(TableId::new(), None).await.expect("nothing").word, "");
    }
}
