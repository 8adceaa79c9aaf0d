//! Twenty thousand draws through the service, against the exact probabilities of the data: that what is published is
//! as fair as the draw alone. The store is in memory and the source of entropy is fixed.

#![expect(clippy::expect_used, reason = "a test that can't go on has failed")]
#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "the shared tests of numbers are written so"
)]

#[path = "../../../rules/tests/statistics/mod.rs"]
mod chi_squared;
#[path = "../../../rules/tests/data/mod.rs"]
mod data;

use std::sync::Arc;

use astragal_matchmaking::settings::Settings;
use astragal_matchmaking::store::MatchmakingStore;
use astragal_matchmaking::store::sqlite::SqliteStore;
use astragal_matchmaking::{Matchmaking, Wiring};
use astragal_proto::seeding::v1::seeding_service_client::SeedingServiceClient;
use astragal_proto::seeding::v1::{Draw, OpenDrawRequest};
use astragal_rules::registry::Registry;
use astragal_rules::tile_set::TileSet;
use astragal_runtime::auth::TokenKey;
use astragal_runtime::bus::Bus;
use astragal_runtime::channel::{Credentials, RoleChannel};
use astragal_runtime::clock::ManualClock;
use astragal_runtime::database::Location;
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::{RequestId, robot_account};
use astragal_runtime::telemetry::Telemetry;
use serde_json::Value;

use chi_squared::{SIGNIFICANCE, likelihood, uniform_likelihood};

/// Over four sets and three numbers of seats.
const DRAWS: usize = 20_000;

/// The service alone; the draw needs no engine.
async fn service() -> SeedingServiceClient<RoleChannel> {
    let store: Arc<dyn MatchmakingStore> =
        Arc::new(SqliteStore::open(&Location::Memory).await.expect("a store"));
    let nobody = ["http://127.0.0.1:9".to_owned()];
    let wiring = Wiring {
        store,
        registry: Arc::new(Registry::new()),
        engine: RoleChannel::remote(&nobody, Credentials::default()).expect("a channel"),
        bus: Bus::new(),
        presence: None,
        signer: TokenKey::generate(&ScriptedEntropy::expanded([7; 32]))
            .and_then(|key| key.signer())
            .expect("a key"),
        clock: Arc::new(ManualClock::default()),
        entropy: Arc::new(ScriptedEntropy::expanded([3; 32])),
        telemetry: Telemetry::default(),
    };
    let role = Matchmaking::open(Settings::default(), wiring).await.expect("the role");
    SeedingServiceClient::new(RoleChannel::local(role.seeding_service()))
}

async fn draws(
    service: &mut SeedingServiceClient<RoleChannel>,
    set: &TileSet,
    seats: u8,
    count: usize,
) -> Vec<Draw> {
    let account_ids: Vec<_> = (1..=seats).map(|level| robot_account(level).to_string()).collect();
    let mut draws = Vec::with_capacity(count);
    for _ in 0..count {
        let request = OpenDrawRequest {
            request_id: RequestId::new().to_string(),
            account_ids: account_ids.clone(),
            tile_set: set.name().into(),
            automatic: true,
            ..OpenDrawRequest::default()
        };
        let opened = service.open_draw(request).await.expect("a draw").into_inner();
        draws.push(opened.draw.expect("a draw"));
    }
    draws
}

/// The probabilities of the data for a set and a number of seats.
struct Exact {
    tied: f64,
    /// By the tile that leads the first round alone: blank, then the alphabet; last, a tie.
    tiles: Vec<f64>,
    /// By number of rounds: 1 to 8, and more.
    rounds: Vec<f64>,
}

impl Exact {
    fn of(all: &Value, set: &TileSet, seats: u8) -> Self {
        let of = &all[format!("{}_{}", set.name(), set.total())][seats.to_string()];
        let tied = of["P_tie_round1"]["float"].as_f64().expect("the chance of a tie");
        let tile = |tile| {
            let names = if set.letter(tile).is_none() { ["?", "*"] } else { [set.text(tile); 2] };
            names.iter().find_map(|name| of["win_in_round1_by_tile"][name].as_f64()).unwrap_or(0.0)
        };
        let tiles = set.faces().map(|(face, _)| tile(face)).chain([tied]).collect();
        let chance = |count: u8| of["P_rounds_eq"][count.to_string()]["float"].as_f64().unwrap_or(0.0);
        let mut rounds: Vec<f64> = (1..=8).map(chance).collect();
        rounds.push(1.0 - rounds.iter().sum::<f64>());
        Self { tied, tiles, rounds }
    }
}

#[tokio::test]
async fn d1_draws_through_the_service_have_their_exact_probabilities() {
    let all = data::json("draw/probabilities.json");
    let mut service = service().await;
    let (mut total, mut equal, mut expected, mut variance) = (0, 0_u32, 0.0, 0.0);
    for set in TileSet::all() {
        for seats in 2..=4_u8 {
            let count = DRAWS.div_ceil(12);
            let (exact, drawn) = (Exact::of(&all, set, seats), draws(&mut service, set, seats, count).await);
            total += drawn.len();
            let mut winners = vec![0; seats.into()];
            let mut tiles = vec![0; exact.tiles.len()];
            let mut rounds = vec![0; 9];
            for draw in &drawn {
                winners[draw.winner.expect("a leader") as usize] += 1;
                rounds[draw.rounds.len().min(9) - 1] += 1;
                let first = &draw.rounds[0].picks;
                let lowest = first.iter().map(|pick| pick.rank).min().expect("picks");
                let leaders = first.iter().filter(|pick| pick.rank == lowest).count();
                let place =
                    if leaders > 1 { tiles.len() - 1 } else { usize::try_from(lowest + 1).expect("a rank") };
                tiles[place] += 1;
                equal += u32::from(leaders > 1);
            }
            let all_of_them = drawn.len() as f64;
            expected += exact.tied * all_of_them;
            variance += exact.tied * (1.0 - exact.tied) * all_of_them;
            let scaled = |chances: &[f64]| chances.iter().map(|it| it * all_of_them).collect::<Vec<_>>();
            for (what, likelihood) in [
                ("winners", uniform_likelihood(&winners)),
                ("winning tiles", likelihood(&tiles, &scaled(&exact.tiles))),
                ("numbers of rounds", likelihood(&rounds, &scaled(&exact.rounds))),
            ] {
                let at = format!("{what} of {} for {seats}", set.name());
                assert!(likelihood >= SIGNIFICANCE, "{at} have a likelihood of {likelihood:e}");
            }
        }
    }
    let deviation = (f64::from(equal) - expected) / variance.sqrt();
    assert!(deviation.abs() <= 5.0, "ties of the first round are {deviation:.1} sigma off");
    assert!(total >= DRAWS);
}
