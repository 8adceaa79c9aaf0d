//! Tables as a stranger sees them, one's own, and what is left of a table when it is over.

use astragal_proto::engine::v1::{
    GetFinishedLogRequest, GetTableRequest, ListLiveTablesRequest, ListTablesRequest, TableView,
};
use astragal_proto::gateway::v1::{Draw, Table};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, TableId};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde::{Deserialize, Serialize};

use super::bearer;
use super::refusal::Refusal;
use crate::gateway::Gateway;

const PAGE_MAX: u32 = 100;

/// `GET /v1/tables/{id}`.
pub(super) async fn table(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
) -> std::result::Result<Json<Table>, Refusal> {
    let view = view(&gateway, TableId::parse("id", &id)?, None).await?;
    if view.phase == "waiting" {
        return Err(Problem::permission_denied("the game still waits for players").into());
    }
    Ok(Json(gateway.composer().table(view).await?))
}

/// `GET /v1/tables/{id}/log`.
pub(super) async fn log(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
) -> std::result::Result<Response, Refusal> {
    let table = TableId::parse("id", &id)?;
    let request = GetFinishedLogRequest { table_id: table.to_string() };
    let roles = gateway.roles();
    let finished = roles.answer(roles.engine_of(table).get_finished_log(request)).await?;
    Ok(([(CONTENT_TYPE, "application/json")], finished.log).into_response())
}

/// `GET /v1/tables/{id}/draw`.
pub(super) async fn draw(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> std::result::Result<Json<Draw>, Refusal> {
    let table = TableId::parse("id", &id)?;
    let account = bearer::account_if_any(&gateway, &headers).await?;
    let known = gateway.composer().draws.get(table).await?;
    if !known.full && !is_seated(&gateway, table, account).await? {
        return Err(Problem::permission_denied("the draw is shown when every seat is taken").into());
    }
    let draw = known.draw.ok_or_else(|| Problem::not_found("this game had no draw"))?;
    Ok(Json(Draw::clone(&draw)))
}

#[derive(Deserialize)]
pub(super) struct LivePage {
    #[serde(default)]
    state: String,
    #[serde(default)]
    game: String,
    #[serde(default)]
    after: String,
    #[serde(default)]
    limit: String,
}

/// `GET /v1/tables?state=live`.
pub(super) async fn live(
    State(gateway): State<Gateway>,
    page: std::result::Result<Query<LivePage>, QueryRejection>,
) -> std::result::Result<Json<Tables>, Refusal> {
    let Query(LivePage { state, game, after, limit }) = page.map_err(|_| given_twice())?;
    if state != "live" {
        return Err(Problem::invalid_argument("only state=live can be asked for").into());
    }
    let page = Page { after, limit };
    let request = ListLiveTablesRequest {
        game,
        limit: page.limit()?,
        after_table_id: page.after()?.unwrap_or_default(),
    };
    let roles = gateway.roles();
    let listed = roles.answer(roles.engine().list_live_tables(request)).await?;
    Ok(Json(Tables { tables: gateway.composer().listed(listed.tables).await? }))
}

#[derive(Deserialize)]
pub(super) struct Page {
    #[serde(default)]
    after: String,
    #[serde(default)]
    limit: String,
}

impl Page {
    fn limit(&self) -> Result<u32> {
        if self.limit.is_empty() {
            return Ok(PAGE_MAX);
        }
        let limit = self.limit.parse().ok().filter(|limit| *limit > 0).map(|limit: u32| limit.min(PAGE_MAX));
        limit.ok_or_else(|| {
            let why = format!("limit must be a number from 1 on; a page has {PAGE_MAX} at most");
            Problem::invalid_argument(why)
        })
    }

    fn after(&self) -> Result<Option<String>> {
        let after = Some(&*self.after).filter(|id| !id.is_empty()).map(|id| TableId::parse("after", id));
        Ok(after.transpose()?.map(|table| table.to_string()))
    }
}

/// All of them are text, so nothing else can be wrong with how they are written.
fn given_twice() -> Problem {
    Problem::invalid_argument("give each of state, game, after and limit once at most")
}

#[derive(Serialize)]
pub(super) struct Tables {
    tables: Vec<Table>,
}

/// `GET /v1/me/tables`.
pub(super) async fn mine(
    State(gateway): State<Gateway>,
    page: std::result::Result<Query<Page>, QueryRejection>,
    headers: HeaderMap,
) -> std::result::Result<Json<Tables>, Refusal> {
    let account = bearer::account(&gateway, &headers).await?;
    let Query(page) = page.map_err(|_| given_twice())?;
    let request = ListTablesRequest {
        account_id: account.to_string(),
        in_progress: false,
        limit: page.limit()?,
        after_table_id: page.after()?.unwrap_or_default(),
    };
    let roles = gateway.roles();
    let listed = roles.answer(roles.engine().list_tables(request)).await?;
    Ok(Json(Tables { tables: gateway.composer().tables(listed.tables).await? }))
}

pub(super) async fn view(gateway: &Gateway, table: TableId, account: Option<AccountId>) -> Result<TableView> {
    let account_id = account.map(|account| account.to_string()).unwrap_or_default();
    let request = GetTableRequest { table_id: table.to_string(), account_id };
    let roles = gateway.roles();
    let answer = roles.answer(roles.engine_of(table).get_table(request)).await?;
    answer.table.ok_or_else(|| Problem::not_found("there is no such game"))
}

async fn is_seated(gateway: &Gateway, table: TableId, account: Option<AccountId>) -> Result<bool> {
    match account {
        Some(_) => Ok(view(gateway, table, account).await?.your_seat.is_some()),
        None => Ok(false),
    }
}
