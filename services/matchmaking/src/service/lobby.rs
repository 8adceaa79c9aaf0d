//! `MatchmakingService`.

use astragal_proto::matchmaking::v1::create_game_request::Kind as WithWhom;
use astragal_proto::matchmaking::v1::matchmaking_service_server::MatchmakingService;
use astragal_proto::matchmaking::v1::{
    CancelGameRequest, CancelGameResponse, CreateGameRequest, CreateGameResponse, FindGameRequest,
    FindGameResponse, GameRequest, GetGameRequest, GetGameResponse, JoinGameRequest, JoinGameResponse,
    ListOpenGamesRequest, ListOpenGamesResponse, Tournament, WatchGameRequest, WatchGameResponse,
    WatchOpenGamesRequest,
};
use astragal_proto::seeding::v1::GetDrawResponse;
use astragal_runtime::auth::Role;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use tonic::{Request, Response, Status};

use crate::catalogue::Wish;
use crate::game::{Game, Status as GameStatus};
use crate::lobby::{Asker, Lobby};
use crate::news::open_game;
use crate::open_list::{Changes, OpenList};
use crate::service::seeding::shape;
use crate::store::OpenGames;
use crate::tournament::Tournament as TournamentGames;

/// Serves the lobby.
pub struct LobbyEdge {
    pub(crate) lobby: Lobby,
    pub(crate) open_list: OpenList,
    pub(crate) tournament: TournamentGames,
}

type Answer<T> = std::result::Result<Response<T>, Status>;

#[tonic::async_trait]
impl MatchmakingService for LobbyEdge {
    type WatchOpenGamesStream = Changes;

    async fn watch_open_games(
        &self,
        request: Request<WatchOpenGamesRequest>,
    ) -> Answer<Self::WatchOpenGamesStream> {
        let game = Some(request.into_inner().game).filter(|name| !name.is_empty());
        Ok(Response::new(self.open_list.watch(game).await?))
    }

    type WatchGameStream = BoxStream<'static, std::result::Result<WatchGameResponse, Status>>;

    async fn watch_game(&self, request: Request<WatchGameRequest>) -> Answer<Self::WatchGameStream> {
        let game = TableId::parse("gameId", &request.into_inner().game_id)?;
        let statuses = self.tournament.follower.follow(game).await?;
        let statuses = statuses.map_ok(|status| WatchGameResponse { game: Some(status) });
        Ok(Response::new(statuses.map_err(Status::from).boxed()))
    }

    async fn get_game(&self, request: Request<GetGameRequest>) -> Answer<GetGameResponse> {
        let game = TableId::parse("gameId", &request.into_inner().game_id)?;
        Ok(Response::new(GetGameResponse { game: Some(self.tournament.follower.status(game).await?) }))
    }

    async fn find_game(&self, request: Request<FindGameRequest>) -> Answer<FindGameResponse> {
        let wanted = wanted(request.into_inner().game)?;
        let asker = asker(&wanted.account_id, &wanted.request_id)?;
        let game = self.lobby.find(asker, &wish(&wanted)).await?;
        let (joined, drawn) = (game.opener != asker.account, self.drawn(&game));
        Ok(Response::new(FindGameResponse { game_id: game.id.to_string(), joined, drawn }))
    }

    async fn create_game(&self, request: Request<CreateGameRequest>) -> Answer<CreateGameResponse> {
        let caller = request.extensions().get::<Role>().copied();
        let CreateGameRequest { game, kind } = request.into_inner();
        let wanted = wanted(game)?;
        if let Some(WithWhom::Tournament(Tournament { game_id })) = kind {
            if !wanted.account_id.is_empty() {
                let why = "accountId: the draw says who plays; leave the account out";
                return Err(Problem::invalid_argument(why).into());
            }
            let game = self.tournament.create(TableId::parse("gameId", &game_id)?, &wish(&wanted)).await?;
            return Ok(Response::new(CreateGameResponse { game_id: game.id.to_string(), drawn: None }));
        }
        if caller == Some(Role::Tournament) {
            let why = "a tournament system creates games of tournaments, from draws that are over";
            return Err(Problem::permission_denied(why).into());
        }
        let (asker, wish) = (asker(&wanted.account_id, &wanted.request_id)?, wish(&wanted));
        let game = match kind {
            Some(WithWhom::Friends(friends)) => {
                let friends: Result<Vec<_>> =
                    friends.account_ids.iter().map(|id| AccountId::parse("accountIds", id)).collect();
                self.lobby.create_for_friends(asker, &wish, &friends?).await?
            }
            Some(WithWhom::Robots(robots)) => {
                self.lobby.create_for_robots(asker, &wish, robots.level).await?
            }
            Some(WithWhom::Tournament(_)) | None => {
                return Err(Problem::invalid_argument("say whether friends or robots play").into());
            }
        };
        Ok(Response::new(CreateGameResponse { game_id: game.id.to_string(), drawn: self.drawn(&game) }))
    }

    async fn join_game(&self, request: Request<JoinGameRequest>) -> Answer<JoinGameResponse> {
        let JoinGameRequest { account_id, request_id, game_id } = request.into_inner();
        let asker = asker(&account_id, &request_id)?;
        let game = self.lobby.join(asker, TableId::parse("gameId", &game_id)?).await?;
        let seat = game.seat_of(asker.account).unwrap_or_default().into();
        Ok(Response::new(JoinGameResponse { game_id: game.id.to_string(), seat, drawn: self.drawn(&game) }))
    }

    async fn cancel_game(&self, request: Request<CancelGameRequest>) -> Answer<CancelGameResponse> {
        let CancelGameRequest { account_id, request_id, game_id } = request.into_inner();
        self.lobby.cancel(asker(&account_id, &request_id)?, TableId::parse("gameId", &game_id)?).await?;
        Ok(Response::new(CancelGameResponse {}))
    }

    async fn list_open_games(&self, request: Request<ListOpenGamesRequest>) -> Answer<ListOpenGamesResponse> {
        let ListOpenGamesRequest { game, account_id, limit } = request.into_inner();
        let account = match account_id.as_str() {
            "" => None,
            id => Some(AccountId::parse("accountId", id)?),
        };
        let game = Some(game).filter(|name| !name.is_empty());
        let games = self.lobby.open_games(OpenGames { game, account, limit }).await?;
        Ok(Response::new(ListOpenGamesResponse { games: games.iter().map(open_game).collect() }))
    }
}

impl LobbyEdge {
    fn drawn(&self, game: &Game) -> Option<GetDrawResponse> {
        let draw = shape::lobby(game, self.lobby.fresh_draw(game)?);
        Some(GetDrawResponse { draw, full: game.status == GameStatus::Full })
    }
}

fn wanted(game: Option<GameRequest>) -> Result<GameRequest> {
    game.ok_or_else(|| Problem::invalid_argument("say which game is wanted"))
}

fn asker(account: &str, request: &str) -> Result<Asker> {
    let account = AccountId::parse("accountId", account)?;
    Ok(Asker { account, request: RequestId::parse("id", request)? })
}

fn wish(wanted: &GameRequest) -> Wish<'_> {
    Wish {
        game: &wanted.game,
        variant: &wanted.variant,
        seats: Some(wanted.seats).filter(|seats| *seats > 0),
        options: &wanted.options,
        clock: wanted.clock.as_ref(),
        best_of: wanted.best_of,
    }
}
