//! The profile of an account: its name, and its games.

use askama::Template;
use astragal_proto::engine::v1::FindTablesRequest;
use astragal_runtime::id::AccountId;
use axum::extract::{Path, State};
use serde::Deserialize;

use super::form::Parameters;
use super::list::{GameLine, PAGE, find, older};
use super::page::{Answer, nothing, page};
use super::session::Admin;
use crate::gateway::Gateway;

#[derive(Template)]
#[template(path = "gm/account.html")]
struct AccountPage {
    admin: Admin,
    id: String,
    name: String,
    games: Vec<GameLine>,
    older: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Older {
    #[serde(default)]
    after: String,
}

/// `GET /_gm/accounts/{id}`.
pub(super) async fn page_of(
    State(gateway): State<Gateway>,
    admin: Admin,
    Path(id): Path<String>,
    Parameters(Older { after }): Parameters<Older>,
) -> Answer {
    let account = id.parse::<AccountId>().map_err(|_| nothing("account"))?;
    let profile = gateway.composer().names.get(&[account]).await?.remove(&account);
    let request = FindTablesRequest {
        account_id: account.to_string(),
        limit: PAGE,
        after_table_id: after,
        ..FindTablesRequest::default()
    };
    let games = find(&gateway, request).await?;
    if profile.is_none() && games.is_empty() {
        return Err(nothing("account"));
    }
    let older = older(&games);
    let name = profile.map_or_else(|| "deleted account".to_owned(), |profile| profile.name.to_string());
    page(&AccountPage { admin, id: account.to_string(), name, games, older })
}
