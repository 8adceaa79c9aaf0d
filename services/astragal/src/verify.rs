//! `astragal verify`: checks a finished log on anyone's own machine. It trusts nothing but the
//! rules in this binary.

use crate::{file, games};
use anyhow::{Context, Result};
use astragal_rules::any::AnyTable;
use astragal_rules::finished_log::{FinishedLog, Sitter};
use astragal_rules::seat::Seat;
use astragal_rules::seed::Commitment;
use clap::Args;
use std::fmt::Write as _;
use std::path::PathBuf;

/// What to check.
#[derive(Args)]
pub(crate) struct VerifySettings {
    /// The log of a finished game, as the gateway gives it.
    file: PathBuf,
    /// The commitment that was shown when the game opened.
    #[arg(long)]
    commitment: Option<Commitment>,
}

/// Prints a summary, or fails with the place where the log is wrong.
#[expect(clippy::print_stdout, reason = "the summary is what the command is for")]
pub(crate) fn run(settings: &VerifySettings) -> Result<()> {
    let text = file::text(&settings.file)?;
    let finished = FinishedLog::from_json(&text)?;
    let own = finished.log().commitment();
    let table = games::registry().verify(&finished, settings.commitment.as_ref().unwrap_or(&own))?;
    print!("{}", summary(&finished, &*table)?);
    println!("commitment  {own}");
    match settings.commitment {
        Some(_) => println!("verified: every draw came from the seed that was committed to"),
        None => println!("verified: compare the commitment with the one shown at the opening"),
    }
    Ok(())
}

fn summary(finished: &FinishedLog, table: &dyn AnyTable) -> Result<String> {
    let opening = finished.log().opening();
    let outcome = table.outcome().context("the game is not over")?;
    let mut text = String::new();
    writeln!(text, "table       {}", opening.table)?;
    writeln!(text, "game        {} version {}, options {}", opening.game, opening.version, opening.options)?;
    writeln!(text, "moves       {}, seat {} began", table.number(), opening.first_seat)?;
    writeln!(text, "ended       {}", outcome.reason.as_str())?;
    let seats = Seat::all(opening.seats).zip(finished.sitters()).zip(&outcome.results).zip(&outcome.scores);
    for (((seat, sitter), result), score) in seats {
        let who = match sitter {
            Sitter::Player {} => "player".to_owned(),
            Sitter::Robot { level } => format!("robot of level {level}"),
        };
        writeln!(text, "seat {seat}      {who}: {}, {score} points", result.as_str())?;
    }
    Ok(text)
}
