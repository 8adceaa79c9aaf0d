//! What can be drawn from, and every refusal.

use crate::script::{play, played};
use crate::tile_set;
use astragal_rules::draw::error::{DrawError, RunError};
use astragal_rules::draw::{Draw, ROUNDS_MAX};
use astragal_rules::tile_set::{Letter, TileSet};

/// A draw that refuses this pick with this error, and is left as it was.
fn refuses(mut draw: Draw, participant: u8, refusal: DrawError) {
    let before = draw.clone();
    assert_eq!(draw.draw(participant, &[1; 32]), Err(refusal));
    assert_eq!(draw, before, "a refusal leaves the draw untouched");
}

#[test]
fn d4_two_to_four_take_part() {
    for participants in [0, 1, 5, 255] {
        let refused = Draw::new(tile_set("english"), participants);
        assert_eq!(refused, Err(DrawError::Participants { participants }));
    }
    for participants in 2..=4 {
        let draw = Draw::new(tile_set("english"), participants).unwrap();
        assert_eq!(draw.waiting(), (0..participants).collect::<Vec<_>>());
        assert_eq!((draw.participants(), draw.is_over(), draw.winner()), (participants, false, None));
    }
}

#[test]
fn d4_a_multiset_that_never_gives_one_leader_is_refused() {
    static EMPTY: TileSet = TileSet::new("empty", 0, &[]);
    static ALL_BLANK: TileSet = TileSet::new("all_blank", 100, &[Letter::new("A", 0, 1)]);
    static ALL_A: TileSet = TileSet::new("all_a", 0, &[Letter::new("A", 9, 1), Letter::new("B", 0, 1)]);
    static THREE_TILES: TileSet = TileSet::new("three", 1, &[Letter::new("A", 1, 1), Letter::new("B", 1, 1)]);

    let refused = |set: &'static TileSet, participants| Draw::new(set, participants).unwrap_err();
    for participants in 2..=4 {
        let too_few = DrawError::TooFewTiles { tile_set: "empty", participants };
        assert_eq!(refused(&EMPTY, participants), too_few);
        assert_eq!(refused(&ALL_BLANK, participants), DrawError::OneRank { tile_set: "all_blank" });
        assert_eq!(refused(&ALL_A, participants), DrawError::OneRank { tile_set: "all_a" });
    }
    assert_eq!(refused(&THREE_TILES, 4), DrawError::TooFewTiles { tile_set: "three", participants: 4 });
    assert!(Draw::new(&THREE_TILES, 3).is_ok(), "a tile for each is enough");
}

/// Four of three As and a B always tie, but the one with the B drops out each time.
#[test]
fn d4_two_ranks_and_a_tile_for_each_are_enough() {
    static LOPSIDED: TileSet = TileSet::new("lopsided", 0, &[Letter::new("A", 3, 1), Letter::new("B", 1, 1)]);
    let mut draw = played(&LOPSIDED, 4, &[(0, "A"), (1, "B"), (2, "A"), (3, "A")]);
    play(&mut draw, &[(0, "A"), (2, "A"), (3, "B")]);
    play(&mut draw, &[(0, "B"), (2, "A")]);
    assert_eq!(draw.winner(), Some(2));
}

#[test]
fn d4_an_unknown_participant_is_refused() {
    for participant in [2, 3, 255] {
        let refusal = DrawError::UnknownParticipant { participant, participants: 2 };
        refuses(Draw::new(tile_set("english"), 2).unwrap(), participant, refusal);
        refuses(played(tile_set("english"), 2, &[(0, "A"), (1, "B")]), participant, refusal);
    }
}

#[test]
fn d4_nobody_draws_twice_in_a_round() {
    let refusal = DrawError::AlreadyDrew { participant: 1 };
    refuses(played(tile_set("english"), 2, &[(1, "A")]), 1, refusal);
    refuses(played(tile_set("english"), 2, &[(0, "A"), (1, "A"), (1, "C")]), 1, refusal);
}

#[test]
fn d4_who_dropped_out_is_refused() {
    let draw = played(tile_set("english"), 3, &[(0, "A"), (1, "B"), (2, "A")]);
    refuses(draw, 1, DrawError::DroppedOut { participant: 1 });
}

#[test]
fn d4_nobody_draws_once_the_draw_is_over() {
    let draw = played(tile_set("english"), 3, &[(0, "A"), (1, "B"), (2, "C")]);
    assert!(draw.is_over() && draw.waiting().is_empty());
    for participant in 0..3 {
        refuses(draw.clone(), participant, DrawError::Over { winner: 0 });
    }
}

/// Sixty As to one B: the entropies that give an A to both are the rule.
#[test]
fn d4_the_rounds_are_bounded() {
    static NEARLY_ALL_A: TileSet =
        TileSet::new("nearly", 0, &[Letter::new("A", 60, 1), Letter::new("B", 1, 1)]);
    let mut draw = Draw::new(&NEARLY_ALL_A, 2).unwrap();
    for _ in 0..ROUNDS_MAX {
        play(&mut draw, &[(0, "A"), (1, "A")]);
    }
    assert_eq!(draw.rounds().count(), ROUNDS_MAX);
    assert!(draw.is_over() && draw.waiting().is_empty() && draw.winner().is_none());
    refuses(draw.clone(), 0, DrawError::NoLeader);
    assert_eq!(draw.decision(), None);

    let always_a = crate::script::entropy_for(&Draw::new(&NEARLY_ALL_A, 2).unwrap(), 0, "A");
    let run = Draw::run(&NEARLY_ALL_A, 2, || Ok::<_, ()>(always_a));
    assert_eq!(run, Err(RunError::Draw(DrawError::NoLeader)), "the loop over the step ends too");
}

#[test]
fn d4_a_source_that_fails_stops_the_draw() {
    let mut left = 1;
    let run = Draw::run(tile_set("english"), 3, || {
        left -= 1;
        if left < 0 { Err("the source is dry") } else { Ok([0; 32]) }
    });
    assert_eq!(run, Err(RunError::Entropy("the source is dry")));
    let refused = Draw::run(tile_set("english"), 1, || Ok::<_, ()>([0; 32]));
    assert_eq!(refused, Err(RunError::Draw(DrawError::Participants { participants: 1 })));
}

#[test]
fn d4_each_refusal_says_what_to_do() {
    for (refusal, words) in [
        (DrawError::Participants { participants: 5 }, "two to four"),
        (DrawError::TooFewTiles { tile_set: "tiny", participants: 4 }, "`tiny`"),
        (DrawError::OneRank { tile_set: "flat" }, "`flat`"),
        (DrawError::UnknownParticipant { participant: 7, participants: 3 }, "numbered from 0"),
        (DrawError::DroppedOut { participant: 1 }, "dropped out"),
        (DrawError::AlreadyDrew { participant: 1 }, "wait for the others"),
        (DrawError::Over { winner: 2 }, "participant 2 goes first"),
        (DrawError::NoLeader, "open a new draw"),
    ] {
        assert!(refusal.to_string().contains(words), "{refusal}");
    }
}
