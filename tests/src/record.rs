//! What one seat was told of one game, and whether a finished log says the same: no acknowledged move is lost, none is
//! there twice, and none is there that was never acknowledged.

use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{OnGameUpdate, Table};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The record of a seat.
#[derive(Clone, Debug)]
pub struct Record {
    /// The game.
    pub game_id: String,
    /// The commitment to its seed, as it was first shown.
    pub commitment: String,
    seat: u32,
    /// The board after the last move.
    pub view: Value,
    /// Moves of this seat by the revision of their acknowledgement.
    acknowledged: BTreeMap<u32, Value>,
    /// Moves that events told of, by revision, as a log writes them.
    told: BTreeMap<u32, Value>,
}

impl Record {
    /// Nothing yet.
    pub fn new(table: &Table, seat: u32) -> Self {
        Self {
            game_id: table.game_id.clone(),
            commitment: table.commitment.clone(),
            seat,
            view: Value::Null,
            acknowledged: BTreeMap::new(),
            told: BTreeMap::new(),
        }
    }

    /// Notes the acknowledgement of a move.
    pub fn acknowledge(&mut self, revision: u32, operation: &Operation) -> Result<()> {
        let Operation::Move(made) = operation else { bail!("{operation:?} is no move") };
        let content = made.r#move.as_ref().context("a move without content")?;
        let twin = self.acknowledged.insert(revision, serde_json::from_slice(content.as_json())?);
        ensure!(twin.is_none(), "revision {revision} of {} was acknowledged for two moves", self.game_id);
        Ok(())
    }

    /// Notes an event.
    pub fn tell(&mut self, event: &Event) -> Result<()> {
        if let Event::OnGameUpdate(update) = event {
            self.view = parsed(update.view.as_ref().map(|view| view.as_json().as_ref()))?;
            self.told.insert(update.revision, logged(update)?);
        }
        Ok(())
    }

    /// Compares all that was told with the moves of the finished log.
    pub fn compare(&self, moves: &[Value]) -> Result<()> {
        let id = &self.game_id;
        let (told, logged) = (self.told.len(), moves.len());
        ensure!(told == logged, "{id}: seat {} was told of {told} moves, the log has {logged}", self.seat);
        for (told, logged) in self.told.values().zip(moves) {
            ensure!(told == logged, "{id}: seat {} was told {told}, the log has {logged}", self.seat);
        }
        let own: BTreeMap<u32, Value> = self.own().collect();
        ensure!(
            own == self.acknowledged,
            "{id}: seat {} has the acknowledgements {:?}, and the log its moves {own:?}",
            self.seat,
            self.acknowledged
        );
        Ok(())
    }

    fn own(&self) -> impl Iterator<Item = (u32, Value)> {
        let mine = |told: &&Value| told["seat"] == self.seat;
        let told = self.told.iter().filter(move |(_, told)| mine(told));
        told.map(|(revision, told)| (*revision, told["move"].clone()))
    }
}

fn logged(update: &OnGameUpdate) -> Result<Value> {
    let content = parsed(update.r#move.as_ref().map(|content| content.as_json().as_ref()))?;
    Ok(json!({ "number": update.number, "seat": update.seat, "move": content, "drew": update.drew }))
}

fn parsed(text: Option<&[u8]>) -> Result<Value> {
    Ok(serde_json::from_slice(text.context("an update without content")?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask;

    fn record(acknowledged: &[u32], told: &[u32]) -> Record {
        let table = Table { game_id: "g".into(), ..Table::default() };
        let mut record = Record::new(&table, 0);
        for revision in acknowledged {
            let operation = ask::make_move("g", revision - 1, &json!({ "pit": revision }));
            record.acknowledge(*revision, &operation).expect("a move");
        }
        record.told = told.iter().map(|revision| (*revision, entry(*revision))).collect();
        record
    }

    /// Seat 0 moves at odd revisions.
    fn entry(revision: u32) -> Value {
        json!({ "number": revision, "seat": (revision + 1) % 2, "move": { "pit": revision }, "drew": false })
    }

    #[test]
    fn a_record_agrees_with_its_log_and_with_no_other() {
        let log: Vec<Value> = [1, 2, 3].map(entry).into();
        for (what, record, agrees) in [
            ("all is there", record(&[1, 3], &[1, 2, 3]), true),
            ("an acknowledged move is lost", record(&[1, 3, 5], &[1, 2, 3]), false),
            ("a move was not acknowledged", record(&[1], &[1, 2, 3]), false),
            ("an event is missing", record(&[1, 3], &[1, 3]), false),
            ("an event too many", record(&[1, 3], &[1, 2, 3, 4]), false),
        ] {
            assert_eq!(record.compare(&log).is_ok(), agrees, "{what}");
        }
        assert!(record(&[1, 3], &[1, 2, 3]).acknowledge(3, &ask::make_move("g", 2, &json!({}))).is_err());
    }
}
