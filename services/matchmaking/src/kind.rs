//! The kind of a game: what two people must both want to be put at one table.

use astragal_runtime::time_control::TimeControl;

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
    /// None: no clock.
    pub clock: Option<TimeControl>,
    /// The match that it is to be part of; 0: none.
    pub best_of: u8,
}

impl Kind {
    /// Equal for equal kinds only.
    pub fn hash(&self) -> [u8; 32] {
        let (version, seats) = (self.version.to_be_bytes(), [self.seats]);
        let clock = self.clock.map(TimeControl::to_text);
        let parts =
            [self.game.as_bytes(), &version, self.variant.as_bytes(), &seats, self.options.as_bytes()];
        // Without a match as before there were any, so that games that wait are found.
        let best_of = (self.best_of > 0).then(|| format!("best of {}", self.best_of));
        let rest = [&clock, &best_of].into_iter().flatten().map(String::as_bytes);
        fingerprint(parts.into_iter().chain(rest))
    }
}

#[cfg(test)]
impl Kind {
    /// For two, without a clock.
    pub(crate) fn kalah() -> Self {
        Self {
            game: "kalah".into(),
            version: 1,
            variant: "standard".into(),
            seats: 2,
            options: "{}".into(),
            clock: None,
            best_of: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_makes_another_kind() {
        let kind = Kind { options: r#"{"seeds":4}"#.into(), ..Kind::kalah() };
        let blitz = |initial_ms, increment_ms| Some(TimeControl::SuddenDeath { initial_ms, increment_ms });
        let others = [
            Kind { game: "oware".into(), ..kind.clone() },
            Kind { version: 2, ..kind.clone() },
            Kind { variant: "other".into(), ..kind.clone() },
            Kind { seats: 3, ..kind.clone() },
            Kind { options: r#"{"seeds":5}"#.into(), ..kind.clone() },
            Kind { clock: blitz(300_000, 0), ..kind.clone() },
            Kind { clock: blitz(300_000, 3_000), ..kind.clone() },
            Kind { clock: Some(TimeControl::PerMove { per_move_ms: 86_400_000 }), ..kind.clone() },
            Kind { best_of: 3, ..kind.clone() },
            Kind { best_of: 5, ..kind.clone() },
            Kind { best_of: 3, clock: blitz(300_000, 0), ..kind.clone() },
        ];
        assert_eq!(kind.hash(), kind.clone().hash());
        for (place, other) in others.iter().enumerate() {
            assert!(other.hash() != kind.hash(), "{other:?}");
            assert!(others[..place].iter().all(|another| another.hash() != other.hash()), "{other:?}");
        }
    }
}
