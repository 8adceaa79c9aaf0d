//! From a circle of participants to seats: the draw is run, and its winner sits at seat 0.
//!
//! Pure but for the entropy, which is an argument. Whoever isn't known yet takes part as a
//! placeholder; who it turns out to be changes nothing.

use astragal_rules::draw::Draw;
use astragal_rules::draw::error::RunError;
use astragal_rules::draw::round::entropy_sha256;
use astragal_rules::tile_set::TileSet;
use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, TableId};

use crate::game::{PlannedSeat, Player};
use crate::seeding::sheet::Sheet;

/// One pick of a draw, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnPick {
    /// From 1.
    pub round: u32,
    /// Within the round, from 1.
    pub pick: u32,
    /// The seat that the participant ends in.
    pub seat: u8,
    /// Who drew; none: a placeholder.
    pub player: Option<Player>,
    /// What is written on the tile; empty on a blank.
    pub letter: String,
    /// Whether it is a blank.
    pub blank: bool,
    /// -1 for a blank, else the letter's place in the alphabet.
    pub rank: i8,
    /// The name of the set.
    pub tile_set: String,
    /// How it came about.
    pub source: PickSource,
    /// The game for which it was drawn, where this one repeats it.
    pub reused_from: Option<TableId>,
}

/// How a pick came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickSource {
    /// These bytes decided it.
    Drawn([u8; 32]),
    /// It was drawn by hand, as this account has noted.
    Recorded(AccountId),
}

impl PickSource {
    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Drawn(_) => "auto",
            Self::Recorded(_) => "recorded",
        }
    }

    /// What decided the pick; nothing for one that was drawn by hand.
    pub const fn entropy(&self) -> Option<&[u8; 32]> {
        match self {
            Self::Drawn(entropy) => Some(entropy),
            Self::Recorded(_) => None,
        }
    }

    /// The digest of that in lower-case hex.
    pub fn entropy_sha256(&self) -> Option<String> {
        self.entropy().map(entropy_sha256)
    }

    /// Who noted it.
    pub const fn recorded_by(self) -> Option<AccountId> {
        match self {
            Self::Drawn(_) => None,
            Self::Recorded(account) => Some(account),
        }
    }
}

/// Draws for a circle in the order of asking: who sits where, and every pick.
pub fn draw_seats(
    circle: &[Option<Player>],
    tile_set: &'static TileSet,
    entropy: &dyn Entropy,
) -> Result<(Vec<PlannedSeat>, Vec<DrawnPick>)> {
    let next = || {
        let mut bytes = [0; 32];
        entropy.fill(&mut bytes).map(|()| bytes)
    };
    let decision = Draw::run(tile_set, circle.len() as u8, next).map_err(|error| match error {
        RunError::Entropy(problem) => problem,
        RunError::Draw(error) => Problem::invalid_argument(error.to_string()),
    })?;

    let seats = (0..).zip(circle).map(|(participant, player)| PlannedSeat {
        seat: decision.seat_of(participant),
        participant,
        player: *player,
    });
    let mut picks = Vec::new();
    for (number, round) in (1..).zip(&decision.rounds) {
        picks.extend((1..).zip(&round.picks).map(|(pick_number, pick)| DrawnPick {
            round: number,
            pick: pick_number,
            seat: decision.seat_of(pick.participant),
            player: circle.get(usize::from(pick.participant)).copied().flatten(),
            letter: pick.letter.clone(),
            blank: pick.blank,
            rank: pick.rank,
            tile_set: tile_set.name().to_owned(),
            source: PickSource::Drawn(pick.entropy),
            reused_from: None,
        }));
    }
    Ok((seats.collect(), picks))
}

/// The seats and the picks that a draw tile by tile has led to.
pub fn seats_of(sheet: &Sheet, winner: u8) -> (Vec<PlannedSeat>, Vec<DrawnPick>) {
    let seats = (0..).zip(&sheet.participants).map(|(participant, who)| PlannedSeat {
        seat: sheet.seat_of(participant, winner),
        participant,
        player: Some(who.player),
    });
    let picks = sheet.picks.iter().filter_map(|fallen| {
        let source = match (fallen.recorded_by, sheet.entropy_of(fallen)) {
            (Some(account), _) => PickSource::Recorded(account),
            (None, entropy) => PickSource::Drawn(*entropy?),
        };
        Some(DrawnPick {
            round: fallen.round,
            pick: fallen.pick,
            seat: sheet.seat_of(fallen.participant, winner),
            player: sheet.participants.get(usize::from(fallen.participant)).map(|who| who.player),
            letter: fallen.letter.clone(),
            blank: fallen.blank,
            rank: fallen.rank,
            tile_set: sheet.terms.tile_set.name().to_owned(),
            source,
            reused_from: None,
        })
    });
    (seats.collect(), picks.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_runtime::entropy::ScriptedEntropy;
    use astragal_runtime::error::Code;

    fn english() -> &'static TileSet {
        TileSet::named("english").expect("the set")
    }

    #[test]
    fn d3_the_winner_sits_first_and_the_circle_keeps_its_order() {
        let mut winners = std::collections::BTreeSet::new();
        for script in 0..60 {
            let circle: Vec<_> =
                (0..2 + script % 3).map(|_| Some(Player::person(AccountId::new()))).collect();
            let entropy = ScriptedEntropy::expanded([script; 32]);
            let (seats, picks) = draw_seats(&circle, english(), &entropy).expect("a draw");

            let winner = seats.iter().find(|seat| seat.seat == 0).expect("a winner").participant;
            let last = picks.iter().filter(|pick| pick.round == picks[picks.len() - 1].round);
            assert_eq!(last.min_by_key(|pick| pick.rank).map(|pick| pick.seat), Some(0));
            for seat in &seats {
                let expected = (seat.participant + circle.len() as u8 - winner) % circle.len() as u8;
                assert_eq!(seat.seat, expected);
            }
            winners.insert((circle.len(), winner));
        }
        assert_eq!(winners.len(), 2 + 3 + 4, "every winner at 2, 3 and 4 seats was seen");
    }

    #[test]
    fn d8_a_placeholder_changes_nothing_about_the_draw() {
        let (opener, friend) = (Player::person(AccountId::new()), Player::person(AccountId::new()));
        let entropy = || ScriptedEntropy::expanded([3; 32]);
        let known = draw_seats(&[Some(opener), Some(friend)], english(), &entropy()).expect("a draw");
        let (seats, picks) = draw_seats(&[Some(opener), None], english(), &entropy()).expect("a draw");
        for (pick, known) in picks.iter().zip(&known.1) {
            assert_eq!((pick.rank, pick.seat, pick.source), (known.rank, known.seat, known.source));
        }
        assert_eq!(seats.iter().filter(|seat| seat.player.is_none()).count(), 1);
        assert!(picks.iter().any(|pick| pick.player.is_none()));
    }

    #[test]
    fn d6_without_entropy_there_are_no_seats() {
        let circle = [Some(Player::person(AccountId::new())), None];
        let refused = draw_seats(&circle, english(), &ScriptedEntropy::queue([1; 40]));
        assert_eq!(refused.map_err(|problem| problem.code).err(), Some(Code::Internal));
    }
}
