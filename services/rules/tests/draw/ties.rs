//! Scripted draws: which tile leads, and who draws again.

use crate::script::{play, played};
use crate::tile_set;
use astragal_rules::draw::Draw;

/// Who draws in each round so far.
fn contenders(draw: &Draw) -> Vec<Vec<u8>> {
    draw.rounds().map(|round| round.contenders.clone()).collect()
}

#[test]
fn d2_the_lowest_rank_leads() {
    for (set, lower, higher) in [
        ("english", "", "A"),
        ("english", "A", "B"),
        ("english", "Y", "Z"),
        ("russian", "", "А"),
        ("russian", "А", "Б"),
        ("russian", "Е", "Ё"),
        ("russian", "Ё", "Ж"),
        ("russian", "Ё", "Я"),
        ("erudit", "Е", "Ж"),
        ("turkish", "C", "Ç"),
        ("turkish", "I", "İ"),
        ("turkish", "Ç", "Z"),
    ] {
        let set = tile_set(set);
        assert_eq!(
            played(set, 2, &[(0, lower), (1, higher)]).winner(),
            Some(0),
            "{lower:?} before {higher:?}"
        );
        assert_eq!(
            played(set, 2, &[(0, higher), (1, lower)]).winner(),
            Some(1),
            "{lower:?} before {higher:?}"
        );
        assert_eq!(played(set, 2, &[(1, lower), (0, higher)]).winner(), Some(1), "in any order of drawing");
    }
}

#[test]
fn d2_only_the_lowest_rank_counts() {
    let draw = played(tile_set("english"), 4, &[(0, "Z"), (1, "C"), (2, "B"), (3, "C")]);
    assert_eq!(draw.winner(), Some(2), "the tie of the two Cs is below the B");
    let draw = played(tile_set("english"), 4, &[(0, "E"), (1, "E"), (2, "E"), (3, "")]);
    assert_eq!(draw.winner(), Some(3), "three share the E, but a blank is lower");
}

#[test]
fn d2_two_who_tie_draw_again_and_again() {
    let mut draw = played(tile_set("english"), 2, &[(0, "E"), (1, "E")]);
    assert_eq!(draw.winner(), None);
    play(&mut draw, &[(1, "Q")]);
    assert_eq!(draw.winner(), None, "nobody leads before the other has drawn");
    play(&mut draw, &[(0, "I")]);
    assert_eq!(draw.winner(), Some(0), "I is before Q");
    assert_eq!(contenders(&draw), [vec![0, 1], vec![0, 1]]);
}

#[test]
fn d2_three_rounds_shrink_from_four_to_three_to_two() {
    let mut draw = played(tile_set("english"), 4, &[(3, "A"), (2, "A"), (1, "B"), (0, "A")]);
    assert_eq!(draw.waiting(), [0, 2, 3], "the B dropped out");
    play(&mut draw, &[(2, "T"), (0, "N"), (3, "N")]);
    assert_eq!(draw.waiting(), [0, 3], "the T dropped out");
    play(&mut draw, &[(0, "B"), (3, "A")]);
    assert_eq!(draw.winner(), Some(3));
    assert_eq!(contenders(&draw), [vec![0, 1, 2, 3], vec![0, 2, 3], vec![0, 3]]);
    assert_eq!(draw.rounds().map(|round| round.picks.len()).collect::<Vec<_>>(), [4, 3, 2]);
}

#[test]
fn d2_all_of_two_three_and_four_can_tie_for_three_rounds() {
    for participants in 2..=4 {
        let all: Vec<u8> = (0..participants).collect();
        let mut draw = Draw::new(tile_set("turkish"), participants).unwrap();
        for letter in ["A", "İ", "K"] {
            for &participant in &all {
                play(&mut draw, &[(participant, letter)]);
            }
            assert_eq!((draw.winner(), draw.waiting()), (None, all.clone()), "all drew {letter}");
        }
        for &participant in &all {
            play(&mut draw, &[(participant, if participant == 1 { "B" } else { "E" })]);
        }
        assert_eq!(draw.winner(), Some(1));
        assert_eq!(contenders(&draw), vec![all; 4]);
    }
}

/// Each round needs the tiles that the round before took: English has two blanks and two Bs.
#[test]
fn d1_the_bag_is_full_again_in_each_round() {
    let mut draw = played(tile_set("english"), 2, &[(0, ""), (1, "")]);
    play(&mut draw, &[(0, ""), (1, "")]);
    play(&mut draw, &[(0, "B"), (1, "B")]);
    play(&mut draw, &[(0, "B"), (1, "")]);
    assert_eq!(draw.winner(), Some(1));
}

/// English has one Z: once it is drawn, no entropy gives it again in that round.
#[test]
fn d1_a_drawn_tile_is_out_of_the_bag_for_the_round() {
    let mut draw = played(tile_set("english"), 4, &[(0, "Z"), (1, ""), (2, "")]);
    for number in 0..20_000_u32 {
        let mut entropy = [1; 32];
        entropy[..4].copy_from_slice(&number.to_le_bytes());
        let pick = draw.clone().draw(3, &entropy).unwrap();
        assert!(pick.letter != "Z" && !pick.blank, "{pick:?} was drawn twice");
    }
    play(&mut draw, &[(3, "Q")]);
    assert_eq!(draw.waiting(), [1, 2]);
    play(&mut draw, &[(1, "Z"), (2, "Q")]);
    assert_eq!(draw.winner(), Some(2), "in the next round the Z is there again");
}
