//! A Redis of the tests' own: on a socket in a directory of its own, so no port is taken, and ended with the process
//! that started it, however that ends. Nothing in it survives a crash of it.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

const MISSING: &str = "redis-server can't be run, and these tests need it; \
    on Debian: apt-get update && apt-get install -y redis-server";

/// Does with the server what each line says, answers it with a line, and sweeps up once its standard input is closed:
/// the system closes it when the test's process ends, even by a signal.
const KEEPER: &str = r#"
set -eu
directory=$1 server=; shift
install -d -m 700 "$directory"
cd "$directory"
exec 2> log
crash() { [ -z "$server" ] || { kill -KILL "$server"; wait "$server" || true; server=; } }
sweep() { crash; cd /; rm -rf "$directory"; }
trap sweep EXIT
trap '' INT TERM HUP
while read -r line; do
    case $line in
        start)
            redis-server --port 0 --unixsocket "$directory/redis.sock" --save "" --appendonly no "$@" > server.log &
            server=$!
            until [ "$(redis-cli -s redis.sock ping)" = PONG ]; do kill -0 "$server"; sleep 0.02; done ;;
        crash) crash ;;
        freeze) kill -STOP "$server" ;;
        thaw) kill -CONT "$server" ;;
    esac
    echo done
done
"#;

/// A server, and whoever looks after it.
#[derive(Debug)]
pub struct Redis {
    directory: PathBuf,
    keeper: Mutex<Keeper>,
}

#[derive(Debug)]
struct Keeper {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Redis {
    /// A server that answers.
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// A server that answers, with some flags of its own.
    pub fn with(flags: &[&str]) -> Self {
        let redis = Self::prepare(flags);
        redis.resume();
        redis
    }

    /// A server that has its address, and doesn't run yet.
    pub fn absent() -> Self {
        Self::prepare(&[])
    }

    fn prepare(flags: &[&str]) -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        Command::new("redis-server").arg("--version").output().expect(MISSING);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        // The path of a socket is short, so no directory of a deeper place.
        let directory = PathBuf::from(format!("/tmp/astragal-redis-{}-{number}", std::process::id()));
        let child = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(&directory)
            .args(flags)
            // What a terminal sends to the tests must not end the sweeping up.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.expect("sh can't be run");
        let answers = BufReader::new(child.stdout.take().expect("its output"));
        Self { directory, keeper: Mutex::new(Keeper { child, answers }) }
    }

    /// Its address, as `--redis-url` takes it.
    pub fn url(&self) -> String {
        format!("redis+unix://{}/redis.sock", self.directory.display())
    }

    /// The process whose child it is.
    pub fn keeper_pid(&self) -> u32 {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner).child.id()
    }

    /// Ends the server at once, with all that was in it.
    pub fn crash(&self) {
        self.tell("crash");
    }

    /// Starts the server, with nothing in it.
    pub fn resume(&self) {
        self.tell("start");
    }

    /// Stops the server where it is: connections stay open, and nobody answers.
    pub fn freeze(&self) {
        self.tell("freeze");
    }

    /// Lets a frozen server go on.
    pub fn thaw(&self) {
        self.tell("thaw");
    }

    fn tell(&self, what: &str) {
        let mut keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stdin = keeper.child.stdin.as_ref().expect("its input");
        writeln!(stdin, "{what}").expect("the keeper of Redis is gone");
        let mut line = String::new();
        let read = keeper.answers.read_line(&mut line);
        assert!(read.is_ok() && !line.is_empty(), "Redis can't be started; has the disk room in /tmp?");
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let keeper = self.keeper.get_mut().unwrap_or_else(PoisonError::into_inner);
        drop(keeper.child.stdin.take());
        let _ = keeper.child.wait();
    }
}
