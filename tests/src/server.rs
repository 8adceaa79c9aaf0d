//! A real `astragal` as a child process, in dev mode or in one role: started on a free port, killed,
//! stopped, started again on the same data. What it prints and logs is kept for scans. It knows nothing
//! of the protocol.

use crate::{http, program};
use anyhow::{Context, Result, bail};
use astragal_support::ports::free_address;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use tempfile::TempDir;

/// How long a start may take until the address is printed; a busy machine is slow.
const START_MAX: Duration = Duration::from_mins(2);
/// How long a graceful stop may take.
const STOP_MAX: Duration = Duration::from_mins(1);
/// What stands before the address in the first line of output.
const ANNOUNCEMENT: &str = "astragal listens on ";

/// Where operators look.
const OPERATORS_FLAG: &str = "--admin-listen";

/// The role that stands for all of them.
const DEV: &str = "dev";

/// How a server is started.
#[derive(Clone, Debug)]
pub struct Launch {
    program: PathBuf,
    prefix: Vec<String>,
    role: &'static str,
    listen: String,
    flags: Vec<String>,
    variables: Vec<(String, String)>,
    log_filter: String,
    data: Option<PathBuf>,
}

impl Launch {
    /// A start of the built binary in dev mode, with a data directory of its own.
    pub fn new() -> Result<Self> {
        // Checks come and send faster than people do.
        let launch = Self::role(DEV)?.flag("--frames-per-second-max", "1000000");
        Ok(launch.flag("--sessions-at-once-max", "1000000"))
    }

    /// A start of the built binary in one role, which is told by flags where its data lies.
    pub fn role(role: &'static str) -> Result<Self> {
        Ok(Self {
            program: program::find()?,
            prefix: Vec::new(),
            role,
            listen: "127.0.0.1:0".into(),
            flags: Vec::new(),
            variables: Vec::new(),
            log_filter: "info".into(),
            data: None,
        })
    }

    /// Sets a variable of the environment.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Takes a variable back.
    #[must_use]
    pub fn without_variable(mut self, name: &str) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self
    }

    /// Serves the operators' pages on a free port, which [`Server::operators_url`] tells.
    #[must_use]
    pub fn operators(self) -> Self {
        self.flag(OPERATORS_FLAG, &free_address().to_string())
    }

    /// Listens at an address that others were told already.
    #[must_use]
    pub fn listen(mut self, address: &str) -> Self {
        address.clone_into(&mut self.listen);
        self
    }

    /// Adds a flag with its value.
    #[must_use]
    pub fn flag(mut self, name: &str, value: &str) -> Self {
        // A flag given twice is an error of the command line, so the later one replaces the earlier.
        if let Some(at) = self.flags.iter().position(|word| word == name) {
            self.flags.drain(at..=at + 1);
        }
        self.flags.extend([name.to_owned(), value.to_owned()]);
        self
    }

    /// Runs the server under another program, such as `taskset -c 0`.
    #[must_use]
    pub fn under(mut self, prefix: &[&str]) -> Self {
        self.prefix = prefix.iter().map(|&word| word.to_owned()).collect();
        self
    }

    /// Sets the filter of the log.
    #[must_use]
    pub fn log_filter(mut self, filter: &str) -> Self {
        filter.clone_into(&mut self.log_filter);
        self
    }

    /// Keeps the data in a given directory, which outlives the server.
    #[must_use]
    pub fn data(mut self, directory: &Path) -> Self {
        self.data = Some(directory.to_owned());
        self
    }

    /// Starts the server and waits until it has printed its address.
    pub fn start(self) -> Result<Server> {
        let own = tempfile::Builder::new().prefix("astragal-check-").tempdir()?;
        let data = self.data.clone().unwrap_or_else(|| own.path().join("data"));
        let log = own.path().join("stderr.log");
        let output = Arc::default();
        let (process, address) = self.spawn(&data, &log, &output)?;
        Ok(Server { launch: self, own, data, log, output, process: Some(process), address })
    }

    fn spawn(&self, data: &Path, log: &Path, output: &Output) -> Result<(Child, String)> {
        let errors = File::options().create(true).append(true).open(log)?;
        let mut child = self
            .command(data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .with_context(|| format!("{} could not be started", self.program.display()))?;
        let stdout = child.stdout.take().context("a child without output")?;
        match announced_address(stdout, Arc::clone(output)) {
            Ok(address) => Ok((child, address)),
            Err(problem) => {
                let _dead_already = child.kill();
                child.wait()?;
                bail!("{problem}; it logged:\n{}", std::fs::read_to_string(log)?)
            }
        }
    }

    fn command(&self, data: &Path) -> Command {
        let mut words: Vec<_> = self.prefix.iter().map(AsRef::as_ref).collect();
        words.push(self.program.as_os_str());
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args([self.role, "--listen", &self.listen]);
        if self.role == DEV {
            command.arg("--data").arg(data);
        }
        command.args(&self.flags).envs(self.variables.iter().cloned()).env("ASTRAGAL_LOG", &self.log_filter);
        command
    }
}

type Output = Arc<Mutex<Vec<u8>>>;

/// Reads lines until the address comes, then goes on collecting in the background.
fn announced_address(stdout: ChildStdout, output: Output) -> Result<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        let mut line = String::new();
        while let Ok(1..) = reader.read_line(&mut line) {
            output.lock().unwrap_or_else(PoisonError::into_inner).extend(line.as_bytes());
            if let Some(address) = line.trim_end().strip_prefix(ANNOUNCEMENT) {
                let _receiver_may_be_gone = sender.send(address.to_owned());
                break;
            }
            line.clear();
        }
        drop(sender);
        let mut rest = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut rest) {
            output.lock().unwrap_or_else(PoisonError::into_inner).extend(&rest[..count]);
        }
    });
    match receiver.recv_timeout(START_MAX) {
        Ok(address) => Ok(address),
        Err(mpsc::RecvTimeoutError::Timeout) => bail!("no address line within {START_MAX:?}"),
        Err(mpsc::RecvTimeoutError::Disconnected) => bail!("the server ended without an address line"),
    }
}

/// A running (or killed) server with its data.
pub struct Server {
    launch: Launch,
    own: TempDir,
    data: PathBuf,
    log: PathBuf,
    output: Output,
    process: Option<Child>,
    address: String,
}

impl Server {
    /// Starts a server with the usual settings of the checks.
    pub fn start() -> Result<Self> {
        Launch::new()?.start()
    }

    /// The base address, as `http://127.0.0.1:PORT`.
    pub fn url(&self) -> &str {
        &self.address
    }

    /// The base address of its operators' pages.
    pub fn operators_url(&self) -> Result<String> {
        let at = self.launch.flags.iter().position(|word| word == OPERATORS_FLAG);
        let at = at.context("the server was started without an operators' port")?;
        Ok(format!("http://{}", self.launch.flags[at + 1]))
    }

    /// Where its data lies.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// A directory beside the data, gone when the server is dropped.
    pub fn scratch(&self) -> &Path {
        self.own.path()
    }

    /// The id of the running process.
    pub fn pid(&self) -> Result<u32> {
        Ok(self.process.as_ref().context("the server doesn't run")?.id())
    }

    /// How the process ended by itself; nothing while it runs.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        let ended = self.process.as_mut().context("the server doesn't run")?.try_wait()?;
        if ended.is_some() {
            self.process = None;
        }
        Ok(ended)
    }

    /// Whether the process stands still, as after SIGSTOP.
    pub fn is_stopped(&self) -> Result<bool> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid()?))?;
        Ok(status.lines().any(|line| line.starts_with("State:\tT")))
    }

    /// Stops the process where it is (SIGSTOP): its ports take connections, and nobody answers.
    pub fn stand_still(&self) -> Result<()> {
        let child = self.process.as_ref().context("the server doesn't run")?;
        Ok(rustix::process::kill_process(program::process_id(child)?, rustix::process::Signal::STOP)?)
    }

    /// Lets a process that stands still go on.
    pub fn go_on(&self) -> Result<()> {
        let child = self.process.as_ref().context("the server doesn't run")?;
        Ok(rustix::process::kill_process(program::process_id(child)?, rustix::process::Signal::CONT)?)
    }

    /// From the next start on it runs without a variable.
    pub fn forget(&mut self, name: &str) {
        self.launch = self.launch.clone().without_variable(name);
    }

    /// Kills the process at once, as `kill -9` does.
    pub fn kill(&mut self) -> Result<()> {
        let mut child = self.process.take().context("the server doesn't run")?;
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    /// Asks the process to stop (SIGTERM) and waits for its end.
    pub fn terminate(&mut self) -> Result<ExitStatus> {
        let child = self.process.take().context("the server doesn't run")?;
        rustix::process::kill_process(program::process_id(&child)?, rustix::process::Signal::TERM)?;
        program::wait(child, STOP_MAX)
    }

    /// Starts it again on the same data. The port is another one.
    pub fn start_again(&mut self) -> Result<()> {
        if self.process.is_some() {
            bail!("the server still runs; kill or terminate it first");
        }
        let (process, address) = self.launch.spawn(&self.data, &self.log, &self.output)?;
        self.process = Some(process);
        self.address = address;
        Ok(())
    }

    /// Starts it again on the same data and the same port, where others go on looking for it.
    pub fn start_again_there(&mut self) -> Result<()> {
        self.launch.listen = http::host_of(&self.address)?.to_owned();
        self.start_again()
    }

    /// Everything it has logged and printed so far, over all its starts.
    pub fn said(&self) -> Result<Vec<u8>> {
        let mut said = std::fs::read(&self.log)?;
        said.extend_from_slice(&self.output.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(said)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut child) = self.process.take() {
            let _dead_already = child.kill();
            let _reaped_already = child.wait();
        }
    }
}
