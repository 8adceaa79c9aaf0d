//! Timelines: of a game that is over computed here, step by step as they are read; of one that goes on
//! passed on from the engine.

use crate::Parts;
use crate::archive::{Finished, invalid};
use astragal_proto::replay::v1::{TimelineHead, TimelinePart, TimelineRequest, TimelineStep};
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use astragal_rules::timeline::{self, Mark};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;
use chrono::DateTime;
use std::ops::RangeInclusive;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tonic::Status;

/// Steps of one message.
const STEPS: usize = 100;

/// Messages that wait for a slow reader; whoever makes them waits then.
const WAITING_MAX: usize = 8;

/// Messages that are made in one go, while the others are read.
const AT_ONCE: usize = 4;

type Part = std::result::Result<TimelinePart, Status>;

impl Parts {
    /// The head and the steps that are asked for, computed as fast as they are read.
    pub(crate) async fn timeline(
        self: &Arc<Self>,
        table: TableId,
        asked: TimelineRequest,
    ) -> Result<mpsc::Receiver<Part>> {
        let (parts, read) = mpsc::channel(WAITING_MAX);
        match self.finished(table).await {
            Ok(game) => {
                let last = game.marks.len() as u32;
                let steps = asked.from..=asked.to.unwrap_or(last).min(last);
                if asked.from > last {
                    return Err(out_of_range(last));
                }
                let walk = Walk { parts: Arc::clone(self), game, steps, state: None, is_over: false };
                tokio::spawn(send(walk, parts));
            }
            Err(problem) if shown_by_the_engine(&problem) && !asked.looker.is_empty() => {
                let mut steps = self.engine.steps(table, asked.from, asked.to, asked.looker).await?;
                tokio::spawn(async move {
                    while let Some(part) = steps.next().await {
                        if parts.send(part).await.is_err() {
                            return;
                        }
                    }
                });
            }
            Err(problem) => return Err(problem),
        }
        Ok(read)
    }

    /// One step with its head.
    pub(crate) async fn step(
        self: &Arc<Self>,
        table: TableId,
        number: u32,
        looker: String,
    ) -> Result<(TimelineHead, TimelineStep)> {
        let asked = TimelineRequest { table_id: String::new(), from: number, to: Some(number), looker };
        let mut parts = self.timeline(table, asked).await?;
        let (mut head, mut step) = (None, None);
        while let Some(part) = parts.recv().await {
            let part = part?;
            head = head.or(part.head);
            step = part.steps.into_iter().next().or(step);
        }
        let head: TimelineHead =
            head.ok_or_else(|| Problem::unavailable("the steps broke off; ask again"))?;
        let last = head.moves;
        Ok((head, step.ok_or_else(|| out_of_range(last))?))
    }
}

/// A game that goes on, or one that broke down: administrators may see those through the engine.
fn shown_by_the_engine(problem: &Problem) -> bool {
    matches!(problem.code, Code::GameInProgress | Code::FailedPrecondition)
}

fn out_of_range(last: u32) -> Problem {
    Problem::invalid_argument(format!("there is no such step; they go from 0 to {last}"))
}

/// Sends parts as fast as they are read. There is room for them before they are made, so that no thread waits
/// for a reader.
async fn send(mut walk: Walk, answers: mpsc::Sender<Part>) {
    while !walk.is_over
        && let Ok(rooms) = answers.reserve_many(AT_ONCE).await
    {
        let made = tokio::task::spawn_blocking(move || (walk.parts(), walk)).await;
        let parts;
        (parts, walk) = match made {
            Ok(made) => made,
            Err(panicked) => {
                rooms.take(1).for_each(|room| room.send(Err(Problem::internal(&panicked).into())));
                return;
            }
        };
        parts.into_iter().zip(rooms).for_each(|(part, room)| room.send(part));
    }
}

/// A game on the way from one step to another.
struct Walk {
    parts: Arc<Parts>,
    game: Arc<Finished>,
    /// Those that are left.
    steps: RangeInclusive<u32>,
    /// Before the first of these; none until the head was made.
    state: Option<Arc<dyn AnyTable>>,
    is_over: bool,
}

impl Walk {
    /// The next parts; fewer once it is over.
    fn parts(&mut self) -> Vec<Part> {
        let mut parts = Vec::with_capacity(AT_ONCE);
        while parts.len() < AT_ONCE && !self.is_over {
            let part = self.part().map_err(|why| invalid(why).into()).transpose();
            self.is_over = !matches!(part, Some(Ok(_)));
            parts.extend(part);
        }
        parts
    }

    /// The head, then some steps at a time.
    fn part(&mut self) -> std::result::Result<Option<TimelinePart>, InvalidGame> {
        let Some(mut state) = self.state.take() else {
            let state = self.game.after(self.steps.start().saturating_sub(1))?;
            let head = head(&self.parts, &self.game, &*state)?;
            self.state = Some(state);
            return Ok(Some(TimelinePart { head: Some(head), steps: Vec::new() }));
        };
        let mut steps = Vec::with_capacity(STEPS);
        for number in self.steps.by_ref().take(STEPS) {
            let step = if number == 0 {
                let hash = state.state_hash()?;
                wire(timeline::deal(&*state)?, Mark { hash: Some(hash), ..Mark::default() })
            } else {
                let (step, after) = self.game.step(&state, number)?;
                state = after;
                wire(step, self.game.mark(number))
            };
            steps.push(step);
        }
        self.state = Some(state);
        Ok((!steps.is_empty()).then_some(TimelinePart { head: None, steps }))
    }
}

fn head(
    parts: &Parts,
    game: &Finished,
    state: &dyn AnyTable,
) -> std::result::Result<TimelineHead, InvalidGame> {
    let opening = state.opening();
    let rules = parts.registry.get(&opening.game, opening.version);
    Ok(TimelineHead {
        table_id: opening.table.to_string(),
        game: opening.game.clone(),
        version: opening.version,
        variant: rules.map_or("", |rules| rules.variant(&opening.options)).to_owned(),
        options: opening.options.clone().into(),
        seats: opening.seats.into(),
        first_seat: opening.first_seat.0.into(),
        description: state.description()?.into(),
        commitment: game.commitment.clone(),
        moves: game.marks.len() as u32,
        revision: game.revision,
        over: true,
    })
}

fn wire(step: timeline::TimelineStep, mark: Mark) -> TimelineStep {
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
