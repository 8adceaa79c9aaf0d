//! How often a draw is asked for, and who may see it when.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use astragal_proto::seeding::v1::seeding_service_server::{SeedingService, SeedingServiceServer};
use astragal_runtime::channel::RoleChannel;
use tonic::{Request, Response, Status};

use super::*;
use crate::roles::Channels;

/// One game with a draw, which may be full.
#[derive(Clone, Default)]
struct OneGame(Arc<Notes>);

#[derive(Default)]
struct Notes {
    full: AtomicBool,
    has_no_draw: AtomicBool,
    asked: AtomicU32,
}

#[tonic::async_trait]
impl SeedingService for OneGame {
    async fn get_draw(
        &self,
        _: Request<GetDrawRequest>,
    ) -> std::result::Result<Response<GetDrawResponse>, Status> {
        self.0.asked.fetch_add(1, Ordering::Relaxed);
        let draw = seeding::Draw { winner: 1, tile_set: "english".into(), rounds: Vec::new() };
        let draw = Some(draw).filter(|_| !self.0.has_no_draw.load(Ordering::Relaxed));
        Ok(Response::new(GetDrawResponse { draw, full: self.0.full.load(Ordering::Relaxed) }))
    }
}

impl OneGame {
    fn draws(&self) -> Draws {
        let role = RoleChannel::local(SeedingServiceServer::new(self.clone()));
        let channels = Channels { engine: role.clone(), matchmaking: role };
        Draws::new(Roles::new(channels, Duration::from_secs(1)))
    }

    fn asked(&self) -> u32 {
        self.0.asked.load(Ordering::Relaxed)
    }
}

#[tokio::test]
async fn those_who_sit_there_cost_one_question_in_all() {
    let (game, table) = (OneGame::default(), TableId::new());
    let draws = game.draws();
    let opener = draws.shown(table, true).await;
    game.0.full.store(true, Ordering::Relaxed);
    assert_eq!(opener.as_ref().map(|draw| draw.winner), Some(1));
    assert_eq!(draws.shown(table, true).await, opener);
    assert_eq!(game.asked(), 1);
}

#[tokio::test]
async fn a_stranger_sees_a_draw_once_every_seat_is_taken() {
    let (game, table) = (OneGame::default(), TableId::new());
    let draws = game.draws();
    let seen = draws.shown(table, true).await;
    assert!(seen.is_some());
    assert_eq!(draws.shown(table, false).await, None);
    assert!(!draws.get(table).await.expect("an answer").full);
    assert_eq!(game.asked(), 3, "it might have become full");

    game.0.full.store(true, Ordering::Relaxed);
    assert_eq!(draws.shown(table, false).await, seen);
    assert!(draws.get(table).await.expect("an answer").full);
    assert_eq!(game.asked(), 4, "it stays full");

    game.0.full.store(false, Ordering::Relaxed);
    draws.ask(table).await.expect("an answer that is late");
    assert_eq!(draws.shown(table, false).await, seen);
}

#[tokio::test]
async fn a_game_without_a_draw_is_asked_again_while_it_waits() {
    let (game, table) = (OneGame::default(), TableId::new());
    game.0.has_no_draw.store(true, Ordering::Relaxed);
    let draws = game.draws();
    assert_eq!(draws.shown(table, true).await, None);
    game.0.has_no_draw.store(false, Ordering::Relaxed);
    assert!(draws.shown(table, true).await.is_some());
}
