//! Replay as it is called, with a real engine behind it.

#![expect(clippy::expect_used, reason = "a test that can't go on has failed")]

use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::play_request::Action;
use astragal_proto::engine::v1::{Occupant, OpenTableRequest, PlayRequest, ResignAction};
use astragal_proto::replay::v1::replay_service_client::ReplayServiceClient;
use astragal_proto::replay::v1::{
    CertificateRequest, FinishedLogRequest, GcgRequest, StepRequest, TimelineRequest, VerifyRequest,
    VerifyResponse,
};
use astragal_replay::Replay;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::SystemClock;
use astragal_runtime::database::Location;
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use astragal_runtime::telemetry::Telemetry;
use serde_json::{Value, json};
use std::sync::Arc;
use tonic::{Response, Status};

struct House {
    _engine: Engine,
    tables: EngineServiceClient<RoleChannel>,
    replay: ReplayServiceClient<RoleChannel>,
    account: AccountId,
}

impl House {
    async fn open() -> Self {
        let store = Arc::new(SqliteTables::open(&Location::Memory).await.expect("a database"));
        let games = || Registry::new().with(Kalah);
        let (clock, entropy) = (Arc::new(SystemClock), Arc::new(OsEntropy));
        let (settings, telemetry) = (Settings::default(), Telemetry::default());
        let engine = Engine::open(settings, store, games(), Bus::new(), clock, entropy, telemetry);
        let channel = RoleChannel::local(engine.server());
        let replay = RoleChannel::local(Replay::new(channel.clone(), games()).server());
        let (tables, replay) = (EngineServiceClient::new(channel), ReplayServiceClient::new(replay));
        Self { _engine: engine, tables, replay, account: AccountId::new() }
    }

    /// A game of kalah that goes on.
    async fn game(&self) -> String {
        let table_id = TableId::new().to_string();
        let occupant = |seat: u32| Occupant {
            seat,
            account_id: if seat == 0 { self.account } else { AccountId::new() }.to_string(),
            robot_level: 0,
        };
        let asked = OpenTableRequest {
            table_id: table_id.clone(),
            game: "kalah".to_owned(),
            seats: 2,
            occupants: (0..2).map(occupant).collect(),
            ..OpenTableRequest::default()
        };
        self.tables.clone().open_table(asked).await.expect("a table");
        table_id
    }

    async fn end(&self, table_id: &str) {
        let asked = PlayRequest {
            table_id: table_id.to_owned(),
            account_id: self.account.to_string(),
            request_id: RequestId::new().to_string(),
            action: Some(Action::Resign(ResignAction {})),
            ..PlayRequest::default()
        };
        self.tables.clone().play(asked).await.expect("the end");
    }

    async fn log(&self, table_id: &str) -> Value {
        let asked = FinishedLogRequest { table_id: table_id.to_owned() };
        let mut pieces = self.replay.clone().finished_log(asked).await.expect("a log").into_inner();
        let mut text = Vec::new();
        while let Some(piece) = pieces.message().await.expect("a piece") {
            text.extend_from_slice(&piece.text);
        }
        serde_json::from_slice(&text).expect("JSON")
    }

    async fn verify(
        &self,
        text: impl Into<bytes::Bytes>,
        commitment: &str,
    ) -> Result<VerifyResponse, Status> {
        let asked = VerifyRequest { text: text.into(), commitment: commitment.to_owned() };
        self.replay.clone().verify(asked).await.map(Response::into_inner)
    }

    /// What each call answers of a table, for anyone.
    async fn codes(&self, table_id: &str) -> [Option<Code>; 5] {
        let (mut replay, table_id) = (self.replay.clone(), table_id.to_owned());
        let asked = TimelineRequest { table_id: table_id.clone(), ..TimelineRequest::default() };
        [
            code(replay.timeline(asked).await),
            code(replay.step(step(&table_id, 0, "")).await),
            code(replay.finished_log(FinishedLogRequest { table_id: table_id.clone() }).await),
            code(replay.certificate(CertificateRequest { table_id: table_id.clone(), draw: None }).await),
            code(replay.gcg(GcgRequest { table_id, names: Vec::new() }).await),
        ]
    }
}

fn step(table_id: &str, number: u32, looker: &str) -> StepRequest {
    StepRequest { table_id: table_id.to_owned(), number, looker: looker.to_owned() }
}

fn code<T>(answer: Result<Response<T>, Status>) -> Option<Code> {
    answer.err().map(|status| Problem::from(status).code)
}

/// P1, P3, L13: an unknown game, one that goes on, and one that is over, for anyone and for an administrator.
#[tokio::test]
async fn p1_p3_l13_who_is_shown_what() {
    let house = House::open().await;
    assert_eq!(house.codes(&TableId::new().to_string()).await, [Some(Code::NotFound); 5]);
    assert_eq!(house.codes("nonsense").await, [Some(Code::InvalidArgument); 5]);
    let game = house.game().await;
    assert_eq!(house.codes(&game).await, [Some(Code::GameInProgress); 5]);
    let seen = house.replay.clone().step(step(&game, 0, "ada")).await.expect("a step").into_inner();
    assert!(seen.head.is_some_and(|head| !head.over) && seen.step.is_some_and(|deal| deal.number == 0));
    house.end(&game).await;
    assert_eq!(house.codes(&game).await, [None, None, None, None, Some(Code::FailedPrecondition)]);
}

/// P1: a step that there is not, of a game that goes on and of one that is over.
#[tokio::test]
async fn p1_a_step_out_of_range_is_refused() {
    let house = House::open().await;
    let game = house.game().await;
    for is_over in [false, true] {
        for number in [2, 100_000, u32::MAX] {
            let refused = house.replay.clone().step(step(&game, number, "ada")).await;
            assert_eq!(code(refused), Some(Code::InvalidArgument), "step {number}, over: {is_over}");
        }
        if !is_over {
            house.end(&game).await;
        }
    }
    let last = house.replay.clone().step(step(&game, 1, "")).await.expect("a step").into_inner();
    assert!(last.head.is_some_and(|head| head.over && head.moves == 1));
}

/// P4, L8: a log of another game, version or seed does not hold, and the verdict names the place.
#[tokio::test]
async fn p4_l8_a_verdict_names_the_place() {
    let house = House::open().await;
    let [game, other] = [house.game().await, house.game().await];
    house.end(&game).await;
    house.end(&other).await;
    let log = house.log(&game).await;
    assert!(house.verify(log.to_string(), "").await.expect("a verdict").holds);
    let other_seed = house.log(&other).await["seed"].clone();
    let altered = [
        ("game", json!("chess"), "game"),
        ("version", json!(2), "version"),
        ("format", json!(9), "format"),
        ("seed", json!("00"), "seed"),
        ("moves", json!([]), "moves"),
        ("more", json!(1), "more"),
    ];
    for (field, value, place) in altered {
        let mut lie = log.clone();
        lie[field] = value;
        let verdict = house.verify(lie.to_string(), "").await.expect("a verdict");
        assert!(!verdict.holds && verdict.place.contains(place), "{field}: {verdict:?}");
    }
    let commitment = astragal_rules::finished_log::FinishedLog::from_json(&log.to_string()).expect("a log");
    let commitment = commitment.log().commitment().to_string();
    let mut lie = log.clone();
    lie["seed"] = other_seed;
    let verdict = house.verify(lie.to_string(), &commitment).await.expect("a verdict");
    assert_eq!((verdict.holds, &*verdict.place), (false, "seed"));
    for junk in ["", "null", "[]", "{\"certificate\":1}"] {
        assert!(!house.verify(junk, "").await.expect("a verdict").holds, "{junk}");
    }
    let refused = house.verify(vec![0xff], "").await.expect_err("no text");
    assert_eq!(Problem::from(refused).code, Code::InvalidArgument);
}
