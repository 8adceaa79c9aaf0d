//! The catalogue of games.

use astragal_proto::content::Content;
use astragal_proto::engine::v1::{GameDescription, ListGamesRequest};
use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use serde::Serialize;

use super::refusal::Refusal;
use crate::gateway::Gateway;

#[derive(Serialize)]
pub(super) struct Catalogue {
    games: Vec<Game>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Game {
    #[serde(rename = "game")]
    name: String,
    version: u32,
    variants: Vec<String>,
    seats_min: u32,
    seats_max: u32,
    /// By variant: what its players draw from for the first move.
    draw_sets: Vec<String>,
    robots: bool,
    options_schema: Content,
    move_schema: Content,
    view_schema: Content,
}

/// `GET /v1/games`.
pub(super) async fn list(State(gateway): State<Gateway>) -> Result<Json<Catalogue>, Refusal> {
    let roles = gateway.roles();
    let known = roles.answer(roles.engine().list_games(ListGamesRequest {})).await?;
    Ok(Json(Catalogue { games: known.games.into_iter().map(game).collect() }))
}

fn game(description: GameDescription) -> Game {
    Game {
        name: description.game,
        version: description.version,
        variants: description.variants,
        seats_min: description.seats_min,
        seats_max: description.seats_max,
        draw_sets: description.draw_sets,
        robots: description.robots,
        options_schema: schema(description.options_schema),
        move_schema: schema(description.move_schema),
        view_schema: schema(description.view_schema),
    }
}

fn schema(json: Bytes) -> Content {
    if json.is_empty() { Content::default() } else { Content::from_json(json) }
}
