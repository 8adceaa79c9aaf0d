//! Rounds and picks: what was drawn, as plain values.

use sha2::{Digest, Sha256};

/// One tile drawn by one participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// Who drew, by number.
    pub participant: u8,
    /// What is written on the tile; empty on a blank.
    pub letter: String,
    /// Whether it is a blank.
    pub blank: bool,
    /// -1 for a blank, else the index of the letter in the alphabet. The lowest leads.
    pub rank: i8,
    /// The bytes that decided the pick. They are shown once the draw is over.
    pub entropy: [u8; 32],
}

impl Pick {
    /// What is shown before the pick, so that no one can choose another tile later.
    pub fn entropy_sha256(&self) -> String {
        entropy_sha256(&self.entropy)
    }
}

/// The SHA-256 of a pick's entropy in lower-case hex.
pub fn entropy_sha256(entropy: &[u8; 32]) -> String {
    hex::encode(Sha256::digest(entropy))
}

/// One draw of each contender from a full bag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// Who draws in this round, lowest number first.
    pub contenders: Vec<u8>,
    /// What was drawn, in the order of drawing.
    pub picks: Vec<Pick>,
}

impl Round {
    /// A round in which no one has drawn.
    pub(super) fn new(contenders: Vec<u8>) -> Self {
        Self { picks: Vec::with_capacity(contenders.len()), contenders }
    }

    /// Who has yet to draw.
    pub fn waiting(&self) -> Vec<u8> {
        let drew = |contender: u8| self.picks.iter().any(|pick| pick.participant == contender);
        self.contenders.iter().copied().filter(|&contender| !drew(contender)).collect()
    }

    /// Those who share the lowest rank, lowest number first; none before everyone has drawn.
    pub fn leaders(&self) -> Option<Vec<u8>> {
        if !self.waiting().is_empty() {
            return None;
        }
        let lowest = self.picks.iter().map(|pick| pick.rank).min()?;
        let leads = |pick: &&Pick| pick.rank == lowest;
        let mut leaders: Vec<u8> = self.picks.iter().filter(leads).map(|pick| pick.participant).collect();
        leaders.sort_unstable();
        Some(leaders)
    }
}
