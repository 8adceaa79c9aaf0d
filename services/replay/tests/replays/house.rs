//! An engine with replay in front of it, over a database in memory.

use crate::endless::EndlessKalah;
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::play_request::Action;
use astragal_proto::engine::v1::{Occupant, OpenTableRequest, PlayRequest, ResignAction};
use astragal_proto::replay::v1::replay_service_client::ReplayServiceClient;
use astragal_proto::replay::v1::{
    CertificateRequest, FilePiece, FinishedLogRequest, GcgRequest, StepRequest, TimelinePart,
    TimelineRequest, VerifyRequest, VerifyResponse,
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
use serde_json::Value;
use std::sync::Arc;
use tonic::{Response, Status, Streaming};

pub(crate) fn games() -> Registry {
    Registry::new().with(Kalah).with(EndlessKalah)
}

pub(crate) struct House {
    _engine: Engine,
    pub(crate) store: Arc<SqliteTables>,
    pub(crate) tables: EngineServiceClient<RoleChannel>,
    pub(crate) replay: ReplayServiceClient<RoleChannel>,
    account: AccountId,
}

impl House {
    pub(crate) async fn open() -> Self {
        let store = Arc::new(SqliteTables::open(&Location::Memory).await.expect("a database"));
        let (clock, entropy) = (Arc::new(SystemClock), Arc::new(OsEntropy));
        let (settings, telemetry) = (Settings::default(), Telemetry::default());
        let engine =
            Engine::open(settings, Arc::clone(&store) as _, games(), Bus::new(), clock, entropy, telemetry);
        let channel = RoleChannel::local(engine.server());
        let replay = RoleChannel::local(Replay::new(channel.clone(), games()).server());
        let (tables, replay) = (EngineServiceClient::new(channel), ReplayServiceClient::new(replay));
        Self { _engine: engine, store, tables, replay, account: AccountId::new() }
    }

    /// A game of kalah that goes on.
    pub(crate) async fn game(&self) -> String {
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

    pub(crate) async fn end(&self, table_id: &str) {
        let asked = PlayRequest {
            table_id: table_id.to_owned(),
            account_id: self.account.to_string(),
            request_id: RequestId::new().to_string(),
            action: Some(Action::Resign(ResignAction {})),
            ..PlayRequest::default()
        };
        self.tables.clone().play(asked).await.expect("the end");
    }

    pub(crate) async fn log(&self, table_id: &str) -> Value {
        let asked = FinishedLogRequest { table_id: table_id.to_owned() };
        let text = whole(self.replay.clone().finished_log(asked).await.expect("a log")).await;
        serde_json::from_str(&text).expect("JSON")
    }

    /// The certificate of a game without a draw.
    pub(crate) async fn certificate(&self, table_id: &str) -> String {
        let asked = CertificateRequest { table_id: table_id.to_owned(), draw: None };
        whole(self.replay.clone().certificate(asked).await.expect("a certificate")).await
    }

    pub(crate) async fn verify(
        &self,
        text: impl Into<bytes::Bytes>,
        commitment: &str,
    ) -> Result<VerifyResponse, Status> {
        let asked = VerifyRequest { text: text.into(), commitment: commitment.to_owned() };
        self.replay.clone().verify(asked).await.map(Response::into_inner)
    }

    /// The parts of a whole timeline, for anyone.
    pub(crate) async fn timeline(&self, table_id: &str) -> Streaming<TimelinePart> {
        let asked = TimelineRequest { table_id: table_id.to_owned(), ..TimelineRequest::default() };
        self.replay.clone().timeline(asked).await.expect("a timeline").into_inner()
    }

    /// What each call answers of a table, for anyone.
    pub(crate) async fn codes(&self, table_id: &str) -> [Option<Code>; 5] {
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

/// A file from its pieces.
async fn whole(pieces: Response<Streaming<FilePiece>>) -> String {
    let (mut pieces, mut text) = (pieces.into_inner(), Vec::new());
    while let Some(piece) = pieces.message().await.expect("a piece") {
        text.extend_from_slice(&piece.text);
    }
    String::from_utf8(text).expect("text")
}

pub(crate) fn step(table_id: &str, number: u32, looker: &str) -> StepRequest {
    StepRequest { table_id: table_id.to_owned(), number, looker: looker.to_owned() }
}

pub(crate) fn code<T>(answer: Result<Response<T>, Status>) -> Option<Code> {
    answer.err().map(|status| Problem::from(status).code)
}
