//! Draws in which a ledger has decided who may lead, and only those who are equal draw.

use crate::script::{play, played};
use crate::{FixedSource, tile_set};
use astragal_rules::draw::Draw;
use astragal_rules::draw::error::DrawError;

#[test]
fn d12_only_those_who_are_equal_draw() {
    let mut draw = Draw::among(tile_set("english"), 4, [1, 3]).expect("a draw can begin");
    assert_eq!(draw.waiting(), [1, 3]);
    let outsider = draw.draw(0, &[7; 32]);
    assert_eq!(outsider, Err(DrawError::DroppedOut { participant: 0 }));
    play(&mut draw, &[(3, "B"), (1, "B")]);
    assert_eq!(draw.waiting(), [1, 3], "a tie among them is drawn again");
    play(&mut draw, &[(3, "C"), (1, "A")]);
    let decision = draw.decision().expect("a leader");
    assert_eq!((decision.winner, decision.seat_of(2), decision.seat_of(0)), (1, 1, 3));
    let again = Draw::among(tile_set("english"), 4, [1, 3]).expect("a draw can begin");
    let again = again.resume(decision.rounds.iter().flat_map(|round| &round.picks)).expect("the same picks");
    assert_eq!(again.decision().as_ref(), Some(&decision));
    assert!(decision.check().is_err(), "as a draw of all four it lacks two picks");
}

#[test]
fn d13_nobody_is_left_out_of_a_draw_of_all() {
    let script = [(0, "C"), (1, "A"), (2, "B")];
    let mut decision = played(tile_set("english"), 3, &script).decision().expect("a leader");
    decision.rounds[0].contenders.retain(|contender| *contender != 0);
    decision.rounds[0].picks.retain(|pick| pick.participant != 0);
    assert!(decision.check().is_err());
}

#[test]
fn d12_contenders_are_two_at_least_and_take_part() {
    let english = tile_set("english");
    let refused = |contenders: &[u8]| Draw::among(english, 3, contenders.iter().copied()).err();
    assert_eq!(refused(&[1]), Some(DrawError::Participants { participants: 1 }));
    assert_eq!(refused(&[]), Some(DrawError::Participants { participants: 0 }));
    assert_eq!(refused(&[2, 1]), Some(DrawError::Participants { participants: 2 }), "not in their order");
    assert_eq!(refused(&[1, 1]), Some(DrawError::Participants { participants: 2 }), "one of them twice");
    let unknown = DrawError::UnknownParticipant { participant: 3, participants: 3 };
    assert_eq!(refused(&[1, 3]), Some(unknown));
}

#[test]
fn d12_a_draw_among_all_is_a_draw_of_all() {
    let (mut source, mut again) = (FixedSource::new(3), FixedSource::new(3));
    for _ in 0..50 {
        let whole = source.draw(tile_set("russian"), 3);
        let mut draw = Draw::among(tile_set("russian"), 3, 0..3).expect("a draw can begin");
        while !draw.is_over() {
            for participant in draw.waiting() {
                draw.draw(participant, &again.entropy()).expect("the participant may draw");
            }
        }
        assert_eq!(draw.decision(), Some(whole));
    }
}
