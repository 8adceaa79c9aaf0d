//! The load tool: tables of two sockets that play kalah against a server, every board checked.
//!
//! `astragal-load --spawn` measures a server of its own on core 0 from core 1; `--url` measures one
//! that runs. Closed loop, fixed rate, idle sockets, or a kill in the middle. It stops by itself.

#![expect(clippy::cast_precision_loss, reason = "figures are rounded far above what a float loses")]

mod board;
mod drive;
mod frame;
mod machine;
mod options;
mod people;
mod report;
mod runs;
mod scan;
mod socket;
mod table;

use anyhow::{Context, Result, ensure};
use astragal_tests::server::{Launch, Server};
use clap::Parser;
use options::{Mode, Options};
use serde::Serialize;
use std::fmt::Display;

fn main() -> Result<()> {
    let options = Options::parse();
    machine::stay_on_second_core()?;
    machine::open_many_files()?;
    let mut server = if options.spawn { Some(spawn()?) } else { None };
    let url = match (&server, &options.url) {
        (Some(server), _) => server.url().to_owned(),
        (None, url) => url.clone().context("give --url, or --spawn")?,
    };
    let mut pids = options.pid.clone();
    if let Some(server) = &server {
        pids.push(server.pid()?);
    }
    match options.mode {
        Mode::Closed | Mode::Fixed => print(&options, &runs::play(&options, &url, &pids)?),
        Mode::Idle => print(&options, &runs::idle(&options, &url, &pids)?),
        Mode::Kill => {
            let server = server.as_mut().context("only a server of one's own can be killed; use --spawn")?;
            let report = runs::kill(&options, server)?;
            print(&options, &report)?;
            ensure!(report.acknowledged_changes_lost == 0, "acknowledged changes were lost");
            Ok(())
        }
    }
}

fn spawn() -> Result<Server> {
    Launch::new()?.under(&["taskset", "-c", "0"]).log_filter("warn").start()
}

#[expect(clippy::print_stdout, reason = "the report is what this program is for")]
fn print(options: &Options, report: &(impl Serialize + Display)) -> Result<()> {
    if options.json {
        println!("{}", serde_json::to_string(report)?);
    } else {
        println!("{report}");
    }
    Ok(())
}
