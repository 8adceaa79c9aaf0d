//! Repeats what was left undone: by a crash, by an engine that did not answer, or because nobody came.

use std::sync::Arc;
use std::time::Duration;

use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::{Code, Result};
use astragal_runtime::id::TableId;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::catalogue::Catalogue;
use crate::desk::Desk;
use crate::game::Player;
use crate::order::Order;
use crate::request::REMEMBERED_FOR;
use crate::settings::Settings;
use crate::settler::Settler;
use crate::store::MatchmakingStore;

/// How many games are looked at together.
const PAGE: u32 = 100;
/// How many sweeps there are between two looks for games that have waited too long.
const SWEEPS_PER_ENDING: u64 = 10;
/// How many sweeps there are between two looks for what is old.
const SWEEPS_PER_FORGETTING: u64 = 600;

/// What runs on its own in this role.
#[derive(Clone)]
pub struct Sweeper {
    pub(crate) store: Arc<dyn MatchmakingStore>,
    pub(crate) desk: Desk,
    pub(crate) catalogue: Catalogue,
    pub(crate) settler: Settler,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) settings: Arc<Settings>,
}

impl Sweeper {
    /// Sweeps at once, whatever is undone, and then again and again until it is told to stop.
    pub async fn run(&self, stop: CancellationToken) {
        let mut grace = Duration::ZERO;
        let mut ticks = tokio::time::interval(self.settings.sweep_every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for sweep in 0_u64.. {
            tokio::select! {
                () = stop.cancelled() => return,
                _ = ticks.tick() => {}
            }
            if let Err(problem) = self.sweep(grace).await {
                tracing::warn!(%problem, "a sweep stopped early; the next one goes on");
            }
            if sweep % SWEEPS_PER_ENDING == 0
                && let Err(problem) = self.end_overdue().await
            {
                tracing::warn!(%problem, "games have waited too long and could not be ended; the next time will do");
            }
            if sweep % SWEEPS_PER_FORGETTING == 0
                && let Err(problem) = self.forget().await
            {
                tracing::warn!(%problem, "what is old could not be forgotten; the next time will do");
            }
            grace = self.settings.sweep_grace;
        }
    }

    /// One sweep: tells the engine of changes older than `grace`, younger ones being under way, and
    /// seats robots where nobody came.
    pub async fn sweep(&self, grace: Duration) -> Result<()> {
        self.attach_robots().await?;
        let before = self.ago(grace);
        let mut last = None;
        loop {
            let page = self.store.unsettled(before, last, PAGE).await?;
            for game in &page {
                match self.settle(*game).await {
                    // The engine is away: every other game would wait for it too.
                    Err(problem) if problem.code == Code::Unavailable => return Err(problem),
                    Err(problem) => tracing::warn!(%game, %problem, "a game could not be settled"),
                    Ok(()) => {}
                }
            }
            last = page.last().copied();
            if page.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    async fn settle(&self, game: TableId) -> Result<()> {
        match self.store.game(game).await? {
            Some(game) => self.settler.settle_for_good(&game).await,
            None => Ok(()),
        }
    }

    async fn attach_robots(&self) -> Result<()> {
        let Some(patience) = self.settings.attach_robot_after else { return Ok(()) };
        let robot = Player::robot(self.settings.robot_level);
        for game in self.store.lonely(self.ago(patience), PAGE).await? {
            if self.catalogue.robots_play(&game.kind) {
                let order = Order::Attach { game: game.id, robot, at: self.clock.now() };
                let done = match self.desk.order(order).await {
                    Ok(done) => done,
                    Err(problem) if problem.code == Code::Unavailable => return Err(problem),
                    Err(problem) => {
                        tracing::warn!(game = %game.id, %problem, "no robot can sit down at a game");
                        continue;
                    }
                };
                self.settler.settle_all(done).await?;
            }
        }
        Ok(())
    }

    /// Cancels games that have waited too long, and those whose opener is gone for good.
    pub async fn end_overdue(&self) -> Result<()> {
        loop {
            let page = self.store.overdue(self.ago(self.settings.searches_end_after), PAGE).await?;
            for game in &page {
                let done = self.desk.order(Order::End { game: *game, at: self.clock.now() }).await?;
                self.settler.settle_all(done).await?;
            }
            if page.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    async fn forget(&self) -> Result<()> {
        let now = self.clock.now();
        let before = now - REMEMBERED_FOR;
        let requests =
            self.store.forget_requests(before).await? + self.store.forget_draw_requests(before).await?;
        let attempts = self.store.forget_attempts(now).await?;
        tracing::debug!(requests, attempts, "what is old is forgotten");
        Ok(())
    }

    fn ago(&self, span: Duration) -> Timestamp {
        let span = chrono::Duration::from_std(span).unwrap_or(chrono::Duration::MAX);
        self.clock.now().checked_sub_signed(span).unwrap_or(Timestamp::MIN_UTC)
    }
}
