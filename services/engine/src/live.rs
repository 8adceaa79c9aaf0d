//! A table in memory: a cache of what its journal says. It changes only after the journal has.

use crate::clocks::Clocks;
use crate::due::Due;
use crate::guard;
use crate::header::{Phase, TableHeader};
use crate::journal::{Entry, EntryKind, Head, fold, place_of};
use crate::occupant::Occupants;
use crate::outcome::TableOutcome;
use crate::position::{Behind, Position};
use crate::series::Series;
use crate::store::{Append, StoredTable, TableEnd};
use astragal_proto::engine::v1::TableEvent;
use astragal_rules::error::InvalidGame;
use astragal_rules::registry::Registry;
use astragal_rules::seat::SEATS_MAX;
use astragal_runtime::clock::Timestamp;
use chrono::TimeDelta;
use std::sync::Arc;

/// A table in memory.
pub(crate) struct LiveTable {
    /// What never changes.
    pub(crate) header: Arc<TableHeader>,
    /// What the journal says besides the state.
    pub(crate) head: Head,
    /// The state; none at a table that crashed and can't be rebuilt.
    pub(crate) position: Option<Position>,
    /// The games of the series; with this one once it has ended.
    pub(crate) series: Series,
    /// How it ended, if it has.
    pub(crate) outcome: Option<TableOutcome>,
    /// When it ended, if it has.
    pub(crate) ended_at: Option<Timestamp>,
    /// What the table itself has to do.
    pub(crate) due: Due,
    /// The clocks; none at a table without.
    pub(crate) clocks: Option<Clocks>,
    /// The way to each seat's player and back, as gateways measured it last.
    pub(crate) round_trips: [TimeDelta; SEATS_MAX as usize],
    /// When the timer of this process looks after the clock that runs, if it does.
    pub(crate) timer: Option<Timestamp>,
}

/// A change that is worked out but not yet in the journal.
pub(crate) struct Prepared {
    /// What to append.
    pub(crate) append: Arc<Append>,
    /// What to tell those who watch.
    pub(crate) event: TableEvent,
    /// The state after it, if it changes.
    pub(crate) position: Option<Position>,
    /// What the table itself has to do then.
    pub(crate) due: Due,
    /// The clocks after it.
    pub(crate) clocks: Option<Clocks>,
}

/// A table that can't be rebuilt. It is as good as it gets, for its crash to be written.
pub(crate) struct Wreck {
    /// The table without a state.
    pub(crate) live: LiveTable,
    /// Where it broke.
    pub(crate) why: InvalidGame,
}

impl LiveTable {
    /// Rebuilds a table from its journal; only what stands besides, if the position is known.
    pub(crate) fn rebuild(
        registry: &Registry,
        stored: StoredTable,
        known: Option<Position>,
    ) -> Result<Self, Box<Wreck>> {
        let StoredTable { header, seed, outcome, series, entries } = stored;
        let (folded, fault) = match fold(header.seats, &entries) {
            Ok(folded) => (folded, None),
            Err(error) => (*error.folded, Some(error.why)),
        };
        let opening = header.opening(seed);
        let position = match (&fault, known) {
            (None, Some(known)) => Ok(known),
            (None, None) => guard::catch(|| Position::rebuild(registry, &opening, &folded.moves)),
            (Some(why), _) => Err(why.clone()),
        };
        let position = position.and_then(|position| match folded.head.state_hash {
            Some(hash) if hash != position.hash => {
                let place = format_args!("{}.stateHash", place_of(folded.head.revision));
                Err(InvalidGame::new(place, "the rebuilt state is not the one that was written"))
            }
            _ => Ok(position),
        });
        let clocks = header.time_control.map(|control| Clocks::fold(control, header.seats, &entries));
        let mut live = Self {
            header: Arc::new(header),
            head: folded.head,
            position: None,
            series,
            ended_at: entries.last().filter(|_| outcome.is_some()).map(|last| last.at),
            outcome,
            due: Due::default(),
            clocks,
            round_trips: [TimeDelta::zero(); SEATS_MAX as usize],
            timer: None,
        };
        // A crash is written after the newest entry there is, also if that one can't be read.
        live.head.revision = entries.last().map_or(0, |last| last.revision);
        let rebuilt = position.and_then(|position| guard::catch(|| live.settle(position)));
        match rebuilt {
            // A table that has crashed already is what it is.
            Err(why) if live.head.crashed.is_none() => Err(Box::new(Wreck { live, why })),
            _ => Ok(live),
        }
    }

    fn settle(&mut self, position: Position) -> Result<(), InvalidGame> {
        if self.outcome.is_none() {
            self.due = Due::of(&*position.state, &self.head.occupants)?;
        }
        self.position = Some(position);
        Ok(())
    }

    /// How far the table has come.
    pub(crate) fn phase(&self) -> Phase {
        match &self.outcome {
            Some(_) => Phase::Over,
            None if self.head.occupants.full() => Phase::Playing,
            None => Phase::Waiting,
        }
    }

    /// Whether who offers rematches has to hear of its end: it has one, and everybody had sat down.
    pub(crate) fn is_told(&self) -> bool {
        self.outcome.is_some() && self.head.occupants.full()
    }

    /// Who sits where.
    pub(crate) const fn occupants(&self) -> &Occupants {
        &self.head.occupants
    }

    /// Takes in a change that is in the journal now.
    pub(crate) fn commit(&mut self, prepared: Prepared) -> Result<TableEvent, InvalidGame> {
        let Prepared { append, event, position, due, clocks } = prepared;
        let taken_back = self.position.as_ref().and_then(|position| match &position.behind {
            Behind::Move { last, .. } => last.seat,
            Behind::Start | Behind::Unread => None,
        });
        self.head.follow(&append.entry, taken_back)?;
        if let Some(position) = position {
            self.position = Some(position);
        }
        if let Some(TableEnd { outcome, series }) = &append.ended {
            self.outcome = Some(outcome.clone());
            self.ended_at = Some(append.entry.at);
            self.series = series.clone();
        }
        self.due = due;
        self.clocks = clocks;
        Ok(event)
    }

    /// Takes in entries that another replica has appended. False if they lead where only a
    /// rebuilding leads.
    pub(crate) fn follow(&mut self, entries: &[Entry]) -> Result<bool, InvalidGame> {
        for entry in entries {
            match (&entry.kind, &self.position) {
                (EntryKind::Move(logged), Some(position)) => {
                    let next = position.followed_by(logged)?;
                    if entry.state_hash.is_some_and(|hash| hash != next.hash) {
                        return Ok(false);
                    }
                    self.position = Some(next);
                }
                (EntryKind::SeatTaken(_) | EntryKind::ClockStopped(_) | EntryKind::ClockResumed, _) => {}
                _ => return Ok(false),
            }
            self.head.follow(entry, None)?;
            if let Some(clocks) = &mut self.clocks {
                clocks.follow(entry);
            }
        }
        if let Some(position) = &self.position {
            if let (Some(outcome), None) = (position.state.outcome(), &self.outcome) {
                let outcome = TableOutcome::from(outcome);
                self.series = self.series.with(&self.header, &outcome);
                self.outcome = Some(outcome);
                self.ended_at = entries.last().map(|last| last.at);
            }
            self.due = Due::of(&*position.state, &self.head.occupants)?;
        }
        Ok(true)
    }
}
