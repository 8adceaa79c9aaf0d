//! The draw through the service: what is written, who sits where, and what becomes of placeholders.

use std::collections::BTreeSet;

use astragal_matchmaking::settings::Settings;
use astragal_proto::seeding::v1::{Draw, GetDrawResponse, Pick};
use astragal_rules::draw::Draw as Machine;
use astragal_rules::draw::decision::Decision;
use astragal_rules::tile_set::TileSet;
use astragal_runtime::entropy::{Entropy, ScriptedEntropy};
use astragal_runtime::id::robot_account;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use std::time::Duration;

use crate::engine::NotedTable;
use crate::world::{Game, KALAH, World};

/// A world whose first draw follows from `seed`, with that draw as the pure machine gives it.
/// Guests of a world draw nothing, since they have names.
async fn scripted(seed: u8, set: &str, participants: u8) -> (World, Decision) {
    let entropy = ScriptedEntropy::expanded([seed; 32]);
    let next = || {
        let mut bytes = [0; 32];
        entropy.fill(&mut bytes).map(|()| bytes)
    };
    let decision = Machine::run(TileSet::named(set).expect("a set"), participants, next).expect("a draw");
    (World::with([seed; 32], Settings::default()).await, decision)
}

/// A seed whose draw takes several rounds.
async fn tied(set: &str, participants: u8) -> (World, Decision) {
    for seed in 0..=u8::MAX {
        let (world, decision) = scripted(seed, set, participants).await;
        if decision.rounds.len() > 1 {
            return (world, decision);
        }
    }
    panic!("no draw of these seeds is tied");
}

fn picks(draw: &GetDrawResponse) -> Vec<&Pick> {
    draw.draw.iter().flat_map(|draw| &draw.rounds).flat_map(|round| &round.picks).collect()
}

fn assert_same(draw: &Draw, decision: &Decision) {
    assert_eq!(
        (draw.winner, draw.tile_set.as_str()),
        (Some(decision.winner.into()), decision.tile_set.name())
    );
    assert_eq!(draw.rounds.len(), decision.rounds.len());
    for (round, expected) in draw.rounds.iter().zip(&decision.rounds) {
        assert_eq!(round.picks.len(), expected.picks.len());
        for (pick, expected) in round.picks.iter().zip(&expected.picks) {
            assert_eq!(pick.participant, u32::from(expected.participant));
            assert_eq!(pick.seat, Some(decision.seat_of(expected.participant).into()));
            assert_eq!((&pick.letter, pick.blank), (&expected.letter, expected.blank));
            assert_eq!(pick.rank, i32::from(expected.rank));
            assert_eq!(pick.entropy, hex::encode(expected.entropy));
            assert_eq!(pick.entropy_sha256, expected.entropy_sha256());
            assert!(!pick.recorded);
        }
    }
}

#[tokio::test]
async fn d5_every_pick_is_a_row_that_reads_back() {
    let (world, decision) = tied("english", 2).await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let game = world.friends(&ada, &[&bob], KALAH).await.expect("a game");
    let draw = world.draw(&game).await.expect("a draw");
    assert_same(draw.draw.as_ref().expect("a draw"), &decision);

    let pool = SqlitePool::connect_with(SqliteConnectOptions::new().filename(world.database())).await;
    let rows = sqlx::query(
        "SELECT lower(hex(account_id)) AS account, * FROM game_setup_draws ORDER BY round, pick_no",
    )
    .fetch_all(&pool.expect("a database"))
    .await
    .expect("rows");
    let expected = (1_i64..).zip(&decision.rounds).flat_map(|(number, round)| {
        (1_i64..).zip(&round.picks).map(move |(pick_number, pick)| (number, pick_number, pick))
    });
    let expected: Vec<_> = expected.collect();
    assert_eq!(rows.len(), expected.len());
    for (row, (round, pick_number, pick)) in rows.iter().zip(expected) {
        let account = [&ada, &bob][usize::from(pick.participant)].replace('-', "");
        assert_eq!(row.get::<String, _>("account"), account);
        assert_eq!((row.get::<i64, _>("round"), row.get::<i64, _>("pick_no")), (round, pick_number));
        assert_eq!(row.get::<u8, _>("seat"), decision.seat_of(pick.participant));
        assert_eq!(row.get::<String, _>("letter"), pick.letter);
        assert_eq!((row.get::<bool, _>("is_blank"), row.get::<i8, _>("rank")), (pick.blank, pick.rank));
        assert_eq!(row.get::<String, _>("tile_set"), "english");
        assert_eq!(row.get::<String, _>("source"), "auto");
        assert_eq!(row.get::<Option<Vec<u8>>, _>("recorded_by"), None);
        assert_eq!(row.get::<String, _>("entropy_sha256"), pick.entropy_sha256());
        assert_eq!(row.get::<Vec<u8>, _>("entropy"), pick.entropy);
    }
}

#[tokio::test]
async fn d13_anyone_can_recompute_every_tile() {
    let (world, decision) = tied("russian", 3).await;
    let ada = world.guest("Ada").await;
    let game = world.find(&ada, Game("parlour", 3)).await.expect("a game").game_id;
    let draw = world.draw(&game).await.expect("a draw");
    let picked = picks(&draw).into_iter().map(|pick| astragal_rules::draw::round::Pick {
        participant: pick.participant as u8,
        letter: pick.letter.clone(),
        blank: pick.blank,
        rank: pick.rank as i8,
        entropy: hex::decode(&pick.entropy).expect("hex").try_into().expect("32 bytes"),
    });
    let picked: Vec<_> = picked.collect();
    let again =
        Machine::restore(decision.tile_set, 3, &picked).expect("every tile is what its entropy gives");
    assert_eq!(again.decision().as_ref(), Some(&decision));
}

/// The draw's winner sits at seat 0, moves first, and the others follow in the order of asking.
async fn assert_seated(world: &World, game: &str, circle: &[&str]) {
    let draw = world.draw(game).await.expect("a draw");
    assert!(draw.full);
    let NotedTable { opened, occupants, .. } = world.engine.table(game);
    assert_eq!(opened.first_seat, 0);
    assert_eq!(occupants.len(), circle.len());
    let winner = draw.draw.as_ref().expect("a draw").winner.expect("a winner") as usize;
    for (seat, occupant) in occupants {
        assert_eq!(occupant.account_id, circle[(winner + seat as usize) % circle.len()], "seat {seat}");
    }
    for pick in picks(&draw) {
        assert_eq!(pick.account_id, circle[pick.participant as usize]);
        assert_eq!(
            pick.seat.expect("a seat") as usize,
            (pick.participant as usize + circle.len() - winner) % circle.len()
        );
    }
    let last = draw.draw.as_ref().and_then(|draw| draw.rounds.last()).expect("a round");
    assert_eq!(last.picks.iter().min_by_key(|pick| pick.rank).and_then(|pick| pick.seat), Some(0));
}

#[tokio::test]
async fn d7_the_winner_sits_first_in_a_game_among_friends() {
    let mut winners = BTreeSet::new();
    for seed in 0..24 {
        let seats = 2 + u32::from(seed % 3);
        let world = World::with([seed; 32], Settings::default()).await;
        let mut circle = Vec::new();
        for name in ["Ada", "Bob", "Eve", "Kim"].into_iter().take(seats as usize) {
            circle.push(world.guest(name).await);
        }
        let circle: Vec<&str> = circle.iter().map(String::as_str).collect();
        let game = world.friends(circle[0], &circle[1..], Game("parlour", 0)).await.expect("a game");
        assert_seated(&world, &game, &circle).await;
        winners.insert((seats, world.draw(&game).await.expect("a draw").draw.expect("a draw").winner));
    }
    assert!(winners.len() > 5, "too few different winners to prove anything: {winners:?}");
}

#[tokio::test]
async fn d7_the_winner_sits_first_in_a_game_against_robots() {
    for seed in 0..8 {
        let world = World::with([seed; 32], Settings::default()).await;
        let (ada, robot) = (world.guest("Ada").await, robot_account(2).to_string());
        let game = world.robots(&ada, 2, KALAH).await.expect("a game");
        assert_seated(&world, &game, &[&ada, &robot]).await;
        let game = world.robots(&ada, 2, Game("parlour", 4)).await.expect("a game");
        assert_seated(&world, &game, &[&ada, &robot, &robot, &robot]).await;
        let robots = world.engine.table(&game).occupants;
        assert_eq!(robots.values().filter(|occupant| occupant.robot_level == 2).count(), 3);
    }
}

#[tokio::test]
async fn d8_the_winner_sits_first_when_two_find_each_other() {
    for seed in 0..8 {
        let world = World::with([seed; 32], Settings::default()).await;
        let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
        let game = world.find(&ada, KALAH).await.expect("a game").game_id;
        assert_eq!(
            world.find(&bob, KALAH).await.map(|found| (found.game_id, found.joined)),
            Ok((game.clone(), true))
        );
        assert_seated(&world, &game, &[&ada, &bob]).await;
    }
}

/// Nothing of the draw and of the seats that were taken changes but the accounts of placeholders.
fn assert_only_accounts_changed(before: &GetDrawResponse, after: &GetDrawResponse) {
    assert_eq!(before.draw.as_ref().map(|draw| draw.winner), after.draw.as_ref().map(|draw| draw.winner));
    for (before, after) in picks(before).into_iter().zip(picks(after)) {
        if before.account_id.is_empty() {
            assert_eq!(*before, Pick { account_id: String::new(), ..after.clone() });
        } else {
            assert_eq!(before, after);
        }
    }
}

#[tokio::test]
async fn d8_the_seat_is_decided_at_the_opening_and_whoever_joins_takes_it() {
    for seed in 0..8 {
        let world = World::with([seed; 32], Settings::default()).await;
        let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
        let game = world.find(&ada, KALAH).await.expect("a game").game_id;
        let (before, waiting) = (world.draw(&game).await.expect("a draw"), world.engine.table(&game));
        assert!(!before.full);
        assert!(picks(&before).iter().any(|pick| pick.account_id.is_empty()));
        assert_eq!(waiting.occupants.len(), 1, "the opener sits, and may move at once");

        let joined = world.join(&bob, &game).await.expect("joined");
        let (after, full) = (world.draw(&game).await.expect("a draw"), world.engine.table(&game));
        assert_only_accounts_changed(&before, &after);
        assert_eq!(full.opened, waiting.opened);
        assert_eq!(full.seated, [joined.seat], "the one thing that happened to the table is a seat taken");
        assert_eq!(
            full.occupants.iter().find(|(_, who)| who.account_id == ada),
            waiting.occupants.iter().next()
        );
        assert_seated(&world, &game, &[&ada, &bob]).await;
    }
}

#[tokio::test]
async fn d8_two_placeholders_are_told_apart() {
    for seed in 0..12 {
        let world = World::with([seed; 32], Settings::default()).await;
        let (ada, bob, eve) = (world.guest("Ada").await, world.guest("Bob").await, world.guest("Eve").await);
        let game = world.friends(&ada, &[], Game("parlour", 3)).await.expect("a game");
        let opened = world.draw(&game).await.expect("a draw");
        world.join(&bob, &game).await.expect("joined");
        let half = world.draw(&game).await.expect("a draw");
        assert_only_accounts_changed(&opened, &half);
        assert!(!half.full);
        assert!(picks(&half).iter().all(|pick| pick.account_id.is_empty() == (pick.participant == 2)));

        world.join(&eve, &game).await.expect("joined");
        assert_only_accounts_changed(&half, &world.draw(&game).await.expect("a draw"));
        assert_seated(&world, &game, &[&ada, &bob, &eve]).await;
        assert_eq!(world.engine.table(&game).opened.occupants.len(), 1);
    }
}

#[tokio::test]
async fn d8_a_robot_takes_the_decided_seat_when_nobody_comes() {
    for seed in 0..8 {
        let patience = Duration::from_secs(30);
        let settings = Settings { attach_robot_after: Some(patience), robot_level: 4, ..Settings::default() };
        let world = World::with([seed; 32], settings).await;
        let ada = world.guest("Ada").await;
        let game = world.find(&ada, Game("parlour", 3)).await.expect("a game").game_id;
        let link = world.friends(&ada, &[], KALAH).await.expect("a game");
        let before = world.draw(&game).await.expect("a draw");

        world.clock.advance(chrono::Duration::seconds(29));
        world.sweep().await.expect("swept");
        assert_eq!(world.draw(&game).await, Ok(before.clone()));
        world.clock.advance(chrono::Duration::seconds(1));
        world.sweep().await.expect("swept");

        let robot = robot_account(4).to_string();
        assert_only_accounts_changed(&before, &world.draw(&game).await.expect("a draw"));
        assert_seated(&world, &game, &[&ada, &robot, &robot]).await;
        assert!(!world.draw(&link).await.expect("a draw").full, "no robot comes by a friend's link");
        let calls = world.engine.calls().len();
        world.sweep().await.expect("swept");
        assert_eq!(world.engine.calls().len(), calls);
    }
}

/// Whoever opens or joins a game is shown its draw, and nobody has to ask for that.
#[tokio::test]
async fn d6_the_draw_comes_with_the_answer() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let opened = world.find(&ada, KALAH).await.expect("a game");
    assert_eq!(opened.drawn, world.draw(&opened.game_id).await.ok());
    assert!(opened.drawn.is_some_and(|drawn| !drawn.full));
    let found = world.find(&bob, KALAH).await.expect("a game");
    assert_eq!(found.drawn, world.draw(&found.game_id).await.ok());
    assert!(found.drawn.is_some_and(|drawn| drawn.full));

    let game = world.friends(&ada, &[], KALAH).await.expect("a game");
    let joined = world.join(&bob, &game).await.expect("joined");
    assert_eq!(joined.drawn, world.draw(&game).await.ok());
    let game = world.friends(&ada, &[], KALAH).await.expect("a game");
    let elsewhere = world.again(9).await.join(&bob, &game).await.expect("joined");
    assert_eq!(elsewhere.drawn, None, "who did not open it is asked for it");
}

#[tokio::test]
async fn d6_no_game_without_a_draw() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let game = world.find(&ada, KALAH).await.expect("a game").game_id;
    assert!(world.draw(&game).await.expect("a draw").draw.is_some_and(|draw| !draw.rounds.is_empty()));
    let unknown = world.draw(&astragal_runtime::id::TableId::new().to_string()).await;
    assert_eq!(unknown.map_err(|problem| problem.code).err(), Some(astragal_runtime::error::Code::NotFound));
}
