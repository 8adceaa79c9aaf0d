//! The same table in both worlds, as the rules hold it: what really is, hidden parts included.

use crate::subjects::Subject;
use crate::toys::random::Whim;
use crate::world::{Robot, registry};
use anyhow::{Context, Result, ensure};
use astragal_rules::any::AnyTable;
use astragal_rules::log::Opening;
use astragal_rules::seat::Seat;
use serde_json::Value;
use std::sync::Arc;

/// How often another move is tried before a game is left.
const TRIES_MAX: u32 = 60;

/// Two tables that only one seat can tell apart.
pub(crate) struct Twins {
    tables: [Box<dyn AnyTable>; 2],
    /// The seat whose secrets differ.
    pub(crate) odd: Seat,
    /// Who moves by itself, and what it draws from.
    robot: Option<(Robot, [u8; 32])>,
    /// A robot has drawn something else in each world: only what is seen until it moves again is the same.
    pub(crate) parted: bool,
}

/// A step that only the odd seat can tell apart in the two worlds.
pub(crate) struct TwinStep {
    pub(crate) seat: Seat,
    pub(crate) actions: [String; 2],
    pub(crate) followed: Followed,
}

/// What happens by itself after a step.
#[derive(Clone, Copy, Default)]
pub(crate) struct Followed {
    pub(crate) robots: u32,
    pub(crate) verdicts: u32,
}

impl Followed {
    pub(crate) const fn moves(self) -> u32 {
        self.robots + self.verdicts
    }
}

type Tables = [Box<dyn AnyTable>; 2];

impl Twins {
    pub(crate) fn open(opening: Opening, odd: Seat, robot: Option<(Robot, [u8; 32])>) -> Result<Self> {
        let (opening, registry) = (Arc::new(opening), registry());
        let game = registry.newest(&opening.game).context("a registered game")?;
        let table = || game.setup(Arc::clone(&opening));
        Ok(Self { tables: [table()?, table()?], odd, robot, parted: false })
    }

    /// What happens by itself once the table is open.
    pub(crate) fn begin(&mut self, subject: &dyn Subject) -> Result<Followed> {
        let mut tables = [self.again(0)?, self.again(1)?];
        let followed = self.follow(subject, &mut tables)?.context("the tables differ from the beginning")?;
        self.tables = tables;
        Ok(followed)
    }

    fn again(&self, world: usize) -> Result<Box<dyn AnyTable>> {
        let table = &self.tables[world];
        let registry = registry();
        let game = registry.newest(&table.opening().game).context("a registered game")?;
        Ok(game.setup(Arc::clone(table.opening()))?)
    }

    /// The next step, if one is found that keeps the game going and tells nothing to the others.
    pub(crate) fn step(&mut self, subject: &dyn Subject, whim: &mut Whim) -> Result<Option<TwinStep>> {
        if self.parted {
            return Ok(None);
        }
        for _ in 0..TRIES_MAX {
            let seats: Vec<Seat> = self.tables[0].turn().to_move().collect();
            let seat = seats[whim.below(seats.len())];
            let Some(actions) = subject.moves(self.sights()?.each_ref(), seat, self.odd, whim) else {
                continue;
            };
            let Some(mut after) = self.after(seat, &actions)? else { continue };
            let Some(followed) = self.follow(subject, &mut after)? else { continue };
            if after.iter().any(|table| table.outcome().is_some()) {
                continue;
            }
            let states = states(&after)?;
            let known = states.each_ref().map(|state| subject.known(state, self.odd));
            let parted = known[0] != known[1];
            let unseen = |known: &Value| self.robot.map(|(robot, _)| subject.known(known, robot.seat));
            if parted && (self.robot.is_none() || unseen(&known[0]) != unseen(&known[1])) {
                continue;
            }
            (self.tables, self.parted) = (after, parted);
            return Ok(Some(TwinStep { seat, actions, followed }));
        }
        Ok(None)
    }

    fn after(&self, seat: Seat, actions: &[String; 2]) -> Result<Option<Tables>> {
        let [first, second] = &self.tables;
        let Ok(first) = first.step(Some(seat), &actions[0], first.judge()?) else { return Ok(None) };
        let Ok(second) = second.step(Some(seat), &actions[1], second.judge()?) else { return Ok(None) };
        Ok(Some([first.after, second.after]))
    }

    /// Makes the moves of the table itself and of the robot, as long as the same one is due in both worlds.
    /// None: it differs, since by then the step before has shown something to the robot.
    fn follow(&self, subject: &dyn Subject, tables: &mut Tables) -> Result<Option<Followed>> {
        let mut followed = Followed::default();
        loop {
            let due = |table: &dyn AnyTable| -> Result<Option<(Option<Seat>, String)>> {
                if table.outcome().is_some() {
                    return Ok(None);
                }
                if let Some(verdict) = table.automatic(table.judge()?)? {
                    return Ok(Some((None, verdict)));
                }
                let Some((Robot { seat, level }, entropy)) = self.robot else { return Ok(None) };
                let is_due = table.turn().to_move().any(|waited_for| waited_for == seat);
                let action = if is_due { table.robot_move(seat, level, &entropy)? } else { None };
                Ok(action.map(|action| (Some(seat), action)))
            };
            let [one, other] = [due(&*tables[0])?, due(&*tables[1])?];
            let Some((seat, _)) = &one else { return Ok(other.is_none().then_some(followed)) };
            if one != other {
                let [first, second] = states(tables)?.map(|state| subject.known(&state, self.odd));
                ensure!(first != second, "a robot knows what it can't see: {one:?} and {other:?}");
                return Ok(None);
            }
            if seat.is_some() {
                followed.robots += 1;
            } else {
                followed.verdicts += 1;
            }
            for (table, due) in tables.iter_mut().zip([one, other]) {
                let Some((seat, action)) = due else { continue };
                let step = table.step(seat, &action, table.judge()?);
                *table = step.with_context(|| action.clone())?.after;
            }
        }
    }

    /// True if nobody can make a move now.
    pub(crate) fn refuse(&self, action: &Value) -> Result<bool> {
        let action = action.to_string();
        for table in &self.tables {
            for seat in table.turn().to_move() {
                if table.step(Some(seat), &action, table.judge()?).is_ok() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Both tables, each with its state.
    fn sights(&self) -> Result<[(&dyn AnyTable, Value); 2]> {
        let [first, second] = &self.tables;
        let [one, other] = states(&self.tables)?;
        Ok([(&**first, one), (&**second, other)])
    }

    /// The state of the first world in canonical JSON, to say where something went wrong.
    pub(crate) fn shown(&self) -> Result<[String; 2]> {
        let [first, second] = &self.tables;
        Ok([first.state_json()?, second.state_json()?])
    }
}

fn states(tables: &[Box<dyn AnyTable>; 2]) -> Result<[Value; 2]> {
    let [first, second] = tables;
    Ok([serde_json::from_str(&first.state_json()?)?, serde_json::from_str(&second.state_json()?)?])
}
