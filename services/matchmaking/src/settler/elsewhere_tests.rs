//! Who is told of: everybody whom a tournament seats, and nobody else.

use super::*;
use crate::game::{NewGame, PlannedSeat, Player};
use crate::kind::Kind;
use astragal_proto::rematch::v1::rematch_service_server::{RematchService, RematchServiceServer};
use astragal_proto::rematch::v1::{
    AskRequest, AskResponse, DeclineRequest, DeclineResponse, GameEndedRequest, GameEndedResponse,
    GetOfferRequest, GetOfferResponse, GetOffersRequest, GetOffersResponse, SearchingResponse,
};
use astragal_runtime::id::{AccountId, SeriesId, TableId};
use chrono::DateTime;
use tokio::sync::mpsc;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

struct Listener(mpsc::UnboundedSender<String>);

fn no_answer<T>() -> Answer<T> {
    Err(Status::unimplemented("not asked by matchmaking"))
}

#[tonic::async_trait]
impl RematchService for Listener {
    async fn game_ended(&self, _: Request<GameEndedRequest>) -> Answer<GameEndedResponse> {
        no_answer()
    }

    async fn ask(&self, _: Request<AskRequest>) -> Answer<AskResponse> {
        no_answer()
    }

    async fn decline(&self, _: Request<DeclineRequest>) -> Answer<DeclineResponse> {
        no_answer()
    }

    async fn searching(&self, request: Request<SearchingRequest>) -> Answer<SearchingResponse> {
        let _ = self.0.send(request.into_inner().account_id);
        Ok(Response::new(SearchingResponse {}))
    }

    async fn get_offers(&self, _: Request<GetOffersRequest>) -> Answer<GetOffersResponse> {
        no_answer()
    }

    async fn get_offer(&self, _: Request<GetOfferRequest>) -> Answer<GetOfferResponse> {
        no_answer()
    }
}

fn game(origin: Origin, people: &[AccountId]) -> Game {
    let kind = Kind::kalah();
    let seat = |(seat, account): (u8, &AccountId)| PlannedSeat {
        seat,
        participant: seat,
        player: Some(Player::person(*account)),
    };
    Game::from(&NewGame {
        id: TableId::new(),
        kind,
        origin,
        opener: people[0],
        series: SeriesId::new(),
        seats: (0..).zip(people).map(seat).collect(),
        picks: Vec::new(),
        at: DateTime::UNIX_EPOCH,
    })
}

/// Scenario 15c. Who is named by a friend has sent nothing; who opened that game has said so through a gateway.
#[tokio::test]
async fn r1_whom_a_tournament_seats_has_turned_away_and_whom_a_friend_names_has_not() {
    let (heard, mut told) = mpsc::unbounded_channel();
    let elsewhere = Elsewhere::default();
    elsewhere.set(Some(RoleChannel::local(RematchServiceServer::new(Listener(heard)))));
    let [friends, players] = [(); 2].map(|()| [AccountId::new(), AccountId::new()]);
    elsewhere.tell(&game(Origin::Friends, &friends), 0);
    elsewhere.tell(&game(Origin::Tournament, &players), 0);
    let mut seated = [told.recv().await, told.recv().await].map(|id| id.expect("somebody"));
    seated.sort();
    assert_eq!(seated, players.map(|account| account.to_string()), "the one who opened it, too");
    drop(elsewhere);
    assert_eq!(told.recv().await, None);
}
