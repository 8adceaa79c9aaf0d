//! Replay with an engine behind it, both cold or warm, over a database of finished games.

use crate::endless::EndlessKalah;
use crate::games::{self, Played};
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings};
use astragal_proto::replay::v1::replay_service_client::ReplayServiceClient;
use astragal_proto::replay::v1::{
    CertificateRequest, FilePiece, FinishedLogRequest, StepRequest, TimelineRequest, VerifyRequest,
};
use astragal_replay::Replay;
use astragal_rules::crossword::dictionary::{Dictionaries, Dictionary};
use astragal_rules::crossword::game::Crossword;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::SystemClock;
use astragal_runtime::database::Location;
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::id::TableId;
use astragal_runtime::telemetry::Telemetry;
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::Runtime;

type Client = ReplayServiceClient<RoleChannel>;

/// The largest file: the certificate of the longest game.
const FILE_BYTES_MAX: usize = 128 << 20;

/// A database with an engine that keeps no table in memory.
pub(crate) struct House {
    pub(crate) runtime: Runtime,
    engine: Engine,
    store: SqliteTables,
}

/// Games as they are played.
pub(crate) fn games_with_words() -> Registry {
    let words = include_bytes!("../../../astragal/dictionaries/english.dict");
    let words = Dictionary::from_bytes(words).expect("a dictionary");
    with_kalah(Crossword::new(Dictionaries::default().with(words)))
}

/// Games as replay knows them.
fn games() -> Registry {
    with_kalah(Crossword::default())
}

fn with_kalah(crossword: Crossword) -> Registry {
    Registry::new().with(Kalah).with(crossword).with(EndlessKalah)
}

impl House {
    /// On two cores, as the targets say.
    pub(crate) fn open(file: &Path) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (engine, store) = runtime.block_on(async {
            let store = SqliteTables::open(&Location::File(file.to_owned())).await.expect("a database");
            let settings = Settings { tables_max: 0, ..Settings::default() };
            let (clock, entropy) = (Arc::new(SystemClock), Arc::new(OsEntropy));
            let tables = Arc::new(store.clone());
            let engine =
                Engine::open(settings, tables, games(), Bus::new(), clock, entropy, Telemetry::default());
            (engine, store)
        });
        Self { runtime, engine, store }
    }

    pub(crate) fn write(&self, played: &Played) {
        self.runtime.block_on(games::write(&self.store, played));
    }

    /// Replay as it starts: it has seen no game yet.
    pub(crate) fn replay(&self) -> Client {
        let engine = RoleChannel::local(self.engine.server());
        let server = RoleChannel::local(Replay::new(engine, games()).server());
        Client::new(server).max_encoding_message_size(FILE_BYTES_MAX)
    }

    /// Reads a whole timeline; gives the number of steps.
    pub(crate) fn timeline(&self, mut replay: Client, table: TableId) -> usize {
        self.runtime.block_on(async {
            let asked = TimelineRequest { table_id: table.to_string(), ..TimelineRequest::default() };
            let mut parts = replay.timeline(asked).await.expect("a timeline").into_inner();
            let mut steps = 0;
            while let Some(part) = parts.message().await.expect("a part") {
                steps += part.steps.len();
            }
            steps
        })
    }

    pub(crate) fn step(&self, mut replay: Client, table: TableId, number: u32) -> u32 {
        let asked = StepRequest { table_id: table.to_string(), number, looker: String::new() };
        let answer = self.runtime.block_on(replay.step(asked)).expect("a step").into_inner();
        answer.step.expect("a step").number
    }

    pub(crate) fn log(&self, table: TableId) -> bytes::Bytes {
        self.runtime.block_on(async {
            let asked = FinishedLogRequest { table_id: table.to_string() };
            whole(self.replay().finished_log(asked).await.expect("a log").into_inner()).await
        })
    }

    pub(crate) fn certificate(&self, table: TableId) -> bytes::Bytes {
        self.runtime.block_on(async {
            let asked = CertificateRequest { table_id: table.to_string(), draw: None };
            whole(self.replay().certificate(asked).await.expect("a certificate").into_inner()).await
        })
    }

    /// Checks so many files, several at once; gives how many hold.
    pub(crate) fn verify(&self, files: &[bytes::Bytes], count: usize) -> usize {
        const AT_ONCE: usize = 8;
        let replay = self.replay();
        let check = |first: usize| {
            let (mut replay, files) = (replay.clone(), files.to_vec());
            self.runtime.spawn(async move {
                let mut hold = 0;
                for place in (first..count).step_by(AT_ONCE) {
                    let text = files[place % files.len()].clone();
                    let asked = VerifyRequest { text, commitment: String::new() };
                    hold += usize::from(replay.verify(asked).await.expect("a verdict").into_inner().holds);
                }
                hold
            })
        };
        let checks: Vec<_> = (0..AT_ONCE).map(check).collect();
        self.runtime.block_on(async {
            let mut hold = 0;
            for check in checks {
                hold += check.await.expect("verdicts");
            }
            hold
        })
    }
}

async fn whole(mut pieces: tonic::Streaming<FilePiece>) -> bytes::Bytes {
    let mut text = Vec::new();
    while let Some(piece) = pieces.message().await.expect("a piece") {
        text.extend_from_slice(&piece.text);
    }
    text.into()
}
