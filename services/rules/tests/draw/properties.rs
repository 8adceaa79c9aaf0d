//! What holds for any tile set and any entropy.

use astragal_rules::draw::error::DrawError;
use astragal_rules::draw::{Draw, ROUNDS_MAX};
use astragal_rules::tile_set::{Letter, Tile, TileSet};
use proptest::prelude::*;

/// A small set, so that ties and refusals are common. It is leaked: sets live as long as the
/// program.
fn small_set() -> impl Strategy<Value = &'static TileSet> {
    (0..4_u8, prop::collection::vec(0..4_u8, 0..5)).prop_map(|(blanks, counts)| {
        let names = ["A", "B", "C", "D", "E"];
        let letters: Vec<Letter> =
            names.into_iter().zip(counts).map(|(name, count)| Letter::new(name, count, 1)).collect();
        let set: &'static TileSet = Box::leak(Box::new(TileSet::new("small", blanks, letters.leak())));
        set
    })
}

proptest! {
    #[test]
    fn d4_a_draw_begins_if_and_only_if_someone_can_lead(set in small_set(), participants in 2..=4_u8) {
        let ranks = set.faces().filter(|&(_, count)| count > 0).count();
        let can_lead = set.total() >= usize::from(participants) && ranks >= 2;
        prop_assert_eq!(Draw::new(set, participants).is_ok(), can_lead);
    }

    #[test]
    fn d2_any_order_of_any_calls_keeps_the_rules(
        set in small_set(),
        participants in 2..=4_u8,
        calls in prop::collection::vec((0..5_u8, any::<[u8; 32]>()), 0..60),
    ) {
        let Ok(mut draw) = Draw::new(set, participants) else { return Ok(()) };
        for (participant, entropy) in calls {
            let waiting = draw.waiting();
            let before = draw.clone();
            match draw.draw(participant, &entropy) {
                Ok(pick) => {
                    prop_assert!(waiting.contains(&participant));
                    prop_assert_eq!(set.tile(&pick.letter).map(Tile::rank), Some(pick.rank));
                    prop_assert_eq!(pick.blank, pick.letter.is_empty());
                }
                Err(refusal) => {
                    prop_assert!(!waiting.contains(&participant), "{refusal}");
                    prop_assert_eq!(&draw, &before);
                    prop_assert_eq!(
                        matches!(refusal, DrawError::UnknownParticipant { .. }),
                        participant >= participants
                    );
                }
            }
            check_rounds(set, &draw)?;
        }
    }
}

/// Each round is of those who led the one before, and no tile is drawn more often than it is
/// there.
fn check_rounds(set: &TileSet, draw: &Draw) -> Result<(), TestCaseError> {
    let mut contenders: Vec<u8> = (0..draw.participants()).collect();
    for round in draw.rounds() {
        prop_assert_eq!(&round.contenders, &contenders);
        for (tile, count) in set.faces() {
            let drawn = round.picks.iter().filter(|pick| pick.rank == tile.rank()).count();
            prop_assert!(drawn <= usize::from(count));
        }
        contenders = round.leaders().unwrap_or_default();
    }
    prop_assert!(draw.rounds().count() <= ROUNDS_MAX);
    prop_assert_eq!(draw.winner(), if contenders.len() == 1 { Some(contenders[0]) } else { None });
    prop_assert_eq!(draw.is_over(), draw.waiting().is_empty());
    Ok(())
}
