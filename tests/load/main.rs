//! The load tool: tables of two sockets that play kalah against a server, every board checked.
//!
//! `astragal-load --spawn` measures a server of its own on core 0 from core 1, `--apart` measures roles
//! in processes of their own, `--url` what runs already. Closed loop, fixed rate, idle sockets, a kill in
//! the middle, a storm of reconnects, a crowd that plays on, a lobby
//! where many wait, or clocks that run by themselves. It stops by itself.

#![expect(clippy::cast_precision_loss, reason = "figures are rounded far above what a float loses")]

mod board;
mod clocks;
mod comeback;
mod crowd;
mod drive;
mod frame;
mod lobby;
mod machine;
mod options;
mod pair;
mod people;
mod rematch;
mod report;
mod runs;
mod scan;
mod searcher;
mod socket;
mod stage;
mod storm;
mod table;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use options::{Mode, Options};
use serde::Serialize;
use std::fmt::Display;

fn main() -> Result<()> {
    let options = Options::parse();
    machine::open_many_files()?;
    // Two of each role are a system for more than one core, and then this tool needs little of any.
    let has_cores = options.mode != Mode::Rematch;
    if has_cores {
        machine::stay_on_core(0)?;
    }
    let mut dev = options.spawn.then(stage::dev).transpose()?;
    let apart = options.apart.then(|| stage::Apart::start(options.mode)).transpose()?;
    if has_cores {
        machine::stay_on_core(1)?;
    }

    let mut pids = options.pid.clone();
    if let Some(server) = &dev {
        pids.push(server.pid()?);
    }
    if let Some(apart) = &apart {
        match options.mode {
            Mode::Idle => pids.push(apart.gateway()?.pid()?),
            _ => pids.extend(apart.pids()?),
        }
    }
    let url = match (&dev, &apart, &options.url) {
        (Some(server), _, _) => server.url().to_owned(),
        (None, Some(apart), _) => apart.url()?.to_owned(),
        (None, None, url) => url.clone().context("give --url, --spawn or --apart")?,
    };
    match options.mode {
        Mode::Closed | Mode::Fixed => print(&options, &runs::play(&options, &url, &pids)?),
        Mode::Storm => print(&options, &storm::run(&options, &url, &pids)?),
        Mode::Lobby => print(&options, &lobby::run(&options, &url, &pids)?),
        Mode::Clocks => print(&options, &clocks::run(&options, &url, &pids)?),
        Mode::Rematch => {
            let urls = apart.as_ref().map_or_else(|| vec![&*url], stage::Apart::urls);
            print(&options, &rematch::run(&options, &urls, &pids)?)
        }
        Mode::Idle => print(&options, &runs::idle(&options, &url, &pids)?),
        Mode::Kill => {
            let server = dev.as_mut().context("only one process can be killed and counted; use --spawn")?;
            let report = runs::kill(&options, server)?;
            print(&options, &report)?;
            ensure!(report.acknowledged_changes_lost == 0, "acknowledged changes were lost");
            Ok(())
        }
    }
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
