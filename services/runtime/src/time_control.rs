//! How the time of a game is counted, as a value that is asked for, kept and passed on. It knows no
//! clock that runs.

use std::ops::RangeInclusive;

use astragal_proto::engine::v1::ClockSettings;
use astragal_proto::time::Duration;
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::error::{Problem, Result};

const SECOND_MS: u64 = 1_000;
const HOUR_MS: u64 = 3_600 * SECOND_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

const INITIAL_MS: RangeInclusive<u64> = SECOND_MS..=3 * HOUR_MS;
const INCREMENT_MS: RangeInclusive<u64> = 0..=180 * SECOND_MS;
const PER_MOVE_MS: RangeInclusive<u64> = HOUR_MS..=14 * DAY_MS;

/// How the time of a game is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum TimeControl {
    /// A time for the whole game, which grows with every move.
    SuddenDeath {
        /// What each seat begins with.
        initial_ms: u64,
        /// What each move adds.
        increment_ms: u64,
    },
    /// A time for each move.
    PerMove {
        /// What each seat has for a move.
        per_move_ms: u64,
    },
}

impl TimeControl {
    /// Reads what somebody asks for; the refusal names the field. None: no clock.
    pub fn read(asked: Option<&ClockSettings>) -> Result<Option<Self>> {
        let Some(ClockSettings { initial, increment, per_move }) = asked else { return Ok(None) };
        if let Some(per_move) = per_move {
            if initial.is_some() || increment.is_some() {
                let why = "clock.perMove stands alone; leave clock.initial and clock.increment out";
                return Err(Problem::invalid_argument(why));
            }
            let per_move_ms = bounded("clock.perMove", *per_move, &PER_MOVE_MS, "1 h to 14 days")?;
            return Ok(Some(Self::PerMove { per_move_ms }));
        }
        let missing = || Problem::invalid_argument("clock.initial is missing; send it, or clock.perMove");
        let initial_ms = bounded("clock.initial", initial.ok_or_else(missing)?, &INITIAL_MS, "1 s to 3 h")?;
        let increment_ms = increment
            .map(|increment| bounded("clock.increment", increment, &INCREMENT_MS, "0 s to 180 s"))
            .transpose()?
            .unwrap_or_default();
        Ok(Some(Self::SuddenDeath { initial_ms, increment_ms }))
    }

    /// The form that travels.
    pub fn to_wire(self) -> ClockSettings {
        match self {
            Self::SuddenDeath { initial_ms, increment_ms } => ClockSettings {
                initial: Some(duration(initial_ms)),
                increment: Some(duration(increment_ms)),
                per_move: None,
            },
            Self::PerMove { per_move_ms } => {
                ClockSettings { per_move: Some(duration(per_move_ms)), ..ClockSettings::default() }
            }
        }
    }

    /// The text that databases keep, and by which two kinds of games are compared.
    pub fn to_text(self) -> String {
        serde_json::to_string(&self).unwrap_or_default()
    }

    /// Reads the text of a database. None: no version of this program writes that.
    pub fn of_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// What each seat begins with.
    pub fn initial(self) -> TimeDelta {
        match self {
            Self::SuddenDeath { initial_ms: ms, .. } | Self::PerMove { per_move_ms: ms } => delta(ms),
        }
    }

    /// What each move adds.
    pub fn increment(self) -> TimeDelta {
        match self {
            Self::SuddenDeath { increment_ms, .. } => delta(increment_ms),
            Self::PerMove { .. } => TimeDelta::zero(),
        }
    }
}

fn bounded(field: &str, asked: Duration, allowed: &RangeInclusive<u64>, words: &str) -> Result<u64> {
    let asked = std::time::Duration::try_from(asked).ok();
    let whole = asked.filter(|asked| asked.subsec_nanos() % 1_000_000 == 0);
    let ms = whole.and_then(|asked| u64::try_from(asked.as_millis()).ok());
    ms.filter(|ms| allowed.contains(ms))
        .ok_or_else(|| Problem::invalid_argument(format!("{field} must be {words}, in whole milliseconds")))
}

fn duration(ms: u64) -> Duration {
    std::time::Duration::from_millis(ms).into()
}

fn delta(ms: u64) -> TimeDelta {
    i64::try_from(ms).ok().and_then(TimeDelta::try_milliseconds).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLITZ: TimeControl = TimeControl::SuddenDeath { initial_ms: 300_000, increment_ms: 3_000 };
    const DAYS: TimeControl = TimeControl::PerMove { per_move_ms: 86_400_000 };

    fn asked(initial: &str, increment: &str, per_move: &str) -> ClockSettings {
        let duration = |text: &str| serde_json::from_str(&format!("\"{text}\"")).ok();
        ClockSettings {
            initial: duration(initial),
            increment: duration(increment),
            per_move: duration(per_move),
        }
    }

    #[test]
    fn g3_each_form_of_a_clock_is_read_and_travels_unchanged() {
        assert_eq!(TimeControl::read(None), Ok(None));
        for (settings, control) in [
            (asked("300s", "3s", ""), BLITZ),
            (asked("", "", "86400s"), DAYS),
            (asked("10s", "", ""), TimeControl::SuddenDeath { initial_ms: 10_000, increment_ms: 0 }),
        ] {
            assert_eq!(TimeControl::read(Some(&settings)), Ok(Some(control)));
            assert_eq!(TimeControl::read(Some(&control.to_wire())), Ok(Some(control)));
            assert_eq!(TimeControl::of_text(&control.to_text()), Some(control));
        }
        assert_eq!(BLITZ.to_text(), r#"{"initialMs":300000,"incrementMs":3000}"#);
        assert_eq!(TimeControl::of_text(r#"{"initialMs":1}"#), None);
    }

    #[test]
    fn g3_a_clock_that_cannot_be_is_refused_by_its_field() {
        for (settings, field) in [
            (asked("", "", ""), "clock.initial"),
            (asked("", "5s", ""), "clock.initial"),
            (asked("0s", "5s", ""), "clock.initial"),
            (asked("-1s", "", ""), "clock.initial"),
            (asked("10801s", "", ""), "clock.initial"),
            (asked("10.0005s", "", ""), "clock.initial"),
            (asked("300s", "181s", ""), "clock.increment"),
            (asked("300s", "-0.001s", ""), "clock.increment"),
            (asked("", "", "3599s"), "clock.perMove"),
            (asked("", "", "1209601s"), "clock.perMove"),
            (asked("300s", "", "86400s"), "clock.perMove"),
        ] {
            let refusal = TimeControl::read(Some(&settings)).expect_err("a refusal");
            assert!(refusal.message.contains(field), "{settings:?}: {refusal}");
        }
    }
}
