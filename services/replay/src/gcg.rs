//! Finished games of crossword in the notation of other programs.

use crate::Parts;
use astragal_rules::crossword::gcg::export::export;
use astragal_rules::finished_log::FinishedLog;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;

/// The game that has such a notation.
const GAME: &str = "crossword";

/// The most bytes of a player's name; a name of more is cut.
const NAME_BYTES_MAX: usize = 200;

impl Parts {
    /// The file of a game that is over, with its players by seat.
    pub(crate) async fn gcg(&self, table: TableId, names: Vec<String>) -> Result<String> {
        let game = self.finished(table).await?;
        let write = move || written(&game.log, &names);
        tokio::task::spawn_blocking(write).await.map_err(|error| Problem::internal(&error))?
    }
}

fn written(log: &FinishedLog, names: &[String]) -> Result<String> {
    let game = &log.log().opening().game;
    if game != GAME {
        let why = format!("only {GAME} is written in GCG, this is {game}; take its log");
        return Err(Problem::failed_precondition(why));
    }
    let names: Vec<&str> =
        names.iter().map(|name| &name[..name.floor_char_boundary(NAME_BYTES_MAX)]).collect();
    let file = export(log, &names).map_err(|why| Problem::internal(&why))?;
    Ok(file.to_string())
}
