//! `astragal gcg`: the notation in which other programs keep games of crossword.

mod view;

use crate::{file, games};
use anyhow::{Context, Result, anyhow, ensure};
use astragal_rules::crossword::dictionary::Dictionaries;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::gcg::export::export;
use astragal_rules::crossword::gcg::{Event, Gcg, GcgError};
use astragal_rules::finished_log::{FinishedLog, Sitter};
use clap::{Args, Subcommand};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What to do with files of games.
#[derive(Args)]
pub(crate) struct GcgSettings {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Scores every event of a file again; fails at the first that differs.
    Check {
        /// A game in GCG.
        file: PathBuf,
        /// The tile set that it was played with.
        #[arg(long, default_value = "english", value_parser = variant)]
        variant: Variant,
    },
    /// Shows a file board by board: by keys in a terminal, all of them elsewhere.
    View {
        /// A game in GCG.
        file: PathBuf,
        /// The tile set that it was played with.
        #[arg(long, default_value = "english", value_parser = variant)]
        variant: Variant,
    },
    /// Prints the game of a finished log in GCG.
    Export {
        /// The log of a finished game of crossword, as the gateway gives it.
        file: PathBuf,
        /// The name of a player, once for each seat in turn.
        #[arg(long = "name", value_name = "NAME")]
        names: Vec<String>,
    },
}

/// The variant of a name; otherwise what may be written.
pub(crate) fn variant(name: &str) -> Result<Variant, String> {
    Variant::named(name).ok_or_else(|| {
        let names = Variant::ALL.map(|variant| variant.edition().set.name());
        format!("there is no such tile set, write one of {}", names.join(", "))
    })
}

/// Prints what it was asked for, or fails with the line where the file is wrong.
#[expect(clippy::print_stdout, reason = "what is printed is what the command is for")]
pub(crate) fn run(settings: &GcgSettings) -> Result<()> {
    match &settings.task {
        Task::Check { file, variant } => {
            let bytes = file::bytes(file)?;
            let gcg = Gcg::read(&bytes).with_context(|| file.display().to_string())?;
            let scored = gcg.score(variant.edition());
            let differs = scored.as_ref().err().map(|error| error.line);
            print!("{}", events(&gcg, differs)?);
            let scored = scored.map_err(|error| difference(file, &gcg, &error))?;
            let totals = gcg.players.iter().zip(&scored.totals);
            let totals: Vec<_> =
                totals.map(|(player, total)| format!("{} {total}", plain(&player.nick))).collect();
            println!("{} events score the same by the rules: {}", gcg.events.len(), totals.join(", "));
        }
        Task::View { file, variant } => view::run(file, *variant)?,
        Task::Export { file, names } => print!("{}", exported(file, names)?),
    }
    Ok(())
}

/// A line an event, up to the line that differs: whose, the move, its score, the total.
fn events(gcg: &Gcg, differs: Option<usize>) -> Result<String> {
    let mut text = String::new();
    for event in gcg.events.iter().take_while(|event| differs != Some(event.line)) {
        let Event { line, action, score, total, .. } = event;
        let action = plain(&action.to_string());
        writeln!(text, "{line:>4}  {:<12} {action:<20} {score:>+5} {total:>5}", nick(gcg, event))?;
    }
    Ok(text)
}

/// Names the line and the event that differ.
fn difference(file: &Path, gcg: &Gcg, error: &GcgError) -> anyhow::Error {
    let event = gcg.events.iter().find(|event| event.line == error.line);
    let event = event.map(|event| format!(", in >{}: {}", nick(gcg, event), plain(&event.to_string())));
    anyhow!("{}: {error}{}", file.display(), event.unwrap_or_default())
}

fn nick(gcg: &Gcg, event: &Event) -> String {
    gcg.players.get(event.player).map(|player| plain(&player.nick)).unwrap_or_default()
}

/// What a file says, without what could steer a terminal.
fn plain(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

fn exported(file: &Path, names: &[String]) -> Result<Gcg> {
    let finished = FinishedLog::from_json(&file::text(file)?)?;
    let opening = finished.log().opening();
    ensure!(opening.game == "crossword", "only crossword is written in GCG, this is {}", opening.game);
    ensure!(names.len() <= opening.seats.into(), "there are {} seats, give no more names", opening.seats);
    games::registry(Dictionaries::default()).verify(&finished, &finished.log().commitment())?;
    let mut seated: Vec<_> = finished.sitters().iter().zip(1..).map(usual_name).collect();
    seated.iter_mut().zip(names).for_each(|(usual, name)| usual.clone_from(name));
    Ok(export(&finished, &seated.iter().map(String::as_str).collect::<Vec<_>>())?)
}

/// Logs hold no names.
fn usual_name((sitter, number): (&Sitter, u32)) -> String {
    match sitter {
        Sitter::Player {} => format!("Player {number}"),
        Sitter::Robot { level } => format!("Robot of level {level}"),
    }
}
