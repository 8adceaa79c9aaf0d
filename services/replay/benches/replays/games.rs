//! Whole games by seed, as an engine would have written them into its journal.

use crate::endless;
use astragal_engine::clocks::TimeMark;
use astragal_engine::header::{Phase, TableHeader};
use astragal_engine::journal::{Entry, EntryKind};
use astragal_engine::occupant::Occupant;
use astragal_engine::outcome::TableOutcome;
use astragal_engine::series::Series;
use astragal_engine::store::{Append, Appended, NewTable, TableEnd, TableStore, Write};
use astragal_rules::any::{AnyTable, StateHash};
use astragal_rules::canonical::canonical;
use astragal_rules::game::AcceptAll;
use astragal_rules::log::{Header, LoggedMove};
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_rules::table_move::TableMove;
use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::id::{AccountId, TableId};
use std::sync::Arc;
use uuid::Uuid;

/// A game that is over, before anybody has written it down.
pub(crate) struct Played {
    pub(crate) id: TableId,
    header: TableHeader,
    seed: Seed,
    moves: Vec<(LoggedMove, StateHash)>,
    outcome: TableOutcome,
}

impl Played {
    pub(crate) fn moves(&self) -> usize {
        self.moves.len()
    }
}

/// Two robots of level 1, who play until the game ends or one of them gives up after so many moves.
pub(crate) fn played(registry: &Registry, name: &str, number: u64, moves_max: u32) -> Played {
    let game = registry.newest(name).expect("the game");
    let seed = Seed::new(std::array::from_fn(|place| (number >> (8 * (place % 8))) as u8 ^ place as u8));
    let id = TableId(Uuid::from_u64_pair(1, number));
    let header = TableHeader {
        id,
        game: name.to_owned(),
        version: game.about().version,
        variant: game.variant("{}").to_owned(),
        options: game.options(None, "{}").expect("options"),
        seats: 2,
        first_seat: Seat(0),
        commitment: seed.commitment().to_string(),
        series_id: None,
        opened_at: ManualClock::default().now(),
        time_control: None,
        best_of: 0,
        follows: None,
    };
    let opening = header.opening(seed.clone());
    let mut table: Arc<dyn AnyTable> = registry.setup(&Header { opening, moves: 0 }).expect("a table").into();
    let mut moves = Vec::new();
    while let Some(seat) = table.turn().acting {
        let resigned = canonical(&TableMove::Resigned(seat)).expect("a move");
        let (actor, action) = match table.number() + 1 {
            last if last == moves_max => (None, resigned),
            next if name == endless::NAME => (Some(seat), some_move(&*table, seat, next)),
            next => {
                let found = table.robot_move(seat, 1, &[next as u8 ^ number as u8; 32]).expect("a robot");
                (Some(seat), found.expect("a move"))
            }
        };
        let step = table.step(actor, &action, &AcceptAll).expect("a legal move");
        table = step.after.into();
        moves.push((step.logged, table.state_hash().expect("a hash")));
    }
    let outcome = TableOutcome::from(table.outcome().expect("an end"));
    Played { id, header, seed, moves, outcome }
}

/// One of the legal moves, each in turn.
fn some_move(table: &dyn AnyTable, seat: Seat, number: u32) -> String {
    let legal = table.legal_moves(seat).expect("moves").expect("moves");
    let legal: Vec<serde_json::Value> = serde_json::from_str(&legal).expect("a list");
    legal[number as usize * 7 % legal.len()].to_string()
}

/// Writes a game down, entry by entry, as it would have been played.
pub(crate) async fn write(store: &dyn TableStore, played: &Played) {
    let at = played.header.opened_at;
    let entry = |revision, kind, state_hash| Entry {
        revision,
        kind,
        actor: None,
        stamp: None,
        at,
        state_hash,
        time: TimeMark::default(),
    };
    let sits = |seat: u8| Occupant { seat: Seat(seat), account: AccountId::new(), robot_level: 1 };
    let seated = (0..2).map(|seat| entry(u32::from(seat) + 1, EntryKind::SeatTaken(sits(seat)), None));
    let open = NewTable {
        header: played.header.clone(),
        seed: played.seed.clone(),
        series: Series::default(),
        entries: seated.collect(),
        phase: Phase::Playing,
        due: Vec::new(),
        listed: false,
    };
    written(store, Write::Open(Arc::new(open))).await;
    for (revision, (logged, hash)) in (3..).zip(&played.moves) {
        let is_last = logged.number as usize == played.moves.len();
        let ended = is_last.then(|| TableEnd {
            series: Series::default().with(&played.header, &played.outcome),
            outcome: played.outcome.clone(),
        });
        let entry = entry(revision, EntryKind::Move(logged.clone()), Some(*hash));
        let append = Append { table: played.id, entry, phase: None, ended, due: Vec::new() };
        written(store, Write::Append(Arc::new(append))).await;
    }
}

async fn written(store: &dyn TableStore, write: Write) {
    assert_eq!(store.write(&[write]).await.expect("a database"), [Appended::Yes]);
}
