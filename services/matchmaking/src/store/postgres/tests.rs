//! Several replicas over one PostgreSQL, asked at the same instant.

use std::time::Duration;

use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::{RequestId, SeriesId};
use astragal_support::postgres::Postgres as Server;
use tokio::task::JoinSet;

use super::*;
use crate::game::{NewGame, Player};
use crate::game::{Origin, Status};
use crate::kind::Kind;
use crate::order::{Confirmation, Order, Wanted};
use crate::request::Request;
use crate::seating::draw_seats;
use crate::store::alone::Alone;

/// The stores of some processes over one new database.
pub(in crate::store) async fn replicas<const COUNT: usize>(server: &Server) -> [PostgresStore; COUNT] {
    let settings = PostgresSettings {
        acquire_timeout: Duration::from_secs(30),
        statement_timeout: Duration::from_secs(30),
        lock_timeout: Duration::from_secs(30),
        ..PostgresSettings::new(server.database())
    };
    PostgresStore::migrate(&settings).await.expect("a schema");
    let mut stores = Vec::new();
    for _ in 0..COUNT {
        stores.push(PostgresStore::open(&settings).await.expect("a store"));
    }
    stores.try_into().expect("as many")
}

async fn people(store: &PostgresStore, count: usize) -> Vec<AccountId> {
    let created_at = ManualClock::default().now();
    let person = |_| Account::person(AccountId::new(), "Ada".into(), created_at);
    let accounts: Vec<_> = (0..count).map(person).collect();
    store.add_accounts(&accounts).await.expect("accounts");
    accounts.iter().map(|account| account.id).collect()
}

fn request(account: AccountId) -> Request {
    Request { account, id: RequestId::new(), hash: [1; 32], at: ManualClock::default().now() }
}

/// A game of so many seats that `opener` would open.
fn proposal(opener: AccountId, game: &str, seats: u8) -> NewGame {
    let (game, variant, options) = (game.into(), "standard".into(), "{}".into());
    let kind = Kind { game, version: 1, variant, seats, options, clock: None, best_of: 0 };
    let mut circle = vec![Some(Player::person(opener))];
    circle.resize(seats.into(), None);
    let tiles = astragal_rules::tile_set::TileSet::named("english").expect("the set");
    let (seats, picks) = draw_seats(&circle, tiles, &ScriptedEntropy::expanded([7; 32])).expect("a draw");
    let (id, series, at) = (TableId::new(), SeriesId::new(), ManualClock::default().now());
    NewGame { id, kind, origin: Origin::Auto, opener, series, seats, picks, at }
}

async fn all<T: Send + 'static>(
    tasks: impl Iterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    tasks.collect::<JoinSet<_>>().join_all().await
}

async fn stored(store: &PostgresStore, game: TableId) -> Game {
    store.game(game).await.expect("an answer").expect("the game")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_one_of_sixty_four_takes_the_last_seat() {
    const RACES: usize = 50;
    let stores: [PostgresStore; 2] = replicas(Server::shared()).await;
    let people = people(&stores[0], 65).await;
    for race in 0..RACES {
        let new = proposal(people[0], "race", 2);
        stores[0].create(&request(people[0]), &new, 99).await.expect("a game");
        let joiners = people[1..].iter().enumerate().map(|(place, account)| {
            let (store, request, game) = (stores[place % 2].clone(), request(*account), new.id);
            async move { store.join(&request, game).await }
        });
        let answers = all(joiners).await;
        let seated: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
        assert_eq!(seated.len(), 1, "race {race}");
        assert_eq!(*seated[0], stored(&stores[0], new.id).await);
        let told = |answer: &&Result<Game>| matches!(answer, Err(LobbyError::SeatTaken));
        assert_eq!(answers.iter().filter(told).count(), 63, "race {race}: {answers:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_a_hundred_who_look_at_once_are_all_paired() {
    let stores: [PostgresStore; 2] = replicas(Server::shared()).await;
    for (round, seats) in [2_u8, 2, 2, 4].into_iter().enumerate() {
        let people = people(&stores[0], 100).await;
        let searchers = people.iter().enumerate().map(|(place, account)| {
            let (store, request) = (stores[place % 2].clone(), request(*account));
            let new = proposal(*account, &format!("round {round}"), seats);
            async move { store.find_or_open(&request, &new, 3).await.expect("a game").id }
        });
        let mut games = all(searchers).await;
        games.sort();
        let (mut paired, all) = (games.clone(), games.len());
        paired.dedup();
        assert_eq!(paired.len() * usize::from(seats), all, "nobody is left waiting");
        for game in paired {
            assert_eq!(stored(&stores[1], game).await.status, Status::Full);
        }
        assert_eq!(stores[0].lonely(ManualClock::default().now(), 10).await.expect("games"), []);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_waits_in_more_games_than_allowed() {
    let stores: [PostgresStore; 2] = replicas(Server::shared()).await;
    let ada = people(&stores[0], 1).await[0];
    let searches = (0..40).map(|place: usize| {
        let (store, request) = (stores[place % 2].clone(), request(ada));
        let new = proposal(ada, &format!("kind {}", place % 3), 2);
        async move {
            match place % 4 {
                0 => store.create(&request, &new, 3).await,
                _ => store.find_or_open(&request, &new, 3).await,
            }
        }
    });
    let answers = all(searches).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 3);
    let told = |answer: &&Result<Game>| matches!(answer, Err(LobbyError::AlreadySearching(3)));
    assert_eq!(answers.iter().filter(told).count(), 37, "{answers:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_is_sent_to_both_at_once_is_done_once() {
    let stores: [PostgresStore; 2] = replicas(Server::shared()).await;
    let ada = people(&stores[0], 1).await[0];
    for _ in 0..20 {
        let once = request(ada);
        let repetitions = (0..10).map(|place: usize| {
            let (store, new) = (stores[place % 2].clone(), proposal(ada, "twice", 2));
            async move { store.find_or_open(&once, &new, 99).await.expect("a game").id }
        });
        let mut games = all(repetitions).await;
        games.dedup();
        assert_eq!(games.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_is_claimed_or_the_game_is_cancelled_and_robots_come_in_between() {
    let stores: [PostgresStore; 2] = replicas(Server::shared()).await;
    stores[0].add_accounts(&crate::account::robots(ManualClock::default().now())).await.expect("robots");
    let people = people(&stores[0], 2).await;
    let (ada, bob) = (people[0], people[1]);
    for _ in 0..60 {
        let new = proposal(ada, "three ways", 2);
        stores[0].create(&request(ada), &new, 99).await.expect("a game");
        let (joining, cancelling) = (request(bob), request(ada));
        let (joined, cancelled, attached) = tokio::join!(
            stores[0].join(&joining, new.id),
            stores[1].cancel(&cancelling, new.id),
            stores[1].attach_robots(new.id, Player::robot(2), new.at),
        );
        let game = stored(&stores[0], new.id).await;
        let robot_sits = game.taken_after(1).any(|(_, player)| player.is_robot());
        let won = [joined.is_ok(), cancelled.is_ok(), robot_sits];
        assert_eq!(won.iter().filter(|won| **won).count(), 1, "{won:?}");
        assert_eq!(attached.expect("the game as it is").change, 2);
        assert_eq!(game.change, 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_of_two_replicas_about_the_same_games_don_t_block_each_other() {
    let stores: [PostgresStore; 2] = replicas(Server::shared()).await;
    let people = people(&stores[0], 51).await;
    let mut games = Vec::new();
    for opener in &people[1..] {
        let new = proposal(*opener, "confirmed", 2);
        games.push(stores[0].create(&request(*opener), &new, 99).await.expect("a game").id);
    }
    let backwards: Vec<_> = games.iter().rev().copied().collect();
    let batch = |games: &[TableId]| {
        let confirmed = games.iter().map(|game| Confirmation { game: *game, change: 1 }).collect();
        let join = |game: &TableId| Order::Asked(request(people[0]), Wanted::Join(*game));
        Arc::new(Batch { orders: games.iter().map(join).collect(), confirmed })
    };
    let (one, other) = tokio::join!(stores[0].change(batch(&games)), stores[1].change(batch(&backwards)));
    let (one, other) = (one.expect("no deadlock"), other.expect("no deadlock"));
    assert_eq!(one.iter().chain(&other).filter(|joined| joined.is_ok()).count(), 50);
    for game in games {
        let game = stored(&stores[1], game).await;
        assert_eq!((game.change, game.settled), (2, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_away_is_used_again_and_the_same_request_is_known() {
    let server = Server::start(&["fsync=off"]);
    let settings = PostgresSettings {
        connections_max: 3,
        acquire_timeout: Duration::from_millis(300),
        statement_timeout: Duration::from_millis(200),
        lock_timeout: Duration::from_millis(100),
        ..PostgresSettings::new(server.database())
    };
    PostgresStore::migrate(&settings).await.expect("a schema");
    let store = PostgresStore::open(&settings).await.expect("a store");
    let ada = people(&store, 1).await[0];
    let (once, new) = (request(ada), proposal(ada, "away", 2));
    for crashes in [false, true] {
        if crashes {
            server.crash();
        } else {
            server.freeze();
        }
        for _ in 0..5 {
            let refused = store.find_or_open(&once, &new, 3).await;
            assert!(matches!(refused, Err(LobbyError::Store(_))), "{refused:?}");
        }
        if crashes {
            server.resume();
        } else {
            server.thaw();
        }
        let mut found = store.find_or_open(&once, &new, 3).await;
        for _ in 0..40 {
            if found.is_ok() {
                break;
            }
            found = store.find_or_open(&once, &new, 3).await;
        }
        assert_eq!(found.expect("the database is back").id, new.id);
    }
    assert_eq!(server.run_sql("test0", "SELECT count(*) FROM matchmaking.games"), "1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_who_looks_while_the_oldest_game_is_cancelled_finds_the_next_one() {
    let stores: [PostgresStore; 2] = replicas(Server::shared()).await;
    let people = people(&stores[0], 2).await;
    let (ada, bob) = (people[0], people[1]);
    for race in 0..300 {
        let (older, newer) = (proposal(ada, "side by side", 2), proposal(ada, "side by side", 2));
        for new in [&older, &newer] {
            stores[0].create(&request(ada), new, 9).await.expect("a game");
        }
        let (cancelling, looking, own) = (request(ada), request(bob), proposal(bob, "side by side", 2));
        let (cancelled, found) = tokio::join!(
            tokio::spawn({
                let (store, game) = (stores[0].clone(), older.id);
                async move { store.cancel(&cancelling, game).await }
            }),
            tokio::spawn({
                let (store, own) = (stores[1].clone(), own.clone());
                async move { store.find_or_open(&looking, &own, 9).await }
            }),
        );
        let (cancelled, found) = (cancelled.expect("a task"), found.expect("a task").expect("a game"));
        assert_ne!(found.id, own.id, "race {race}: two wait side by side");
        assert_eq!(cancelled.is_ok(), found.id == newer.id, "race {race}");
        if found.id == older.id {
            stores[0].cancel(&request(ada), newer.id).await.expect("cancelled");
        }
    }
}
