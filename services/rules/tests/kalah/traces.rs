//! Games of an independent engine, replayed board by board.

use crate::ring::{pit_at, ring};
use crate::{beginning, data};
use astragal_rules::kalah::board::Capture;
use astragal_rules::kalah::pit::Side;
use serde::Deserialize;

#[derive(Deserialize)]
struct Trace {
    actions: Vec<u8>,
    players: Vec<u8>,
    boards: Vec<[u8; 14]>,
    final_stores_after_sweep: [u8; 2],
}

fn replay(trace: &Trace, game: usize) {
    assert_eq!(trace.boards.len(), trace.actions.len() + 1, "game {game} lacks boards");
    let mut board = beginning(4);
    let mut to_move = Side::South;
    assert_eq!(ring(&board), trace.boards[0]);
    for (step, action) in trace.actions.iter().enumerate() {
        let (side, pit) = pit_at(*action);
        assert!(!board.is_over(), "game {game} goes on at step {step}");
        assert_eq!((side, side.seat().0), (to_move, trace.players[step]), "game {game}, step {step}");
        let sown = board.sow(side, pit, Capture::Standard).expect("the pit holds seeds");
        assert_eq!(ring(&board), trace.boards[step + 1], "game {game}, step {step}");
        to_move = if sown.again { side } else { side.opposite() };
    }
    assert!(board.sweep().is_some(), "game {game} is over");
    assert_eq!(board.stores(), trace.final_stores_after_sweep, "game {game}");
}

#[test]
fn kalah_traces_of_an_independent_engine() {
    let text = data::text("kalah/spiel_traces_dev.jsonl");
    let traces: Vec<Trace> = text.lines().map(|line| serde_json::from_str(line).expect("a trace")).collect();
    assert_eq!(traces.len(), 300);
    for (game, trace) in traces.iter().enumerate() {
        replay(trace, game);
    }
}
