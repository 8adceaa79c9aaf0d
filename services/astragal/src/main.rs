//! Astragal: one binary, a role a subcommand.

mod data;
mod dev;
mod games;
mod listen;
mod roles;
mod verify;

use clap::{Parser, Subcommand};
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
    /// Checks the log of a finished game.
    Verify(verify::VerifySettings),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().role {
        Role::Dev(settings) => dev::run(settings),
        Role::Verify(settings) => verify::run(&settings),
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
