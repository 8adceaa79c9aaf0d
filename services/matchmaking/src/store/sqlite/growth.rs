//! What a lobby costs doesn't grow with the games of others: each row is found by a key when there are many.

use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::database::Location;
use astragal_support::steps::{Steps, copy_rows};
use sqlx::{Executor, SqliteConnection};

use super::SqliteStore;
use crate::account::robots;
use crate::store::MatchmakingStore;
use crate::store::conformance::Bench;
use crate::store::evening::evening;

/// Which games and draws are copied, and the people of each copy.
const COPIES: &str = "
    CREATE TEMP TABLE copies AS
    WITH RECURSIVE times (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM times WHERE number < 1000)
    SELECT game_id AS original, randomblob(16) AS copy, randomblob(16) AS ada, randomblob(16) AS bob
    FROM (SELECT game_id FROM games UNION SELECT game_id FROM draws) CROSS JOIN times;
    INSERT INTO accounts (account_id, name, robot_level, created_at)
    SELECT ada, 'Eve', 0, 0 FROM copies UNION ALL SELECT bob, 'Eve', 0, 0 FROM copies;";

/// Some wait, of kinds of their own; most are over.
async fn copy_all(connection: &mut SqliteConnection) {
    connection.execute(COPIES).await.expect("people");
    let game = ("game_id", "copy");
    let seated = "CASE WHEN account_id IS NULL THEN NULL WHEN seat = 0 THEN ada ELSE bob END";
    let (hash, request) = (("kind_hash", "randomblob(32)"), ("request_id", "randomblob(16)"));
    for (table, anew) in [
        ("games", &[game, ("opener", "ada"), hash, ("settled", "change")][..]),
        ("game_players", &[game, ("robot_level", "0"), ("account_id", seated)]),
        ("game_setup_draws", &[game, ("account_id", "ada")]),
        ("next_games", &[game, ("follows", "copy")]),
        ("requests", &[game, ("account_id", "ada"), request]),
        ("draws", &[game]),
        ("draw_participants", &[game]),
        ("draw_entropy", &[game]),
        ("draw_picks", &[game]),
    ] {
        copy_rows(connection, table, "game_id", anew).await;
    }
}

#[tokio::test]
async fn d10_steps_do_not_grow_with_the_games_of_others() {
    let store = SqliteStore::open(&Location::Memory).await.expect("a store");
    let bench = Bench { store, clock: ManualClock::default() };
    bench.store.add_accounts(&robots(bench.clock.now())).await.expect("robots");
    evening(&bench).await;
    let steps = Steps::of(&mut bench.store.0.writer().await.expect("the connection")).await;
    evening(&bench).await;
    let few = steps.take();
    copy_all(&mut bench.store.0.writer().await.expect("the connection")).await;
    let games: u32 = sqlx::query_scalar("SELECT count(*) FROM games")
        .fetch_one(bench.store.0.reader())
        .await
        .expect("a count");
    steps.take();
    evening(&bench).await;
    let many = steps.take();
    // Whoever walks through rows takes some steps for each.
    assert!(
        few > 0 && many < few + u64::from(games) / 10,
        "{few} steps, and {many} with {games} games of others"
    );
}
