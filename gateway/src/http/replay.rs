//! What is left of a table for those who look back: its timeline, its certificate, and who looked at it
//! while it went on.

use astragal_proto::content::Content;
use astragal_proto::engine::v1::{ListLooksRequest, Occupant};
use astragal_proto::replay::v1::{
    CertificateRequest, FilePiece, GcgRequest, TimelineHead, TimelinePart, TimelineRequest, TimelineStep,
};
use astragal_proto::time::Timestamp;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, TableId};
use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::HeaderName;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use serde::{Deserialize, Serialize};
use tokio_stream::StreamExt;
use tonic::Status;

use super::refusal::Refusal;
use super::tables;
use crate::gateway::Gateway;

/// A line an object.
const LINES: &str = "application/x-ndjson";

/// The steps of a timeline.
#[derive(Deserialize)]
pub(super) struct Span {
    /// The first one.
    #[serde(default)]
    from: u32,
    /// The last one.
    to: Option<u32>,
}

/// `GET /v1/tables/{id}/timeline`: for anyone, once the game is over.
pub(super) async fn timeline(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
    span: std::result::Result<Query<Span>, QueryRejection>,
) -> std::result::Result<Response, Refusal> {
    let Query(Span { from, to }) =
        span.map_err(|_| Problem::invalid_argument("from and to must be numbers of steps"))?;
    let table = TableId::parse("id", &id)?;
    let request = TimelineRequest { table_id: table.to_string(), from, to, looker: String::new() };
    let roles = gateway.roles();
    let parts = roles.answer(roles.replay_of(table)?.timeline(request)).await?;
    let lines = parts.map(|part: std::result::Result<TimelinePart, Status>| part.map(|part| written(&part)));
    Ok(([(CONTENT_TYPE, LINES)], Body::from_stream(lines)).into_response())
}

/// The head and steps as lines of JSON.
fn written(part: &TimelinePart) -> Bytes {
    let mut text = Vec::new();
    let head = part.head.iter().map(|head| serde_json::to_string(&HeadLine::of(head)));
    let steps = part.steps.iter().map(|step| serde_json::to_string(&StepLine::of(step)));
    for line in head.chain(steps).flatten() {
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
    }
    text.into()
}

/// The first line of a timeline.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HeadLine<'h> {
    game_id: &'h str,
    game: &'h str,
    version: u32,
    variant: &'h str,
    options: Content,
    seats: u32,
    first_seat: u32,
    description: Content,
    commitment: &'h str,
    moves: u32,
    revision: u32,
    over: bool,
}

impl<'h> HeadLine<'h> {
    fn of(head: &'h TimelineHead) -> Self {
        Self {
            game_id: &head.table_id,
            game: &head.game,
            version: head.version,
            variant: &head.variant,
            options: Content::from_json(head.options.clone()),
            seats: head.seats,
            first_seat: head.first_seat,
            description: Content::from_json(head.description.clone()),
            commitment: &head.commitment,
            moves: head.moves,
            revision: head.revision,
            over: head.over,
        }
    }
}

/// A further line of a timeline.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StepLine<'s> {
    number: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<u32>,
    r#move: Content,
    annotations: Content,
    drew: bool,
    view: Content,
    to_move: &'s [u32],
    state_hash: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    taken_back: u32,
}

impl<'s> StepLine<'s> {
    fn of(step: &'s TimelineStep) -> Self {
        Self {
            number: step.number,
            seat: step.seat,
            r#move: Content::from_json(step.r#move.clone()),
            annotations: Content::from_json(step.annotations.clone()),
            drew: step.drew,
            view: Content::from_json(step.view.clone()),
            to_move: &step.to_move,
            state_hash: &step.state_hash,
            at: step.at,
            taken_back: step.taken_back,
        }
    }
}

/// `GET /v1/tables/{id}/certificate`.
pub(super) async fn certificate(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
) -> std::result::Result<Response, Refusal> {
    let table = TableId::parse("id", &id)?;
    let pieces = certificate_of(&gateway, table).await?;
    Ok(file(pieces, "application/json", format_args!("{table}.certificate.json")))
}

/// A file to keep, sent as it comes.
fn file(pieces: tonic::Streaming<FilePiece>, kind: &str, name: impl std::fmt::Display) -> Response {
    let text = pieces.map(|piece: std::result::Result<FilePiece, Status>| piece.map(|piece| piece.text));
    let name = format!("attachment; filename=\"{name}\"");
    let headers: [(HeaderName, String); 2] = [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, name)];
    (headers, Body::from_stream(text)).into_response()
}

/// `GET /v1/tables/{id}/gcg`: a game of crossword for other programs, once it is over.
pub(super) async fn gcg(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
) -> std::result::Result<Response, Refusal> {
    let table = TableId::parse("id", &id)?;
    let view = tables::view(&gateway, table, None).await?;
    let profiles = gateway.composer().profiles([&view]).await?;
    let name = |sits: &Occupant| {
        let profile = sits.account_id.parse().ok().and_then(|account: AccountId| profiles.get(&account));
        profile.map(|profile| profile.name.to_string()).unwrap_or_default()
    };
    let names = view.occupants.iter().map(name).collect();
    let request = GcgRequest { table_id: table.to_string(), names };
    let roles = gateway.roles();
    let pieces = roles.answer(roles.replay_of(table)?.gcg(request)).await?;
    Ok(file(pieces, "text/plain; charset=utf-8", format_args!("{table}.gcg")))
}

/// The certificate of a game that is over; the draw is seeding's, the rest replay's.
pub(crate) async fn certificate_of(gateway: &Gateway, table: TableId) -> Result<tonic::Streaming<FilePiece>> {
    let roles = gateway.roles();
    let known = roles.draw_of(table).await?;
    let draw = known.draw.filter(|_| known.full);
    let request = CertificateRequest { table_id: table.to_string(), draw };
    roles.answer(roles.replay_of(table)?.certificate(request)).await
}

/// Looks at a table, for JSON.
#[derive(Serialize)]
pub(super) struct Looks {
    looks: Vec<Look>,
}

#[derive(Serialize)]
struct Look {
    looker: String,
    at: Option<Timestamp>,
    revision: u32,
}

/// `GET /v1/tables/{id}/looks`: for anyone, once the game is over.
pub(super) async fn looks(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
) -> std::result::Result<Json<Looks>, Refusal> {
    let table = TableId::parse("id", &id)?;
    if tables::view(&gateway, table, None).await?.phase != "over" {
        let why = "the game goes on, who looked at it is shown when it is over";
        return Err(Problem::new(Code::GameInProgress, why).into());
    }
    let roles = gateway.roles();
    let request = ListLooksRequest { table_id: table.to_string() };
    let listed = roles.answer(roles.engine_of(table).list_looks(request)).await?;
    let look = |look: astragal_proto::engine::v1::Look| Look {
        looker: look.looker,
        at: look.at,
        revision: look.revision,
    };
    Ok(Json(Looks { looks: listed.looks.into_iter().map(look).collect() }))
}
