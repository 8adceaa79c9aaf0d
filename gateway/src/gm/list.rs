//! The list of games, by what is looked for.

use std::collections::HashMap;

use askama::Template;
use astragal_proto::engine::v1::{FindTablesRequest, ListGamesRequest, TableView};
use astragal_runtime::error::Result;
use astragal_runtime::id::AccountId;
use axum::extract::State;
use serde::Deserialize;

use super::form::Parameters;
use super::page::{Answer, page};
use super::session::Admin;
use crate::compose::names::Profile;
use crate::gateway::Gateway;

/// Games of one page.
pub(super) const PAGE: u32 = 50;

/// A line of the list.
pub(super) struct GameLine {
    pub(super) id: String,
    pub(super) game: String,
    pub(super) state: String,
    pub(super) seats: Vec<SeatName>,
    pub(super) opened: String,
    pub(super) revision: u32,
}

/// Who sits in a seat.
pub(super) struct SeatName {
    pub(super) name: String,
    /// None for a seat that is empty.
    pub(super) account: Option<String>,
}

/// What is looked for; whatever is empty is not.
#[derive(Deserialize, Default)]
pub(super) struct Wanted {
    #[serde(default)]
    q: String,
    #[serde(default)]
    game: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    after: String,
}

#[derive(Template)]
#[template(path = "gm/list.html")]
struct ListPage {
    admin: Admin,
    wanted: Wanted,
    games: Vec<GameLine>,
    people: Vec<(String, String)>,
    catalogue: Vec<String>,
    older: Option<String>,
}

/// `GET /_gm`.
pub(super) async fn games(
    State(gateway): State<Gateway>,
    admin: Admin,
    Parameters(wanted): Parameters<Wanted>,
) -> Answer {
    let roles = gateway.roles();
    let catalogue = roles.answer(roles.engine().list_games(ListGamesRequest {})).await?.games;
    let catalogue = catalogue.into_iter().map(|game| game.game).collect();
    let text = wanted.q.trim();
    let request = FindTablesRequest {
        game: wanted.game.clone(),
        phase: wanted.state.clone(),
        after_table_id: wanted.after.clone(),
        limit: PAGE,
        ..FindTablesRequest::default()
    };
    let (mut people, mut games) = (Vec::new(), Vec::new());
    if text.is_empty() {
        games = find(&gateway, request).await?;
    } else if text.parse::<AccountId>().is_ok() {
        games = find(&gateway, FindTablesRequest { table_id: text.to_owned(), ..request.clone() }).await?;
        if games.is_empty() {
            games = find(&gateway, FindTablesRequest { account_id: text.to_owned(), ..request }).await?;
        }
    } else {
        people = gateway.composer().names.called(text).await?;
        for (account_id, _) in &people {
            let request = FindTablesRequest { account_id: account_id.clone(), ..request.clone() };
            games.extend(find(&gateway, request).await?);
        }
    }
    let older = older(&games);
    page(&ListPage { admin, wanted, games, people, catalogue, older })
}

/// Games as lines, with the names of who sits there.
pub(super) async fn find(gateway: &Gateway, request: FindTablesRequest) -> Result<Vec<GameLine>> {
    let roles = gateway.roles();
    let found = roles.answer(roles.engine().find_tables(request)).await?.tables;
    let profiles = gateway.composer().profiles(&found).await?;
    Ok(found.iter().map(|view| line(view, &profiles)).collect())
}

/// After which game the next page begins, if this one is full.
pub(super) fn older(games: &[GameLine]) -> Option<String> {
    games.last().filter(|_| games.len() == PAGE as usize).map(|game| game.id.clone())
}

fn line(view: &TableView, profiles: &HashMap<AccountId, Profile>) -> GameLine {
    GameLine {
        id: view.table_id.clone(),
        game: game_name(view),
        state: state(view),
        seats: seats(view, profiles),
        opened: instant(view.started_at),
        revision: view.revision,
    }
}

/// The game with its variant, if it has several.
pub(super) fn game_name(view: &TableView) -> String {
    match view.variant.as_str() {
        "" | "standard" => view.game.clone(),
        variant => format!("{} ({variant})", view.game),
    }
}

/// How far it has come, in a word or two.
pub(super) fn state(view: &TableView) -> String {
    match &view.outcome {
        Some(outcome) => format!("over: {}", outcome.reason),
        None => view.phase.clone(),
    }
}

/// Who sits where, by seat.
pub(super) fn seats(view: &TableView, profiles: &HashMap<AccountId, Profile>) -> Vec<SeatName> {
    let seat = |occupant: &astragal_proto::engine::v1::Occupant| {
        let account: Option<AccountId> = occupant.account_id.parse().ok();
        let profile = account.and_then(|account| profiles.get(&account));
        SeatName {
            name: match (profile, account) {
                (Some(profile), _) => profile.name.to_string(),
                (None, Some(_)) => "deleted account".to_owned(),
                (None, None) => "nobody yet".to_owned(),
            },
            account: account.map(|account| account.to_string()),
        }
    };
    view.occupants.iter().map(seat).collect()
}

/// An instant as people read it.
pub(super) fn instant(at: Option<astragal_proto::time::Timestamp>) -> String {
    let at = at.and_then(|at| chrono::DateTime::from_timestamp(at.seconds, 0));
    at.map(|at| at.format("%Y-%m-%d %H:%M:%S UTC").to_string()).unwrap_or_default()
}
