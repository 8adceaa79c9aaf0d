//! Astragal: one binary, a role a subcommand.

mod data;
mod database_url;
mod dev;
mod dictionaries;
mod dictionary;
mod engine;
mod environment;
mod file;
mod flags;
mod games;
mod gateway;
mod gcg;
mod grpc;
mod health;
mod listen;
mod matchmaking;
mod metrics_page;
mod migrate;
mod probe;
mod process;
mod rematch;
mod replay;
mod replay_check;
mod role_port;
mod roles;
mod secret;
mod terminal;
mod token;
mod tournament_paths;
mod verify;

use astragal_runtime::panics;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Turn-based table games whose every draw can be checked.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    role: Role,
}

#[derive(Subcommand)]
enum Role {
    /// Every role in one process, on embedded databases.
    Dev(dev::DevSettings),
    /// Sockets and HTTP in, calls to the other roles out.
    Gateway(gateway::GatewaySettings),
    /// Accounts, open games and draws.
    Matchmaking(matchmaking::MatchmakingSettings),
    /// Tables.
    Engine(engine::EngineSettings),
    /// Rematches.
    Rematch(rematch::RematchSettings),
    /// Timelines, certificates and the check of them.
    Replay(replay::ReplaySettings),
    /// Brings the schemas of all roles up to date.
    Migrate(migrate::MigrateSettings),
    /// Plays every stored table again with the rules of this build.
    ReplayCheck(replay_check::ReplayCheckSettings),
    /// Asks a process whether it can serve.
    Probe(probe::ProbeSettings),
    /// Signs a token with the key of the installation.
    Token(token::TokenSettings),
    /// Checks the log of a finished game.
    Verify(verify::VerifySettings),
    /// Builds the dictionaries that words are judged by.
    Dictionary(dictionary::DictionarySettings),
    /// Checks games of crossword in the notation of other programs, shows or writes them.
    Gcg(gcg::GcgSettings),
}

fn main() -> ExitCode {
    panics::keep_words_inside();
    let command = environment::without_empty(Arguments::command(), environment::is_empty);
    let arguments = Arguments::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
    let outcome = match arguments.role {
        Role::Dev(settings) => dev::run(&settings),
        Role::Gateway(settings) => gateway::run(&settings),
        Role::Matchmaking(settings) => matchmaking::run(&settings),
        Role::Engine(settings) => engine::run(&settings),
        Role::Rematch(settings) => rematch::run(&settings),
        Role::Replay(settings) => replay::run(&settings),
        Role::Migrate(settings) => migrate::run(settings),
        Role::ReplayCheck(settings) => replay_check::run(&settings),
        Role::Probe(settings) => probe::run(&settings),
        Role::Token(settings) => token::run(&settings),
        Role::Verify(settings) => verify::run(&settings),
        Role::Dictionary(settings) => dictionary::run(&settings),
        Role::Gcg(settings) => gcg::run(&settings),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// One sentence on standard error; what caused it follows on the same line.
#[expect(clippy::print_stderr, reason = "the last word of a command that failed")]
fn complain(error: &anyhow::Error) {
    eprintln!("astragal: {error:#}");
}
