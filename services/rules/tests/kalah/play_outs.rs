//! Random games to the end. After each move the state is written, read back, compared and played
//! on from; no seed is lost; and the log replays to the last state.

use crate::tables::{kalah, opening};
use astragal_rules::chance::Chance;
use astragal_rules::game::{AcceptAll, Viewer};
use astragal_rules::kalah::game::{Kalah, Move};
use astragal_rules::kalah::view::View;
use astragal_rules::log::TableLog;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use std::sync::Arc;

/// A game that has not ended after so many moves never will.
const MOVES_MAX: usize = 2_000;

fn seeds_of(view: &str) -> u32 {
    let View { pits, stores } = serde_json::from_str(view).expect("a view");
    pits.as_flattened().iter().chain(&stores).map(|seeds| u32::from(*seeds)).sum()
}

fn play_out(options: &str, seeds: u32, first_seat: Seat, chance: &mut Chance<'_>) -> usize {
    let opening = opening(options, first_seat);
    let mut table = kalah().setup(Arc::clone(&opening)).expect("a table");
    let mut moves = Vec::new();
    while table.outcome().is_none() {
        assert!(moves.len() < MOVES_MAX, "the game does not end: {}", table.state_json().unwrap());
        let seat = table.turn().acting.expect("a seat to move");
        let legal = table.legal_moves(seat).unwrap().expect("kalah lists its moves");
        let legal: Vec<Move> = serde_json::from_str(&legal).expect("moves");
        let action = serde_json::to_string(chance.pick(&legal).expect("a legal move")).unwrap();
        let step = table.step(Some(seat), &action, &AcceptAll).expect("a legal move");
        assert!(!step.logged.drew);
        moves.push(step.logged);
        let state = step.after.state_json().unwrap();
        table = kalah().restore(Arc::clone(&opening), &state).expect("a state that reads back");
        assert_eq!(table.state_json().unwrap(), state);
        assert_eq!(seeds_of(&table.view(Viewer::Spectator).unwrap()), 12 * seeds);
    }
    let count = moves.len();
    let log = TableLog::new(opening, moves).expect("a log");
    let replayed = Registry::new().with(Kalah).replay(&log).expect("the log replays");
    assert_eq!(replayed.state_json().unwrap(), table.state_json().unwrap());
    count
}

#[test]
fn l3_kalah_states_read_back_at_each_step_of_random_games() {
    let entropy = [3; 32];
    let mut chance = Chance::of_entropy(&entropy);
    let mut moves = 0;
    for seeds in 3..=6 {
        for capture in ["standard", "empty"] {
            let options = format!(r#"{{"capture":"{capture}","seeds":{seeds}}}"#);
            for game in 0..50 {
                moves += play_out(&options, seeds, Seat(game % 2), &mut chance);
            }
        }
    }
    assert!(moves > 10_000, "only {moves} moves in 400 games");
}
