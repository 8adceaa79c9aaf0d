//! Two people who have ended a game, and what they hear of its rematch.

use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Ack, OnGameEnd, OnRematchEnded, OnRematchRequest, Table};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Guest;

/// Two clients, by seat in the game that they play.
pub(crate) struct Couple {
    pub(crate) clients: [Client; 2],
    pub(crate) guests: [Guest; 2],
    /// The game, as seat 0 was shown it.
    pub(crate) table: Table,
}

impl Couple {
    /// Two guests at one server or two, who have begun a game.
    pub(crate) async fn at(urls: [&str; 2]) -> Result<Self> {
        Self::playing(urls, ask::new_friend_game()).await
    }

    /// With a game of the first one's choosing.
    pub(crate) async fn playing(urls: [&str; 2], opening: Operation) -> Result<Self> {
        let (mut ada, first) = Client::guest(urls[0], "Ada", Wire::Json).await?;
        let (mut blaise, second) = Client::guest(urls[1], "Blaise", Wire::Binary).await?;
        let game_id = match ada.done(opening).await? {
            Event::Searching(searching) => searching.game_id,
            other => bail!("{other:?}"),
        };
        let table = start_of(blaise.done(ask::join(&game_id)).await?)?;
        let (clients, guests) = if table.your_seat == Some(0) {
            ([blaise, ada], [second, first])
        } else {
            ([ada, blaise], [first, second])
        };
        let mut couple = Self { clients, guests, table };
        // As it is now that both are there.
        couple.table = match couple.clients[0].done(ask::watch(&game_id, None)).await? {
            Event::Table(table) => table,
            other => bail!("watch was answered by {other:?}"),
        };
        Ok(couple)
    }

    pub(crate) fn id(&self) -> &str {
        &self.table.game_id
    }

    /// A seat gives up; both ends.
    pub(crate) async fn resign(&mut self, seat: usize) -> Result<[OnGameEnd; 2]> {
        let id = self.id().to_owned();
        self.clients[seat].done(ask::resign(&id)).await?;
        Ok([self.ended(0, &id).await?, self.ended(1, &id).await?])
    }

    /// A game that has been played, by giving up.
    pub(crate) async fn played(urls: [&str; 2]) -> Result<Self> {
        let mut couple = Self::at(urls).await?;
        couple.resign(0).await?;
        Ok(couple)
    }

    /// A seat asks and is acknowledged; the other one hears of it.
    pub(crate) async fn ask(&mut self, seat: usize) -> Result<(Ack, OnRematchRequest)> {
        let id = self.id().to_owned();
        let ack = match self.clients[seat].done(ask::rematch(&id)).await? {
            Event::Ack(ack) => ack,
            other => bail!("rematch was answered by {other:?}"),
        };
        let heard = self.requested(1 - seat).await?;
        ensure!(heard.game_id == id && heard.from_seat == seat as u32, "{heard:?}");
        ensure!(ack.expires_at.is_some() && ack.expires_at == heard.expires_at, "{ack:?} {heard:?}");
        Ok((ack, heard))
    }

    /// Seat asks, the other one accepts; both are in the next game, which the couple is at then.
    pub(crate) async fn rematch(&mut self, seat: usize) -> Result<&Table> {
        self.ask(seat).await?;
        let id = self.id().to_owned();
        let next = start_of(self.clients[1 - seat].done(ask::rematch(&id)).await?)?;
        self.table = self.started(seat, &next.game_id).await?;
        ensure!(self.table.your_seat == Some(seat as u32), "seats moved: {:?}", self.table.your_seat);
        Ok(&self.table)
    }

    pub(crate) async fn started(&mut self, seat: usize, game_id: &str) -> Result<Table> {
        let started = self.clients[seat].event_where(|event| match event {
            Event::OnGameStart(start) => start.table.filter(|table| table.game_id == game_id),
            _ => None,
        });
        started.await
    }

    pub(crate) async fn ended(&mut self, seat: usize, game_id: &str) -> Result<OnGameEnd> {
        let ended = self.clients[seat].event_where(|event| match event {
            Event::OnGameEnd(end) => Some(end).filter(|end| end.game_id == game_id),
            _ => None,
        });
        ended.await
    }

    pub(crate) async fn requested(&mut self, seat: usize) -> Result<OnRematchRequest> {
        requested(&mut self.clients[seat]).await
    }

    /// The reason for which a seat is told that it will not be.
    pub(crate) async fn refused(&mut self, seat: usize) -> Result<String> {
        let refused = self.clients[seat].event_where(|event| match event {
            Event::OnRematchEnded(OnRematchEnded { reason, .. }) => Some(reason),
            _ => None,
        });
        refused.await
    }

    /// The answer to a rematch that can't be.
    pub(crate) async fn closed(&mut self, seat: usize, game_id: &str) -> Result<String> {
        match self.clients[seat].done(ask::rematch(game_id)).await? {
            Event::OnRematchEnded(ended) => Ok(ended.reason),
            other => bail!("rematch was answered by {other:?}"),
        }
    }
}

pub(crate) async fn requested(client: &mut Client) -> Result<OnRematchRequest> {
    let requested = client.event_where(|event| match event {
        Event::OnRematchRequest(request) => Some(request),
        _ => None,
    });
    requested.await
}

/// The table of a start.
pub(crate) fn start_of(event: Event) -> Result<Table> {
    match event {
        Event::OnGameStart(start) => start.table.context("a start without a table"),
        other => bail!("no start: {other:?}"),
    }
}
