//! What a lobby reads doesn't grow with the games of others: plans that were made while the tables were empty still
//! find each row by a key when there are many.

use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::id::{AccountId, SeriesId, TableId};
use astragal_support::postgres::Postgres as Server;
use chrono::TimeDelta;

use super::PostgresStore;
use super::tests::replicas;
use crate::account::robots;
use crate::game::{GameEnd, Origin, Player};
use crate::next_games::NextGame;
use crate::order::{Batch, Confirmation, Order, Wanted};
use crate::store::alone::{Alone, create, find};
use crate::store::conformance::Bench;
use crate::store::draws::{DrawKey, DrawStore};
use crate::store::next_games::NextGameStore;
use crate::store::{MatchmakingStore, OpenGames, Orders};

/// Copies of each game of an evening, with people of their own. Some wait, of kinds of their own; most are over.
const OTHERS: &str = "
    SET search_path TO matchmaking;
    CREATE TEMP TABLE copies AS
    SELECT game_id, gen_random_uuid() AS copy, gen_random_uuid() AS ada, gen_random_uuid() AS bob,
           sha256(gen_random_uuid()::text::bytea) AS kind_hash
    FROM games, generate_series(1, 500);
    INSERT INTO accounts (account_id, name, robot_level, created_at)
    SELECT unnest(ARRAY[ada, bob]), 'Eve', 0, now() FROM copies;
    INSERT INTO games
    SELECT (jsonb_populate_record(games, jsonb_build_object(
        'game_id', copy, 'opener', ada, 'kind_hash', copies.kind_hash, 'settled', change))).*
    FROM copies JOIN games USING (game_id);
    INSERT INTO game_players
    SELECT (jsonb_populate_record(player, jsonb_build_object(
        'game_id', copy, 'robot_level', 0, 'account_id',
        CASE WHEN account_id IS NULL THEN NULL WHEN seat = 0 THEN ada ELSE bob END))).*
    FROM copies JOIN game_players AS player USING (game_id);
    INSERT INTO game_setup_draws
    SELECT (jsonb_populate_record(pick, jsonb_build_object('game_id', copy, 'account_id', ada))).*
    FROM copies JOIN game_setup_draws AS pick USING (game_id);
    INSERT INTO requests
    SELECT (jsonb_populate_record(request, jsonb_build_object(
        'game_id', copy, 'account_id', ada, 'request_id', gen_random_uuid()))).*
    FROM copies JOIN requests AS request USING (game_id)";

/// Whatever is done by batches and by those who ask; nothing that lists.
async fn evening(bench: &Bench<PostgresStore>) {
    let store = &bench.store;
    let people = [bench.person().await, bench.person().await, bench.person().await, bench.person().await];
    let [ada, bob, eve, max] = people;
    let asked = |account, wanted| Order::Asked(bench.request(account, [1; 32]), wanted);
    let seek = |account| asked(account, find(&bench.game("growth", Origin::Auto, account, &[None]), 3));
    let open = |account, others: &[_]| bench.game("among friends", Origin::Friends, account, others);
    for seekers in [&[ada][..], &[bob, eve], &[max]] {
        let orders = seekers.iter().map(|seeker| seek(*seeker)).collect();
        store.change(Batch { orders, ..Batch::default() }.into()).await.expect("games");
    }
    let (joined, cancelled, taken) = (open(ada, &[None]), open(bob, &[None]), open(eve, &[None]));
    let orders = vec![
        asked(ada, create(&joined, 3)),
        asked(bob, create(&cancelled, 3)),
        asked(eve, create(&taken, 3)),
        asked(max, Wanted::Join(joined.id)),
        asked(bob, Wanted::Cancel(cancelled.id)),
        Order::Attach { game: taken.id, robot: Player::robot(2), at: taken.at },
    ];
    let confirmed = vec![Confirmation { game: joined.id, change: 1 }];
    store.change(Batch { orders, confirmed }.into()).await.expect("outcomes");
    let waiting = bench.game("waits", Origin::Auto, ada, &[None]);
    store.create(&bench.request(ada, [2; 32]), &waiting, 3).await.expect("a game");
    look_back(bench, &people, joined.id).await;
}

async fn look_back(bench: &Bench<PostgresStore>, people: &[AccountId; 4], game: TableId) {
    let (store, now) = (&bench.store, bench.clock.now());
    let keys = people.map(|account| DrawKey { account, game: "growth", seats: 2, tile_set: "english" });
    store.newest_unended(&keys).await.expect("games");
    store.unended(people, "growth", 10).await.expect("games");
    store.seatings(people, "growth", "").await.expect("seatings");
    store.have_begun(people, now - TimeDelta::hours(1)).await.expect("an answer");
    store.note_away(people, true).await.expect("games");
    store.waiting_of(people[0]).await.expect("games");
    store.draw(game).await.expect("an answer").expect("a draw");
    let (id, series_id) = (TableId::new(), SeriesId::new());
    let next = NextGame { id, follows: game, first_seat: 1, series_id, series: "[]".into() };
    assert_eq!(store.create_next(&[next], now).await.expect("a game").len(), 1);
    let end = GameEnd { reason: "finished".into(), at: now };
    store.note_end(game, &end).await.expect("noted");
    let mine = OpenGames { game: None, account: Some(people[0]), limit: 10 };
    assert_eq!(store.open_games(&mine).await.expect("games").len(), 1);
}

#[tokio::test]
async fn d10_what_is_read_does_not_grow_with_the_games_of_others() {
    let server = Server::start(&["fsync=off", "autovacuum=off"]);
    let [store] = replicas(&server).await;
    let bench = Bench { store, clock: ManualClock::default() };
    bench.store.add_accounts(&robots(bench.clock.now())).await.expect("robots");
    evening(&bench).await;
    server.run_sql("test0", OTHERS);
    let games: u64 =
        server.run_sql("test0", "SELECT count(*) FROM matchmaking.games").parse().expect("a count");
    server.forget_reads("test0");
    evening(&bench).await;
    bench.store.0.close().await;
    let read = server.reads("test0");
    let most = read.values().max().copied().unwrap_or_default();
    assert!(most > 0 && most < games / 10, "{games} games, and read were {read:?}");
}
