//! The list of a draw as the page shows it.

use super::{DrawRound, listed};
use crate::compose::names::Profile;
use askama::Template;
use astragal_proto::seeding::v1::{Draw, Pick, Round};
use astragal_runtime::id::AccountId;
use std::collections::HashMap;

#[derive(Template)]
#[template(path = "gm/draw.html")]
struct DrawPart {
    draw: Vec<DrawRound>,
}

fn shown(draw: &Draw, profiles: &HashMap<AccountId, Profile>) -> String {
    DrawPart { draw: listed(draw, profiles) }.render().expect("a page")
}

fn pick(participant: u32, account: AccountId, letter: &str, rank: i32) -> Pick {
    Pick {
        participant,
        account_id: account.to_string(),
        letter: letter.to_owned(),
        blank: rank < 0,
        rank,
        ..Pick::default()
    }
}

/// P2: a draw of three rounds is a flat list: all its rounds in order, who drew what, and who leads in the end.
#[test]
fn p2_a_draw_of_three_rounds_is_listed_round_by_round() {
    let [ada, bo, cy] = [AccountId::new(), AccountId::new(), AccountId::new()];
    let profile = |name: &str| Profile { name: name.into() };
    let profiles = [(ada, profile("Ada")), (bo, profile("<b>Bo</b>"))].into();
    let tie = |letter, rank| Round { picks: vec![pick(0, ada, letter, rank), pick(1, bo, letter, rank)] };
    let mut first = tie("", -1);
    first.picks.push(pick(2, cy, "Q", 16));
    let last = Round { picks: vec![pick(0, ada, "K", 10), pick(1, bo, "E", 4)] };
    let draw = Draw { rounds: vec![first, tie("C", 2), last], winner: Some(1), ..Draw::default() };
    let page = shown(&draw, &profiles);
    let link = |account: AccountId, name| format!("<a href=\"/_gm/accounts/{account}\">{name}</a>");
    let (ada, bo, cy) = (link(ada, "Ada"), link(bo, "&#60;b&#62;Bo&#60;/b&#62;"), link(cy, "participant 3"));
    let lines: Vec<_> = page.lines().filter(|line| line.contains("Round")).collect();
    let expected = [
        format!("Round 1: {ada}: blank (-1), {bo}: blank (-1), {cy}: Q (16)</p>"),
        format!("Round 2: {ada}: C (2), {bo}: C (2)</p>"),
        format!("Round 3: {ada}: K (10), {bo}: E (4) \u{2026} &#60;b&#62;Bo&#60;/b&#62; leads</p>"),
    ];
    assert_eq!(lines.len(), expected.len(), "{page}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.ends_with(&expected), "{line} is not {expected}");
    }
}

/// P2: who shares a name, as robots of one level do, is told apart by the seat.
#[test]
fn p2_who_shares_a_name_is_told_apart_by_the_seat() {
    let robot = AccountId::new();
    let profiles = [(robot, Profile { name: "Robot 3".into() })].into();
    let at =
        |participant, seat, letter, rank| Pick { seat: Some(seat), ..pick(participant, robot, letter, rank) };
    let rounds = vec![Round { picks: vec![at(0, 1, "E", 4), at(1, 0, "A", 0)] }];
    let page = shown(&Draw { rounds, winner: Some(1), ..Draw::default() }, &profiles);
    assert!(page.contains(">Robot 3 (seat 1)</a>: E (4), "), "{page}");
    assert!(page.contains(">Robot 3 (seat 0)</a>: A (0) \u{2026} Robot 3 (seat 0) leads</p>"), "{page}");
}

/// P2: a rematch has no draw, and says so.
#[test]
fn p2_a_game_without_a_draw_says_so() {
    assert!(shown(&Draw::default(), &HashMap::new()).contains("There was none"));
}
