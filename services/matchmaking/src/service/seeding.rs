//! `SeedingService`.

use astragal_proto::seeding::v1::seeding_service_server::SeedingService;
use astragal_proto::seeding::v1::{Draw, GetDrawRequest, GetDrawResponse, Pick, Round};
use astragal_runtime::id::TableId;
use tonic::{Request, Response, Status};

use crate::game::{Game, Status as GameStatus};
use crate::lobby::Lobby;
use crate::seating::DrawnPick;

/// Serves draws.
pub struct SeedingEdge(pub(crate) Lobby);

#[tonic::async_trait]
impl SeedingService for SeedingEdge {
    async fn get_draw(
        &self,
        request: Request<GetDrawRequest>,
    ) -> std::result::Result<Response<GetDrawResponse>, Status> {
        let game = TableId::parse("gameId", &request.into_inner().game_id)?;
        let (game, picks) = self.0.draw(game).await?;
        let full = game.status == GameStatus::Full;
        Ok(Response::new(GetDrawResponse { draw: draw(&game, picks), full }))
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
    Some(Draw { rounds, winner: participant_at(game, game.first_seat), tile_set })
}

fn pick(game: &Game, drawn: DrawnPick) -> Pick {
    Pick {
        participant: participant_at(game, drawn.seat),
        seat: drawn.seat.into(),
        letter: drawn.letter,
        blank: drawn.blank,
        rank: drawn.rank.into(),
        recorded: false,
        account_id: drawn.player.map(|player| player.account.to_string()).unwrap_or_default(),
        entropy_sha256: drawn.entropy_sha256,
        entropy: hex::encode(drawn.entropy),
    }
}

fn participant_at(game: &Game, seat: u8) -> u32 {
    game.seats.iter().find(|other| other.seat == seat).map_or(0, |other| other.participant.into())
}
