//! The list of open games.

use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Ack, OpenGames};
use astragal_proto::matchmaking::v1::ListOpenGamesRequest;
use astragal_runtime::error::Result;

use super::super::session::Session;
use super::super::wire::Ending;
use crate::hub::lobby::LobbyViewer;

const OPEN_GAMES_MAX: u32 = 100;

impl Session {
    pub(super) async fn watch_open_games(&mut self, game: String) -> Result<Event> {
        let viewer =
            LobbyViewer { outbox: self.wire.outbox.clone(), format: self.wire.format, game: game.clone() };
        self.gateway.hub().watch_lobby(viewer).await;
        self.lobby = Some(game.clone());
        self.open_games(game).await
    }

    async fn open_games(&mut self, game: String) -> Result<Event> {
        let request = ListOpenGamesRequest { game, account_id: String::new(), limit: OPEN_GAMES_MAX };
        let roles = self.gateway.roles();
        let open = roles.answer(roles.matchmaking().list_open_games(request)).await?;
        Ok(Event::OpenGames(OpenGames { games: self.gateway.composer().open_games(open.games).await? }))
    }

    pub(super) async fn unwatch_open_games(&mut self) -> Event {
        self.lobby = None;
        self.gateway.hub().unwatch_lobby(self.wire.outbox.socket()).await;
        Event::Ack(Ack::default())
    }

    /// Sends the whole list anew to a client that watches it, since changes were lost.
    pub(super) async fn recheck_open_games(&mut self) -> std::result::Result<(), Ending> {
        let Some(game) = self.lobby.clone() else { return Ok(()) };
        match self.open_games(game).await {
            Ok(event) => self.wire.feed(self.wire.format.event(event)).await,
            Err(_) => Err(Ending::Close(1013, "the open games can't be loaded now; come back in a moment")),
        }
    }
}
