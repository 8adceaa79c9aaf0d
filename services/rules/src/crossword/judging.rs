//! Judges a finished game again, by a dictionary that is at hand. A replay asks no dictionary;
//! this is for who wants to know whether the words were good.

use crate::crossword::dictionary::Dictionary;
use crate::crossword::game::Crossword;
use crate::error::InvalidGame;
use crate::finished_log::FinishedLog;
use crate::game::Game;
use crate::machine::{Action, GameTable, read_action};
use std::sync::Arc;

/// Refuses a game in which a word was laid, or a verdict given, that the dictionary denies. The
/// error names the move.
pub fn judge_again(finished: &FinishedLog, dictionary: &Dictionary) -> Result<(), InvalidGame> {
    let log = finished.log();
    let game = Arc::new(Crossword::default());
    let mut table = GameTable::setup(Arc::clone(&game), Arc::clone(log.opening()))?;
    if table.table.options.variant != dictionary.variant() {
        let name = dictionary.variant().edition().set.name();
        return Err(InvalidGame::new("options.variant", format_args!("the dictionary is for {name}")));
    }
    for logged in log.moves() {
        let due = game.automatic(&table.table, &table.state, dictionary);
        let action = read_action::<Crossword>(logged.seat, &logged.action);
        if let (Some(due), Ok(Action::Game(given))) = (due, action)
            && logged.seat.is_none()
            && given != due
        {
            return Err(InvalidGame::at_move(logged.number, "by this dictionary the verdict is another"));
        }
        table = table.advance(&log.header(), [logged], dictionary)?;
    }
    Ok(())
}
