//! Tables of kalah as the engine holds them: through the registry, without types.

use astragal_rules::any::{AnyGame, AnyTable};
use astragal_rules::kalah::game::Kalah;
use astragal_rules::log::Opening;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use std::sync::Arc;
use uuid::Uuid;

/// The registered game.
pub(crate) fn kalah() -> Arc<dyn AnyGame> {
    let registry = Registry::new().with(Kalah);
    Arc::clone(registry.newest("kalah").expect("kalah is registered"))
}

/// An opening with options as they stand in a log.
pub(crate) fn opening(options: &str, first_seat: Seat) -> Arc<Opening> {
    Arc::new(Opening {
        table: Uuid::from_u128(1),
        game: "kalah".to_owned(),
        version: 1,
        seed: Seed::new([7; 32]),
        seats: 2,
        options: options.to_owned(),
        first_seat,
    })
}

/// A table before its first move.
pub(crate) fn table(options: &str, first_seat: Seat) -> Box<dyn AnyTable> {
    kalah().setup(opening(options, first_seat)).expect("a table")
}

/// A table of three seeds a pit, seat 0 to move, with the board in the place of its own.
pub(crate) fn table_with(board: &str, capture: &str) -> Box<dyn AnyTable> {
    let fresh = table(&format!(r#"{{"capture":"{capture}","seeds":3}}"#), Seat(0));
    let beginning = r#"{"pits":[[3,3,3,3,3,3],[3,3,3,3,3,3]],"stores":[0,0]}"#;
    let state = fresh.state_json().expect("a state");
    assert!(state.contains(beginning), "{state}");
    let state = state.replace(beginning, board);
    kalah().restore(Arc::clone(fresh.opening()), &state).expect("a state that reads back")
}
