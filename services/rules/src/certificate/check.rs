//! Whether what a certificate says is true: it is played again from its journal, entry by entry, taken
//! back moves included.

use super::Certificate;
use super::journal::{Event, Record};
use super::time::Time;
use crate::any::AnyTable;
use crate::canonical::canonical;
use crate::error::InvalidGame;
use crate::finished_log::Sitter;
use crate::log::LoggedMove;
use crate::outcome::EndReason;
use crate::registry::Registry;
use crate::replay::Replay;
use crate::seat::{SEATS_MAX, Seat};
use std::sync::Arc;

impl Certificate {
    /// Checks everything that the file says against the rules. Gives the table as it ended.
    pub fn check(&self, registry: &Registry) -> Result<Arc<dyn AnyTable>, InvalidGame> {
        let log = self.log.log();
        let opening = log.opening();
        if !log.commitment().matches(&self.commitment) {
            return Err(InvalidGame::new("log.seed", "not the seed that was committed to"));
        }
        if let Some(draw) = &self.draw {
            draw.check(opening.seats)?;
            let game = registry.get(&opening.game, opening.version);
            let named = game.map(|game| game.variant(&opening.options));
            let set = game.and_then(|game| {
                game.about()
                    .variants
                    .iter()
                    .find(|variant| Some(variant.name) == named)
                    .map(|variant| variant.draw_set)
            });
            if set.is_some_and(|set| set != draw.tile_set) {
                return Err(InvalidGame::new("draw.tileSet", "not the set that this game draws from"));
            }
            if opening.first_seat != Seat(0) {
                return Err(InvalidGame::new(
                    "log.firstSeat",
                    "whoever leads a draw sits at seat 0 and begins",
                ));
            }
        }
        let replay = Replay::of(registry, Arc::clone(opening))?;
        let time = Time::of(self.clock.as_ref(), self.opened_at_us);
        let mut played = Played { replay, time, sitters: [None; SEATS_MAX as usize], revision: 0 };
        for (place, record) in self.journal.iter().enumerate() {
            let at = |error: InvalidGame| {
                InvalidGame::new(
                    format_args!("journal[{place}]"),
                    format_args!("{}: {}", error.place, error.why),
                )
            };
            played.take(record).map_err(at)?;
        }
        let table = played.ended(log.moves(), self.log.sitters())?;
        if table.outcome() != Some(&self.outcome) {
            return Err(InvalidGame::new("outcome", "not the one that the moves lead to"));
        }
        self.series.check(opening, &self.outcome)?;
        Ok(table)
    }
}

/// A table played again, and what else a journal says of it.
struct Played {
    replay: Replay,
    time: Time,
    sitters: [Option<Sitter>; SEATS_MAX as usize],
    revision: u32,
}

impl Played {
    fn take(&mut self, record: &Record) -> Result<(), InvalidGame> {
        if record.revision != self.revision + 1 {
            return Err(InvalidGame::new("revision", format_args!("does not follow {}", self.revision)));
        }
        self.revision = record.revision;
        if self.replay.state().outcome().is_some() {
            return Err(InvalidGame::new("event", "the game was over"));
        }
        let changed = match &record.event {
            Event::Move { number, seat, action, drew } => {
                if seat.is_some_and(|seat| self.sitters.get(seat.index()) == Some(&None)) {
                    return Err(InvalidGame::new("seat", "nobody sat there"));
                }
                let action = canonical(action).map_err(|error| InvalidGame::new("move", error))?;
                let logged = LoggedMove { number: *number, seat: *seat, action: action.into(), drew: *drew };
                self.replay.step(logged)?;
                true
            }
            Event::Undo { number, seat } => {
                self.replay.take_back(*number, *seat)?;
                true
            }
            Event::SeatTaken { seat, sitter } => {
                self.sit(*seat, *sitter)?;
                false
            }
            Event::ClockStopped { .. } | Event::ClockResumed {} => false,
        };
        self.time.follow(record, &**self.replay.state(), self.is_full())?;
        match &record.state {
            Some(digest) if *digest != hex::encode(self.replay.state().state_hash()?) => {
                Err(InvalidGame::new("state", "not the digest of the state that follows"))
            }
            None if changed => Err(InvalidGame::new("state", "is missing")),
            _ => Ok(()),
        }
    }

    fn sit(&mut self, seat: Seat, sitter: Sitter) -> Result<(), InvalidGame> {
        let seats = usize::from(self.replay.state().opening().seats);
        let place = self.sitters[..seats].get_mut(seat.index()).filter(|place| place.is_none());
        let place = place.ok_or_else(|| InvalidGame::new("seat", "is taken, or not one of the table"))?;
        *place = Some(sitter);
        Ok(())
    }

    fn is_full(&self) -> bool {
        let seats = usize::from(self.replay.state().opening().seats);
        self.sitters.iter().take(seats).all(Option::is_some)
    }

    fn ended(self, moves: &[LoggedMove], sitters: &[Sitter]) -> Result<Arc<dyn AnyTable>, InvalidGame> {
        if self.replay.moves() != moves {
            return Err(InvalidGame::new("log.moves", "not those that stand in the journal"));
        }
        let aborted = self.replay.state().outcome().is_some_and(|end| end.reason == EndReason::Aborted);
        if aborted && self.is_full() && moves.iter().any(|logged| logged.seat.is_some()) {
            let why = "aborted although every seat was taken and a move had been made";
            return Err(InvalidGame::new("outcome", why));
        }
        // A seat that stayed empty was a person's.
        let sat = self.sitters.iter().map(|sitter| sitter.unwrap_or(Sitter::Player {}));
        if !sat.take(sitters.len()).eq(sitters.iter().copied()) {
            return Err(InvalidGame::new("log.seats", "not those who sat down in the journal"));
        }
        Ok(Arc::clone(self.replay.state()))
    }
}
