//! A journal played again comes out as the log of what stands, however much of it is taken back.

use crate::samples::open;
use crate::toys::played::{Played, Setting};
use astragal_rules::replay::Replay;
use astragal_rules::seat::Seat;
use std::sync::Arc;

fn counted(moves: usize) -> Played {
    let mut played = open(Setting { options: r#"{"target":100000}"#, ..Setting::of("counter") });
    for number in 0..moves {
        played.play((number % 2) as u8, &format!(r#"{{"add":{}}}"#, number % 3 + 1));
    }
    played
}

fn replayed(played: &Played) -> Replay {
    let mut replay = Replay::of(&played.registry, Arc::clone(played.now().opening())).unwrap();
    for logged in played.moves() {
        replay.step(logged.clone()).unwrap();
    }
    replay
}

#[test]
fn l12_moves_are_taken_back_to_the_start_and_made_anew() {
    let played = counted(600);
    let mut replay = replayed(&played);
    for standing in (0..600).rev() {
        replay.take_back(standing as u32 + 1, None).unwrap();
        assert_eq!(replay.moves(), &played.moves()[..standing]);
        assert_eq!(replay.state().state_hash(), played.after(standing).state_hash(), "{standing} moves");
    }
    let other = counted(1).moves()[0].clone();
    replay.step(other).unwrap();
    assert_eq!(replay.state().state_hash(), played.after(1).state_hash());
}

#[test]
fn l12_between_moves_made_anew_the_states_are_those_of_the_log() {
    let played = counted(520);
    let mut replay = replayed(&played);
    for (back, anew) in [(20, 5), (300, 280), (9, 12), (200, 10)] {
        for _ in 0..back {
            replay.take_back(replay.moves().len() as u32, None).unwrap();
        }
        let standing = replay.moves().len();
        for logged in &played.moves()[standing..standing + anew] {
            replay.step(logged.clone()).unwrap();
        }
        assert_eq!(replay.state().state_hash(), played.after(standing + anew).state_hash());
    }
}

#[test]
fn l12_a_move_that_may_not_be_taken_back_stays() {
    let played = counted(3);
    let mut replay = replayed(&played);
    assert_eq!(replay.take_back(2, None).unwrap_err().place, "number");
    assert_eq!(replay.take_back(3, Some(Seat(1))).unwrap_err().place, "undo");
    assert_eq!(replay.moves(), played.moves());
    assert_eq!(replay.state().state_hash(), played.now().state_hash());
}
