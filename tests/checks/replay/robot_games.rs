//! Games of kalah between robots, with moves that the table took back and a draw: made here, so that
//! there can be many, and certified.

use anyhow::{Context, Result};
use astragal_rules::any::AnyTable;
use astragal_rules::certificate::draw::{DrawRecord, PickRecord};
use astragal_rules::certificate::journal::{Event, Record};
use astragal_rules::certificate::{Certificate, ClockRecord, SeriesGame, SeriesRecord};
use astragal_rules::draw::Draw;
use astragal_rules::draw::round::Pick;
use astragal_rules::finished_log::{FinishedLog, Sitter};
use astragal_rules::game::AcceptAll;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::log::{Header, LoggedMove, Opening, TableLog};
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_rules::tile_set::TileSet;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use uuid::Uuid;

/// 32 bytes that only these two numbers give.
fn bytes(number: u64, use_of_it: u64) -> [u8; 32] {
    Sha256::digest([number.to_le_bytes(), use_of_it.to_le_bytes()].concat()).into()
}

/// The game of a number; every third one begins without a draw, every fifth one ends early.
pub(super) fn certificate(number: u64) -> Result<Certificate> {
    let registry = Registry::new().with(Kalah);
    let drawn = !number.is_multiple_of(3);
    let options = format!(
        r#"{{"capture":"{}","seeds":{}}}"#,
        if number.is_multiple_of(2) { "standard" } else { "empty" },
        3 + number % 4
    );
    let opening = Arc::new(Opening {
        table: Uuid::from_bytes(bytes(number, 1)[..16].try_into()?),
        game: "kalah".to_owned(),
        version: 1,
        seed: Seed::new(bytes(number, 0)),
        seats: 2,
        options,
        first_seat: Seat(if drawn { 0 } else { (number % 2) as u8 }),
    });
    let mut game = Game {
        tables: vec![registry.setup(&Header { opening: Arc::clone(&opening), moves: 0 })?],
        moves: Vec::new(),
        events: Vec::new(),
    };
    let sitters = [1 + number % 2, 1 + number % 3].map(|level| Sitter::Robot { level: level as u8 });
    for (seat, sitter) in Seat::all(2).zip(sitters) {
        let runs = opening.first_seat;
        game.events.push((Event::SeatTaken { seat, sitter }, None, (seat == Seat(1)).then_some(runs)));
    }
    for turn in 10.. {
        let table = game.now()?;
        let Some(seat) = table.turn().acting else { break };
        if number.is_multiple_of(5) && game.moves.len() == 9 {
            game.step(None, &format!(r#"{{"{}":{seat}}}"#, ["time", "resigned", "left"][turn % 3]))?;
            continue;
        }
        let action =
            table.robot_move(seat, 1, &bytes(number, turn as u64))?.context("a robot without a move")?;
        game.step(Some(seat), &action)?;
        if turn % 7 == 0 && game.now()?.outcome().is_none() {
            game.take_back()?;
        }
    }
    game.certified(sitters.to_vec(), drawn.then(|| draw(number)).transpose()?)
}

type Happened = (Event, Option<String>, Option<Seat>);

struct Game {
    /// One more than there are moves.
    tables: Vec<Box<dyn AnyTable>>,
    moves: Vec<LoggedMove>,
    /// Each with the digest of the state and the seat whose clock runs.
    events: Vec<Happened>,
}

impl Game {
    fn now(&self) -> Result<&dyn AnyTable> {
        self.tables.last().map(|table| &**table).context("no table")
    }

    fn state(&self) -> Result<Option<String>> {
        Ok(Some(hex::encode(Sha256::digest(self.now()?.state_json()?))))
    }

    fn step(&mut self, seat: Option<Seat>, action: &str) -> Result<()> {
        let step = self.now()?.step(seat, action, &AcceptAll)?;
        let LoggedMove { number, seat, action, drew } = &step.logged;
        let event =
            Event::Move { number: *number, seat: *seat, action: serde_json::from_str(action)?, drew: *drew };
        self.moves.push(step.logged);
        self.tables.push(step.after);
        let (state, runs) = (self.state()?, self.now()?.turn().acting);
        self.events.push((event, state, runs));
        Ok(())
    }

    fn take_back(&mut self) -> Result<()> {
        self.tables.pop();
        let number = self.moves.pop().context("no move")?.number;
        let (state, runs) = (self.state()?, self.now()?.turn().acting);
        self.events.push((Event::Undo { number, seat: None }, state, runs));
        Ok(())
    }

    fn certified(self, sitters: Vec<Sitter>, draw: Option<DrawRecord>) -> Result<Certificate> {
        let Self { tables, moves, events } = self;
        let table = &**tables.last().context("no table")?;
        let (opening, outcome) = (Arc::clone(table.opening()), table.outcome().context("no end")?.clone());
        let log = FinishedLog::of(TableLog::new(Arc::clone(&opening), moves)?, sitters, table)?;
        let mut ran = None;
        let record = |(revision, (event, state, runs)): (u32, Happened)| Record {
            revision,
            at_us: 1_790_000_000_000_000 + i64::from(revision),
            event,
            state,
            spent_us: if std::mem::replace(&mut ran, runs).is_some() { 1_000 } else { 0 },
            credit_us: 0,
            runs,
        };
        Ok(Certificate {
            commitment: log.log().commitment(),
            log,
            clock: Some(ClockRecord::PerMove { per_move_ms: 86_400_000 }),
            draw,
            series: SeriesRecord { id: None, games: vec![SeriesGame::of(&opening, &outcome)] },
            opened_at_us: 1_790_000_000_000_000,
            outcome,
            journal: (1..).zip(events).map(record).collect(),
        })
    }
}

fn draw(number: u64) -> Result<DrawRecord> {
    let mut count = 1_000;
    let entropy = || {
        count += 1;
        Ok::<_, std::convert::Infallible>(bytes(number, count))
    };
    let set = TileSet::named("english").context("no English set")?;
    let decision = Draw::run(set, 2, entropy)?;
    let pick = |pick: &Pick| PickRecord {
        participant: pick.participant,
        seat: decision.seat_of(pick.participant),
        letter: pick.letter.clone(),
        blank: pick.blank,
        rank: pick.rank,
        recorded: false,
        entropy_sha256: Some(pick.entropy_sha256()),
        entropy: Some(hex::encode(pick.entropy)),
    };
    Ok(DrawRecord {
        tile_set: "english".to_owned(),
        winner: decision.winner,
        firsts: None,
        reused_from: None,
        rounds: decision.rounds.iter().map(|round| round.picks.iter().map(pick).collect()).collect(),
    })
}
