//! What operators rent: a Redis Cluster in place of one server.

use super::{Pair, embedded};
use anyhow::{Result, ensure};
use astragal_support::redis_cluster::RedisCluster;
use astragal_tests::kalah_player::play_both;
use astragal_tests::roles::{Plan, Roles};
use std::time::Duration;

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
