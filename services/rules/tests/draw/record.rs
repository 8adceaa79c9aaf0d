//! The record of a draw: the same source gives the same one, and anyone can recompute it.

use crate::script::{entropy_for, played};
use crate::{FixedSource, tile_set};
use astragal_rules::chance::Chance;
use astragal_rules::draw::Draw;
use astragal_rules::draw::decision::Decision;
use astragal_rules::draw::error::{DrawError, RecordError};
use astragal_rules::draw::round::{Pick, entropy_sha256};
use astragal_rules::tile_set::TileSet;

/// A draw of three that took two rounds.
fn tied() -> Decision {
    let script = [(0, "A"), (1, "B"), (2, "A"), (0, "C"), (2, "D")];
    played(tile_set("english"), 3, &script).decision().expect("a leader")
}

#[test]
fn d4_the_same_source_gives_the_same_record() {
    for set in TileSet::all() {
        for participants in 2..=4 {
            let mut first = FixedSource::new(participants.into());
            let mut second = FixedSource::new(participants.into());
            for _ in 0..50 {
                assert_eq!(first.draw(set, participants), second.draw(set, participants));
            }
        }
    }
}

#[test]
fn d4_the_automatic_draw_is_a_loop_over_the_step() {
    let mut source = FixedSource::new(11);
    for _ in 0..100 {
        let whole = source.draw(tile_set("russian"), 4);
        let mut draw = Draw::new(whole.tile_set, 4).unwrap();
        for pick in whole.rounds.iter().flat_map(|round| &round.picks) {
            assert_eq!(draw.draw(pick.participant, &pick.entropy).as_ref(), Ok(pick));
        }
        assert_eq!(draw.decision(), Some(whole));
    }
}

/// What `draw/mod.rs` says of a pick, done by hand.
#[test]
fn d13_anyone_can_recompute_a_tile() {
    let decision = tied();
    for round in &decision.rounds {
        let mut left: Vec<_> = decision.tile_set.tiles().collect();
        for pick in &round.picks {
            let mut bag = left.clone();
            Chance::of_entropy(&pick.entropy).shuffle(&mut bag);
            let tile = bag.pop().unwrap();
            assert_eq!(decision.tile_set.text(tile), pick.letter);
            assert_eq!((tile.rank(), tile.is_blank()), (pick.rank, pick.blank));
            left.remove(left.iter().position(|&other| other == tile).unwrap());
        }
    }
}

#[test]
fn d13_the_digest_of_the_entropy_is_shown_before_the_pick() {
    let draw = Draw::new(tile_set("english"), 2).unwrap();
    let entropy = entropy_for(&draw, 0, "Q");
    let shown = entropy_sha256(&entropy);
    assert_eq!(draw.clone().draw(0, &entropy).unwrap().entropy_sha256(), shown);
    let of_zeros = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
    assert_eq!(entropy_sha256(&[0; 32]), of_zeros);
}

#[test]
fn d13_a_true_record_checks() {
    assert_eq!(tied().check(), Ok(()));
    let mut source = FixedSource::new(5);
    for set in TileSet::all() {
        for participants in 2..=4 {
            assert_eq!(source.draw(set, participants).check(), Ok(()));
        }
    }
}

#[test]
fn d13_a_record_that_was_changed_is_refused() {
    type Change = fn(&mut Decision);
    let refused = |change: Change| {
        let mut decision = tied();
        change(&mut decision);
        decision.check().expect_err("not what was drawn")
    };
    let another = |round, pick| RecordError::AnotherTile { round, pick };
    assert_eq!(refused(|it| it.rounds[0].picks[1].letter = "C".to_owned()), another(1, 2));
    assert_eq!(refused(|it| it.rounds[0].picks[2].rank = 1), another(1, 3));
    assert_eq!(refused(|it| it.rounds[1].picks[0].blank = true), another(2, 1));
    assert_eq!(refused(|it| it.rounds[1].picks[1].entropy[31] ^= 1), another(2, 2));
    assert_eq!(refused(|it| it.rounds[0].picks.swap(0, 1)), another(1, 1));
    assert_eq!(refused(|it| it.tile_set = tile_set("erudit")), another(1, 1));

    let refusal = |round, pick, reason| RecordError::Refused { round, pick, reason };
    let dropped_out = DrawError::DroppedOut { participant: 1 };
    assert_eq!(refused(|it| it.rounds[1].picks[0].participant = 1), refusal(2, 1, dropped_out));
    let over = DrawError::Over { winner: 0 };
    assert_eq!(refused(|it| it.rounds.push(it.rounds[1].clone())), refusal(2, 3, over));
    let impossible = DrawError::Participants { participants: 1 };
    assert_eq!(refused(|it| it.participants = 1), RecordError::Impossible(impossible));

    assert_eq!(refused(|it| it.winner = 2), RecordError::Unlike);
    assert_eq!(refused(|it| it.rounds[1].contenders.push(1)), RecordError::Unlike);
    assert_eq!(refused(|it| _ = it.rounds.pop()), RecordError::Unlike);
    assert_eq!(refused(|it| it.rounds.insert(1, it.rounds[0].clone())), refusal(2, 2, dropped_out));
}

#[test]
fn d9_a_recorded_draw_goes_on_where_it_stopped() {
    let whole = tied();
    let picks: Vec<&Pick> = whole.rounds.iter().flat_map(|round| &round.picks).collect();
    for stop in 0..=picks.len() {
        let (before, after) = picks.split_at(stop);
        let mut draw = Draw::restore(whole.tile_set, 3, before.iter().copied()).unwrap();
        for pick in after {
            draw.draw(pick.participant, &pick.entropy).unwrap();
        }
        assert_eq!(draw.decision().as_ref(), Some(&whole));
    }
}
