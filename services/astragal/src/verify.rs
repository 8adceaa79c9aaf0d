//! `astragal verify`: checks a finished log or a certificate on anyone's own machine. It trusts nothing
//! but the rules in this binary.

use crate::{dictionaries, file, games};
use anyhow::{Context, Result, ensure};
use astragal_rules::any::AnyTable;
use astragal_rules::certificate::Certificate;
use astragal_rules::certificate::journal::{Event, Record};
use astragal_rules::crossword::content::{JudgedBy, Options, Words};
use astragal_rules::crossword::dictionary::Dictionaries;
use astragal_rules::crossword::judging::judge_again;
use astragal_rules::finished_log::{FinishedLog, Sitter};
use astragal_rules::log::Opening;
use astragal_rules::registry::Registry;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Commitment;
use clap::Args;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What to check.
#[derive(Args)]
pub(crate) struct VerifySettings {
    /// The log or the certificate of a finished game, as the gateway gives it.
    file: PathBuf,
    /// The commitment that was shown when the game opened.
    #[arg(long)]
    commitment: Option<Commitment>,
    /// The dictionary that judged the words, to judge them again.
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
}

/// Prints a summary, or fails with the place where the log is wrong.
#[expect(clippy::print_stdout, reason = "the summary is what the command is for")]
pub(crate) fn run(settings: &VerifySettings) -> Result<()> {
    let text = file::text(&settings.file)?;
    let certificate = Certificate::is_named_by(&text).then(|| Certificate::from_json(&text)).transpose()?;
    let registry = games::registry(Dictionaries::default());
    let proven = certificate.as_ref().map(|certificate| proven(certificate, &registry)).transpose()?;
    let finished = match certificate {
        Some(certificate) => certificate.log,
        None => FinishedLog::from_json(&text)?,
    };
    let own = finished.log().commitment();
    let table = registry.verify(&finished, settings.commitment.as_ref().unwrap_or(&own))?;
    let words = words(&finished, settings.dictionary.as_deref())?;
    print!("{}{}{words}", summary(&finished, &*table)?, proven.unwrap_or_default());
    println!("commitment  {own}");
    match settings.commitment {
        Some(_) => println!("verified: every draw came from the seed that was committed to"),
        None => println!("verified: compare the commitment with the one shown at the opening"),
    }
    Ok(())
}

/// What a certificate holds besides the log, once it is checked.
fn proven(certificate: &Certificate, registry: &Registry) -> Result<String> {
    certificate.check(registry)?;
    let is_undo = |record: &&Record| matches!(record.event, Event::Undo { .. });
    let undone = certificate.journal.iter().filter(is_undo).count();
    let mut text = format!("journal     {} entries, {undone} moves taken back\n", certificate.journal.len());
    match &certificate.draw {
        None => writeln!(text, "draw        none")?,
        Some(draw) => {
            let picks: Vec<_> = draw.rounds.iter().flatten().collect();
            let by_hand = picks.iter().filter(|pick| pick.recorded).count();
            let picks = picks.len();
            writeln!(text, "draw        {picks} tiles, {by_hand} of them by hand, the others drawn again")?;
        }
    }
    writeln!(text, "series      game {}", certificate.series.games.len())?;
    Ok(text)
}

/// What is known of the words of a game that has any. A replay takes them as they were judged.
fn words(finished: &FinishedLog, dictionary: Option<&Path>) -> Result<String> {
    let Opening { game, options, .. } = &**finished.log().opening();
    if game != "crossword" {
        ensure!(dictionary.is_none(), "{game} has no words to judge, leave --dictionary out");
        return Ok(String::new());
    }
    let options: Options = serde_json::from_str(options).context("the options are not those of crossword")?;
    if options.words == Words::Any && dictionary.is_none() {
        return Ok("words       any may be laid, none was judged\n".to_owned());
    }
    let recorded = options.dictionary;
    let Some(path) = dictionary else {
        let by = recorded.map_or("that judged them".to_owned(), |by| shown(&by));
        return Ok(format!("words       not judged again; give the dictionary {by} with --dictionary\n"));
    };
    let dictionary = dictionaries::read(path)?;
    judge_again(finished, &dictionary)?;
    let (here, mut text) = (dictionary.identity(), String::new());
    writeln!(text, "words       judged again by {}", shown(&here))?;
    if let Some(by) = recorded.filter(|by| by.sha256 != here.sha256) {
        writeln!(text, "            the table was judged by another: {}", shown(&by))?;
    }
    Ok(text)
}

/// Name and digest, without what could steer a terminal.
fn shown(by: &JudgedBy) -> String {
    format!("{} {}", by.name, by.sha256).replace(char::is_control, "\u{fffd}")
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

#[cfg(test)]
mod tests {
    use super::*;

    /// P4: nobody is told to look for a dictionary where none judged.
    #[test]
    fn p4_a_game_of_any_words_has_none_to_judge_again() -> Result<()> {
        let log = include_str!("../../../tests/golden/crossword_1.json");
        let said = words(&FinishedLog::from_json(log)?, None)?;
        assert_eq!(said, "words       any may be laid, none was judged\n");
        Ok(())
    }
}
