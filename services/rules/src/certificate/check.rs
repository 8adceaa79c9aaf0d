//! Whether what a certificate says is true: it is played again from its journal, entry by entry, taken
//! back moves included.

use super::Certificate;
use super::journal::{Event, Record};
use crate::any::AnyTable;
use crate::canonical::canonical;
use crate::error::InvalidGame;
use crate::finished_log::Sitter;
use crate::log::{Header, LoggedMove};
use crate::registry::Registry;
use crate::seat::{SEATS_MAX, Seat};
use crate::timeline::follow;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::sync::Arc;

/// States that are kept to be taken back to; beyond them the log is replayed.
const STATES_MAX: usize = 8;

impl Certificate {
    /// Checks everything that the file says against the rules. Gives the table as it ended.
    pub fn check(&self, registry: &Registry) -> Result<Box<dyn AnyTable>, InvalidGame> {
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
        let mut replay = Replay::of(registry, self)?;
        for (place, record) in self.journal.iter().enumerate() {
            let at = |error: InvalidGame| {
                InvalidGame::new(
                    format_args!("journal[{place}]"),
                    format_args!("{}: {}", error.place, error.why),
                )
            };
            replay.take(record).map_err(at)?;
        }
        let table = replay.ended(log.moves(), self.log.sitters())?;
        if table.outcome() != Some(&self.outcome) {
            return Err(InvalidGame::new("outcome", "not the one that the moves lead to"));
        }
        self.check_series()?;
        Ok(table)
    }

    fn check_series(&self) -> Result<(), InvalidGame> {
        let (opening, outcome) = (self.log.log().opening(), &self.outcome);
        let is_this = |last: &super::SeriesGame| {
            last.table == opening.table
                && last.first_seat == opening.first_seat
                && last.reason == outcome.reason.as_str()
                && last.winner == outcome.winner()
                && last.scores == outcome.scores
        };
        if self.series.games.last().is_some_and(is_this) {
            return Ok(());
        }
        Err(InvalidGame::new("series.games", "the last one is not this game as it ended"))
    }
}

struct Replay<'c> {
    registry: &'c Registry,
    header: Header,
    /// The newest states; the last is that of all moves.
    states: VecDeque<Box<dyn AnyTable>>,
    moves: Vec<LoggedMove>,
    sitters: [Option<Sitter>; SEATS_MAX as usize],
    revision: u32,
}

impl<'c> Replay<'c> {
    fn of(registry: &'c Registry, certificate: &Certificate) -> Result<Self, InvalidGame> {
        let header = Header { opening: Arc::clone(certificate.log.log().opening()), moves: 0 };
        let start = registry.setup(&header)?;
        let (states, moves) = (VecDeque::from([start]), Vec::new());
        Ok(Self { registry, header, states, moves, sitters: [None; SEATS_MAX as usize], revision: 0 })
    }

    fn take(&mut self, record: &Record) -> Result<(), InvalidGame> {
        if record.revision != self.revision + 1 {
            return Err(InvalidGame::new("revision", format_args!("does not follow {}", self.revision)));
        }
        self.revision = record.revision;
        let changed = match &record.event {
            Event::Move { number, seat, action, drew } => {
                let action = canonical(action).map_err(|error| InvalidGame::new("move", error))?;
                let logged = LoggedMove { number: *number, seat: *seat, action: action.into(), drew: *drew };
                let after = follow(self.state()?, &logged)?;
                self.moves.push(logged);
                self.states.push_back(after);
                if self.states.len() > STATES_MAX {
                    self.states.pop_front();
                }
                true
            }
            Event::Undo { number, seat } => {
                self.take_back(*number, *seat)?;
                true
            }
            Event::SeatTaken { seat, sitter } => {
                let seats = usize::from(self.header.opening.seats);
                let place = self.sitters[..seats].get_mut(seat.index()).filter(|place| place.is_none());
                *place.ok_or_else(|| InvalidGame::new("seat", "is taken, or not one of the table"))? =
                    Some(*sitter);
                false
            }
            Event::ClockStopped { .. } | Event::ClockResumed {} => false,
        };
        match &record.state {
            Some(digest) if *digest != hex::encode(Sha256::digest(self.state()?.state_json()?)) => {
                Err(InvalidGame::new("state", "not the digest of the state that follows"))
            }
            None if changed => Err(InvalidGame::new("state", "is missing")),
            _ => Ok(()),
        }
    }

    fn take_back(&mut self, number: u32, seat: Option<Seat>) -> Result<(), InvalidGame> {
        let last = self.moves.pop().filter(|last| last.number == number);
        let last = last.ok_or_else(|| InvalidGame::new("number", "not the last move"))?;
        self.state()?.check_undo(&last, seat).map_err(|why| InvalidGame::new("undo", why))?;
        self.states.pop_back();
        if self.states.is_empty() {
            let header = Header { moves: self.moves.len() as u32, ..self.header.clone() };
            let start = self.registry.setup(&header)?;
            self.states.push_back(start.advance(&header, &self.moves, &crate::game::AcceptAll)?);
        }
        Ok(())
    }

    fn state(&self) -> Result<&dyn AnyTable, InvalidGame> {
        self.states.back().map(|state| &**state).ok_or_else(|| InvalidGame::new("journal", "leads nowhere"))
    }

    fn ended(mut self, moves: &[LoggedMove], sitters: &[Sitter]) -> Result<Box<dyn AnyTable>, InvalidGame> {
        if self.moves != moves {
            return Err(InvalidGame::new("log.moves", "not those that stand in the journal"));
        }
        // A seat that stayed empty was a person's.
        let sat = self.sitters.iter().map(|sitter| sitter.unwrap_or(Sitter::Player {}));
        if !sat.take(sitters.len()).eq(sitters.iter().copied()) {
            return Err(InvalidGame::new("log.seats", "not those who sat down in the journal"));
        }
        self.states.pop_back().ok_or_else(|| InvalidGame::new("journal", "leads nowhere"))
    }
}
