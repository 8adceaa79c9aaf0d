//! Playing on: asking for a rematch, declining one, and what stands when a client comes.

use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Ack, OnNextGame, OnRematchEnded, OnRematchRequest, RematchOffer};
use astragal_proto::rematch::v1::ask_response::Outcome;
use astragal_proto::rematch::v1::{
    AskRequest, DeclineRequest, GetOffersRequest, GetOffersResponse, RematchEnded, SearchingRequest,
};
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{RequestId, TableId};
use chrono::{DateTime, TimeDelta};

use super::super::outbox::Mail;
use super::super::session::Session;
use super::super::wire::Ending;
use super::play::ack;

/// How an account has come to a game.
#[derive(Clone, Copy)]
pub(super) enum Found {
    /// Nobody had opened it.
    Opened,
    /// Somebody else had, perhaps long before.
    Joined,
}

impl Session {
    /// Asks for a rematch, or accepts one.
    pub(super) async fn rematch(&mut self, id: &str, game_id: &str) -> Result<Event> {
        let table = TableId::parse("gameId", game_id)?;
        let request = AskRequest {
            account_id: self.account.to_string(),
            request_id: RequestId::parse("id", id)?.to_string(),
            game_id: table.to_string(),
        };
        let roles = self.gateway.roles();
        let asked = roles.answer(roles.rematch()?.ask(request)).await?;
        match asked.outcome {
            Some(Outcome::Asked(asked)) => Ok(Event::Ack(Ack {
                game_id: table.to_string(),
                revision: None,
                expires_at: asked.expires_at,
            })),
            Some(Outcome::Started(started)) => {
                self.begin_game(TableId::parse("gameId", &started.next_game_id)?).await
            }
            Some(Outcome::Ended(ended)) => {
                Ok(Event::OnRematchEnded(OnRematchEnded { game_id: table.to_string(), reason: ended.reason }))
            }
            None => Err(Problem::unavailable("the rematch could not be asked for; send the request again")),
        }
    }

    /// Says no to a rematch, or takes one's own request back.
    pub(super) async fn decline_rematch(&mut self, id: &str, game_id: &str) -> Result<Event> {
        let table = TableId::parse("gameId", game_id)?;
        let request = DeclineRequest {
            account_id: self.account.to_string(),
            request_id: RequestId::parse("id", id)?.to_string(),
            game_id: table.to_string(),
        };
        let roles = self.gateway.roles();
        roles.answer(roles.rematch()?.decline(request)).await?;
        Ok(ack(table, None))
    }

    /// Says that this account has turned to another game, so that nobody gets a rematch of it any more: once it is
    /// written, since a search that is refused is none, and before it is answered. A frame that comes again says
    /// nothing new. A search doesn't depend on that.
    pub(super) async fn turn_away(&mut self, game_id: &str, found: Found) {
        let roles = self.gateway.roles();
        let Ok(mut rematch) = roles.rematch() else { return };
        let since = match found {
            Found::Opened => opened_at(game_id),
            Found::Joined => None,
        };
        let searching = SearchingRequest {
            account_id: self.account.to_string(),
            since: since.map(Into::into),
            game_id: game_id.to_owned(),
        };
        if let Err(problem) = roles.answer(rematch.searching(searching)).await {
            tracing::warn!(%problem, "rematches don't know that an account has found another game");
        }
    }

    /// What is asked for where this account plays. How what it missed has ended follows as events.
    pub(in super::super) async fn offers(&mut self) -> Vec<RematchOffer> {
        let GetOffersResponse { offers, missed } = self.ask_for_offers().await;
        for RematchEnded { game_id, reason } in missed {
            let ended = Event::OnRematchEnded(OnRematchEnded { game_id, reason });
            self.wire.outbox.push(Mail::Event(Box::new(ended)));
        }
        let offer = |offer: astragal_proto::rematch::v1::Offer| RematchOffer {
            game_id: offer.game_id,
            from_seat: offer.from_seat,
            expires_at: offer.expires_at,
        };
        offers.into_iter().map(offer).collect()
    }

    /// News for the account were lost: what is asked for is said again.
    pub(super) async fn recheck_offers(&mut self) -> std::result::Result<(), Ending> {
        for RematchOffer { game_id, from_seat, expires_at } in self.offers().await {
            let request = Event::OnRematchRequest(OnRematchRequest { game_id, from_seat, expires_at });
            self.wire.feed(self.wire.format.event(request)).await?;
        }
        Ok(())
    }

    /// The players of a table play on elsewhere: whoever watches is led there.
    pub(in super::super) async fn lead(
        &mut self,
        table: TableId,
        next: TableId,
    ) -> std::result::Result<(), Ending> {
        if !self.tables.contains_key(&table) {
            return Ok(());
        }
        let led =
            Event::OnNextGame(OnNextGame { game_id: table.to_string(), next_game_id: next.to_string() });
        self.wire.feed(self.wire.format.event(led)).await?;
        self.end_watch(table).await;
        Ok(())
    }

    /// A client is welcome also where nobody knows of rematches.
    async fn ask_for_offers(&mut self) -> GetOffersResponse {
        let roles = self.gateway.roles();
        let Ok(mut rematch) = roles.rematch() else { return GetOffersResponse::default() };
        let request = GetOffersRequest { account_id: self.account.to_string() };
        roles.answer(rematch.get_offers(request)).await.unwrap_or_else(|problem| {
            tracing::warn!(%problem, "a client is not told of rematches that are asked for");
            GetOffersResponse::default()
        })
    }
}

/// When a game was opened, which its id says; rounded up, since ids count in milliseconds.
fn opened_at(game_id: &str) -> Option<Timestamp> {
    let TableId(id) = game_id.parse().ok()?;
    let (seconds, nanos) = id.get_timestamp()?.to_unix();
    DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos)?
        .checked_add_signed(TimeDelta::milliseconds(1))
}
