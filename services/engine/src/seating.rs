//! Opening tables, filling their seats, and giving up those that wait. Matchmaking decides who
//! sits; here it is only written, and safe to repeat.

use crate::change;
use crate::clocks::{Clocks, TimeMark};
use crate::decide::{self, Refused};
use crate::due::{self, Due};
use crate::guard;
use crate::header::{Phase, TableHeader};
use crate::journal::{Entry, EntryKind};
use crate::occupant::{Occupant, Occupants};
use crate::outcome::Reason;
use crate::position::Position;
use crate::series::Series;
use crate::store::{Appended, DueChange, DueKind, NewTable, Opened, StoredTable};
use crate::tables::{ATTEMPTS_MAX, Tables, busy, store_problem};
use crate::turns::Wake;
use astragal_rules::any::AnyGame;
use astragal_rules::error::InvalidGame;
use astragal_rules::said::Quoted;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::fault::{self, Point};
use astragal_runtime::id::TableId;
use astragal_runtime::time_control::TimeControl;
use std::sync::Arc;
use uuid::Uuid;

/// A table that is to be opened.
pub(crate) struct Opening {
    pub(crate) table: TableId,
    pub(crate) game: String,
    /// None: the newest.
    pub(crate) version: Option<u32>,
    pub(crate) variant: Option<String>,
    pub(crate) options: String,
    pub(crate) seats: u8,
    pub(crate) first_seat: Seat,
    pub(crate) occupants: Vec<Occupant>,
    pub(crate) series_id: Option<Uuid>,
    pub(crate) series: Series,
    pub(crate) time_control: Option<TimeControl>,
    pub(crate) listed: bool,
    pub(crate) best_of: u8,
    pub(crate) follows: Option<TableId>,
}

impl Tables {
    /// Opens a table; one that is open already stays as it is.
    pub(crate) async fn open_table(&self, opening: Opening) -> Result<Opened> {
        if opening.time_control.is_some() {
            // A clock may start now, by the time of the database.
            self.pulse.fresh().await?;
        }
        let mut seed = [0; 32];
        self.entropy.fill(&mut seed)?;
        let (table, robots) = (opening.table, opening.occupants.iter().any(Occupant::is_robot));
        let timed = opening.time_control.is_some();
        let new = Arc::new(self.prepare(opening, Seed::new(seed))?);
        let written = self.appender.open(Arc::clone(&new)).await;
        let opened = match written.map_err(|error| Problem::unavailable(format!("{error}; try again")))? {
            Appended::Yes => {
                self.keep(&new).await;
                Opened {
                    commitment: new.header.commitment.clone(),
                    version: new.header.version,
                    revision: new.entries.len() as u32,
                }
            }
            Appended::Conflict => {
                let opened = self.store.opened(table).await.map_err(|error| store_problem(&error))?;
                opened.ok_or_else(busy)?
            }
        };
        fault::reach(Point::EngineOpened);
        if robots || timed {
            let _ = self.wakes.try_send(Wake::Now(table));
        }
        Ok(opened)
    }

    /// Keeps a table that this process has just opened, so that nobody has to load it.
    async fn keep(&self, new: &NewTable) {
        let stored = StoredTable {
            header: new.header.clone(),
            seed: new.seed.clone(),
            outcome: None,
            series: new.series.clone(),
            entries: new.entries.clone(),
        };
        let slot = self.slot(new.header.id);
        let mut held = slot.lock().await;
        // Whoever was quicker has loaded it, and perhaps what came after.
        if held.is_none()
            && let Ok(Ok(live)) = self.rebuild(stored, None).await
        {
            *held = Some(Box::new(live));
        }
    }

    fn prepare(&self, opening: Opening, seed: Seed) -> Result<NewTable> {
        let game = match opening.version {
            Some(version) => self.registry.get(&opening.game, version),
            None => self.registry.newest(&opening.game),
        };
        let unknown =
            || Problem::invalid_argument(format!("there is no game {} here", Quoted(&opening.game)));
        let game = game.ok_or_else(unknown)?;
        let options = if opening.options.is_empty() { "{}" } else { &opening.options };
        let options = guard::catch(|| game.options(opening.variant.as_deref(), options));
        let options = options.map_err(|why| refused(&why))?;
        let mut occupants = opening.occupants.clone();
        occupants.sort_by_key(|occupant| occupant.seat);
        let seated = seat_all(game, opening.seats, &occupants)?;
        let header = TableHeader {
            id: opening.table,
            game: opening.game,
            version: game.about().version,
            variant: game.variant(&options).to_owned(),
            options,
            seats: opening.seats,
            first_seat: opening.first_seat,
            commitment: seed.commitment().to_string(),
            series_id: opening.series_id,
            opened_at: self.pulse.now(),
            time_control: opening.time_control,
            best_of: opening.best_of,
            follows: opening.follows,
        };
        let start = guard::catch::<_, InvalidGame>(|| {
            let start = Position::rebuild(&self.registry, &header.opening(seed.clone()), &[])?;
            let due = Due::of(&*start.state, &seated)?;
            Ok((start, due))
        });
        let (start, due) = start.map_err(|why| refused(&why))?;
        if start.state.outcome().is_some() {
            return Err(Problem::invalid_argument("with these options the game is over before it begins"));
        }
        let entry = |(revision, occupant): (u32, &Occupant)| Entry {
            revision,
            kind: EntryKind::SeatTaken(*occupant),
            actor: None,
            stamp: None,
            at: header.opened_at,
            state_hash: Some(start.hash),
            time: TimeMark::default(),
        };
        let mut entries: Vec<Entry> = (1..).zip(&occupants).map(entry).collect();
        let mut due = Due::default().changes(due, header.opened_at);
        if let (Some(control), Some(last)) =
            (header.time_control, entries.last_mut().filter(|_| seated.full()))
        {
            // The last seat is taken with the table's opening, so the first clock starts with it.
            last.time.runs = start.state.turn().to_move().next();
            let clocks = Clocks::fold(control, header.seats, &entries);
            let at = due::flag(&clocks, &*start.state, header.opened_at);
            due.push(DueChange { kind: DueKind::Flag, at });
        }
        Ok(NewTable {
            entries,
            seed,
            series: opening.series,
            phase: if seated.full() { Phase::Playing } else { Phase::Waiting },
            due,
            listed: opening.listed,
            header,
        })
    }

    /// Seats somebody in an empty seat; gives the revision at which they sat down.
    pub(crate) async fn seat_player(&self, table: TableId, occupant: Occupant) -> Result<u32> {
        let slot = self.slot(table);
        let mut held = slot.lock().await;
        for _ in 0..ATTEMPTS_MAX {
            let live = self.live(table, &mut held).await?;
            if let Some(taken) = live.occupants().at(occupant.seat) {
                if taken.account == occupant.account {
                    return Ok(live.head.seated_at[occupant.seat.index()]);
                }
                return Err(Problem::new(Code::SeatTaken, "somebody else sits there already"));
            }
            if live.phase() == Phase::Over {
                return Err(Problem::new(Code::GameOver, "the game is over, nobody can join it"));
            }
            if live.position.is_none() || occupant.seat.0 >= live.header.seats {
                let why = format!("the table has {} seats, counted from 0", live.header.seats);
                return Err(Problem::invalid_argument(why));
            }
            if !occupant.is_robot() && live.occupants().seat_of(occupant.account).is_some() {
                return Err(Problem::failed_precondition("you sit at this table already"));
            }
            if let Some(game) = self.registry.get(&live.header.game, live.header.version) {
                check_robot(game, &occupant)?;
            }
            if live.clocks.is_some() {
                self.pulse.fresh().await?;
            }
            match guard::catch(|| change::sit(live, self.pulse.now(), occupant)) {
                Ok(prepared) => {
                    if let Some(revision) = self.commit(table, &mut held, prepared).await? {
                        return Ok(revision);
                    }
                }
                Err(why) => return Err(self.crash(table, &mut held, &why).await),
            }
        }
        Err(busy())
    }

    /// Ends a table that still waits for players; gives the revision at which it ended.
    pub(crate) async fn cancel_table(&self, table: TableId) -> Result<u32> {
        let slot = self.slot(table);
        let mut held = slot.lock().await;
        for _ in 0..ATTEMPTS_MAX {
            let live = self.live(table, &mut held).await?;
            let full = live.occupants().full();
            let ended = live.outcome.as_ref().map(|outcome| outcome.reason);
            match ended {
                Some(Reason::Aborted | Reason::Crashed) if !full => return Ok(live.head.revision),
                Some(_) => return Err(Problem::new(Code::GameOver, "the game is over")),
                None if full => {
                    let why = "every seat is taken; the players resign, leave or abort";
                    return Err(Problem::failed_precondition(why));
                }
                None => {}
            }
            match guard::catch(|| decide::cancel(live, self.pulse.now())) {
                Ok(prepared) => {
                    if let Some(revision) = self.commit(table, &mut held, prepared).await? {
                        return Ok(revision);
                    }
                }
                Err(Refused::Problem(problem)) => return Err(problem),
                Err(Refused::Broken(why)) => return Err(self.crash(table, &mut held, &why).await),
            }
        }
        Err(busy())
    }
}

fn seat_all(game: &Arc<dyn AnyGame>, seats: u8, occupants: &[Occupant]) -> Result<Occupants> {
    let mut seated = Occupants::nobody(seats);
    for occupant in occupants {
        check_robot(game, occupant)?;
        if !occupant.is_robot() && seated.seat_of(occupant.account).is_some() {
            return Err(Problem::invalid_argument("an account can have one seat only"));
        }
        if !seated.sit(*occupant) {
            let why = format!("seat {} is not one of {seats} seats, or is given twice", occupant.seat);
            return Err(Problem::invalid_argument(why));
        }
    }
    Ok(seated)
}

fn check_robot(game: &Arc<dyn AnyGame>, occupant: &Occupant) -> Result<()> {
    let about = game.about();
    if occupant.is_robot() && !about.robots {
        return Err(Problem::invalid_argument(format!("robots don't play {}", about.name)));
    }
    Ok(())
}

fn refused(why: &InvalidGame) -> Problem {
    Problem::invalid_argument(why.to_string())
}
