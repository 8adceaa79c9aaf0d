//! Where the built `astragal` binary is, and one run of it that is expected to end by itself.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// How long a run that should end may take before it is killed.
const RUN_MAX: Duration = Duration::from_mins(2);

/// Finds the binary: `ASTRAGAL_BIN`, or `astragal` beside the running executable's build.
pub fn find() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("ASTRAGAL_BIN") {
        return Ok(path.into());
    }
    let own = std::env::current_exe().context("the path of this executable is unknown")?;
    let found =
        own.ancestors().skip(1).take(2).map(|folder| folder.join("astragal")).find(|path| path.is_file());
    found.with_context(|| {
        format!("no astragal binary near {}; run `cargo build` first, or set ASTRAGAL_BIN", own.display())
    })
}

/// Runs the binary to its end and collects what it said. A run that doesn't end is killed and an error.
pub fn run(arguments: &[&str]) -> Result<Output> {
    run_command(Command::new(find()?).args(arguments))
}

/// Runs a prepared command to its end, with the same bound.
pub fn run_command(command: &mut Command) -> Result<Output> {
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("the program could not be started")?;
    let pid = process_id(&child)?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    if let Ok(output) = receiver.recv_timeout(RUN_MAX) {
        return output.context("the program could not be waited for");
    }
    rustix::process::kill_process(pid, rustix::process::Signal::KILL)?;
    let output = receiver.recv().context("the program could not be waited for")??;
    bail!("still running after {RUN_MAX:?}; it said: {}", String::from_utf8_lossy(&output.stderr))
}

/// Waits for a child with a bound; a child that outlives it is killed and an error.
pub(crate) fn wait(mut child: Child, max: Duration) -> Result<ExitStatus> {
    let pid = process_id(&child)?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait()));
    if let Ok(status) = receiver.recv_timeout(max) {
        return status.context("the server could not be waited for");
    }
    rustix::process::kill_process(pid, rustix::process::Signal::KILL)?;
    let _ended = receiver.recv();
    bail!("the server was still running after {max:?}")
}

pub(crate) fn process_id(child: &Child) -> Result<rustix::process::Pid> {
    let raw = i32::try_from(child.id()).context("a process id out of range")?;
    rustix::process::Pid::from_raw(raw).context("a process id of zero")
}
