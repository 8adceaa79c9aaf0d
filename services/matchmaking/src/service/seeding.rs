//! `SeedingService`.

pub(super) mod shape;

use astragal_proto::seeding::v1::seeding_service_server::SeedingService;
use astragal_proto::seeding::v1::{
    CancelDrawRequest, CancelDrawResponse, CreateRobotRequest, CreateRobotResponse, DrawTileRequest,
    DrawTileResponse, GetDrawRequest, GetDrawResponse, GetLedgerRequest, GetLedgerResponse, OpenDrawRequest,
    OpenDrawResponse, RecordTileRequest, RecordTileResponse, WatchDrawRequest, WatchDrawResponse,
};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use tonic::{Request, Response, Status};

use crate::game::{Origin, Status as GameStatus};
use crate::lobby::Lobby;
use crate::seeding::Seeding;
use crate::seeding::request::DrawWish;

/// Serves draws: those that were run in the lobby, and those that are drawn tile by tile.
pub struct SeedingEdge {
    pub(crate) lobby: Lobby,
    pub(crate) seeding: Seeding,
}

type Answer<T> = std::result::Result<Response<T>, Status>;

#[tonic::async_trait]
impl SeedingService for SeedingEdge {
    async fn open_draw(&self, request: Request<OpenDrawRequest>) -> Answer<OpenDrawResponse> {
        let asked = request.into_inner();
        let accounts = accounts(&asked.account_ids)?;
        let wish = DrawWish {
            accounts: &accounts,
            game: &asked.game,
            variant: &asked.variant,
            tile_set: &asked.tile_set,
            automatic: asked.automatic,
            balance: asked.balance,
        };
        let sheet = self.seeding.open(request_id(&asked.request_id)?, &wish).await?;
        let draw = Some(shape::sheet(&sheet)?);
        Ok(Response::new(OpenDrawResponse { game_id: sheet.id.to_string(), draw }))
    }

    async fn draw_tile(&self, request: Request<DrawTileRequest>) -> Answer<DrawTileResponse> {
        let DrawTileRequest { request_id: id, game_id, participant } = request.into_inner();
        let (sheet, fallen) = self.seeding.draw(request_id(&id)?, game(&game_id)?, participant).await?;
        let pick = Some(shape::fallen(&sheet, &fallen)?);
        Ok(Response::new(DrawTileResponse { round: fallen.round, pick }))
    }

    async fn record_tile(&self, request: Request<RecordTileRequest>) -> Answer<RecordTileResponse> {
        let asked = request.into_inner();
        let recorded_by = AccountId::parse("recordedBy", &asked.recorded_by)?;
        let (id, game) = (request_id(&asked.request_id)?, game(&asked.game_id)?);
        let record = self.seeding.record(id, game, asked.participant, &asked.letter, recorded_by);
        let (sheet, fallen) = record.await?;
        let pick = Some(shape::fallen(&sheet, &fallen)?);
        Ok(Response::new(RecordTileResponse { round: fallen.round, pick }))
    }

    async fn cancel_draw(&self, request: Request<CancelDrawRequest>) -> Answer<CancelDrawResponse> {
        let CancelDrawRequest { request_id: id, game_id } = request.into_inner();
        self.seeding.cancel(request_id(&id)?, game(&game_id)?).await?;
        Ok(Response::new(CancelDrawResponse {}))
    }

    async fn get_draw(&self, request: Request<GetDrawRequest>) -> Answer<GetDrawResponse> {
        Ok(Response::new(self.draw(game(&request.into_inner().game_id)?).await?))
    }

    type WatchDrawStream = BoxStream<'static, std::result::Result<WatchDrawResponse, Status>>;

    async fn watch_draw(&self, request: Request<WatchDrawRequest>) -> Answer<Self::WatchDrawStream> {
        let game = game(&request.into_inner().game_id)?;
        let news = match self.seeding.watch(game).await {
            Ok(news) => news.map(|news| news.and_then(|news| shape::news(&news))).boxed(),
            // A draw of the lobby is over before anyone can watch.
            Err(Problem { code: Code::NotFound, .. }) => {
                let GetDrawResponse { draw, .. } = self.draw(game).await?;
                let whole = draw.map(|draw| Ok(shape::whole(draw)));
                futures::stream::iter(whole).boxed()
            }
            Err(problem) => return Err(problem.into()),
        };
        Ok(Response::new(news.map_err(Status::from).boxed()))
    }

    async fn get_ledger(&self, request: Request<GetLedgerRequest>) -> Answer<GetLedgerResponse> {
        let GetLedgerRequest { account_ids, game, variant } = request.into_inner();
        let lines = self.seeding.ledger(&accounts(&account_ids)?, &game, &variant).await?;
        Ok(Response::new(GetLedgerResponse { lines: lines.into_iter().map(shape::line).collect() }))
    }

    async fn create_robot(&self, request: Request<CreateRobotRequest>) -> Answer<CreateRobotResponse> {
        let CreateRobotRequest { name, level, request_id: id } = request.into_inner();
        let robot = self.seeding.create_robot(request_id(&id)?, &name, level).await?;
        Ok(Response::new(CreateRobotResponse { account_id: robot.id.to_string(), name: robot.name }))
    }
}

impl SeedingEdge {
    async fn draw(&self, id: TableId) -> Result<GetDrawResponse> {
        match self.lobby.draw(id).await {
            Ok((game, _)) if game.origin == Origin::Tournament => {
                let draw = Some(shape::sheet(&self.seeding.sheet(id).await?)?);
                Ok(GetDrawResponse { draw, full: true })
            }
            Ok((game, picks)) => {
                let full = game.status == GameStatus::Full;
                Ok(GetDrawResponse { draw: shape::lobby(&game, picks), full })
            }
            Err(Problem { code: Code::NotFound, .. }) => {
                let sheet = self.seeding.sheet(id).await?;
                let full = sheet.winner()?.is_some();
                Ok(GetDrawResponse { draw: Some(shape::sheet(&sheet)?), full })
            }
            Err(problem) => Err(problem),
        }
    }
}

fn request_id(text: &str) -> Result<RequestId> {
    RequestId::parse("requestId", text)
}

fn game(text: &str) -> Result<TableId> {
    TableId::parse("gameId", text)
}

fn accounts(ids: &[String]) -> Result<Vec<AccountId>> {
    ids.iter().map(|id| AccountId::parse("accountIds", id)).collect()
}
