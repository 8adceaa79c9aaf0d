//! A reference engine's playthrough: its boards, whose turn it is, and the legal moves.

use crate::ring::{pit_at, place_of, ring};
use crate::{beginning, data};
use astragal_rules::kalah::board::{Board, Capture};
use astragal_rules::kalah::pit::Side;

/// What the file says after a name, in the part about one state. Some states show no more than
/// the action that follows.
fn said<'t>(state: &'t str, name: &str) -> Option<&'t str> {
    state.lines().find_map(|line| line.strip_prefix(name))
}

fn check(state: &str, board: &Board, to_move: Side) {
    if let Some(numbers) = said(state, "ObservationTensor(0) = ") {
        let numbers: Vec<f32> = serde_json::from_str(numbers).expect("a list of numbers");
        let shown: Vec<f32> = ring(board).into_iter().map(f32::from).collect();
        assert_eq!(shown, numbers[..14]);
    }
    if let Some(terminal) = said(state, "IsTerminal() = ") {
        assert_eq!(board.is_over(), terminal == "True", "{state}");
    }
    if let Some(places) = said(state, "LegalActions() = ") {
        let legal: Vec<u8> = board.sowable(to_move).into_iter().map(|pit| place_of(to_move, pit)).collect();
        assert_eq!(legal, serde_json::from_str::<Vec<u8>>(places).expect("a list of places"), "{state}");
        assert_eq!(said(state, "CurrentPlayer() = "), Some(to_move.seat().to_string().as_str()));
    }
}

#[test]
fn kalah_playthrough_of_a_reference_engine() {
    let text = data::text("kalah/openspiel_mancala.txt");
    let mut board = beginning(4);
    let mut to_move = Side::South;
    let mut moves = 0;
    for state in text.split("# State ").skip(1) {
        check(state, &board, to_move);
        let Some(action) = said(state, "action: ") else { continue };
        let (side, pit) = pit_at(action.parse().expect("a place"));
        assert_eq!(side, to_move, "{state}");
        let sown = board.sow(side, pit, Capture::Standard).expect("the pit holds seeds");
        to_move = if sown.again { side } else { side.opposite() };
        moves += 1;
    }
    assert_eq!((moves, board.sweep()), (61, Some([5, 0])));
    assert_eq!(board.stores(), [24, 24]);
}
