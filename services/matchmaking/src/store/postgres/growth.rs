//! What a lobby reads doesn't grow with the games of others: plans that were made while the tables were empty still
//! find each row by a key when there are many.

use astragal_runtime::clock::{Clock, ManualClock};
use astragal_support::postgres::Postgres as Server;

use super::tests::replicas;
use crate::account::robots;
use crate::game::Origin;
use crate::store::MatchmakingStore;
use crate::store::alone::Alone;
use crate::store::conformance::Bench;
use crate::store::evening::evening;

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

/// Newer games of one account, of another kind.
const OWN: &str = "
    INSERT INTO matchmaking.game_players (game_id, seat, participant, account_id, change, drawn_for)
    SELECT gen_random_uuid(), 0, 0, opener, 1, 'robots another 2 english'
    FROM matchmaking.games, generate_series(1, 2000) WHERE game = 'mine'";

#[tokio::test]
async fn d11_what_is_read_does_not_grow_with_other_games_of_ones_own() {
    let server = Server::start(&["fsync=off", "autovacuum=off"]);
    let [store] = replicas(&server).await;
    let bench = Bench { store, clock: ManualClock::default() };
    let ada = bench.person().await;
    let mine = || bench.game("mine", Origin::Friends, ada, &[None]);
    let open = async || bench.store.create(&bench.request(ada, [1; 32]), &mine(), 9).await.expect("a game");
    open().await;
    server.run_sql("test0", OWN);
    server.forget_reads("test0");
    let again = open().await;
    assert!(bench.picks(again.id).await[0].reused_from.is_some());
    bench.store.0.close().await;
    let read = server.reads("test0");
    let most = read.values().max().copied().unwrap_or_default();
    assert!(most > 0 && most < 200, "read were {read:?}");
}
