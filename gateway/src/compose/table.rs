//! The engine's view of a table, turned into the client's.

use std::collections::HashMap;

use astragal_proto::content::{Content, ContentList};
use astragal_proto::engine::v1::{self as engine, Occupant, TableView};
use astragal_proto::gateway::v1::{
    Clock, ClockRequest, Draw, Match, Outcome, Seat, Series, SeriesGame, Table,
};
use astragal_runtime::id::AccountId;
use bytes::Bytes;

use super::names::Profile;

/// Turns a view into a table.
pub(super) fn table(
    view: TableView,
    profiles: &HashMap<AccountId, Profile>,
    is_online: impl Fn(AccountId) -> bool,
    draw: Option<Draw>,
) -> Table {
    Table {
        seats: view.occupants.iter().map(|occupant| seat(occupant, profiles, &is_online)).collect(),
        game_id: view.table_id,
        game: view.game,
        variant: view.variant,
        version: view.version,
        options: Some(Content::from_json(view.options)),
        clock: view.clock.map(clock),
        r#match: (view.best_of > 0).then_some(Match { best_of: view.best_of }),
        your_seat: view.your_seat,
        first_seat: view.first_seat,
        revision: view.revision,
        phase: view.phase,
        to_move: view.to_move,
        view: Some(Content::from_json(view.view)),
        legal_moves: view.legal_moves.map(ContentList::from_json),
        commitment: view.commitment,
        draw,
        series: Some(series(view.series_id, &view.series)),
        started_at: view.started_at,
        outcome: view.outcome.map(outcome),
        rematch: None,
        rematch_until: None,
        time_control: view.time_control.map(time_control),
        viewers: None,
    }
}

fn seat(
    occupant: &Occupant,
    profiles: &HashMap<AccountId, Profile>,
    is_online: impl Fn(AccountId) -> bool,
) -> Seat {
    let account = occupant.account_id.parse().ok();
    let robot = occupant.robot_level > 0;
    Seat {
        seat: occupant.seat,
        name: account
            .and_then(|account| profiles.get(&account))
            .map_or_else(String::new, |p| p.name.to_string()),
        robot,
        online: robot || account.is_some_and(is_online),
        empty: account.is_none() && !robot,
    }
}

/// What the clocks show, as the engine says.
pub(crate) fn clock(clock: engine::Clock) -> Clock {
    Clock { remaining: clock.remaining, running: clock.running, server_time: clock.server_time }
}

/// The clock as it was asked for.
pub(crate) fn time_control(settings: engine::ClockSettings) -> ClockRequest {
    let engine::ClockSettings { initial, increment, per_move } = settings;
    ClockRequest { initial, increment, per_move }
}

/// The series, whose games the engine keeps as JSON.
pub(crate) fn series(id: String, games: &Bytes) -> Series {
    let games: Vec<SeriesGame> = serde_json::from_slice(games).unwrap_or_default();
    Series { id, games }
}

/// The outcome, word for word.
pub(crate) fn outcome(outcome: engine::Outcome) -> Outcome {
    Outcome {
        results: outcome.results,
        winner: outcome.winner,
        reason: outcome.reason,
        scores: outcome.scores,
    }
}
