//! A table step by step, as an administrator sees it: computed here, so that the seed stays here.

use crate::guard;
use crate::journal::{Entry, EntryKind, fold};
use crate::outcome::Reason;
use crate::snapshot;
use crate::store::StoredTable;
use astragal_proto::replay::v1::{TimelineHead, TimelinePart, TimelineStep};
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use astragal_rules::log::{Header, LoggedMove};
use astragal_rules::registry::Registry;
use astragal_rules::timeline::{self, Mark, Marks};
use astragal_runtime::error::{Code, Problem};
use chrono::DateTime;
use std::ops::RangeInclusive;
use tokio::sync::mpsc;
use tonic::Status;

/// Steps of one message.
const STEPS: usize = 100;

type Answers = mpsc::Sender<std::result::Result<TimelinePart, Status>>;

/// Whether a table has state that nobody but its players and administrators may know.
pub(super) fn is_hidden(stored: &StoredTable) -> bool {
    stored.outcome.as_ref().is_none_or(|outcome| outcome.reason == Reason::Crashed)
}

/// Sends the head and the steps of a range, as far as they can be computed; from a state that was kept, if
/// there is one before them.
pub(super) fn send(
    registry: &Registry,
    stored: StoredTable,
    kept: Option<&str>,
    steps: RangeInclusive<u32>,
    answers: &Answers,
) {
    if let Err(why) = guard::catch(|| walk(registry, stored, kept, &steps, answers)) {
        let _ = answers.blocking_send(Err(why.0.into()));
    }
}

struct Stopped(Problem);

impl From<InvalidGame> for Stopped {
    fn from(why: InvalidGame) -> Self {
        // What broke a table is for administrators to see.
        Self(Problem::new(Code::InvalidGame, why.to_string()))
    }
}

fn walk(
    registry: &Registry,
    stored: StoredTable,
    kept: Option<&str>,
    steps: &RangeInclusive<u32>,
    answers: &Answers,
) -> Result<(), Stopped> {
    let near = kept.and_then(|text| snapshot::accept(text, registry, &stored).ok());
    let over = stored.outcome.is_some();
    let StoredTable { header, seed, entries, .. } = stored;
    // Of a journal that breaks off, what comes before that.
    let folded = fold(header.seats, &entries).unwrap_or_else(|error| *error.folded);
    let marks = marks(&entries);
    let opening = header.opening(seed);
    let moves = folded.moves;
    let mut table = match near.filter(|near| near.number() < *steps.start()) {
        Some(near) => near,
        None => registry.setup(&Header { opening, moves: moves.len() as u32 })?,
    };
    let head = TimelineHead {
        table_id: header.id.to_string(),
        game: header.game,
        version: header.version,
        variant: header.variant,
        options: header.options.into(),
        seats: header.seats.into(),
        first_seat: header.first_seat.0.into(),
        description: table.description()?.into(),
        commitment: header.commitment,
        moves: moves.len() as u32,
        revision: entries.last().map_or(0, |last| last.revision),
        over,
    };
    let mut batch = Batch { answers, part: TimelinePart { head: Some(head), steps: Vec::new() } };
    batch.send();
    if steps.contains(&0) {
        let hash = table.state_hash()?;
        batch.push(wire(timeline::deal(&*table)?, &Mark { hash: Some(hash), ..Mark::default() }));
    }
    for (logged, mark) in moves.iter().zip(&marks).skip(table.number() as usize) {
        if logged.number > *steps.end() {
            break;
        }
        table = one(&*table, logged, steps, mark, &mut batch)?;
        if answers.is_closed() {
            return Ok(());
        }
    }
    batch.send();
    Ok(())
}

fn one(
    before: &dyn AnyTable,
    logged: &LoggedMove,
    steps: &RangeInclusive<u32>,
    mark: &Mark,
    batch: &mut Batch<'_>,
) -> Result<Box<dyn AnyTable>, InvalidGame> {
    let after = timeline::follow(before, logged)?;
    if steps.contains(&logged.number) {
        batch.push(wire(timeline::step(before, &*after, logged)?, mark));
    }
    Ok(after)
}

fn marks(entries: &[Entry]) -> Vec<Mark> {
    let mut marks = Marks::default();
    for entry in entries {
        match entry.kind {
            EntryKind::Move(_) => marks.moved(entry.at.timestamp_micros(), entry.state_hash),
            EntryKind::Undo { .. } => marks.undone(),
            _ => {}
        }
    }
    marks.into_standing()
}

struct Batch<'a> {
    answers: &'a Answers,
    part: TimelinePart,
}

impl Batch<'_> {
    fn push(&mut self, step: TimelineStep) {
        self.part.steps.push(step);
        if self.part.steps.len() == STEPS {
            self.send();
        }
    }

    fn send(&mut self) {
        if self.part.head.is_some() || !self.part.steps.is_empty() {
            let _ = self.answers.blocking_send(Ok(std::mem::take(&mut self.part)));
        }
    }
}

fn wire(step: timeline::TimelineStep, mark: &Mark) -> TimelineStep {
    TimelineStep {
        number: step.number,
        seat: step.seat.map(|seat| seat.0.into()),
        r#move: step.action.into(),
        annotations: step.notes.into(),
        drew: step.drew,
        view: step.view.into(),
        to_move: step.to_move.into_iter().map(|seat| seat.0.into()).collect(),
        state_hash: mark.hash.map(hex::encode).unwrap_or_default(),
        at: mark.at_us.and_then(DateTime::from_timestamp_micros).map(Into::into),
        taken_back: mark.taken_back,
    }
}
