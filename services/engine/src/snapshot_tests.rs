//! What is believed of a snapshot, field by field.

use super::{accept, resume, write};
use crate::clocks::TimeMark;
use crate::header::TableHeader;
use crate::journal::{Entry, EntryKind};
use crate::position::{Behind, Position};
use crate::series::Series;
use crate::store::StoredTable;
use astragal_rules::any::AnyTable;
use astragal_rules::game::AcceptAll;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::log::{Header, LoggedMove};
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_runtime::id::TableId;
use chrono::DateTime;
use serde_json::{Value, json};
use std::sync::Arc;

/// A table that is played here, with each state that it was in.
struct Game {
    stored: StoredTable,
    states: Vec<Arc<dyn AnyTable>>,
}

fn games() -> Registry {
    Registry::new().with(Kalah)
}

impl Game {
    fn open(seed: u8) -> Self {
        let seed = Seed::new([seed; 32]);
        let header = TableHeader {
            id: TableId::new(),
            game: "kalah".to_owned(),
            version: 1,
            variant: "standard".to_owned(),
            options: r#"{"capture":"standard","seeds":4}"#.to_owned(),
            seats: 2,
            first_seat: Seat(0),
            commitment: seed.commitment().to_string(),
            series_id: None,
            opened_at: DateTime::UNIX_EPOCH,
            time_control: None,
            best_of: 0,
            follows: None,
        };
        let opening = header.opening(seed.clone());
        let start = games().setup(&Header { opening, moves: 0 }).expect("a table");
        let (series, entries) = (Series::default(), Vec::new());
        let stored = StoredTable { header, seed, outcome: None, series, entries };
        Self { stored, states: vec![Arc::from(start)] }
    }

    fn now(&self) -> &Arc<dyn AnyTable> {
        self.states.last().expect("a state")
    }

    /// Makes one of the legal moves; which one, counted from the last.
    fn play(&mut self, which: usize) {
        let seat = self.now().turn().acting.expect("somebody to move");
        let legal = self.now().legal_moves(seat).expect("moves").expect("moves");
        let legal: Vec<Value> = serde_json::from_str(&legal).expect("a list");
        let action = legal[legal.len() - 1 - which % legal.len()].to_string();
        let step = self.now().step(Some(seat), &action, &AcceptAll).expect("a legal move");
        self.states.push(Arc::from(step.after));
        self.note(EntryKind::Move(step.logged));
    }

    fn undo(&mut self) {
        let number = self.states.pop().expect("a state").number();
        self.note(EntryKind::Undo { number });
    }

    fn note(&mut self, kind: EntryKind) {
        let state_hash = Some(self.now().state_hash().expect("a hash"));
        let revision = self.stored.entries.len() as u32 + 1;
        let (actor, stamp, at, time) = (None, None, DateTime::UNIX_EPOCH, TimeMark::default());
        self.stored.entries.push(Entry { revision, kind, actor, stamp, at, state_hash, time });
    }

    /// What an engine would keep now.
    fn snapshot(&self) -> String {
        let revision = self.stored.entries.len() as u32;
        write(&self.stored.header, revision, &**self.now()).expect("a snapshot")
    }

    fn replayed(&self) -> Position {
        let moves: Vec<LoggedMove> = super::standing(&self.stored.entries).into_iter().cloned().collect();
        let opening = self.stored.header.opening(self.stored.seed.clone());
        Position::rebuild(&games(), &opening, &moves).expect("a log that replays")
    }

    #[track_caller]
    fn refuses(&self, text: &str, place: &str) {
        let refused = resume(text, &games(), &self.stored).map(|_| ()).expect_err("it is refused");
        assert_eq!(refused.place, place, "{refused}");
        assert!(!refused.to_string().contains("stores"), "the refusal repeats the state: {refused}");
    }
}

/// A game of eight moves with a snapshot after five, of which two were taken back before.
fn played() -> (Game, String) {
    let mut game = Game::open(1);
    for which in [0, 1, 2] {
        game.play(which);
    }
    game.undo();
    game.undo();
    for which in [2, 1, 0, 3] {
        game.play(which);
    }
    let snapshot = game.snapshot();
    for which in [1, 0, 2] {
        game.play(which);
    }
    (game, snapshot)
}

#[track_caller]
fn assert_same(resumed: &Position, replayed: &Position) {
    assert_eq!(resumed.hash, replayed.hash);
    assert_eq!(resumed.state.state_json(), replayed.state.state_json());
    let (Behind::Move { last, before }, Behind::Move { last: other, before: earlier }) =
        (&resumed.behind, &replayed.behind)
    else {
        panic!("a move lies behind both");
    };
    assert_eq!((last, before.state_json()), (other, earlier.state_json()));
}

/// L11: what follows from a snapshot is what follows from the log.
#[test]
fn l11_a_table_from_a_snapshot_is_the_table_from_its_log() {
    let (game, snapshot) = played();
    assert_eq!(accept(&snapshot, &games(), &game.stored).expect("a state").number(), 5);
    assert_same(&resume(&snapshot, &games(), &game.stored).expect("a table"), &game.replayed());
}

/// L11: of the newest state itself; the move behind it is read when somebody wants it back.
#[test]
fn l11_a_snapshot_of_the_newest_revision_leaves_the_last_move_unread() {
    let (game, _) = played();
    let resumed = resume(&game.snapshot(), &games(), &game.stored).expect("a table");
    assert_eq!(resumed.hash, game.replayed().hash);
    assert!(matches!(resumed.behind, Behind::Unread));
}

/// L11: each field altered, one missing, one too many, and every byte.
#[test]
fn l11_an_altered_snapshot_is_refused() {
    let (game, snapshot) = played();
    let alter = |field: &str, value: Value| {
        let mut altered: Value = serde_json::from_str(&snapshot).expect("JSON");
        altered[field] = value;
        altered.to_string()
    };
    game.refuses(&alter("table", json!(TableId::new())), "table");
    game.refuses(&alter("game", json!("crossword")), "version");
    game.refuses(&alter("version", json!(2)), "version");
    game.refuses(&alter("commitment", json!("0".repeat(64))), "commitment");
    game.refuses(&alter("revision", json!(0)), "revision");
    game.refuses(&alter("revision", json!(999)), "revision");
    // There is such a state, but of another revision.
    game.refuses(&alter("revision", json!(8)), "state");
    game.refuses(&alter("more", json!(1)), "snapshot");
    for odd in ["", "null", "[]", "{}", "\u{0}"] {
        game.refuses(odd, "snapshot");
    }
    let state: Value = serde_json::from_str(&snapshot).expect("JSON");
    let state: Value = serde_json::from_str(state["state"].as_str().expect("text")).expect("JSON");
    for field in state.as_object().expect("an object").keys() {
        let mut other = state.clone();
        other[field] = json!(7);
        game.refuses(&alter("state", json!(other.to_string())), "state");
    }
    for place in 0..snapshot.len() {
        let mut bytes = snapshot.clone().into_bytes();
        bytes[place] ^= 1;
        let Ok(text) = String::from_utf8(bytes) else { continue };
        assert!(resume(&text, &games(), &game.stored).is_err(), "byte {place} can be changed: {text}");
    }
}

/// L11: a snapshot of another table, and of one that has the same id and another seed.
#[test]
fn l11_another_tables_snapshot_is_refused() {
    let (game, _) = played();
    let (other, snapshot) = played();
    game.refuses(&snapshot, "table");
    let mut twin = Game::open(2);
    twin.stored.header.id = other.stored.header.id;
    for which in [2, 1, 0, 3, 1, 0] {
        twin.play(which);
    }
    twin.refuses(&snapshot, "commitment");
}

/// L11, L12: moves of a snapshot were taken back, and others made since; with as many moves it is another table.
#[test]
fn l11_l12_a_snapshot_older_than_an_undo_is_refused() {
    let (mut game, _) = played();
    let snapshot = game.snapshot();
    game.undo();
    game.refuses(&snapshot, "revision");
    game.play(2);
    game.play(1);
    game.refuses(&snapshot, "revision");
    let replayed = game.replayed();
    assert_same(&resume(&played_on(&mut game), &games(), &game.stored).expect("a table"), &game.replayed());
    assert_ne!(replayed.hash, game.replayed().hash);
}

/// Keeps a state, and moves on.
fn played_on(game: &mut Game) -> String {
    let snapshot = game.snapshot();
    game.play(0);
    snapshot
}

/// L11, L5: no snapshot holds the seed in any form.
#[test]
fn l11_l5_a_snapshot_holds_no_seed() {
    let (game, snapshot) = played();
    let seed = game.stored.seed.commitment();
    for start in 0..snapshot.len() - 64 {
        let hex = snapshot.get(start..start + 64).and_then(Seed::from_hex);
        assert!(hex.is_none_or(|found| !found.commitment().matches(&seed)), "the seed is in it");
    }
    for bytes in snapshot.as_bytes().windows(32) {
        let found = Seed::new(bytes.try_into().expect("32 bytes"));
        assert!(!found.commitment().matches(&seed), "the seed is in it");
    }
}
