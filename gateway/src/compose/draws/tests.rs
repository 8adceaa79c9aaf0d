//! How often a draw is asked for, and who may see it when.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use astragal_proto::seeding::v1::seeding_service_server::{SeedingService, SeedingServiceServer};
use astragal_proto::seeding::v1::*;
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
        let pick = seeding::Pick { entropy: "00ff".into(), entropy_sha256: "0f".into(), ..Pick::default() };
        let rounds = vec![seeding::Round { picks: vec![pick] }];
        let draw =
            seeding::Draw { winner: Some(1), tile_set: "english".into(), rounds, ..seeding::Draw::default() };
        let draw = Some(draw).filter(|_| !self.0.has_no_draw.load(Ordering::Relaxed));
        Ok(Response::new(GetDrawResponse { draw, full: self.0.full.load(Ordering::Relaxed) }))
    }

    async fn open_draw(&self, _: Request<OpenDrawRequest>) -> Reply<OpenDrawResponse> {
        not_asked()
    }

    async fn draw_tile(&self, _: Request<DrawTileRequest>) -> Reply<DrawTileResponse> {
        not_asked()
    }

    async fn record_tile(&self, _: Request<RecordTileRequest>) -> Reply<RecordTileResponse> {
        not_asked()
    }

    async fn cancel_draw(&self, _: Request<CancelDrawRequest>) -> Reply<CancelDrawResponse> {
        not_asked()
    }

    type WatchDrawStream = tokio_stream::Empty<std::result::Result<WatchDrawResponse, Status>>;

    async fn watch_draw(&self, _: Request<WatchDrawRequest>) -> Reply<Self::WatchDrawStream> {
        not_asked()
    }

    async fn get_ledger(&self, _: Request<GetLedgerRequest>) -> Reply<GetLedgerResponse> {
        not_asked()
    }

    async fn create_robot(&self, _: Request<CreateRobotRequest>) -> Reply<CreateRobotResponse> {
        not_asked()
    }
}

type Reply<T> = std::result::Result<Response<T>, Status>;

fn not_asked<T>() -> Reply<T> {
    Err(Status::unimplemented("not asked by a gateway"))
}

impl OneGame {
    fn draws(&self) -> Draws {
        let role = RoleChannel::local(SeedingServiceServer::new(self.clone()));
        let channels = Channels { engine: role.clone(), matchmaking: role, rematch: None, replay: None };
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

/// Who opens a game is told its draw at once, and whoever joins it later that it is full.
#[tokio::test]
async fn a_draw_that_came_with_its_game_is_not_asked_for() {
    let (game, table) = (OneGame::default(), TableId::new());
    let (here, elsewhere) = (game.draws(), game.draws());
    let draw = elsewhere.get(table).await.expect("an answer").draw;
    let said = game.get_draw(Request::new(GetDrawRequest::default())).await.expect("an answer").into_inner();
    here.note(table, said.clone()).await;
    let asked = game.asked();
    assert!(draw.is_some() && here.shown(table, true).await.is_some());
    here.note(table, GetDrawResponse { full: true, ..said }).await;
    assert!(here.shown(table, false).await.is_some());
    assert_eq!(here.get(table).await.expect("an answer").draw, draw);
    assert_eq!(game.asked(), asked);
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
async fn d13_who_asks_for_the_draw_alone_is_given_what_proves_it() {
    let (game, table) = (OneGame::default(), TableId::new());
    let draws = game.draws();
    game.0.full.store(true, Ordering::Relaxed);
    let whole = draws.get(table).await.expect("an answer").draw.expect("a draw");
    let pick = &whole.rounds[0].picks[0];
    assert_eq!((pick.entropy.as_deref(), pick.entropy_sha256.as_deref()), (Some("00ff"), Some("0f")));
    let on_a_table = draws.shown(table, false).await.expect("a draw");
    let pick = &on_a_table.rounds[0].picks[0];
    assert_eq!((&pick.entropy, &pick.entropy_sha256), (&None, &None), "frames are spared of it");
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
