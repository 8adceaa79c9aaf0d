//! A table that is played move by move and keeps every state on the way. It knows no game.

use astragal_rules::any::AnyTable;
use astragal_rules::error::IllegalMove;
use astragal_rules::finished_log::{FinishedLog, Sitter};
use astragal_rules::game::Judge;
use astragal_rules::log::{Header, LoggedMove, Opening, TableLog};
use astragal_rules::machine::StepError;
use astragal_rules::registry::{Registry, TakeBackError};
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use std::sync::Arc;
use uuid::Uuid;

/// What is played, apart from the moves.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub game: &'static str,
    pub version: u32,
    pub seats: u8,
    pub options: &'static str,
    pub first_seat: u8,
    pub seed: u8,
}

impl Setting {
    /// Two seats, the first one first, no options.
    pub const fn of(game: &'static str) -> Self {
        Self { game, version: 1, seats: 2, options: "{}", first_seat: 0, seed: 7 }
    }

    /// With its own id by seed, and the options as a table would keep them.
    pub fn opening(&self, registry: &Registry) -> Opening {
        let game = registry.get(self.game, self.version).expect("a registered game");
        Opening {
            table: Uuid::from_u128(u128::from(self.seed)),
            game: self.game.to_owned(),
            version: self.version,
            seed: Seed::new([self.seed; 32]),
            seats: self.seats,
            options: game.options(None, self.options).expect("good options"),
            first_seat: Seat(self.first_seat),
        }
    }
}

pub struct Played {
    pub registry: Registry,
    opening: Arc<Opening>,
    moves: Vec<LoggedMove>,
    /// One more than there are moves.
    tables: Vec<Box<dyn AnyTable>>,
}

impl Played {
    pub fn open(registry: &Registry, setting: Setting) -> Self {
        let opening = Arc::new(setting.opening(registry));
        let header = Header { opening: Arc::clone(&opening), moves: 0 };
        let table = registry.setup(&header).expect("a table that can be set up");
        Self { registry: registry.clone(), opening, moves: Vec::new(), tables: vec![table] }
    }

    pub fn log(&self) -> TableLog {
        TableLog::new(Arc::clone(&self.opening), self.moves.clone()).expect("a whole log")
    }

    pub fn moves(&self) -> &[LoggedMove] {
        &self.moves
    }

    /// The table after so many moves.
    pub fn after(&self, moves: usize) -> &dyn AnyTable {
        &*self.tables[moves]
    }

    pub fn now(&self) -> &dyn AnyTable {
        self.after(self.moves.len())
    }

    /// The state of now, hidden parts included.
    pub fn state(&self) -> String {
        self.now().state_json().expect("a state that can be written")
    }

    pub fn step(&mut self, seat: Option<u8>, action: &str, judge: &dyn Judge) -> Result<(), StepError> {
        let step = self.now().step(seat.map(Seat), action, judge)?;
        self.moves.push(step.logged);
        self.tables.push(step.after);
        Ok(())
    }

    /// A move that must be legal.
    pub fn play(&mut self, seat: u8, action: &str) {
        self.step(Some(seat), action, &super::NoTwins).unwrap_or_else(|error| panic!("{action}: {error}"));
    }

    /// A move of the table that must be legal.
    pub fn decree(&mut self, action: &str) {
        self.step(None, action, &super::NoTwins).unwrap_or_else(|error| panic!("{action}: {error}"));
    }

    /// All but the last one give up, if the game still goes on.
    pub fn give_up(&mut self) {
        while self.now().outcome().is_none() {
            let seat = self.now().turn().order[0];
            self.decree(&format!(r#"{{"resigned":{seat}}}"#));
        }
    }

    /// Why a move is refused, which leaves all as it was.
    pub fn refused(&mut self, seat: Option<u8>, action: &str) -> IllegalMove {
        let before = self.state();
        let error = self.step(seat, action, &super::NoTwins).expect_err("a move that is refused");
        assert_eq!(self.state(), before);
        match error {
            StepError::Illegal(error) => error,
            StepError::Broken(error) => panic!("{action}: {error}"),
        }
    }

    /// Takes the last move back: a seat's wish, or the table's own.
    pub fn undo(&mut self, actor: Option<u8>) -> Result<(), TakeBackError> {
        let (shorter, table) = self.registry.undo(&self.log(), actor.map(Seat))?;
        self.moves.pop();
        self.tables.pop();
        assert_eq!(shorter.moves(), self.moves);
        assert_eq!(table.state_json(), self.now().state_json());
        Ok(())
    }

    /// The finished log, with a robot in the last seat.
    pub fn finished(&self) -> FinishedLog {
        let mut sitters = vec![Sitter::Player {}; usize::from(self.opening.seats) - 1];
        sitters.push(Sitter::Robot { level: 3 });
        FinishedLog::of(self.log(), sitters, self.now()).expect("a game that is over")
    }
}
