//! A table as one viewer may see it.

use crate::guard;
use crate::header::Phase;
use crate::live::LiveTable;
use crate::occupant::Occupant;
use crate::store::{LiveTables, TablesOf};
use crate::tables::{Held, Tables, store_problem};
use astragal_proto::engine::v1 as wire;
use astragal_rules::error::InvalidGame;
use astragal_rules::game::Viewer;
use astragal_rules::seat::Seat;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, TableId};
use astragal_runtime::time_control::TimeControl;
use bytes::Bytes;

impl Tables {
    /// The table as an account may see it; none: as a stranger does.
    pub(crate) async fn view(&self, table: TableId, account: Option<AccountId>) -> Result<wire::TableView> {
        let slot = self.slot(table);
        let mut held = slot.lock().await;
        let live = self.live(table, &mut held).await?;
        // Nothing happens any more at a table that is over.
        let newest =
            if live.outcome.is_some() { live.head.revision } else { self.heads.newest(table).await? };
        self.view_at(table, &mut held, newest, account).await
    }

    /// The tables of an account, newest first. One that can't be served is left out.
    pub(crate) async fn views_of(&self, asked: TablesOf) -> Result<Vec<wire::TableView>> {
        let tables = self.store.tables_of(asked).await.map_err(|error| store_problem(&error))?;
        self.views(tables, Some(asked.account)).await
    }

    /// Listed tables that go on, newest first, as a stranger sees them.
    pub(crate) async fn live_views(&self, asked: LiveTables) -> Result<Vec<wire::TableView>> {
        let tables = self.store.live(asked).await.map_err(|error| store_problem(&error))?;
        let mut views = self.views(tables, None).await?;
        // What ended meanwhile is no longer live.
        views.retain(|view| view.phase == Phase::Playing.as_str());
        Ok(views)
    }

    async fn views(&self, tables: Vec<TableId>, account: Option<AccountId>) -> Result<Vec<wire::TableView>> {
        let heads = self.store.heads(&tables).await.map_err(|error| store_problem(&error))?;
        let mut views = Vec::with_capacity(tables.len());
        for (table, newest) in tables.into_iter().zip(heads) {
            let slot = self.slot(table);
            let mut held = slot.lock().await;
            match self.view_at(table, &mut held, newest, account).await {
                Ok(view) => views.push(view),
                Err(problem) if problem.code == Code::Unavailable => return Err(problem),
                Err(problem) => tracing::warn!(%table, %problem, "a table is left out of a list"),
            }
        }
        Ok(views)
    }

    async fn view_at(
        &self,
        table: TableId,
        held: &mut Held<'_>,
        newest: u32,
        account: Option<AccountId>,
    ) -> Result<wire::TableView> {
        if self.live(table, held).await?.head.revision < newest {
            self.catch_up(table, held).await?;
        }
        self.settle_clocks(table, held).await?;
        let live = self.live(table, held).await?;
        let seat = seat_of_viewer(live, account)?;
        let now = self.pulse.now();
        let view = guard::catch(|| table_view(live, seat, now));
        view.map_err(|why| Problem::internal(&why))
    }
}

/// The seat of somebody who may look; none: a stranger, who may once every seat is taken.
pub(crate) fn seat_of_viewer(live: &LiveTable, account: Option<AccountId>) -> Result<Option<Seat>> {
    let seat = account.and_then(|account| live.occupants().seat_of(account));
    if seat.is_none() && live.phase() == Phase::Waiting {
        let why = "the table still waits for players; it can be watched when all are there";
        return Err(Problem::permission_denied(why));
    }
    Ok(seat)
}

fn table_view(
    live: &LiveTable,
    seat: Option<Seat>,
    now: Timestamp,
) -> std::result::Result<wire::TableView, InvalidGame> {
    let mut view = summary(live, now);
    view.your_seat = seat.map(|seat| seat.0.into());
    let Some(position) = &live.position else { return Ok(view) };
    view.view = position.state.view(seat.map_or(Viewer::Spectator, Viewer::Seat))?.into();
    if live.outcome.is_none() {
        view.to_move = position.state.turn().to_move().map(|seat| seat.0.into()).collect();
        let legal_moves = seat.map(|seat| position.state.legal_moves(seat)).transpose()?;
        view.legal_moves = legal_moves.flatten().map(Bytes::from);
    }
    Ok(view)
}

/// What everyone may know of a table, without any view of it.
pub(crate) fn summary(live: &LiveTable, now: Timestamp) -> wire::TableView {
    let header = &live.header;
    wire::TableView {
        table_id: header.id.to_string(),
        game: header.game.clone(),
        version: header.version,
        variant: header.variant.clone(),
        options: header.options.clone().into(),
        occupants: occupants(live),
        your_seat: None,
        first_seat: header.first_seat.0.into(),
        revision: live.head.revision,
        phase: live.phase().as_str().to_owned(),
        to_move: Vec::new(),
        view: Bytes::from_static(b"null"),
        legal_moves: None,
        commitment: header.commitment.clone(),
        series_id: header.series_id.map(|id| id.to_string()).unwrap_or_default(),
        series: live.series.to_bytes(),
        started_at: Some(header.opened_at.into()),
        outcome: live.outcome.as_ref().map(crate::outcome::TableOutcome::to_wire),
        time_control: header.time_control.map(TimeControl::to_wire),
        clock: live.clocks.as_ref().and_then(|clocks| clocks.reading(now)),
        best_of: header.best_of.into(),
    }
}

/// Who sits in each seat.
pub(crate) fn occupants(live: &LiveTable) -> Vec<wire::Occupant> {
    let taken = |seat| live.occupants().at(seat);
    let occupant = |seat: Seat| wire::Occupant {
        seat: seat.0.into(),
        account_id: taken(seat).map(|who: &Occupant| who.account.to_string()).unwrap_or_default(),
        robot_level: taken(seat).map_or(0, |who| who.robot_level.into()),
    };
    Seat::all(live.header.seats).map(occupant).collect()
}
