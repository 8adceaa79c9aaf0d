//! Requests as they come from the wire, read into what the engine takes; the errors name the field.

use crate::action::Action;
use crate::header::Phase;
use crate::occupant::Occupant;
use crate::play::Command;
use crate::pulse::Arrival;
use crate::seating::Opening;
use crate::series::Series;
use crate::store::review::Wanted;
use crate::store::{LiveTables, TablesOf};
use astragal_proto::engine::v1 as wire;
use astragal_rules::any::AnyGame;
use astragal_rules::seat::{SEATS_MAX, Seat};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, ROBOT_LEVEL_MAX, RequestId, TableId};
use astragal_runtime::time_control::TimeControl;
use chrono::TimeDelta;
use uuid::Uuid;

/// The most tables of one list.
const LIST_MAX: u32 = 100;

/// The most tables that one question names.
const ASKED_MAX: usize = 1_000;

/// No gateway holds a request for longer.
const HELD_MAX: TimeDelta = TimeDelta::seconds(10);

pub(crate) fn table(id: &str) -> Result<TableId> {
    TableId::parse("table_id", id)
}

/// Empty: a stranger.
pub(crate) fn viewer(id: &str) -> Result<Option<AccountId>> {
    if id.is_empty() { Ok(None) } else { AccountId::parse("account_id", id).map(Some) }
}

/// Reads a request that came just now.
pub(crate) fn command(request: wire::PlayRequest, now: Arrival) -> Result<Command> {
    let held = TimeDelta::milliseconds(request.held_ms.into()).min(HELD_MAX);
    let round_trip = Some(request.round_trip_ms).filter(|ms| *ms > 0);
    Ok(Command {
        table: table(&request.table_id)?,
        account: AccountId::parse("account_id", &request.account_id)?,
        request: RequestId::parse("request_id", &request.request_id)?,
        action: Action::read(request.action)?,
        arrival: now.before(held),
        round_trip: round_trip.map(|ms| TimeDelta::milliseconds(ms.into())),
    })
}

pub(crate) fn occupant(occupant: &wire::Occupant) -> Result<Occupant> {
    let level = u8::try_from(occupant.robot_level).ok().filter(|level| *level <= ROBOT_LEVEL_MAX);
    let no_level = || Problem::invalid_argument(format!("robot_level goes from 0 to {ROBOT_LEVEL_MAX}"));
    Ok(Occupant {
        seat: seat("seat", occupant.seat)?,
        account: AccountId::parse("account_id", &occupant.account_id)?,
        robot_level: level.ok_or_else(no_level)?,
    })
}

pub(crate) fn opening(request: wire::OpenTableRequest) -> Result<Opening> {
    let seats = u8::try_from(request.seats).ok().filter(|seats| (1..=SEATS_MAX).contains(seats));
    let no_seats = || Problem::invalid_argument(format!("seats goes from 1 to {SEATS_MAX}"));
    let series_id = match request.series_id.as_str() {
        "" => None,
        id => Some(Uuid::parse_str(id).map_err(|_| Problem::invalid_argument("series_id must be a UUID"))?),
    };
    let series = std::str::from_utf8(&request.series).ok().and_then(Series::of_text);
    let no_series = || Problem::invalid_argument("series must be a JSON array of finished games");
    let options = String::from_utf8(request.options.into());
    let best_of = u8::try_from(request.best_of).ok().filter(|games| [0, 3, 5, 7].contains(games));
    let no_match = || Problem::invalid_argument("best_of is 3, 5 or 7, or 0 for no match");
    let follows = Some(&*request.follows_table_id).filter(|id| !id.is_empty());
    let follows = follows.map(|id| TableId::parse("follows_table_id", id)).transpose()?;
    Ok(Opening {
        table: table(&request.table_id)?,
        game: request.game,
        version: Some(request.version).filter(|version| *version > 0),
        variant: Some(request.variant).filter(|variant| !variant.is_empty()),
        options: options.map_err(|_| Problem::invalid_argument("options must be JSON text"))?,
        seats: seats.ok_or_else(no_seats)?,
        first_seat: seat("first_seat", request.first_seat)?,
        occupants: request.occupants.iter().map(occupant).collect::<Result<_>>()?,
        series_id,
        series: series.ok_or_else(no_series)?,
        time_control: TimeControl::read(request.clock.as_ref())?,
        listed: request.listed,
        best_of: best_of.ok_or_else(no_match)?,
        follows,
    })
}

pub(crate) fn tables(ids: &[String]) -> Result<Vec<TableId>> {
    if ids.len() > ASKED_MAX {
        return Err(Problem::invalid_argument(format!("at most {ASKED_MAX} tables at once")));
    }
    ids.iter().map(|id| table(id)).collect()
}

/// Accounts that may sit together.
pub(crate) fn people(ids: &[String]) -> Result<Vec<AccountId>> {
    if ids.len() > usize::from(SEATS_MAX) {
        return Err(Problem::invalid_argument(format!("at most {SEATS_MAX} accounts at once")));
    }
    ids.iter().map(|id| AccountId::parse("account_ids", id)).collect()
}

pub(crate) fn tables_of(request: &wire::ListTablesRequest) -> Result<TablesOf> {
    Ok(TablesOf {
        account: AccountId::parse("account_id", &request.account_id)?,
        in_progress: request.in_progress,
        after: after(&request.after_table_id)?,
        limit: limit(request.limit),
    })
}

pub(crate) fn live_tables(request: wire::ListLiveTablesRequest) -> Result<LiveTables> {
    Ok(LiveTables {
        after: after(&request.after_table_id)?,
        limit: limit(request.limit),
        game: Some(request.game).filter(|game| !game.is_empty()),
    })
}

pub(crate) fn wanted(request: wire::FindTablesRequest) -> Result<Wanted> {
    let given = |text: String| Some(text).filter(|text| !text.is_empty());
    let phase = |word: String| {
        Phase::of_word(&word).ok_or_else(|| Problem::invalid_argument("phase is waiting, playing or over"))
    };
    let series =
        |id: String| Uuid::parse_str(&id).map_err(|_| Problem::invalid_argument("series_id must be a UUID"));
    Ok(Wanted {
        table: given(request.table_id).map(|id| table(&id)).transpose()?,
        account: viewer(&request.account_id)?,
        game: given(request.game),
        phase: given(request.phase).map(phase).transpose()?,
        series: given(request.series_id).map(series).transpose()?,
        after: after(&request.after_table_id)?,
        limit: limit(request.limit),
    })
}

fn after(id: &str) -> Result<Option<TableId>> {
    if id.is_empty() { Ok(None) } else { TableId::parse("after_table_id", id).map(Some) }
}

fn limit(asked: u32) -> u32 {
    if asked == 0 { LIST_MAX } else { asked.min(LIST_MAX) }
}

/// A game as the catalogue shows it.
pub(crate) fn description(game: &dyn AnyGame) -> wire::GameDescription {
    let (about, schemas) = (game.about(), game.schemas());
    wire::GameDescription {
        game: about.name.to_owned(),
        version: about.version,
        variants: about.variants.iter().map(|variant| variant.name.to_owned()).collect(),
        seats_min: about.seats_min.into(),
        seats_max: about.seats_max.into(),
        draw_sets: about.variants.iter().map(|variant| variant.draw_set.to_owned()).collect(),
        robots: about.robots,
        options_schema: schemas.options.to_string().into(),
        move_schema: schemas.action.to_string().into(),
        view_schema: schemas.view.to_string().into(),
    }
}

fn seat(field: &str, seat: u32) -> Result<Seat> {
    let seat = u8::try_from(seat).ok().filter(|seat| *seat < SEATS_MAX).map(Seat);
    seat.ok_or_else(|| Problem::invalid_argument(format!("{field} must be a seat of the table")))
}
