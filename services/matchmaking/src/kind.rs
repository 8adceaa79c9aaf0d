//! The kind of a game: what two people must both want to be put at one table.

use crate::fingerprint::fingerprint;

/// What is played, with every default filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub version: u32,
    /// The variant; the options hold it too where there are several.
    pub variant: String,
    /// How many seats there are.
    pub seats: u8,
    /// Canonical JSON.
    pub options: String,
}

impl Kind {
    /// Equal for equal kinds only.
    pub fn hash(&self) -> [u8; 32] {
        fingerprint([
            self.game.as_bytes(),
            &self.version.to_be_bytes(),
            self.variant.as_bytes(),
            &[self.seats],
            self.options.as_bytes(),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_makes_another_kind() {
        let kind = Kind {
            game: "kalah".into(),
            version: 1,
            variant: "standard".into(),
            seats: 2,
            options: r#"{"seeds":4}"#.into(),
        };
        let others = [
            Kind { game: "oware".into(), ..kind.clone() },
            Kind { version: 2, ..kind.clone() },
            Kind { variant: "other".into(), ..kind.clone() },
            Kind { seats: 3, ..kind.clone() },
            Kind { options: r#"{"seeds":5}"#.into(), ..kind.clone() },
        ];
        assert_eq!(kind.hash(), kind.clone().hash());
        assert!(others.iter().all(|other| other.hash() != kind.hash()));
    }
}
