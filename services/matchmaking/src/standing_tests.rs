//! What of a draw is repeated, for whom, and from where around the circle.

use astragal_rules::tile_set::TileSet;
use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::{AccountId, SeriesId};

use super::*;
use crate::game::{Origin, Player};
use crate::kind::Kind;
use crate::seating::draw_seats;

fn new(name: &str, circle: &[Option<Player>], set: &str, seed: u8) -> NewGame {
    let (game, variant, options) = (name.into(), "standard".into(), "{}".into());
    let kind =
        Kind { game, version: 1, variant, seats: circle.len() as u8, options, clock: None, best_of: 0 };
    let tiles = TileSet::named(set).expect("the set");
    let (seats, picks) = draw_seats(circle, tiles, &ScriptedEntropy::expanded([seed; 32])).expect("a draw");
    let (id, series, at) = (TableId::new(), SeriesId::new(), ManualClock::default().now());
    let opener = circle[0].expect("an opener").account;
    NewGame { id, kind, origin: Origin::Auto, opener, series, seats, picks, at }
}

fn seat(game: &NewGame, participant: u8) -> u8 {
    game.seats.iter().find(|seat| seat.participant == participant).expect("a seat").seat
}

#[test]
fn d11_who_opens_again_keeps_seat_and_tiles_and_others_come_in_turn() {
    let (ada, bob) = (Player::person(AccountId::new()), Player::person(AccountId::new()));
    for seed in 0..20 {
        let first = new("kalah", &[Some(ada), None, None], "english", seed);
        let again = new("kalah", &[Some(ada), Some(bob), None], "english", seed + 100);
        let repeated = Standing::of(&first).repeated_by(&again);
        for participant in 0..3 {
            assert_eq!(seat(&repeated, participant), seat(&first, participant));
        }
        assert_eq!((repeated.id, repeated.at), (again.id, again.at));
        assert_eq!(repeated.picks.len(), first.picks.len());
        for (pick, drawn) in repeated.picks.iter().zip(&first.picks) {
            assert_eq!((&pick.letter, pick.source, pick.seat), (&drawn.letter, drawn.source, drawn.seat));
            assert_eq!(pick.reused_from, Some(first.id));
            let expected = repeated.seats.iter().find(|planned| planned.seat == pick.seat).expect("a seat");
            assert_eq!(pick.player, expected.player);
        }
        // The third time it still says for which game it was drawn.
        let third =
            Standing::of(&repeated).repeated_by(&new("kalah", &[Some(ada), None, None], "english", 77));
        assert!(third.picks.iter().all(|pick| pick.reused_from == Some(first.id)));
    }
}

#[test]
fn d11_who_had_joined_keeps_the_seat_that_the_draw_gave_them() {
    let (ada, bob) = (Player::person(AccountId::new()), Player::person(AccountId::new()));
    for seed in 0..20 {
        let first = new("parlour", &[Some(ada), None, None, None], "russian", seed);
        for joined in 1..4 {
            let standing = Standing { participant: joined, ..Standing::of(&first) };
            let again = new("parlour", &[Some(bob), None, None, None], "russian", 200);
            let repeated = standing.repeated_by(&again);
            for participant in 0..4 {
                assert_eq!(seat(&repeated, participant), seat(&first, (participant + joined) % 4));
            }
        }
    }
}

#[test]
fn d11_a_draw_stands_for_the_same_game_seats_and_tiles_alone() {
    let ada = Player::person(AccountId::new());
    let standing = Standing::of(&new("kalah", &[Some(ada), None], "english", 1));
    assert!(standing.is_for(&new("kalah", &[Some(ada), None], "english", 2)));
    assert!(!standing.is_for(&new("oware", &[Some(ada), None], "english", 2)));
    assert!(!standing.is_for(&new("kalah", &[Some(ada), None, None], "english", 2)));
    assert!(!standing.is_for(&new("kalah", &[Some(ada), None], "turkish", 2)));
}
