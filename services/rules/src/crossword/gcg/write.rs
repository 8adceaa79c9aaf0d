//! Prints a file, always as UTF-8.

use crate::crossword::gcg::{Action, Event, Gcg};
use std::fmt;

impl fmt::Display for Gcg {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "#character-encoding UTF-8")?;
        for (number, player) in (1..).zip(&self.players) {
            writeln!(formatter, "#player{number} {} {}", player.nick, player.name)?;
        }
        for (name, text) in &self.remarks {
            writeln!(formatter, "#{name} {text}")?;
        }
        for event in &self.events {
            let nick = self.players.get(event.player).map_or("", |player| player.nick.as_str());
            writeln!(formatter, ">{nick}: {event}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.rack.is_empty() {
            write!(formatter, "{} ", self.rack)?;
        }
        write!(formatter, "{} {:+} {}", self.action, self.score, self.total)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(start, tiles) => write!(formatter, "{start} {tiles}"),
            Self::Pass => formatter.write_str("-"),
            Self::Exchange(tiles) => write!(formatter, "-{tiles}"),
            Self::Withdrawn => formatter.write_str("--"),
            Self::ChallengeBonus => formatter.write_str("(challenge)"),
            Self::EndBonus(tiles) | Self::EndPenalty(tiles) => write!(formatter, "({tiles})"),
            Self::Time => formatter.write_str("(time)"),
        }
    }
}
