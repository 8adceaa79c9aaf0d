//! The next game, once all agree: made by whoever was the last to agree, and by a sweep if they didn't.

use crate::entry::{Entry, State};
use crate::machine::Event;
use crate::offers::{Offers, Outcome};
use crate::peers::ending_if_any;
use crate::reason::Reason;
use crate::store::Stored;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::fault::{self, Point};
use astragal_runtime::id::TableId;

impl Offers {
    /// Makes the next game of an entry whose players all agree. Safe to repeat, by anyone; what has become of
    /// the entry meanwhile counts.
    pub(crate) async fn start(&self, agreed: Stored) -> Result<Outcome> {
        let offers = self.clone();
        // To the end, even if whoever asked goes away.
        let started = tokio::spawn(async move { offers.make(agreed).await });
        started.await.unwrap_or_else(|error| Err(Problem::internal(&error)))
    }

    async fn make(&self, agreed: Stored) -> Result<Outcome> {
        let created = match self.create(&agreed.entry).await {
            Ok(created) => created,
            Err(problem) if problem.is_final() => {
                tracing::error!(game = %agreed.entry.game, %problem, "the next game is refused for good");
                false
            }
            Err(problem) => return Err(problem),
        };
        fault::reach(Point::RematchStarted);
        let event = if created { Event::Created } else { Event::Refused };
        let after = self.change_from(Some(agreed), |_| Some(event)).await?;
        match after.map(|changed| changed.step.entry) {
            Some(Entry { state: State::Started, next, .. }) => Ok(Outcome::Started(next.id)),
            _ => Ok(Outcome::Ended(Reason::Closed)),
        }
    }

    /// False if a player has no time for it.
    async fn create(&self, entry: &Entry) -> Result<bool> {
        if self.peers.is_busy(entry).await? && !self.exists(entry.next.id).await? {
            return Ok(false);
        }
        self.peers.create(entry).await?;
        Ok(true)
    }

    async fn exists(&self, game: TableId) -> Result<bool> {
        match ending_if_any(&*self.peers, game).await {
            Ok(ending) => Ok(ending.is_some()),
            Err(Problem { code: Code::GameInProgress, .. }) => Ok(true),
            Err(problem) => Err(problem),
        }
    }
}
