//! A process of an installation: the built binary, or the one in a container of buildah's.

use anyhow::{Context, Result, ensure};
use astragal_tests::program;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Runs, and is killed if nobody stopped it before.
pub(super) struct Running {
    child: Option<Child>,
    log: PathBuf,
}

/// How processes of the program are started.
pub(super) enum Runner {
    /// As they are.
    Binary(PathBuf),
    /// In a container, whose image was built from `deploy/Dockerfile`.
    Container(OsString),
}

impl Runner {
    /// In the container that `ASTRAGAL_CONTAINER` names, if it names one.
    pub(super) fn chosen() -> Result<Self> {
        match std::env::var_os("ASTRAGAL_CONTAINER") {
            Some(container) => Ok(Self::Container(container)),
            None => Ok(Self::Binary(program::find()?)),
        }
    }

    /// The program with variables and nothing else of this process's environment. `files` are what it
    /// finds at a place of its own, in a container.
    pub(super) fn command(
        &self,
        words: &[String],
        variables: &BTreeMap<String, String>,
        files: &BTreeMap<String, PathBuf>,
    ) -> Command {
        match self {
            Self::Binary(program) => {
                let mut command = Command::new(program);
                command.env_clear().envs(variables).args(words);
                command
            }
            Self::Container(container) => {
                let mut command = Command::new("buildah");
                command.args(["run", "--isolation", "chroot"]);
                command.args(variables.iter().map(|(name, value)| format!("--env={name}={value}")));
                let volume =
                    |(inside, file): (&String, &PathBuf)| format!("--volume={}:{inside}:ro", file.display());
                command.args(files.iter().map(volume)).arg(container).args(["--", "/astragal"]).args(words);
                command
            }
        }
    }
}

impl Running {
    /// Starts it; what it says goes to a file.
    pub(super) fn start(mut command: Command, log: PathBuf) -> Result<Self> {
        let output = File::create(&log)?;
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        let child = command.spawn().with_context(|| format!("{command:?} can't be started"))?;
        Ok(Self { child: Some(child), log })
    }

    /// What it has said so far.
    pub(super) fn said(&self) -> Result<String> {
        Ok(std::fs::read_to_string(&self.log)?)
    }

    /// Whether it still runs.
    pub(super) fn is_alive(&mut self) -> Result<bool> {
        let child = self.child.as_mut().context("it was stopped")?;
        Ok(child.try_wait()?.is_none())
    }

    /// Asks it to stop.
    pub(super) fn terminate(&self) -> Result<()> {
        self.signal(Signal::TERM)
    }

    /// Waits for its end, which has to be a good one.
    pub(super) fn ends(mut self, max: Duration) -> Result<()> {
        let mut child = self.child.take().context("it was stopped")?;
        let pid = innermost(child.id())?;
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || sender.send(child.wait()));
        let Ok(status) = receiver.recv_timeout(max) else {
            kill_process(pid, Signal::KILL)?;
            let _ended = receiver.recv();
            anyhow::bail!("it still runs after {max:?}; it said:\n{}", self.said()?)
        };
        let status = status?;
        ensure!(status.success(), "{status}; it said:\n{}", self.said()?);
        Ok(())
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        let child = self.child.as_ref().context("it was stopped")?;
        Ok(kill_process(innermost(child.id())?, signal)?)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _dead_already = self.signal(Signal::KILL);
        if let Some(mut child) = self.child.take() {
            let _reaped_already = child.wait();
        }
    }
}

/// The process that does the work: buildah starts it as a child of a child, and passes no signal on.
fn innermost(id: u32) -> Result<Pid> {
    let mut innermost = id.to_string();
    while let Some(child) = child_of(&innermost)? {
        innermost = child;
    }
    let raw = innermost.parse().context("an odd process id")?;
    Pid::from_raw(raw).context("a process id of zero")
}

fn child_of(parent: &str) -> Result<Option<String>> {
    let of_parent = |status: String| status.lines().any(|line| line.strip_prefix("PPid:\t") == Some(parent));
    for process in std::fs::read_dir("/proc")? {
        let path = process?.path();
        // One that has ended meanwhile is nobody's child.
        if std::fs::read_to_string(path.join("status")).is_ok_and(of_parent) {
            return Ok(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    Ok(None)
}
