//! Snapshots of long tables: what a cache must do, and tables that are loaded with and without one.

use crate::house::{Database, a_move, answer, games, occupant, tally, two, undo};
use astragal_engine::snapshots::SnapshotCache;
use astragal_engine::snapshots::memory::MemorySnapshots;
use astragal_engine::snapshots::redis::RedisSnapshots;
use astragal_engine::store::TableStore;
use astragal_engine::store::sqlite::SqliteTables;
use astragal_engine::{Engine, Settings};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::play_request::Action;
use astragal_proto::engine::v1::{GetTableRequest, StreamStepsRequest, TableView};
use astragal_rules::seed::Seed;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::SystemClock;
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use astragal_runtime::redis_link::RedisSettings;
use astragal_runtime::telemetry::Telemetry;
use astragal_support::redis::Redis;
use async_trait::async_trait;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio_stream::StreamExt;

/// Revisions between two snapshots.
const EVERY: u32 = 200;

static REDIS: LazyLock<Redis> = LazyLock::new(Redis::start);

fn in_redis(prefix: String) -> RedisSnapshots {
    let settings = RedisSettings { prefix, ..RedisSettings::new(REDIS.url()) };
    RedisSnapshots::open(&settings).expect("settings")
}

/// What every cache must do.
async fn suite(cache: &dyn SnapshotCache) {
    let (one, other) = (TableId::new(), TableId::new());
    assert_eq!(cache.load(one).await.expect("an answer"), None);
    cache.keep(one, "first".to_owned()).await.expect("kept");
    assert_eq!(cache.load(one).await.expect("an answer").as_deref(), Some("first"));
    assert_eq!(cache.load(other).await.expect("an answer"), None);
    cache.keep(one, "second, \u{43a} \"".to_owned()).await.expect("kept");
    cache.keep(other, String::new()).await.expect("kept");
    assert_eq!(cache.load(one).await.expect("an answer").as_deref(), Some("second, \u{43a} \""));
    assert_eq!(cache.load(other).await.expect("an answer").as_deref(), Some(""));
}

#[tokio::test]
async fn l11_memory_keeps_snapshots() {
    suite(&MemorySnapshots::default()).await;
}

#[tokio::test]
async fn l11_redis_keeps_snapshots_for_one_installation() {
    let prefix = TableId::new().to_string();
    suite(&in_redis(prefix.clone())).await;
    let table = TableId::new();
    in_redis(prefix.clone()).keep(table, "shared".to_owned()).await.expect("kept");
    assert_eq!(in_redis(prefix).load(table).await.expect("an answer").as_deref(), Some("shared"));
    let elsewhere = in_redis(TableId::new().to_string());
    assert_eq!(elsewhere.load(table).await.expect("an answer"), None);
}

/// A Redis that is not there.
#[tokio::test]
async fn l11_a_redis_that_is_away_is_a_refusal() {
    let away = RedisSnapshots::open(&RedisSettings::new(Redis::absent().url())).expect("settings");
    assert!(away.load(TableId::new()).await.is_err());
    assert!(away.keep(TableId::new(), String::new()).await.is_err());
}

/// An engine that has seen nothing yet, and what it counts.
struct Fresh {
    engine: Engine,
    client: EngineServiceClient<RoleChannel>,
    telemetry: Telemetry,
    store: SqliteTables,
}

impl Fresh {
    async fn start(database: &Database, cache: Arc<dyn SnapshotCache>) -> Self {
        let store = SqliteTables::open(&database.location()).await.expect("a database");
        let (clock, entropy) = (Arc::new(SystemClock), Arc::new(OsEntropy));
        let telemetry = Telemetry::default();
        let (tables, watched) = (Arc::new(store.clone()), telemetry.clone());
        let engine = Engine::open(Settings::default(), tables, games(), Bus::new(), clock, entropy, watched);
        engine.share_snapshots(cache);
        let client = EngineServiceClient::new(RoleChannel::local(engine.server()));
        Self { engine, client, telemetry, store }
    }

    async fn play(&self, table: TableId, account: AccountId, action: Action) -> Result<u32> {
        let asked = crate::house::play_request(RequestId::new(), table, account, action);
        answer(self.client.clone().play(asked).await).map(|answer| answer.revision)
    }

    async fn view(&self, table: TableId, account: AccountId) -> TableView {
        let asked = GetTableRequest { table_id: table.to_string(), account_id: account.to_string() };
        let answered = answer(self.client.clone().get_table(asked).await).expect("an answer");
        answered.table.expect("a table")
    }

    /// How often a snapshot was used, refused, and not there.
    fn counts(&self) -> [u64; 3] {
        let page = self.telemetry.metrics.page().expect("metrics");
        ["used", "refused", "missing"].map(|outcome| {
            let label = format!("outcome=\"{outcome}\"");
            let line = page.lines().find(|line| line.contains("snapshots_total{") && line.contains(&label));
            line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or_default()
        })
    }

    async fn stop(self) {
        self.engine.stop().await;
        self.store.close().await;
    }
}

/// A long table between two, at which this many moves stand, all of them of one point.
async fn long_table(fresh: &Fresh, people: [AccountId; 2], moves: u32) -> TableId {
    let table = TableId::new();
    let mut asked = tally(table, 2, &[]);
    asked.occupants = (0..).zip(people).map(|(seat, account)| occupant(seat, account, 0)).collect();
    answer(fresh.client.clone().open_table(asked).await).expect("a table");
    for number in 0..moves {
        let who = people[number as usize % 2];
        fresh.play(table, who, a_move(number + 2, "{\"whisper\":1}")).await.expect("a move");
    }
    table
}

async fn kept(cache: &dyn SnapshotCache, table: TableId) -> String {
    let wait = async {
        loop {
            match cache.load(table).await.expect("an answer") {
                Some(text) => return text,
                None => tokio::task::yield_now().await,
            }
        }
    };
    tokio::time::timeout(Duration::from_mins(2), wait).await.expect("a snapshot in time")
}

/// L11: kept every 200 revisions; whoever loads the table anew goes on from there, and can take a move back.
#[tokio::test]
async fn l11_a_long_table_is_loaded_from_its_snapshot() {
    let (database, people) = (Database::new(), two());
    let cache: Arc<dyn SnapshotCache> = Arc::new(in_redis(TableId::new().to_string()));
    let one = Fresh::start(&database, Arc::clone(&cache)).await;
    let table = long_table(&one, people, EVERY - 3).await;
    assert_eq!(cache.load(table).await.expect("an answer"), None, "{EVERY} revisions are not reached");
    one.play(table, people[1], a_move(EVERY - 1, "{\"add\":1}")).await.expect("a move");
    let text = kept(&*cache, table).await;
    assert!(text.contains("\"revision\":200"), "{text}");
    let before = one.view(table, people[0]).await;
    one.stop().await;

    // The snapshot is of the newest revision; the move before it is read when it is taken back.
    let next = Fresh::start(&database, Arc::clone(&cache)).await;
    assert_eq!(next.view(table, people[0]).await.view, before.view);
    assert_eq!(next.counts(), [1, 0, 0]);
    let undone = next.play(table, people[1], undo(EVERY)).await.expect("an undo");
    assert_eq!(undone, EVERY + 1);
    for (revision, mover) in [(EVERY + 1, people[1]), (EVERY + 2, people[0])] {
        next.play(table, mover, a_move(revision, "{\"add\":2}")).await.expect("a move");
    }
    let after = next.view(table, people[0]).await;
    next.stop().await;

    // A move of the snapshot was taken back since.
    let last = Fresh::start(&database, Arc::clone(&cache)).await;
    let view = last.view(table, people[0]).await;
    assert_eq!((view.view, view.revision), (after.view, EVERY + 3));
    assert_eq!(last.counts(), [0, 1, 0]);
    last.stop().await;
}

/// L11, P1: what comes back is wrong, too late, or not there: the log is replayed, and nobody sees a difference.
#[tokio::test]
async fn l11_a_cache_that_lies_changes_nothing() {
    let (database, people) = (Database::new(), two());
    let honest: Arc<dyn SnapshotCache> = Arc::new(MemorySnapshots::default());
    let one = Fresh::start(&database, Arc::clone(&honest)).await;
    let (table, other) = (long_table(&one, people, 205).await, long_table(&one, people, 210).await);
    let (mine, theirs) = (kept(&*honest, table).await, kept(&*honest, other).await);
    let before = one.view(table, people[0]).await;
    let steps = whole_timeline(&one, table, 201).await;
    one.stop().await;
    let lies = [
        theirs,
        String::new(),
        mine.replace("\"version\":1", "\"version\":2"),
        mine.replace("\\\"number\\\":198", "\\\"number\\\":199"),
        mine.replace("\"revision\":200", "\"revision\":199"),
    ];
    for lie in lies {
        assert_ne!(lie, mine);
        let cache: Arc<dyn SnapshotCache> = Arc::new(MemorySnapshots::default());
        cache.keep(table, lie).await.expect("kept");
        let fresh = Fresh::start(&database, cache).await;
        assert_eq!(fresh.view(table, people[0]).await, TableView { ..before.clone() });
        assert_eq!(fresh.counts(), [0, 1, 0]);
        assert_eq!(whole_timeline(&fresh, table, 201).await, steps);
        fresh.stop().await;
    }
    let fresh = Fresh::start(&database, Arc::new(Silent)).await;
    assert_eq!(fresh.view(table, people[0]).await.view, before.view);
    assert_eq!(fresh.counts(), [0, 0, 1]);
    fresh.stop().await;
    let fresh = Fresh::start(&database, honest).await;
    assert_eq!(fresh.view(table, people[0]).await.view, before.view);
    assert_eq!((fresh.counts(), whole_timeline(&fresh, table, 201).await), ([1, 0, 0], steps));
    fresh.stop().await;
}

/// A cache that never answers.
struct Silent;

#[async_trait]
impl SnapshotCache for Silent {
    async fn load(&self, _: TableId) -> Result<Option<String>> {
        std::future::pending().await
    }

    async fn keep(&self, _: TableId, _: String) -> Result<()> {
        Err(Problem::unavailable("nothing is kept here"))
    }
}

/// The steps from one on, as an administrator sees them.
async fn whole_timeline(fresh: &Fresh, table: TableId, from: u32) -> Vec<String> {
    let asked = StreamStepsRequest { table_id: table.to_string(), from, to: None, looker: "ada".to_owned() };
    let mut parts = answer(fresh.client.clone().stream_steps(asked).await).expect("steps");
    let mut steps = Vec::new();
    while let Some(part) = parts.next().await {
        steps.extend(part.expect("a part").steps.iter().map(|step| format!("{step:?}")));
    }
    assert!(!steps.is_empty());
    steps
}

/// L11, L5: the seed is in no snapshot of a cache, in no form.
#[tokio::test]
async fn l11_l5_no_cache_holds_a_seed() {
    let (database, people) = (Database::new(), two());
    let cache: Arc<dyn SnapshotCache> = Arc::new(in_redis(TableId::new().to_string()));
    let one = Fresh::start(&database, Arc::clone(&cache)).await;
    let table = long_table(&one, people, 200).await;
    let text = kept(&*cache, table).await;
    let stored = one.store.load(table).await.expect("an answer").expect("a table");
    let seed = stored.seed.commitment();
    let written = (0..text.len()).filter_map(|start| Seed::from_hex(text.get(start..start + 64)?));
    let raw = text.as_bytes().windows(32).filter_map(|bytes| Some(Seed::new(bytes.try_into().ok()?)));
    assert!(!written.chain(raw).any(|found| found.commitment().matches(&seed)), "the seed is in a snapshot");
    one.stop().await;
}
