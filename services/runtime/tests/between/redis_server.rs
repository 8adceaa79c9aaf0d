//! A Redis of a test's own, on a socket in a directory of its own.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A server that runs until it is dropped, however the test ends.
pub(crate) struct RedisServer {
    directory: TempDir,
    running: Option<Child>,
}

impl RedisServer {
    /// A server that answers.
    pub(crate) fn start() -> Self {
        let mut server = Self::absent();
        server.run();
        server
    }

    /// A server that has an address, and is not there yet.
    pub(crate) fn absent() -> Self {
        Self { directory: tempfile::tempdir().unwrap(), running: None }
    }

    /// Starts it, with nothing in it.
    pub(crate) fn run(&mut self) {
        assert!(self.running.is_none(), "this server runs already");
        let mut child = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
            .arg(self.socket())
            .current_dir(self.directory.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("redis-server can't be started ({error}); install it: apt-get install redis-server")
            });
        let output = BufReader::new(child.stdout.take().unwrap());
        self.running = Some(child);
        let mut said = String::new();
        for line in output.lines().map_while(Result::ok) {
            if line.contains("accept connections at") || line.contains("connections at unix") {
                return;
            }
            said = said + &line + "\n";
        }
        panic!("redis-server ended before it was ready:\n{said}");
    }

    pub(crate) fn url(&self) -> String {
        format!("redis+unix://{}", self.socket().display())
    }

    /// Ends it at once; whatever was in it is lost.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.running.take() {
            // It may have ended by itself, which is as good.
            let _gone = child.kill();
            let _gone = child.wait();
        }
    }

    /// Makes it silent: its connections stay open, and nobody answers.
    pub(crate) fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on.
    pub(crate) fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(self.running.as_ref().unwrap()), signal).unwrap();
    }

    fn socket(&self) -> PathBuf {
        self.directory.path().join("redis.sock")
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}
