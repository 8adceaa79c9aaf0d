//! `SeedingService`.

use astragal_proto::seeding::v1::seeding_service_server::SeedingService;
use astragal_proto::seeding::v1::{
    CancelDrawRequest, CancelDrawResponse, CreateRobotRequest, CreateRobotResponse, Draw, DrawTileRequest,
    DrawTileResponse, GetDrawRequest, GetDrawResponse, GetLedgerRequest, GetLedgerResponse, OpenDrawRequest,
    OpenDrawResponse, Participant, Pick, RecordTileRequest, RecordTileResponse, Round, WatchDrawRequest,
    WatchDrawResponse,
};
use astragal_runtime::error::Problem;
use astragal_runtime::id::TableId;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use crate::game::{Game, Seat, Status as GameStatus};
use crate::lobby::Lobby;
use crate::seating::DrawnPick;

type Answer<T> = std::result::Result<Response<T>, Status>;

/// Serves draws.
pub struct SeedingEdge(pub(crate) Lobby);

#[tonic::async_trait]
impl SeedingService for SeedingEdge {
    async fn get_draw(&self, request: Request<GetDrawRequest>) -> Answer<GetDrawResponse> {
        let game = TableId::parse("gameId", &request.into_inner().game_id)?;
        let (game, picks) = self.0.draw(game).await?;
        let full = game.status == GameStatus::Full;
        Ok(Response::new(GetDrawResponse { draw: draw(&game, picks), full }))
    }

    async fn open_draw(&self, _: Request<OpenDrawRequest>) -> Answer<OpenDrawResponse> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    async fn draw_tile(&self, _: Request<DrawTileRequest>) -> Answer<DrawTileResponse> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    async fn record_tile(&self, _: Request<RecordTileRequest>) -> Answer<RecordTileResponse> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    async fn cancel_draw(&self, _: Request<CancelDrawRequest>) -> Answer<CancelDrawResponse> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    async fn get_ledger(&self, _: Request<GetLedgerRequest>) -> Answer<GetLedgerResponse> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    async fn create_robot(&self, _: Request<CreateRobotRequest>) -> Answer<CreateRobotResponse> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    type WatchDrawStream = ReceiverStream<std::result::Result<WatchDrawResponse, Status>>;

    async fn watch_draw(&self, _: Request<WatchDrawRequest>) -> Answer<Self::WatchDrawStream> {
        Err(Problem::unavailable("this part is not built yet").into())
    }
}

/// The rounds of a draw, or nothing for a game that had none.
fn draw(game: &Game, picks: Vec<DrawnPick>) -> Option<Draw> {
    let tile_set = picks.first()?.tile_set.clone();
    let mut rounds: Vec<Round> = Vec::new();
    for drawn in picks {
        // Rounds are numbered from 1 without a gap, and their picks lie side by side.
        if rounds.len() < drawn.round as usize {
            rounds.push(Round::default());
        }
        if let Some(round) = rounds.last_mut() {
            round.picks.push(pick(game, drawn));
        }
    }
    let participant = |seat: &Seat| Participant {
        account_id: seat.taken.map(|(player, _)| player.account.to_string()).unwrap_or_default(),
        seat: Some(seat.seat.into()),
        firsts: None,
    };
    let mut seats = game.seats.clone();
    seats.sort_by_key(|seat| seat.participant);
    Some(Draw {
        rounds,
        winner: Some(participant_at(game, game.first_seat)),
        tile_set,
        state: "over".to_owned(),
        participants: seats.iter().map(participant).collect(),
        allotted: Vec::new(),
        reused_from: None,
        balanced: false,
    })
}

fn pick(game: &Game, drawn: DrawnPick) -> Pick {
    Pick {
        participant: participant_at(game, drawn.seat),
        seat: Some(drawn.seat.into()),
        letter: drawn.letter,
        blank: drawn.blank,
        rank: drawn.rank.into(),
        recorded: false,
        account_id: drawn.player.map(|player| player.account.to_string()).unwrap_or_default(),
        entropy_sha256: drawn.entropy_sha256,
        entropy: hex::encode(drawn.entropy),
        recorded_by: String::new(),
        drawn_at: Some(game.created_at.into()),
    }
}

fn participant_at(game: &Game, seat: u8) -> u32 {
    game.seats.iter().find(|other| other.seat == seat).map_or(0, |other| other.participant.into())
}
