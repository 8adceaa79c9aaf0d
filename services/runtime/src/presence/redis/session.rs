//! The task behind a desk: it tells Redis who is here, keeps the lease, sweeps, and hears what Redis says.
//!
//! Each connection begins from nothing: everyone who is here is announced, everyone who is online is loaded, and for
//! a while nobody goes offline.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use redis::{Msg, PushInfo, PushKind, RedisError, RedisResult};
use tokio::sync::Notify;
use tokio::time::{Interval, MissedTickBehavior, interval, sleep};

use super::Shared;
use super::ledger::{Ledger, Names, read};
use crate::id::AccountId;
use crate::presence::PresenceTimes;
use crate::redis_link::{RETRY_AFTER, RedisLink};

/// Accounts in one command.
const BATCH_MAX: usize = 500;

/// Works as long as it is polled.
pub(super) async fn run(link: RedisLink, times: PresenceTimes, desk: Arc<Shared>) {
    let mut away = false;
    loop {
        let Err(error) = work(&link, &times, &desk, &mut away).await;
        desk.mirror().lose();
        if !std::mem::replace(&mut away, true) {
            tracing::warn!(error = %error.category(), "Redis can't say who is online; everyone counts as online");
        }
        sleep(RETRY_AFTER).await;
    }
}

/// Works on one connection until it is lost.
async fn work(
    link: &RedisLink,
    times: &PresenceTimes,
    desk: &Arc<Shared>,
    away: &mut bool,
) -> RedisResult<Infallible> {
    let lost = Arc::new(Notify::new());
    let mut connection = link.listen(hear(desk.clone(), lost.clone())).await?;
    let names = Names::new(link.prefix());
    connection.subscribe(&names.channel).await?;
    let mut ledger = Ledger::new(link.commands_beside(&connection).await?, names, times);
    ledger.beat().await?;
    desk.mirror().reach();
    let online = ledger.online().await?;
    desk.mirror().load(online);
    if std::mem::take(away) {
        tracing::info!("Redis says again who is online");
    }
    let mut settled = pin!(sleep(times.settle));
    let mut sure = false;
    let mut beat = every(times.lease / 3);
    let mut sweep = every(times.sweep_every);
    loop {
        tokio::select! {
            (here, gone) = untold(desk) => {
                let dead = !here.is_empty() && ledger.arrive(&here).await?;
                if !gone.is_empty() {
                    ledger.depart(&gone).await?;
                }
                if dead {
                    return Err(forgotten());
                }
            }
            _ = beat.tick() => {
                if ledger.beat().await? {
                    return Err(forgotten());
                }
            }
            _ = sweep.tick(), if sure => ledger.sweep().await?,
            () = &mut settled, if !sure => {
                sure = true;
                desk.mirror().trust();
            }
            () = lost.notified() => {
                return Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset).into());
            }
        }
    }
}

/// Waits for accounts that Redis has to be told of.
async fn untold(desk: &Shared) -> (Vec<AccountId>, Vec<AccountId>) {
    loop {
        let (here, gone) = desk.mirror().take(BATCH_MAX);
        if !(here.is_empty() && gone.is_empty()) {
            return (here, gone);
        }
        desk.noted.notified().await;
    }
}

fn every(period: Duration) -> Interval {
    let mut interval = interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

/// Others took this gateway for dead, or Redis has lost everything: begin again.
fn forgotten() -> RedisError {
    std::io::Error::new(std::io::ErrorKind::NotFound, "Redis knows nothing of this gateway").into()
}

/// What is done with what Redis says.
fn hear(desk: Arc<Shared>, lost: Arc<Notify>) -> impl Fn(PushInfo) + Send + Sync {
    move |push| {
        if push.kind == PushKind::Disconnection {
            lost.notify_one();
        } else if let Some((account, is_online)) = Msg::from_push_info(push).as_ref().and_then(read) {
            desk.mirror().hear(account, is_online);
        }
    }
}
