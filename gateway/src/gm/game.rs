//! One game, step by step.

use askama::Template;
use astragal_proto::engine::v1::{FindTablesRequest, ListLooksRequest, TableView};
use astragal_proto::gateway::v1::SeriesGame;
use astragal_proto::replay::v1::{VerifyRequest, VerifyResponse};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, TableId};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use serde::Deserialize;
use tokio_stream::StreamExt;

use super::board::{Board, Letters, Tile};
use super::draw::{self, DrawRound};
use super::form::{Filled, Parameters, unreadable_address};
use super::list::{self, SeatName};
use super::page::{Answer, nothing, page as shown};
use super::session::Admin;
use super::timeline::{BLOCK, Block, block};
use crate::gateway::Gateway;
use crate::http::replay::certificate_of;

/// Where the panel of a seat stands.
const PLACES: [&str; 4] = ["top", "bottom", "left", "right"];

#[derive(Template)]
#[template(path = "gm/game.html")]
struct GamePage {
    admin: Admin,
    id: String,
    game: String,
    state: String,
    opened: String,
    commitment: String,
    is_over: bool,
    is_finished: bool,
    step: u32,
    moves: u32,
    board: Board,
    columns: Vec<char>,
    panels: Vec<Panel>,
    lines: Vec<(u32, String)>,
    broken: Option<String>,
    draw: Vec<DrawRound>,
    series: Vec<SeriesLine>,
    looks: Vec<(String, String, u32)>,
    verdict: Option<VerifyResponse>,
    /// For the script: the steps of this page.
    data: String,
}

impl GamePage {
    fn next(&self) -> u32 {
        self.moves.min(self.step + 1)
    }
}

/// The rack of a seat, or whatever is the seat's own.
struct Panel {
    place: &'static str,
    seat: usize,
    who: SeatName,
    score: Option<i64>,
    tiles: Vec<Tile>,
    is_to_move: bool,
}

struct SeriesLine {
    id: String,
    said: String,
    is_this: bool,
}

#[derive(Deserialize)]
pub(super) struct Shown {
    step: Option<u32>,
}

/// `GET /_gm/games/{id}`.
pub(super) async fn page(
    State(gateway): State<Gateway>,
    admin: Admin,
    Path(id): Path<String>,
    Parameters(Shown { step }): Parameters<Shown>,
) -> Answer {
    game_page(&gateway, admin, &id, step, None).await
}

#[derive(Deserialize)]
pub(super) struct Verifying {
    form_key: String,
}

/// `POST /_gm/games/{id}/verify`.
pub(super) async fn verify(
    State(gateway): State<Gateway>,
    admin: Admin,
    Path(id): Path<String>,
    headers: HeaderMap,
    Filled(Verifying { form_key }): Filled<Verifying>,
) -> Answer {
    admin.check(&headers, &form_key)?;
    let table = id.parse::<TableId>().map_err(|_| nothing("game"))?;
    let mut pieces = certificate_of(&gateway, table).await?;
    let mut text = Vec::new();
    while let Some(piece) = pieces.next().await {
        text.extend_from_slice(&piece.map_err(Problem::from)?.text);
    }
    let request = VerifyRequest { text: text.into(), commitment: String::new() };
    let roles = gateway.roles();
    let verdict = roles.answer(roles.replay_of(table)?.verify(request)).await?;
    game_page(&gateway, admin, &id, None, Some(verdict)).await
}

#[derive(Deserialize)]
pub(super) struct Span {
    from: u32,
    to: Option<u32>,
}

/// `GET /_gm/games/{id}/steps`: a block of steps, or the first ones of it, for the script.
pub(super) async fn steps(
    State(gateway): State<Gateway>,
    admin: Admin,
    Path(id): Path<String>,
    span: std::result::Result<Query<Span>, QueryRejection>,
) -> std::result::Result<Response, crate::http::refusal::Refusal> {
    let Query(Span { from, to }) = span.map_err(|_| unreadable_address())?;
    let table = TableId::parse("id", &id)?;
    let view = summary(&gateway, table).await?;
    let view = view.ok_or_else(|| Problem::not_found("there is no such game"))?;
    let names = names(&seats(&gateway, &view).await?);
    Ok(Json(block(&gateway, table, from, to, &admin.name, &names).await?).into_response())
}

async fn game_page(
    gateway: &Gateway,
    admin: Admin,
    id: &str,
    step: Option<u32>,
    verdict: Option<VerifyResponse>,
) -> Answer {
    let table = id.parse::<TableId>().map_err(|_| nothing("game"))?;
    let view = summary(gateway, table).await?.ok_or_else(|| nothing("game"))?;
    let seats = seats(gateway, &view).await?;
    let names = names(&seats);
    let is_over = view.outcome.is_some();
    // A game that goes on is shown as it stands, one that is over from its beginning.
    let wanted = step.unwrap_or(0);
    let from = wanted / BLOCK * BLOCK;
    let block = block(gateway, table, from, None, &admin.name, &names).await?;
    let last = block.from + (block.steps.len() as u32).saturating_sub(1);
    let step = if step.is_none() && !is_over { last } else { wanted.min(last) };
    let here = block.steps.get((step - block.from) as usize);
    let empty = serde_json::Value::Null;
    let (at, notes) = here.map_or((&empty, &empty), |here| (&here.view, &here.notes));
    let board = Board::of(&block.description, at, notes);
    let columns = match &board {
        Board::Letters(rows) => ('A'..='Z').take(rows.first().map_or(0, |row| row.squares.len())).collect(),
        Board::Pits { .. } | Board::Other(_) => Vec::new(),
    };
    let to_move = here.map(|here| here.to_move.clone()).unwrap_or_default();
    let looks = looks(gateway, table).await?;
    let page = GamePage {
        id: table.to_string(),
        game: list::game_name(&view),
        state: list::state(&view),
        opened: list::instant(view.started_at),
        commitment: view.commitment.clone(),
        is_over,
        is_finished: view.outcome.as_ref().is_some_and(|outcome| outcome.reason != "crashed"),
        step,
        moves: block.moves,
        board,
        columns,
        panels: panels(seats, &block, at, &to_move),
        lines: (block.from..=step).zip(block.steps.iter().map(|step| step.line.clone())).collect(),
        broken: block.broken.clone(),
        draw: draw::rounds(gateway, table).await?,
        series: series(gateway, &view).await?,
        looks,
        verdict,
        data: embedded(&block)?,
        admin,
    };
    shown(&page)
}

/// The steps as JSON that can stand in a page: nothing in it ends the element.
fn embedded(block: &Block) -> Result<String> {
    let text = serde_json::to_string(block).map_err(|error| Problem::internal(&error))?;
    Ok(text.replace('<', "\\u003c"))
}

async fn summary(gateway: &Gateway, table: TableId) -> Result<Option<TableView>> {
    let roles = gateway.roles();
    let request = FindTablesRequest { table_id: table.to_string(), limit: 1, ..FindTablesRequest::default() };
    Ok(roles.answer(roles.engine_of(table).find_tables(request)).await?.tables.pop())
}

async fn seats(gateway: &Gateway, view: &TableView) -> Result<Vec<SeatName>> {
    Ok(list::seats(view, &gateway.composer().profiles([view]).await?))
}

/// The names by seat; who shares one is told apart by the seat.
fn names(seats: &[SeatName]) -> Vec<String> {
    let is_shared = |name: &str| seats.iter().filter(|seat| seat.name == name).count() > 1;
    let name = |(seat, who): (usize, &SeatName)| {
        if is_shared(&who.name) { draw::apart(&who.name, seat) } else { who.name.clone() }
    };
    seats.iter().enumerate().map(name).collect()
}

fn panels(seats: Vec<SeatName>, block: &Block, view: &serde_json::Value, to_move: &[u32]) -> Vec<Panel> {
    let letters = Letters::of(&block.description);
    let score = |seat: usize| view["scores"][seat].as_i64().or_else(|| view["stores"][seat].as_i64());
    let panel = |(seat, (who, place)): (usize, (SeatName, &'static str))| Panel {
        place,
        seat,
        who,
        score: score(seat),
        tiles: letters.hand(view["hands"][seat].as_str().unwrap_or_default()),
        is_to_move: to_move.contains(&(seat as u32)),
    };
    seats.into_iter().zip(PLACES).enumerate().map(panel).collect()
}

async fn looks(gateway: &Gateway, table: TableId) -> Result<Vec<(String, String, u32)>> {
    let roles = gateway.roles();
    let request = ListLooksRequest { table_id: table.to_string() };
    let listed = roles.answer(roles.engine_of(table).list_looks(request)).await?.looks;
    let accounts: Vec<AccountId> = listed.iter().filter_map(|look| look.looker.parse().ok()).collect();
    let profiles = gateway.composer().names.get(&accounts).await?;
    let who = |looker: &str| {
        let account: Option<AccountId> = looker.parse().ok();
        let profile = account.and_then(|account| profiles.get(&account));
        profile.map_or_else(|| looker.to_owned(), |profile| profile.name.to_string())
    };
    Ok(listed.iter().map(|look| (who(&look.looker), list::instant(look.at), look.revision)).collect())
}

/// The games of the series, the one that is shown among them.
async fn series(gateway: &Gateway, view: &TableView) -> Result<Vec<SeriesLine>> {
    if view.series_id.is_empty() {
        return Ok(Vec::new());
    }
    let request =
        FindTablesRequest { series_id: view.series_id.clone(), limit: 100, ..FindTablesRequest::default() };
    let roles = gateway.roles();
    let found = roles.answer(roles.engine().find_tables(request)).await?.tables;
    let line = |other: &TableView| {
        let games: Vec<SeriesGame> = serde_json::from_slice(&other.series).unwrap_or_default();
        let own = games.into_iter().find(|game| game.game_id == other.table_id);
        let scores = own.map(|game| game.scores.iter().map(ToString::to_string).collect::<Vec<_>>());
        let scores = scores.map(|scores| format!(", {}", scores.join(" : "))).unwrap_or_default();
        SeriesLine {
            is_this: other.table_id == view.table_id,
            id: other.table_id.clone(),
            said: format!("{}{scores}, seat {} began", list::state(other), other.first_seat),
        }
    };
    Ok(found.iter().rev().map(line).collect())
}
