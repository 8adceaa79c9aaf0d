//! What operators rent: a Redis Cluster in place of one server, and what happens when it loses a node.

use super::crowd::Crowd;
use super::system::{System, until};
use super::{Pair, embedded};
use crate::rematch::couple::Couple;
use anyhow::{Context, Result, ensure};
use astragal_support::redis_cluster::RedisCluster;
use astragal_tests::kalah_player::play_both;
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::tally::Tally;
use std::time::Duration;

/// Pairs that play while a node is lost.
const PAIRS: usize = 40;
/// A key of presence; the others of presence lie beside it.
const PRESENCE: &str = "{astragal:presence}:any";

#[tokio::test]
async fn o2_a_game_over_a_redis_cluster_between_two_gateways() -> Result<()> {
    let redis_url = Some(RedisCluster::shared().urls().join(","));
    // The bus alone tells of moves.
    let roles = Roles::start(&Plan { redis_url, heads_interval: Duration::from_hours(1), ..embedded(1, 2) })?;
    let mut pair = Pair::seat(&roles).await?;
    let outcome = play_both(&mut pair.players, &mut pair.clients).await?;
    ensure!(outcome.reason == "finished", "{outcome:?}");
    Ok(())
}

/// O2, G4: a primary is killed, the one that holds presence and that everybody's news go through. Games go on at once,
/// nobody counts as offline, and when another node has taken over rematches are offered through it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o2_g4_a_redis_cluster_loses_a_primary_and_games_lose_nothing() -> Result<()> {
    let cluster = RedisCluster::with_replicas();
    let lost = cluster.holder_of(PRESENCE).context("nobody holds presence")?;
    // Everybody goes to the first one that they are told of.
    let mut urls = cluster.urls();
    urls.sort_by_key(|url| *url != lost);
    let as_they_are = |_: &str, _, launch| Ok(launch);
    let mut system = System::start_adding(2, Some(urls.join(",")), as_they_are).await?;
    let mut crowd = Crowd::gather(&system.roles, PAIRS).await?;
    crowd.go_on(4).await?;

    tokio::task::block_in_place(|| cluster.crash(&lost));
    crowd.max(Tally::take_slowest);
    crowd.go_on(8).await?;
    let taken_over = until("another node holds presence", async || {
        let holder = tokio::task::block_in_place(|| cluster.holder_of(PRESENCE));
        Ok(holder.is_some_and(|holder| holder != lost))
    });
    crowd.play_until(taken_over).await?;
    crowd.go_on(8).await?;
    // As when all of Redis is away, a move is seen by who asks for it.
    crowd.seen_in_time()?;
    ensure!(crowd.sum(Tally::absences) == 0, "somebody counted as offline");
    ensure!(crowd.sum(Tally::refusals) == 0, "something was refused for want of a node");

    // These need both: entries in the cluster, and news on the bus.
    let urls = [0, 1].map(|gateway| system.roles.gateways[gateway].url().to_owned());
    let mut couple = Couple::played([&urls[0], &urls[1]]).await?;
    couple.rematch(0).await?;
    crowd.end().await?;
    system.all_run()
}
