//! `RematchService`: reads requests, and lets the offers answer them.

use crate::offers::{Offers, Outcome};
use crate::reason::Reason;
use astragal_proto::rematch::v1::ask_response::Outcome as WireOutcome;
use astragal_proto::rematch::v1::rematch_service_server::RematchService;
use astragal_proto::rematch::v1::{
    AskRequest, AskResponse, Asked, DeclineRequest, DeclineResponse, Ended, GameEndedRequest,
    GameEndedResponse, GetOfferRequest, GetOfferResponse, GetOffersRequest, GetOffersResponse, Offer,
    RematchEnded, SearchingRequest, SearchingResponse, Started,
};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use chrono::DateTime;
use tonic::{Request, Response, Status};

/// Serves rematches.
pub struct RematchEdge(pub(crate) Offers);

type Answer<T> = std::result::Result<Response<T>, Status>;

#[tonic::async_trait]
impl RematchService for RematchEdge {
    async fn game_ended(&self, request: Request<GameEndedRequest>) -> Answer<GameEndedResponse> {
        let ending = request.into_inner().ending;
        let ending = ending.ok_or_else(|| Problem::invalid_argument("say which game has ended"))?;
        self.0.game_ended(&ending).await?;
        Ok(Response::new(GameEndedResponse {}))
    }

    async fn ask(&self, request: Request<AskRequest>) -> Answer<AskResponse> {
        let AskRequest { account_id, request_id, game_id } = request.into_inner();
        let (account, request, game) = asked(&account_id, &request_id, &game_id)?;
        let outcome = match self.0.ask(account, request, game).await? {
            Outcome::Asked(expires_at) => WireOutcome::Asked(Asked { expires_at: Some(expires_at.into()) }),
            Outcome::Started(next) => WireOutcome::Started(Started { next_game_id: next.to_string() }),
            Outcome::Ended(reason) => WireOutcome::Ended(Ended { reason: reason.as_str().to_owned() }),
        };
        Ok(Response::new(AskResponse { outcome: Some(outcome) }))
    }

    async fn decline(&self, request: Request<DeclineRequest>) -> Answer<DeclineResponse> {
        let DeclineRequest { account_id, request_id, game_id } = request.into_inner();
        let (account, request, game) = asked(&account_id, &request_id, &game_id)?;
        self.0.decline(account, request, game).await?;
        Ok(Response::new(DeclineResponse {}))
    }

    async fn searching(&self, request: Request<SearchingRequest>) -> Answer<SearchingResponse> {
        let SearchingRequest { account_id, since, game_id } = request.into_inner();
        let since = since.and_then(|since| DateTime::try_from(since).ok());
        let found = match game_id.as_str() {
            "" => None,
            id => Some(TableId::parse("gameId", id)?),
        };
        self.0.left(AccountId::parse("accountId", &account_id)?, since, found).await?;
        Ok(Response::new(SearchingResponse {}))
    }

    async fn get_offers(&self, request: Request<GetOffersRequest>) -> Answer<GetOffersResponse> {
        let account = AccountId::parse("accountId", &request.into_inner().account_id)?;
        let (offers, missed) = self.0.came_back(account).await?;
        let offer = |offer: crate::offers::Offer| Offer {
            game_id: offer.game.to_string(),
            from_seat: offer.from_seat.into(),
            expires_at: Some(offer.expires_at.into()),
        };
        let ended = |(game, reason): (TableId, Reason)| RematchEnded {
            game_id: game.to_string(),
            reason: reason.as_str().to_owned(),
        };
        Ok(Response::new(GetOffersResponse {
            offers: offers.into_iter().map(offer).collect(),
            missed: missed.into_iter().map(ended).collect(),
        }))
    }

    async fn get_offer(&self, request: Request<GetOfferRequest>) -> Answer<GetOfferResponse> {
        let GetOfferRequest { game_id, account_id } = request.into_inner();
        let account = match account_id.as_str() {
            "" => None,
            id => Some(AccountId::parse("accountId", id)?),
        };
        let standing = self.0.standing(TableId::parse("gameId", &game_id)?, account).await?;
        Ok(Response::new(GetOfferResponse {
            rematch: standing.word.to_owned(),
            until: standing.until.map(Into::into),
            from_seat: standing.from_seat.map(Into::into),
            next_game_id: standing.next.map(|next| next.to_string()).unwrap_or_default(),
        }))
    }
}

fn asked(account: &str, request: &str, game: &str) -> Result<(AccountId, RequestId, TableId)> {
    Ok((
        AccountId::parse("accountId", account)?,
        RequestId::parse("id", request)?,
        TableId::parse("gameId", game)?,
    ))
}
