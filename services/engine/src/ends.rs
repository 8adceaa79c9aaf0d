//! What is left of a table that is over: told to who offers rematches, at least once, and for whoever asks.
//!
//! A row of what is due is written with the end and goes when the end was told, so it is told also after a
//! crash, by any engine.

use crate::due;
use crate::header::TableHeader;
use crate::live::LiveTable;
use crate::outcome::{Reason, TableOutcome};
use crate::series::Series;
use crate::tables::{Held, Tables, store_problem};
use crate::view::occupants;
use astragal_proto::engine::v1::Ending;
use astragal_proto::rematch::v1::GameEndedRequest;
use astragal_proto::rematch::v1::rematch_service_client::RematchServiceClient;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::fault::{self, Point};
use astragal_runtime::id::{AccountId, SeriesId, TableId};
use astragal_runtime::time_control::TimeControl;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long who offers rematches may take to hear of an end.
const TELL_TIMEOUT: Duration = Duration::from_secs(5);

/// Whom ends are told.
#[derive(Debug, Clone, Default)]
pub(crate) enum Listener {
    /// It was not said yet; ends wait.
    #[default]
    Unknown,
    /// Nobody.
    Nobody,
    /// The role rematch.
    Rematch(RoleChannel),
}

/// Whom ends are told; said once the engine runs, because that one calls the engine itself.
#[derive(Debug, Default)]
pub(crate) struct Ends(Mutex<Listener>);

impl Ends {
    pub(crate) fn set(&self, listener: Listener) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = listener;
    }

    fn listener(&self) -> Listener {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Tables {
    /// Tells the end of a table, if it is over; true if it is. What can't be told now is told later.
    /// `swept`: a row said that something is due.
    pub(crate) async fn tell_end(&self, table: TableId, swept: bool) -> Result<bool> {
        let (ending, ended_at) = {
            let slot = self.slot(table);
            let mut held = slot.lock().await;
            let live = self.live(table, &mut held).await?;
            let Some(ending) = ending_of(live) else { return Ok(false) };
            if !live.is_told() {
                if swept {
                    // Older builds wrote a row for it.
                    self.told.note(table);
                }
                return Ok(true);
            }
            (ending, live.ended_at)
        };
        fault::reach(Point::EngineEnded);
        let told = match self.ends.listener() {
            Listener::Unknown => Err(Problem::unavailable("nobody listens yet")),
            Listener::Nobody => Ok(()),
            Listener::Rematch(channel) => {
                let mut rematch = RematchServiceClient::new(channel.about(table.0));
                let call = rematch.game_ended(GameEndedRequest { ending: Some(ending) });
                match tokio::time::timeout(TELL_TIMEOUT, call).await {
                    Ok(told) => told.map(drop).map_err(Problem::from),
                    Err(_) => Err(Problem::unavailable("rematch does not answer in time")),
                }
            }
        };
        match told {
            Ok(()) => self.told.note(table),
            Err(problem) => {
                tracing::warn!(%table, %problem, "the end of a table is told later");
                let now = self.pulse.now();
                let until = due::told_again(ended_at.unwrap_or(now), now);
                self.store.postpone(table, until).await.map_err(|error| store_problem(&error))?;
            }
        }
        Ok(true)
    }

    /// How a table ended, for somebody who sits there; none: for a part of the system.
    pub(crate) async fn ending(&self, table: TableId, account: Option<AccountId>) -> Result<Ending> {
        let slot = self.slot(table);
        let mut held = slot.lock().await;
        let live = self.with_end(table, &mut held).await?;
        if account.is_some_and(|account| live.occupants().seat_of(account).is_none()) {
            return Err(Problem::not_found("you have no seat in such a game"));
        }
        ending_of(live).ok_or_else(|| Problem::new(Code::GameInProgress, "the game is not over yet"))
    }

    /// The table in a slot, with its end if that is in the journal: another replica may have seen it.
    pub(crate) async fn with_end<'h>(&self, table: TableId, held: &'h mut Held<'_>) -> Result<&'h LiveTable> {
        if self.live(table, held).await?.outcome.is_none() {
            self.catch_up(table, held).await?;
        }
        self.live(table, held).await
    }

    /// The games of a series that have ended with a result, oldest first.
    pub(crate) async fn series(&self, series: SeriesId) -> Result<Series> {
        let games = self.store.series(series).await.map_err(|error| store_problem(&error))?;
        if games.is_empty() {
            return Err(Problem::not_found("there is no such series"));
        }
        let ended = games.into_iter().filter_map(|game| Some((game.id, game.first_seat, game.outcome?)));
        let counts = |outcome: &TableOutcome| !matches!(outcome.reason, Reason::Aborted | Reason::Crashed);
        let mut series = Series::default();
        for (id, first_seat, outcome) in ended.filter(|(.., outcome)| counts(outcome)) {
            series = series.and(id, first_seat, &outcome);
        }
        Ok(series)
    }
}

/// What the log and the journal of a table that could not go on are answered with.
pub(crate) fn broke_down() -> Problem {
    Problem::failed_precondition("the game broke down; its log is kept for the administrators")
}

fn ending_of(live: &LiveTable) -> Option<Ending> {
    let outcome = live.outcome.as_ref()?.to_wire();
    let TableHeader { id, first_seat, series_id, time_control, best_of, follows, .. } = &*live.header;
    Some(Ending {
        table_id: id.to_string(),
        occupants: occupants(live),
        first_seat: first_seat.0.into(),
        outcome: Some(outcome),
        ended_at: live.ended_at.map(Into::into),
        series_id: series_id.map(|id| id.to_string()).unwrap_or_default(),
        series: live.series.to_bytes(),
        time_control: time_control.map(TimeControl::to_wire),
        best_of: (*best_of).into(),
        follows_table_id: follows.map(|table| table.to_string()).unwrap_or_default(),
        left_seats: live.head.left.seats(),
    })
}
