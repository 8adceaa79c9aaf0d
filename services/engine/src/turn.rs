//! A turn that falls to the table itself: a robot's move, or a move that the rules make. Any replica
//! may take it; the journal lets one of them.

use crate::action::Action;
use crate::decide;
use crate::due::robot_to_move;
use crate::guard;
use crate::occupant::Occupant;
use crate::tables::Tables;
use astragal_rules::any::AnyTable;
use astragal_rules::error::InvalidGame;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{RequestId, TableId};
use bytes::Bytes;
use std::sync::Arc;
use tokio::sync::Semaphore;
use uuid::Uuid;

/// After so many turns in a row the sweeper has to come again, so that nobody holds a thread for ever.
const TURNS_MAX: usize = 1_000;

/// A robot that is to move, and all that it needs for that.
struct Thinking {
    state: Arc<dyn AnyTable>,
    robot: Occupant,
    revision: u32,
}

impl Tables {
    /// Takes every turn that is due at a table, until a person is to move. `swept`: a row said so.
    pub(crate) async fn take_turns(&self, table: TableId, swept: bool, searches: &Semaphore) -> Result<()> {
        if swept {
            // The row may be of a change that another replica made before it went away, and only the newest
            // clocks say when one can run out.
            let slot = self.slot(table);
            self.catch_up(table, &mut slot.lock().await).await?;
        }
        self.flag(table, swept).await?;
        if self.tell_end(table, swept).await? {
            return Ok(());
        }
        for _ in 0..TURNS_MAX {
            if self.automatic_move(table).await? {
                continue;
            }
            let Some(thinking) = self.robot_turn(table).await? else { return Ok(()) };
            self.robot_move(table, thinking, searches).await?;
        }
        Ok(())
    }

    /// Makes the move that the table itself has to make; false if there is none.
    async fn automatic_move(&self, table: TableId) -> Result<bool> {
        let slot = self.slot(table);
        let mut held = slot.lock().await;
        let live = self.live(table, &mut held).await?;
        let Some(position) = live.position.as_ref().filter(|_| live.due.automatic) else { return Ok(false) };
        let prepared = guard::catch(|| match position.state.automatic(decide::judge(position)?)? {
            Some(content) => decide::automatic(live, &content, self.pulse.now()).map(Some),
            None => Ok(None),
        });
        match prepared {
            Ok(None) => Ok(false),
            // Whether it was this one or another replica's, there may be one more.
            Ok(Some(prepared)) => self.commit(table, &mut held, prepared).await.map(|_| true),
            Err(decide::Refused::Problem(problem)) => Err(problem),
            Err(decide::Refused::Broken(why)) => Err(self.crash(table, &mut held, &why).await),
        }
    }

    async fn robot_turn(&self, table: TableId) -> Result<Option<Thinking>> {
        let slot = self.slot(table);
        let mut held = slot.lock().await;
        let live = self.live(table, &mut held).await?;
        let Some(position) = live.position.as_ref().filter(|_| live.due.robot) else { return Ok(None) };
        let robot = robot_to_move(&*position.state, live.occupants());
        Ok(robot.map(|robot| Thinking {
            state: Arc::clone(&position.state),
            robot: *robot,
            revision: live.head.revision,
        }))
    }

    /// Searches without the table's lock, away from the threads that serve.
    async fn robot_move(&self, table: TableId, thinking: Thinking, searches: &Semaphore) -> Result<()> {
        let Thinking { state, robot, revision } = thinking;
        let mut entropy = [0; 32];
        self.entropy.fill(&mut entropy)?;
        let _permit = searches.acquire().await.map_err(|error| Problem::internal(&error))?;
        let search = move || guard::catch(|| state.robot_move(robot.seat, robot.robot_level, &entropy));
        let found = tokio::task::spawn_blocking(search).await.map_err(|error| Problem::internal(&error))?;
        let slot = self.slot(table);
        let mut held = slot.lock().await;
        if self.live(table, &mut held).await?.head.revision != revision {
            return Ok(());
        }
        self.settle_clocks(table, &mut held).await?;
        let arrival = self.pulse.arrival();
        let live = self.live(table, &mut held).await?;
        if live.clocks.as_ref().is_some_and(|clocks| clocks.is_out(self.pulse.when(arrival))) {
            // It thought for too long: its flag is on its way.
            return Ok(());
        }
        let revision = live.head.revision;
        let content = match found {
            Ok(Some(content)) => content,
            Ok(None) => {
                let why = InvalidGame::new("a robot's move", "the robot found none");
                return Err(self.crash(table, &mut held, &why).await);
            }
            Err(why) => return Err(self.crash(table, &mut held, &why).await),
        };
        // The same on every replica, so that two of them never move twice.
        let request = RequestId(Uuid::new_v5(&table.0, &revision.to_be_bytes()));
        let action = Action::Move { revision, content: Bytes::from(content) };
        let made = self.act(table, &mut held, robot.seat, &action, action.stamp(request), arrival).await;
        match made {
            Err(problem) if matches!(problem.code, Code::IllegalMove | Code::NotYourTurn) => {
                if self.live(table, &mut held).await?.head.revision != revision {
                    return Ok(());
                }
                let why = InvalidGame::new("a robot's move", problem.message);
                Err(self.crash(table, &mut held, &why).await)
            }
            // Somebody else was faster; the next look shows what is due now.
            Err(problem) if matches!(problem.code, Code::ConcurrentMove | Code::InvalidArgument) => Ok(()),
            made => made.map(|_| ()),
        }
    }
}
