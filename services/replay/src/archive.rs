//! Games that are over and were asked for lately: their log, what the journal says of each move, and a
//! state now and then, so that a late step is near one of them. What is over never changes, so nothing
//! here grows stale.

use crate::Parts;
use astragal_proto::engine::v1::JournalEntry;
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::timeline::{self, Mark, Marks};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use moka::future::Cache;
use std::sync::{Arc, Mutex, PoisonError};

/// Moves between two states that are kept.
const EVERY: u32 = 500;

/// The most moves of all games that are kept, about 150 bytes each.
const MOVES_MAX: u64 = 400_000;

/// A game that is over.
pub(crate) struct Finished {
    pub(crate) log: FinishedLog,
    pub(crate) commitment: String,
    pub(crate) revision: u32,
    /// One for each move.
    pub(crate) marks: Vec<Mark>,
    /// The states after 0, 500, 1,000 ... moves, as far as anyone has come.
    states: Mutex<Vec<Arc<dyn AnyTable>>>,
}

/// The games; cheap to clone.
#[derive(Clone)]
pub(crate) struct Archive(Cache<TableId, Arc<Finished>>);

impl Default for Archive {
    fn default() -> Self {
        let weigh = |_: &TableId, game: &Arc<Finished>| game.marks.len() as u32 + 100;
        Self(Cache::builder().max_capacity(MOVES_MAX).weigher(weigh).build())
    }
}

impl Parts {
    /// A game that is over; whatever else there is to say of the table is a refusal.
    pub(crate) async fn finished(&self, table: TableId) -> Result<Arc<Finished>> {
        let read = self.read(table);
        self.archive.0.try_get_with(table, read).await.map_err(|problem| (*problem).clone())
    }

    async fn read(&self, table: TableId) -> Result<Arc<Finished>> {
        let (mut marks, mut revision) = (Marks::default(), 0);
        let take = |entry: &JournalEntry| {
            revision = entry.revision;
            match entry.kind.as_str() {
                "move" => marks.moved(entry.at_us, entry.state_hash.as_ref().try_into().ok()),
                "undo" => marks.undone(),
                _ => {}
            }
            Ok(())
        };
        let (log, head) = self.engine.finished(table, take).await?;
        let marks = marks.into_standing();
        let start = self.registry.setup(&log.log().header()).map_err(invalid)?;
        let states = Mutex::new(vec![Arc::from(start)]);
        Ok(Arc::new(Finished { log, commitment: head.commitment, revision, marks, states }))
    }
}

impl Finished {
    /// The state after so many moves, from the nearest one that is kept.
    pub(crate) fn after(&self, moves: u32) -> std::result::Result<Arc<dyn AnyTable>, InvalidGame> {
        let logged = self.log.log().moves();
        let mut state = self.nearest(moves);
        while state.number() < moves {
            let next = moves.min((state.number() / EVERY + 1) * EVERY);
            let following = &logged[state.number() as usize..next as usize];
            let header = self.log.log().header();
            state = Arc::from(state.advance(&header, following, &astragal_rules::game::AcceptAll)?);
            self.keep(&state);
        }
        Ok(state)
    }

    fn nearest(&self, moves: u32) -> Arc<dyn AnyTable> {
        let states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (moves / EVERY) as usize;
        Arc::clone(&states[place.min(states.len() - 1)])
    }

    /// Keeps a state whose turn it is to be kept.
    pub(crate) fn keep(&self, state: &Arc<dyn AnyTable>) {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        if state.number() as usize == states.len() * EVERY as usize {
            states.push(Arc::clone(state));
        }
    }

    /// The step of a number, and the state after it, given the state before.
    pub(crate) fn step(
        &self,
        before: &Arc<dyn AnyTable>,
        number: u32,
    ) -> std::result::Result<(timeline::TimelineStep, Arc<dyn AnyTable>), InvalidGame> {
        let logged = &self.log.log().moves()[number as usize - 1];
        let after: Arc<dyn AnyTable> = Arc::from(timeline::follow(&**before, logged)?);
        self.keep(&after);
        Ok((timeline::step(&**before, &*after, logged)?, after))
    }

    /// What the journal says of a move; of the deal nothing.
    pub(crate) fn mark(&self, number: u32) -> Mark {
        let place = number.checked_sub(1).map(|place| place as usize);
        place.and_then(|place| self.marks.get(place)).copied().unwrap_or_default()
    }
}

/// A log that the engine gave does not replay by the games of this build.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
pub(crate) fn invalid(why: InvalidGame) -> Problem {
    Problem::new(astragal_runtime::error::Code::InvalidGame, why.to_string())
}
