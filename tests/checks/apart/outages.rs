//! Games go on over whatever may go away: processes, by `kill -9` at any time and at the worst one, the bus, and the
//! database. No acknowledged move is lost and none is there twice; every game ends; everybody resumes.
//!
//! What needs fault points is left out of a release build, which has none.

use super::crowd::Crowd;
use super::system::{self, System};
use anyhow::{Result, ensure};
use astragal_tests::tally::Tally;
use std::time::Duration;

/// Pairs that play.
const PAIRS: usize = 100;
/// Pairs whose moves wait for lost messages most of the time.
#[cfg(debug_assertions)]
const FEW: usize = 50;
/// How long something is away.
const AWAY: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o1_g4_l14_a_process_of_each_role_is_killed_and_nothing_is_lost() -> Result<()> {
    let mut system = System::start().await?;
    let mut crowd = Crowd::gather(&system.roles, PAIRS).await?;
    crowd.go_on(4).await?;
    for role in 0..3 {
        let roles = &mut system.roles;
        system::kill(match role {
            0 => &mut roles.engines[0],
            1 => &mut roles.gateways[1],
            _ => &mut roles.matchmakings[0],
        })?;
        crowd.go_on(4).await?;
    }
    crowd.end().await?;
    system.all_run()?;
    ensure!(crowd.sum(Tally::resumptions) > 0, "nobody had to resume");
    ensure!(crowd.sum(Tally::absences) == 0, "somebody who came back at once counted as offline");
    Ok(())
}

#[cfg(debug_assertions)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l0_d10_l14_processes_die_between_a_commit_and_its_answer() -> Result<()> {
    let faults = |role: &str, number| match (role, number) {
        ("engine", 0) => Some("engine.committed=kill@400"),
        ("engine", _) => Some("engine.opened=kill@60"),
        ("matchmaking", 0) => Some("matchmaking.written=kill@60"),
        _ => None,
    };
    let mut system = System::start_with(faults).await?;
    let mut crowd = Crowd::gather(&system.roles, PAIRS).await?;
    let roles = &mut system.roles;
    let (engines, matchmaking) = (&mut roles.engines, &mut roles.matchmakings[0]);
    let [committing, opening] = &mut engines[..] else { anyhow::bail!("two engines") };
    let revived = async {
        tokio::try_join!(system::revive(committing), system::revive(opening), system::revive(matchmaking))
    };
    crowd.play_until(revived).await?;
    crowd.go_on(4).await?;
    crowd.end().await?;
    system.all_run()
}

#[cfg(debug_assertions)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l14_o1_games_go_on_without_an_engine_that_hangs_and_with_it_when_it_is_back() -> Result<()> {
    let hangs = |role: &str, number| (role == "engine" && number == 0).then_some("engine.committed=stop@400");
    let mut system = System::start_with(hangs).await?;
    let mut crowd = Crowd::gather(&system.roles, FEW).await?;
    let engine = &system.roles.engines[0];
    system::until("the engine hangs", async || engine.is_stopped()).await?;
    // Its connections stay open, so it takes the callers a while to find out.
    crowd.go_on(4).await?;
    ensure!(engine.is_stopped()?, "the engine went on");
    // What it holds in memory is old by now.
    engine.go_on()?;
    crowd.go_on(4).await?;
    crowd.end().await?;
    system.all_run()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g4_g7_games_go_on_while_redis_is_away() -> Result<()> {
    let mut system = System::start().await?;
    let mut crowd = Crowd::gather(&system.roles, PAIRS).await?;
    for (leave, come_back) in [
        (astragal_support::redis::Redis::freeze as fn(&_), astragal_support::redis::Redis::thaw as fn(&_)),
        (astragal_support::redis::Redis::crash, astragal_support::redis::Redis::resume),
    ] {
        crowd.go_on(4).await?;
        leave(&system.redis);
        crowd.max(Tally::take_slowest);
        crowd.play_for(AWAY).await?;
        // All of them, also where the machine is busy.
        crowd.go_on(1).await?;
        crowd.seen_in_time()?;
        come_back(&system.redis);
    }
    crowd.go_on(4).await?;
    crowd.end().await?;
    system.all_run()?;
    ensure!(crowd.sum(Tally::absences) == 0, "somebody counted as offline");
    ensure!(crowd.sum(Tally::refusals) == 0, "something was refused for want of Redis");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o1_l14_games_stand_still_while_postgresql_is_away() -> Result<()> {
    let mut system = System::start_with_postgres().await?;
    let mut crowd = Crowd::gather(&system.roles, PAIRS).await?;
    crowd.go_on(4).await?;

    tokio::task::block_in_place(|| system.postgres.crash());
    let (moves, refusals) = (crowd.sum(Tally::moves), crowd.sum(Tally::refusals));
    system.until_ready(false).await?;
    crowd.play_for(AWAY).await?;
    system.all_run()?;
    crowd.refused_after(refusals).await?;
    let made = crowd.sum(Tally::moves) - moves;
    // Those that were committed before, and whose answers were on their way.
    ensure!(made <= 2 * PAIRS as u32, "{made} moves were acknowledged without a database");
    tokio::task::block_in_place(|| system.postgres.resume());
    system.until_ready(true).await?;
    crowd.go_on(4).await?;

    system.postgres.freeze();
    crowd.play_for(AWAY).await?;
    system.postgres.thaw();
    system.until_ready(true).await?;
    crowd.go_on(4).await?;
    crowd.end().await?;
    system.all_run()?;
    ensure!(crowd.sum(Tally::absences) == 0, "somebody counted as offline");
    Ok(())
}

#[cfg(debug_assertions)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g4_a_bus_that_loses_a_tenth_delays_moves_and_loses_none() -> Result<()> {
    let mut system = System::start_with(|_, _| Some("bus.publish=drop@10%")).await?;
    let mut crowd = Crowd::gather(&system.roles, FEW).await?;
    crowd.end().await?;
    system.all_run()?;
    ensure!(crowd.seen_in_time()? > Duration::from_millis(500), "the bus lost nothing");
    Ok(())
}
