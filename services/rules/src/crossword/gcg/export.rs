//! Makes a file of a table's log. Only whoever may see every rack may do that: it is for games
//! that are over.

use crate::crossword::content::Move;
use crate::crossword::data::Data;
use crate::crossword::game::Crossword;
use crate::crossword::gcg::{Action, Event, Gcg, Player};
use crate::crossword::laying::Laying;
use crate::crossword::tiles::Tiles;
use crate::error::InvalidGame;
use crate::finished_log::FinishedLog;
use crate::game::AcceptAll;
use crate::machine::{Action as Step, GameTable, read_action};
use crate::seat::Seat;
use std::sync::Arc;

/// The game of a finished log, with the name of each seat.
pub fn export(finished: &FinishedLog, names: &[&str]) -> Result<Gcg, InvalidGame> {
    let log = finished.log();
    let mut table = GameTable::setup(Arc::new(Crossword::default()), Arc::clone(log.opening()))?;
    let mut writer = Writer::new(log.opening().seats, names);
    for logged in log.moves() {
        let after = table.advance(&log.header(), [logged], &AcceptAll)?;
        let action = read_action::<Crossword>(logged.seat, &logged.action);
        let action = action.map_err(|error| InvalidGame::at_move(logged.number, error))?;
        let (before, data) = (&table.state.data, &after.state.data);
        if let Step::Game(action) = &action {
            writer.tell(before, logged.seat, action);
            writer.adjust(data, &table.state.turn.order, action);
        }
        table = after;
    }
    Ok(writer.gcg)
}

struct Writer {
    gcg: Gcg,
    totals: Vec<i32>,
}

impl Writer {
    fn new(seats: u8, names: &[&str]) -> Self {
        let player = |seat: Seat| {
            let name = names.get(seat.index()).copied().unwrap_or("");
            // A name is one line, whatever is in it.
            let name = name.split(char::is_control).collect::<Vec<_>>().join(" ").trim().to_owned();
            Player { nick: format!("p{}", seat.index() + 1), name }
        };
        let players = Seat::all(seats).map(player).collect();
        Self { gcg: Gcg { players, ..Gcg::default() }, totals: vec![0; seats.into()] }
    }

    /// One move; what the end adds comes apart.
    fn tell(&mut self, before: &Data, actor: Option<Seat>, action: &Move) {
        let edition = before.edition();
        let fresh = before.fresh.as_ref();
        let (seat, told, score) = match (actor, action) {
            (Some(seat), Move::Play(play)) => {
                let Ok(laying) = Laying::read(edition, &before.board, play.at, &play.tiles) else { return };
                let mut after = before.board;
                laying.lay(&mut after);
                let (start, tiles) = laying.written(edition, &after);
                (seat, Action::Play(start, tiles), laying.score(edition, &after).total())
            }
            (Some(seat), Move::Exchange(tiles)) => (seat, Action::Exchange(tiles.clone()), 0),
            (Some(seat), Move::Pass(_)) => (seat, Action::Pass, 0),
            // Who challenges good words loses the turn.
            (None, Move::Verdict(true)) => {
                let Some(challenger) = fresh.and_then(|fresh| fresh.challenger) else { return };
                (challenger, Action::Pass, 0)
            }
            (None, Move::Verdict(false)) => {
                let Some(fresh) = fresh else { return };
                (fresh.seat, Action::Withdrawn, -fresh.score)
            }
            _ => return,
        };
        let mut rack = before.racks.get(seat.index()).copied().unwrap_or(Tiles::EMPTY);
        if let (Action::Withdrawn, Some((_, _, laying))) = (&told, before.before_fresh()) {
            laying.squares().iter().for_each(|(_, laid)| rack.put(laid.tile()));
        }
        self.event(seat, rack.text(edition), told, score);
    }

    /// What the last move adds at the end, if it was the last.
    fn adjust(&mut self, after: &Data, playing: &[Seat], action: &Move) {
        if matches!(action, Move::Challenge(_)) {
            return;
        }
        let text = |tiles: &Tiles| tiles.text(after.edition());
        for seat in playing {
            let total = after.scores.get(seat.index()).copied().unwrap_or(0);
            let added = total - self.totals.get(seat.index()).copied().unwrap_or(0);
            if added > 0 {
                let others = playing.iter().filter(|other| *other != seat);
                let others = others.filter_map(|other| after.racks.get(other.index()));
                let tiles = others.map(text).collect();
                self.event(*seat, String::new(), Action::EndBonus(tiles), added);
            } else if added < 0 {
                let tiles = after.racks.get(seat.index()).map(text).unwrap_or_default();
                self.event(*seat, tiles.clone(), Action::EndPenalty(tiles), added);
            }
        }
    }

    fn event(&mut self, seat: Seat, rack: String, action: Action, score: i32) {
        let Some(total) = self.totals.get_mut(seat.index()) else { return };
        *total += score;
        let line = 2 + self.gcg.players.len() + self.gcg.events.len();
        self.gcg.events.push(Event { line, player: seat.index(), rack, action, score, total: *total });
    }
}
