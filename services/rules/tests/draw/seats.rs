//! The winner sits at seat 0 and the circle keeps its order.

use crate::script::play;
use crate::tile_set;
use astragal_rules::draw::Draw;
use astragal_rules::draw::seats::{rotate, seat_of};

#[test]
fn d3_the_circle_turns_until_the_winner_is_in_front() {
    let names = ["Ann", "Bob", "Cem", "Даша"];
    for (participants, winner, seated) in [
        (2, 0, vec!["Ann", "Bob"]),
        (2, 1, vec!["Bob", "Ann"]),
        (3, 0, vec!["Ann", "Bob", "Cem"]),
        (3, 1, vec!["Bob", "Cem", "Ann"]),
        (3, 2, vec!["Cem", "Ann", "Bob"]),
        (4, 0, vec!["Ann", "Bob", "Cem", "Даша"]),
        (4, 1, vec!["Bob", "Cem", "Даша", "Ann"]),
        (4, 2, vec!["Cem", "Даша", "Ann", "Bob"]),
        (4, 3, vec!["Даша", "Ann", "Bob", "Cem"]),
    ] {
        let circle = names[..participants].to_vec();
        assert_eq!(rotate(circle.clone(), winner), seated);
        for (participant, name) in (0..).zip(circle) {
            let seat = seat_of(participant, winner, participants as u8);
            assert_eq!(seated[usize::from(seat)], name, "{name} of {participants}, {winner} won");
        }
    }
}

#[test]
fn d3_whoever_wins_the_draw_sits_at_seat_0() {
    for participants in 2..=4 {
        for winner in 0..participants {
            let mut draw = Draw::new(tile_set("erudit"), participants).unwrap();
            for participant in 0..participants {
                play(&mut draw, &[(participant, if participant == winner { "А" } else { "Я" })]);
            }
            let decision = draw.decision().expect("a leader");
            assert_eq!((decision.winner, decision.seat_of(winner)), (winner, 0));
            let seats = rotate((0..participants).collect(), winner);
            let expected: Vec<u8> = (0..participants).collect();
            assert_eq!(seats.into_iter().map(|who| decision.seat_of(who)).collect::<Vec<_>>(), expected);
        }
    }
}

#[test]
fn d3_an_empty_circle_and_odd_numbers_do_no_harm() {
    assert!(rotate(Vec::<u8>::new(), 3).is_empty());
    assert_eq!(seat_of(0, 0, 0), 0);
    for (participant, winner) in [(255, 0), (0, 255), (255, 255)] {
        assert!(seat_of(participant, winner, 4) < 4);
    }
}
