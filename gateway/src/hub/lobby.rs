//! Sockets that watch the list of open games, and the news for them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use astragal_proto::gateway::v1::OnOpenGames;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::matchmaking::v1::lobby_event::Kind;
use astragal_proto::matchmaking::v1::{LobbyEvent, OpenGame};

use crate::compose::Composer;
use crate::socket::format::Format;
use crate::socket::outbox::{Mail, Outbox};

/// A socket that watches the open games.
#[derive(Debug)]
pub(crate) struct LobbyViewer {
    pub(crate) outbox: Outbox,
    pub(crate) format: Format,
    /// Empty: every game.
    pub(crate) game: String,
}

/// The viewers of the lobby.
#[derive(Debug, Default)]
pub(crate) struct Lobby(Mutex<Vec<LobbyViewer>>);

impl Lobby {
    /// Adds a viewer, or changes what it watches.
    pub(crate) fn join(&self, viewer: LobbyViewer) {
        let mut viewers = self.viewers();
        viewers.retain(|other| other.outbox.socket() != viewer.outbox.socket());
        viewers.push(viewer);
    }

    /// Removes a viewer.
    pub(crate) fn leave(&self, socket: u64) {
        self.viewers().retain(|viewer| viewer.outbox.socket() != socket);
    }

    /// Whether anybody watches.
    pub(crate) fn is_watched(&self) -> bool {
        !self.viewers().is_empty()
    }

    /// Tells the viewers of a change.
    pub(crate) async fn hear(&self, event: &LobbyEvent, composer: &Composer) {
        if !self.is_watched() {
            return;
        }
        match &event.kind {
            Some(Kind::Opened(game)) if game.listed => self.opened(game.clone(), composer).await,
            Some(Kind::Closed(closed)) => {
                let event = OnOpenGames { added: Vec::new(), removed: vec![closed.game_id.clone()] };
                self.tell(&Event::OnOpenGames(event), None);
            }
            _ => {}
        }
    }

    async fn opened(&self, game: OpenGame, composer: &Composer) {
        let name = game.game.clone();
        match composer.open_games(vec![game]).await {
            Ok(added) => {
                self.tell(&Event::OnOpenGames(OnOpenGames { added, removed: Vec::new() }), Some(&name));
            }
            Err(problem) => tracing::warn!(%problem, "an open game is not shown"),
        }
    }

    fn tell(&self, event: &Event, game: Option<&str>) {
        let [text, binary] = [Format::Text, Format::Binary].map(|format| format.event(event.clone()));
        for viewer in &*self.viewers() {
            if !viewer.game.is_empty() && game.is_some_and(|game| viewer.game != game) {
                continue;
            }
            let frame = match viewer.format {
                Format::Text => &text,
                Format::Binary => &binary,
            };
            viewer.outbox.push(Mail::Frame(Box::new(frame.clone())));
        }
    }

    fn viewers(&self) -> MutexGuard<'_, Vec<LobbyViewer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
