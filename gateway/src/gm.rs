//! `/_gm`: the pages of administrators. They show any table with all hands open; that a table which goes on
//! was looked at is written down by the engine before it shows anything.
//!
//! The pages are made here and work without a script; a small one steps without asking anew. What is on a
//! board is the game's own: this knows how to draw those that ship, and shows any other as its data.

mod account;
mod board;
mod draw;
mod files;
mod form;
mod game;
mod list;
mod log_line;
mod page;
mod session;
mod timeline;

use axum::Router;
use axum::response::Redirect;
use axum::routing::{get, post};

use crate::gateway::Gateway;

/// The pages, below `/_gm`.
pub(crate) fn router() -> Router<Gateway> {
    Router::new()
        .route("/_gm", get(list::games))
        .route("/_gm/", get(|| async { Redirect::permanent("/_gm") }))
        .route("/_gm/login", get(session::ask).post(session::enter))
        .route("/_gm/logout", post(session::leave))
        .route("/_gm/games/{id}", get(game::page))
        .route("/_gm/games/{id}/verify", post(game::verify))
        .route("/_gm/games/{id}/steps", get(game::steps))
        .route("/_gm/accounts/{id}", get(account::page_of))
        .route("/_gm/files/{name}", get(files::file))
}
