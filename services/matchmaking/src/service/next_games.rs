//! `NextGameService`.

use astragal_proto::matchmaking::v1::next_game_service_server::NextGameService;
use astragal_proto::matchmaking::v1::{
    CreateNextGameRequest, CreateNextGameResponse, HaveBegunRequest, HaveBegunResponse,
};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, SeriesId, TableId};
use chrono::DateTime;
use tonic::{Request, Response, Status};

use crate::next_games::{NextGame, NextGames};

/// Serves next games.
pub struct NextGameEdge(pub(crate) NextGames);

type Answer<T> = std::result::Result<Response<T>, Status>;

#[tonic::async_trait]
impl NextGameService for NextGameEdge {
    async fn create_next_game(
        &self,
        request: Request<CreateNextGameRequest>,
    ) -> Answer<CreateNextGameResponse> {
        let CreateNextGameRequest { game_id, follows_game_id, first_seat, series_id, series } =
            request.into_inner();
        let no_seat = || Problem::invalid_argument("first_seat must be a seat of the game");
        let no_text = || Problem::invalid_argument("series must be JSON text");
        let next = NextGame {
            id: TableId::parse("game_id", &game_id)?,
            follows: TableId::parse("follows_game_id", &follows_game_id)?,
            first_seat: u8::try_from(first_seat).ok().filter(|seat| *seat < 4).ok_or_else(no_seat)?,
            series_id: SeriesId::parse("series_id", &series_id)?,
            series: String::from_utf8(series.into()).map_err(|_| no_text())?,
        };
        self.0.create(next).await?;
        Ok(Response::new(CreateNextGameResponse {}))
    }

    async fn have_begun(&self, request: Request<HaveBegunRequest>) -> Answer<HaveBegunResponse> {
        let HaveBegunRequest { account_ids, since } = request.into_inner();
        let accounts: Result<Vec<_>> =
            account_ids.iter().map(|id| AccountId::parse("account_ids", id)).collect();
        let since = since.and_then(|since| DateTime::try_from(since).ok());
        let since = since.ok_or_else(|| Problem::invalid_argument("since must be an instant"))?;
        Ok(Response::new(HaveBegunResponse { begun: self.0.have_begun(&accounts?, since).await? }))
    }
}
