//! Draws with one mistake each, to show that the statistics would notice.

use crate::fairness::{Outcome, judge};
use crate::{FixedSource, tile_set};
use astragal_rules::chance::Chance;
use astragal_rules::tile_set::{Tile, TileSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mistake {
    /// The model without a mistake, which the statistics accept.
    None,
    /// A drawn tile goes back at once.
    WithReplacement,
    /// After a tie everyone draws again.
    LosersDrawAgain,
    /// The highest rank leads.
    HighestLeads,
    /// Letters are compared by code point.
    CodePoints,
    /// Blanks rank after the letters.
    BlankLast,
    /// A tie goes to whoever drew first.
    FirstOfATie,
    /// Faces are drawn, each equally likely, rather than tiles.
    FacesNotTiles,
}

impl Mistake {
    fn order(self, set: &TileSet, tile: Tile) -> i32 {
        let rank = i32::from(tile.rank());
        match self {
            Self::HighestLeads => -rank,
            Self::CodePoints => set.text(tile).chars().next().map_or(-1, |letter| letter as i32),
            Self::BlankLast if tile.is_blank() => 1_000,
            _ => rank,
        }
    }

    /// A draw of the plainest kind, but for the mistake.
    fn draw(self, set: &TileSet, participants: u8, source: &mut FixedSource) -> Outcome {
        let everyone: Vec<u8> = (0..participants).collect();
        let mut contenders = everyone.clone();
        let mut first = None;
        for rounds in 1.. {
            let mut bag: Vec<Tile> = match self {
                Self::FacesNotTiles => set.faces().map(|(tile, _)| tile).collect(),
                _ => set.tiles().collect(),
            };
            let mut picks = Vec::new();
            for &contender in &contenders {
                let entropy = source.entropy();
                let index = Chance::of_entropy(&entropy).index(bag.len());
                let tile = if self == Self::WithReplacement { bag[index] } else { bag.remove(index) };
                picks.push((contender, tile));
            }
            let lowest = picks.iter().map(|&(_, tile)| self.order(set, tile)).min().expect("picks");
            picks.retain(|&(_, tile)| self.order(set, tile) == lowest);
            let (winner, tile) = picks[0];
            let (first_leaders, first_rank) = *first.get_or_insert((picks.len(), tile.rank()));
            if picks.len() == 1 || self == Self::FirstOfATie {
                return Outcome { winner, rounds, first_leaders, first_rank };
            }
            contenders = match self {
                Self::LosersDrawAgain => everyone.clone(),
                _ => picks.into_iter().map(|(contender, _)| contender).collect(),
            };
        }
        unreachable!("some round has a leader")
    }

    fn judge(self, set: &str, participants: u8) -> Result<(), String> {
        let mut source = FixedSource::new(77);
        judge(tile_set(set), participants, || self.draw(tile_set(set), participants, &mut source))
    }
}

#[test]
fn d1_the_statistics_accept_a_right_draw() {
    assert_eq!(Mistake::None.judge("turkish", 4), Ok(()));
}

#[test]
fn d1_the_statistics_refuse_each_wrong_draw() {
    for mistake in [
        Mistake::WithReplacement,
        Mistake::LosersDrawAgain,
        Mistake::HighestLeads,
        Mistake::CodePoints,
        Mistake::BlankLast,
        Mistake::FirstOfATie,
        Mistake::FacesNotTiles,
    ] {
        assert!(mistake.judge("turkish", 4).is_err(), "{mistake:?} went unnoticed");
    }
    assert!(Mistake::WithReplacement.judge("english", 2).is_err(), "with replacement, of two");
    assert!(Mistake::CodePoints.judge("russian", 2).is_err(), "Ё by code point, of two");
}
