//! Many at the same instant, on two replicas over one PostgreSQL.

use astragal_matchmaking::settings::Settings;
use astragal_runtime::error::Code;
use std::collections::HashMap;
use tokio::task::JoinSet;

use crate::world::{KALAH, World};

const RACES: usize = 200;
const JOINERS: usize = 64;
const SEARCHERS: usize = 200;

/// Two replicas.
async fn replicas() -> [World; 2] {
    let here = World::on_postgres(Settings { searches_max: 9, ..Settings::default() }).await;
    let there = here.again(2).await;
    [here, there]
}

async fn people(world: &World, count: usize) -> Vec<String> {
    let mut people = Vec::with_capacity(count);
    for _ in 0..count {
        people.push(world.guest("").await);
    }
    people
}

/// Two people took one open game (online-go #1331), and seats were sold over the limit while a join waited
/// (colyseus #678).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_of_sixty_four_who_race_for_a_seat_one_is_in_and_all_others_are_told() {
    let replicas = replicas().await;
    let opener = replicas[0].guest("Ada").await;
    let joiners = people(&replicas[1], JOINERS).await;
    for race in 0..RACES {
        // Every other game is listed, and then its opener tries to get in too.
        let game = match race % 2 {
            0 => replicas[0].friends(&opener, &[], KALAH).await.expect("a game"),
            _ => replicas[0].find(&opener, KALAH).await.expect("a game").game_id,
        };
        let mut answers = JoinSet::new();
        for (place, joiner) in joiners.iter().chain([&opener]).enumerate() {
            let (world, joiner, game) = (replicas[place % 2].clone(), joiner.clone(), game.clone());
            answers.spawn(async move { (world.join(&joiner, &game).await, joiner) });
        }
        let (mut seated, mut told) = (Vec::new(), 0);
        for (answer, joiner) in answers.join_all().await {
            match answer.map_err(|problem| problem.code) {
                Ok(_) => seated.push(joiner),
                Err(Code::SeatTaken) => told += 1,
                // The opener, who came while the seat was still empty.
                Err(Code::FailedPrecondition) if joiner == opener => told += 1,
                Err(odd) => panic!("race {race}: {odd:?}"),
            }
        }
        assert_eq!((seated.len(), told), (1, JOINERS), "race {race}");
        assert_ne!(seated[0], opener, "nobody plays themselves");
        let table = replicas[0].engine.table(&game);
        assert_eq!(table.seated.len(), 1, "race {race}");
        assert_eq!(table.occupants[&table.seated[0]].account_id, seated[0]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_two_hundred_who_look_for_one_kind_at_once_play_a_hundred_games() {
    let replicas = replicas().await;
    let people = people(&replicas[0], SEARCHERS).await;
    let mut searches = JoinSet::new();
    for (place, person) in people.into_iter().enumerate() {
        let world = replicas[place % 2].clone();
        searches.spawn(async move { (world.find(&person, KALAH).await.expect("a game").game_id, person) });
    }
    let mut games: HashMap<String, Vec<String>> = HashMap::new();
    for (game, person) in searches.join_all().await {
        games.entry(game).or_default().push(person);
    }
    assert_eq!(games.len(), SEARCHERS / 2);
    for (game, people) in games {
        assert!(people.len() == 2 && people[0] != people[1], "{people:?}");
        let table = replicas[0].engine.table(&game);
        let mut seated: Vec<_> = table.occupants.values().map(|occupant| &occupant.account_id).collect();
        let mut expected: Vec<_> = people.iter().collect();
        seated.sort();
        expected.sort();
        assert_eq!(seated, expected);
    }
    assert!(replicas[1].open_games("").await.is_empty(), "somebody is left waiting");
}

/// Cancelled while being matched, and started anyway (open-match2 PR #22).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_a_search_that_is_cancelled_while_others_look_is_cancelled_or_found() {
    let replicas = replicas().await;
    let (opener, looker) = (replicas[0].guest("Ada").await, replicas[1].guest("Bob").await);
    for race in 0..RACES {
        let game = replicas[0].find(&opener, KALAH).await.expect("a game").game_id;
        let (here, there) = (replicas[0].clone(), replicas[1].clone());
        let (cancelled, found) = tokio::join!(here.cancel(&opener, &game), there.find(&looker, KALAH));
        let found = found.expect("a game");
        let table = replicas[0].engine.table(&game);
        if found.joined {
            assert_eq!(found.game_id, game, "race {race}");
            assert_eq!(cancelled.map_err(|problem| problem.code), Err(Code::FailedPrecondition));
            assert!(!table.cancelled && table.occupants.len() == 2);
        } else {
            cancelled.expect("nobody was matched with it");
            assert!(table.cancelled && table.occupants.len() == 1, "race {race}");
            there.cancel(&looker, &found.game_id).await.expect("cancelled");
        }
    }
}
