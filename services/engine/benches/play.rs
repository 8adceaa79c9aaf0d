//! Moves per second through one stream of the engine, in a closed loop: each table always has one
//! move under way, durable in a file when it is answered. Sockets are not part of it.

#![expect(clippy::expect_used, reason = "a benchmark that can't go on has failed")]

use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::play_request::Action;
use astragal_proto::engine::v1::play_stream_response::Result as Answer;
use astragal_proto::engine::v1::{MoveAction, Occupant, OpenTableRequest, PlayRequest, PlayStreamRequest};
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::SystemClock;
use astragal_runtime::database::Location;
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use astragal_runtime::telemetry::Telemetry;
use divan::counter::ItemsCount;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// The beginning of a game: the seat and its pit. Nobody moves twice in a row.
const LINE: [(usize, u8); 30] = [
    (0, 5),
    (1, 6),
    (0, 1),
    (1, 4),
    (0, 5),
    (1, 5),
    (0, 4),
    (1, 6),
    (0, 5),
    (1, 2),
    (0, 2),
    (1, 5),
    (0, 3),
    (1, 3),
    (0, 2),
    (1, 1),
    (0, 6),
    (1, 3),
    (0, 3),
    (1, 2),
    (0, 2),
    (1, 1),
    (0, 4),
    (1, 1),
    (0, 5),
    (1, 4),
    (0, 3),
    (1, 6),
    (0, 1),
    (1, 3),
];

struct House {
    runtime: Runtime,
    client: EngineServiceClient<RoleChannel>,
    accounts: [AccountId; 2],
    _engine: Engine,
    _directory: tempfile::TempDir,
}

fn main() {
    divan::main();
}

#[divan::bench(args = [1, 50, 200, 1_000], sample_count = 10, sample_size = 1)]
fn moves_on_a_stream(bencher: divan::Bencher<'_, '_>, tables: usize) {
    let house = House::new();
    bencher
        .counter(ItemsCount::new(tables * LINE.len()))
        .with_inputs(|| house.open(tables))
        .bench_local_values(|tables| house.play(&tables));
}

impl House {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
        let location = Location::File(directory.path().join("engine.sqlite"));
        let engine = runtime.block_on(async {
            let store = SqliteTables::open(&location).await.expect("a database");
            let games = Registry::new().with(Kalah);
            let (clock, entropy) = (Arc::new(SystemClock), Arc::new(OsEntropy));
            let telemetry = Telemetry::default();
            Engine::open(Settings::default(), Arc::new(store), games, Bus::new(), clock, entropy, telemetry)
        });
        let client = EngineServiceClient::new(RoleChannel::local(engine.server()));
        let accounts = [AccountId::new(), AccountId::new()];
        Self { runtime, client, accounts, _engine: engine, _directory: directory }
    }

    fn open(&self, count: usize) -> Vec<TableId> {
        let tables: Vec<_> = (0..count).map(|_| TableId::new()).collect();
        self.runtime.block_on(async {
            for table in &tables {
                let occupant = |(seat, account): (u32, &AccountId)| Occupant {
                    seat,
                    account_id: account.to_string(),
                    robot_level: 0,
                };
                let asked = OpenTableRequest {
                    table_id: table.to_string(),
                    game: "kalah".to_owned(),
                    seats: 2,
                    occupants: (0..).zip(&self.accounts).map(occupant).collect(),
                    ..OpenTableRequest::default()
                };
                self.client.clone().open_table(asked).await.expect("a table");
            }
        });
        tables
    }

    fn play(&self, tables: &[TableId]) {
        self.runtime.block_on(async {
            let (requests, received) = mpsc::channel(tables.len());
            for table in 0..tables.len() {
                requests.send(self.asked(tables, table, 0)).await.expect("a stream");
            }
            let answers = self.client.clone().play_stream(ReceiverStream::new(received)).await;
            let mut answers = answers.expect("a stream").into_inner();
            let mut played = vec![1; tables.len()];
            let mut under_way = tables.len();
            while under_way > 0 {
                let answer = answers.message().await.expect("an answer").expect("an answer");
                assert!(matches!(answer.result, Some(Answer::Response(_))), "{answer:?}");
                let table = answer.tag as usize;
                match played[table] {
                    all if all == LINE.len() => under_way -= 1,
                    next => requests.send(self.asked(tables, table, next)).await.expect("a stream"),
                }
                played[table] += 1;
            }
        });
    }

    fn asked(&self, tables: &[TableId], table: usize, turn: usize) -> PlayStreamRequest {
        let (seat, pit) = LINE[turn];
        let asked = MoveAction { revision: turn as u32 + 2, r#move: format!("{{\"pit\":{pit}}}").into() };
        let request = PlayRequest {
            table_id: tables[table].to_string(),
            account_id: self.accounts[seat].to_string(),
            request_id: RequestId::new().to_string(),
            action: Some(Action::Move(asked)),
            ..PlayRequest::default()
        };
        PlayStreamRequest { tag: table as u64, request: Some(request), trace: None }
    }
}
