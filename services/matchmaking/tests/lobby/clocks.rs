//! Clocks are part of what people look for: nobody is put at a table with another clock.

use astragal_proto::engine::v1::ClockSettings;
use astragal_proto::matchmaking::v1::{FindGameRequest, GameRequest};
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::RequestId;
use astragal_runtime::time_control::TimeControl;

use crate::world::{Answer, KALAH, World, game_request};

const BLITZ: TimeControl = TimeControl::SuddenDeath { initial_ms: 300_000, increment_ms: 3_000 };
const DAYS: TimeControl = TimeControl::PerMove { per_move_ms: 86_400_000 };

async fn find(world: &World, account: &str, clock: Option<ClockSettings>) -> Answer<(String, bool)> {
    let wanted = game_request(account, &RequestId::new().to_string(), KALAH);
    let request = FindGameRequest { game: Some(GameRequest { clock, ..wanted }) };
    let found = world.lobby().find_game(request).await.map_err(Problem::from)?.into_inner();
    Ok((found.game_id, found.joined))
}

#[tokio::test]
async fn g3_only_who_wants_the_same_clock_joins() {
    let world = World::new().await;
    let (ada, bob, eve) = (world.guest("Ada").await, world.guest("Bob").await, world.guest("Eve").await);
    let (blitz, days) = (Some(BLITZ.to_wire()), Some(DAYS.to_wire()));
    let (game, _) = find(&world, &ada, blitz).await.expect("a game");
    let slower = TimeControl::SuddenDeath { initial_ms: 300_000, increment_ms: 2_000 };
    for other in [None, days, Some(slower.to_wire())] {
        assert!(!find(&world, &eve, other).await.expect("a game").1, "{other:?}");
    }
    assert_eq!(find(&world, &bob, blitz).await, Ok((game.clone(), true)));
    assert_eq!(world.engine.table(&game).opened.clock, blitz, "the engine opens it with that clock");
}

#[tokio::test]
async fn g3_an_open_game_is_listed_with_its_clock() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    for clock in [None, Some(BLITZ.to_wire()), Some(DAYS.to_wire())] {
        let (game, _) = find(&world, &ada, clock).await.expect("a game");
        let open = world.open_games(&ada).await;
        let listed = open.iter().find(|open| open.game_id == game).expect("it is listed");
        assert_eq!(listed.clock, clock);
    }
}

#[tokio::test]
async fn g3_a_clock_that_cannot_be_is_refused_by_its_field() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let too_much = TimeControl::PerMove { per_move_ms: 15 * 86_400_000 }.to_wire();
    for (clock, field) in [(ClockSettings::default(), "clock.initial"), (too_much, "clock.perMove")] {
        let refusal = find(&world, &ada, Some(clock)).await.expect_err("a refusal");
        assert_eq!(refusal.code, Code::InvalidArgument);
        assert!(refusal.message.contains(field), "{refusal}");
    }
    assert!(world.engine.calls().is_empty());
}
