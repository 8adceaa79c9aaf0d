//! Draws tile by tile, by their rules alone: what may happen in which state, and what is laid ready when.

use astragal_rules::tile_set::TileSet;
use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::RequestId;

use super::*;
use crate::game::Player;

fn english() -> &'static TileSet {
    TileSet::named("english").expect("the set")
}

fn arbiter() -> AccountId {
    AccountId(astragal_runtime::id::robot_account(1).0)
}

fn stamp() -> Stamp {
    Stamp { request: Some(RequestId::new()), at: ManualClock::default().now() }
}

fn entropy() -> ScriptedEntropy {
    ScriptedEntropy::expanded([5; 32])
}

fn opened(contenders: &[bool]) -> Sheet {
    let participant = |contends: &bool| Participant {
        player: Player::person(AccountId::new()),
        contends: *contends,
        firsts: None,
    };
    let terms = Terms { game: String::new(), variant: String::new(), tile_set: english(), balanced: false };
    let participants = contenders.iter().map(participant).collect();
    Sheet::open(TableId::new(), terms, participants, stamp().at, &entropy()).expect("a draw")
}

fn record(sheet: &Sheet, participant: u8, letter: &str) -> Result<Sheet> {
    sheet.recorded(participant, letter, arbiter(), stamp(), &entropy())
}

/// A draw of four in which these tiles were noted, one after the other.
fn noted(tiles: &[(u8, &str)]) -> Sheet {
    tiles.iter().fold(opened(&[true; 4]), |sheet, (participant, letter)| {
        record(&sheet, *participant, letter).expect("the participant may draw")
    })
}

/// What fell, and the words with which each participant is refused next; none: they may draw.
type State = (&'static [(u8, &'static str)], [&'static str; 4]);

/// What happens to a draw of four with ties in two rounds, and everything that is refused at each step: by whom, and
/// the words of the refusal.
#[test]
fn d9_each_illegal_call_in_each_state_names_its_rule() {
    const UNKNOWN: &str = "no participant";
    const DREW: &str = "already drawn in this round";
    const OUT: &str = "dropped out";
    const OVER: &str = "the draw is over: participant 3 goes first";
    let all: [State; 9] = [
        // Nobody has drawn.
        (&[], ["", "", "", ""]),
        (&[(2, "D")], ["", "", DREW, ""]),
        (&[(2, "D"), (0, "E")], [DREW, "", DREW, ""]),
        (&[(2, "D"), (0, "E"), (3, "D")], [DREW, "", DREW, DREW]),
        // Three share the D: participant 0 is out.
        (&[(2, "D"), (0, "E"), (3, "D"), (1, "D")], [OUT, "", "", ""]),
        (&[(2, "D"), (0, "E"), (3, "D"), (1, "D"), (3, "A")], [OUT, "", "", DREW]),
        (&[(2, "D"), (0, "E"), (3, "D"), (1, "D"), (3, "A"), (1, "A")], [OUT, DREW, "", DREW]),
        // Two share the A.
        (&[(2, "D"), (0, "E"), (3, "D"), (1, "D"), (3, "A"), (1, "A"), (2, "B")], [OUT, "", OUT, ""]),
        (
            &[(2, "D"), (0, "E"), (3, "D"), (1, "D"), (3, "A"), (1, "A"), (2, "B"), (1, "Q"), (3, "")],
            [OVER; 4],
        ),
    ];
    for (tiles, refusals) in all {
        let sheet = noted(tiles);
        let mut ready: Vec<_> =
            sheet.ready().expect("what is ready").into_iter().map(|one| one.participant).collect();
        ready.sort_unstable();
        let may: Vec<_> = (0..).zip(refusals).filter(|(_, why)| why.is_empty()).map(|(one, _)| one).collect();
        assert_eq!(ready, may, "whoever may draw has entropy that lies ready, after {tiles:?}");
        for (participant, why) in (0..).zip(refusals).chain([(4, UNKNOWN), (255, UNKNOWN)]) {
            for attempt in [sheet.drawn(participant, stamp(), &entropy()), record(&sheet, participant, "Z")] {
                match attempt {
                    Ok(next) => {
                        assert_eq!(why, "", "participant {participant} may not draw after {tiles:?}");
                        assert_eq!(next.change, sheet.change + 1);
                    }
                    Err(error) if tiles.len() == 9 => {
                        assert!(error.to_string().contains(OVER) || why == UNKNOWN);
                    }
                    Err(error) => {
                        assert!(!why.is_empty() && error.to_string().contains(why), "{participant}: {error}");
                    }
                }
            }
        }
        let closed = sheet.closed();
        assert_eq!(closed.is_ok(), tiles.len() == 9, "a game comes from a draw that is over");
        let cancelled = sheet.cancelled().expect("it may be given up").expect("it was not yet");
        assert!(cancelled.cancelled().expect("again").is_none());
        assert!(cancelled.ready().expect("nothing").is_empty());
        for participant in 0..4 {
            for attempt in [
                cancelled.drawn(participant, stamp(), &entropy()),
                record(&cancelled, participant, "Z"),
                cancelled.closed().map(|_| sheet.clone()),
            ] {
                let why = attempt.expect_err("it was given up").to_string();
                assert!(why.contains("cancelled"), "{why}");
            }
        }
    }
}

#[test]
fn d9_a_tile_that_can_t_have_been_drawn_is_refused() {
    let sheet = noted(&[(0, "Z")]);
    let why = |participant, letter| record(&sheet, participant, letter).expect_err("a refusal").to_string();
    assert!(why(1, "Z").contains("used up in this round"), "there is one Z");
    for letter in ["z", "Ä", "ZZ", " ", "?"] {
        assert!(why(1, letter).contains("`english` has no such tile"), "{letter:?}");
    }
    // Another round begins with a full bag.
    let next = noted(&[(0, "Z"), (1, "C"), (2, "C"), (3, "Y")]);
    assert!(record(&next, 1, "Z").is_ok());
    assert_eq!(next.winner().expect("no error"), None);
}

#[test]
fn d9_once_a_game_is_created_the_draw_is_not_given_up() {
    let over = opened(&[true; 2]).drawn_to_the_end(stamp().at, &entropy()).expect("a leader");
    let (closed, winner) = over.closed().expect("over");
    let closed = closed.expect("it was open");
    assert_eq!(over.winner().expect("no error"), Some(winner));
    assert!(closed.cancelled().expect_err("a refusal").to_string().contains("a game was created"));
    assert_eq!(closed.closed().expect("again"), (None, winner), "asked again, nothing changes");
}

#[test]
fn d13_entropy_lies_ready_from_the_beginning_of_a_round_and_decides_it() {
    for seed in 0..40 {
        let source = ScriptedEntropy::expanded([seed; 32]);
        let mut sheet = opened(&[true; 4]);
        while let Course::Drawing(draw) = sheet.course().expect("no error") {
            let ready = sheet.ready().expect("what is ready");
            let participant = draw.waiting()[usize::from(seed) % draw.waiting().len()];
            let laid = ready.iter().find(|one| one.participant == participant).expect("it lies ready");
            let next = sheet.drawn(participant, stamp(), &source).expect("a pick");
            let fallen = next.picks.last().expect("a pick");
            assert_eq!(next.entropy_of(fallen), Some(&laid.entropy));
            assert!(next.allotted.starts_with(&sheet.allotted), "what was shown stays");
            assert!(next.picks.starts_with(&sheet.picks));
            sheet = next;
        }
        let all: std::collections::BTreeSet<_> = sheet.allotted.iter().map(|one| one.entropy).collect();
        assert_eq!(all.len(), sheet.allotted.len(), "each pick has its own");
    }
}

#[test]
fn d13_rows_that_were_changed_make_no_draw() {
    let over = opened(&[true; 3]).drawn_to_the_end(stamp().at, &entropy()).expect("a leader");
    let mut changed = over.clone();
    changed.allotted[0].entropy[0] ^= 1;
    assert!(matches!(changed.course(), Err(SheetError::Broken)));
    let mut changed = over.clone();
    changed.picks[1].rank += 1;
    assert!(matches!(changed.course(), Err(SheetError::Broken)));
    let mut changed = over;
    changed.allotted.clear();
    assert!(matches!(changed.course(), Err(SheetError::Broken)));
}

#[test]
fn d12_whoever_leads_the_ledger_alone_leads_without_a_tile() {
    let sheet = opened(&[false, true, false]);
    assert_eq!(sheet.winner().expect("no error"), Some(1));
    assert!(sheet.allotted.is_empty());
    let why = sheet.drawn(1, stamp(), &entropy()).expect_err("nothing to draw for").to_string();
    assert!(why.contains("participant 1 goes first"), "{why}");
    assert_eq!([0, 1, 2].map(|participant| sheet.seat_of(participant, 1)), [2, 0, 1]);

    let equal = opened(&[true, false, true]);
    let ready: Vec<_> = equal.ready().expect("two").iter().map(|one| one.participant).collect();
    assert_eq!(ready, [0, 2]);
    let why = equal.drawn(1, stamp(), &entropy()).expect_err("a refusal").to_string();
    assert!(why.contains("dropped out"), "{why}");
}

#[test]
fn a_draw_is_shown_as_it_was_after_each_pick() {
    let over = opened(&[true; 4]).drawn_to_the_end(stamp().at, &entropy()).expect("a leader");
    for picks in 0..over.picks.len() {
        let earlier = over.after(picks);
        assert!(matches!(earlier.course(), Ok(Course::Drawing(_))), "after {picks}");
        assert!(earlier.ready().expect("what was ready").iter().any(|one| {
            one.participant == over.picks[picks].participant && one.round == over.picks[picks].round
        }));
    }
    assert_eq!(over.after(over.picks.len()), over);
}
