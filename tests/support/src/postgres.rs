//! A PostgreSQL server of the tests' own: on a socket in a directory of its own, so no port is taken,
//! and ended with the process that started it, however that ends.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const MISSING: &str = "PostgreSQL isn't installed here, and these tests need it; \
    on Debian: apt-get update && apt-get install -y postgresql";

/// Makes the server's data, runs it, and sweeps up once its standard input is closed: the system
/// closes it when the test's process ends, even by a signal. Each line `start` starts the server, each
/// line `stop` ends it at once, as a crash would; each is answered with a line.
///
/// PostgreSQL refuses to run as root, so root becomes `postgres` for everything that touches the data.
const KEEPER: &str = r#"
set -eu
bin=$1; directory=$2; shift 2
if [ "$(id -u)" = 0 ]; then
    install -d -o postgres -g postgres -m 700 "$directory"
    as="setpriv --reuid=postgres --regid=postgres --init-groups"
else
    install -d -m 700 "$directory"
    as=""
fi
cd "$directory"
exec 2> log
run() { $as "$bin/pg_ctl" -D data -l server.log -w -t 60 "$@" >> pg_ctl.log; }
sweep() {
    # The test may have ended while the server was frozen.
    pid=$(head -n 1 data/postmaster.pid) && kill -CONT "$pid" || true
    run -m immediate stop || true
    cd /
    rm -rf "$directory"
}
trap sweep EXIT
trap '' INT TERM HUP PIPE
$as "$bin/initdb" -D data -U postgres -A trust -E UTF8 --no-locale --no-sync > initdb.log
echo ready
while read -r line; do
    case $line in
        start) run -o "-k $directory -c listen_addresses='' $*" start ;;
        stop) run -m immediate stop ;;
    esac
    echo done
done
"#;

/// A running server.
#[derive(Debug)]
pub struct Postgres {
    directory: PathBuf,
    bin: PathBuf,
    keeper: std::sync::Mutex<Keeper>,
    databases: AtomicU32,
}

#[derive(Debug)]
struct Keeper {
    child: Child,
    answers: std::io::BufReader<std::process::ChildStdout>,
}

impl Postgres {
    /// The one server of this process for tests that don't disturb each other. It doesn't care for
    /// what becomes of the data if the machine stops.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(&["fsync=off", "max_connections=400"]))
    }

    /// A server of one's own with some settings, for tests that stop it or measure it.
    pub fn start(settings: &[&str]) -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        // The path of a socket is short, so no directory of a deeper place.
        let directory = PathBuf::from(format!("/tmp/astragal-postgres-{}-{number}", std::process::id()));
        let bin = bin();
        let settings = settings.iter().map(|setting| format!("-c {setting}"));
        let child = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .args([bin.as_os_str(), directory.as_os_str()])
            .args(settings)
            // What a terminal sends to the tests must not end the sweeping up.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.expect("sh can't be run");
        let answers = std::io::BufReader::new(child.stdout.take().expect("its output"));
        let mut keeper = Keeper { child, answers };
        keeper.await_answer(&directory);
        let server = Self { directory, bin, keeper: keeper.into(), databases: AtomicU32::new(0) };
        server.resume();
        server
    }

    /// Makes an empty database, and gives its address.
    pub fn database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.run_sql("postgres", &format!("CREATE DATABASE {name}"));
        self.url(&name)
    }

    /// The address of a database.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@localhost/{database}?host={}", self.directory.display())
    }

    /// Runs statements, and gives what they print.
    pub fn run_sql(&self, database: &str, statements: &str) -> String {
        let output = Command::new(self.bin.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", database, "-h"])
            .arg(&self.directory)
            .args(["-c", statements])
            .output()
            .expect("psql can't be run");
        assert!(output.status.success(), "{statements}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Forgets what was read in a database so far.
    pub fn forget_reads(&self, database: &str) {
        self.run_sql(database, "SELECT pg_stat_reset()");
    }

    /// How many rows of which table and entries of which index were read in a database since then. Each process of the
    /// server tells what it read at its end, so this waits until nobody else is connected.
    pub fn reads(&self, database: &str) -> BTreeMap<String, u64> {
        let others = "SELECT count(*) FROM pg_stat_activity \
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        let gone = (0..1_000).any(|_| self.run_sql(database, others) == "0");
        assert!(gone, "somebody stays connected to {database}");
        let read = "SELECT relname, seq_tup_read + COALESCE(idx_tup_fetch, 0) FROM pg_stat_user_tables \
            UNION ALL SELECT indexrelname, idx_tup_read FROM pg_stat_user_indexes";
        let rows = self.run_sql(database, read);
        let row = |line: &str| {
            line.split_once('|').and_then(|(name, rows)| Some((name.to_owned(), rows.parse().ok()?)))
        };
        rows.lines().filter_map(row).collect()
    }

    /// Lets it speak TLS where it listens, with a certificate and its key as PEM.
    pub fn encrypt(&self, certificate: &str, key: &str) {
        for (file, pem) in [("server.crt", certificate), ("server.key", key)] {
            // The server writes them itself, because it reads none that another user could write.
            let write = format!(
                "COPY (SELECT line FROM unnest(string_to_array('{pem}', E'\\n')) AS line) \
                TO PROGRAM 'umask 077; cat > {file}'"
            );
            self.run_sql("postgres", &write);
        }
        self.run_sql("postgres", "ALTER SYSTEM SET ssl = on");
        self.run_sql("postgres", "SELECT pg_reload_conf()");
    }

    /// Ends the server at once, as a crash would.
    pub fn crash(&self) {
        self.tell("stop");
    }

    /// Starts the server again.
    pub fn resume(&self) {
        self.tell("start");
    }

    /// Stops every process of the server where it is: connections stay open, and nobody answers.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets a frozen server go on.
    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    /// Its first process, which is the parent of all others.
    pub fn pid(&self) -> u32 {
        let pid = std::fs::read_to_string(self.directory.join("data/postmaster.pid"));
        let pid = pid.expect("the server runs");
        pid.lines().next().and_then(|line| line.parse().ok()).expect("a file that begins with the process")
    }

    fn signal(&self, signal: &str) {
        let pid = self.pid().to_string();
        let mut processes = children(&pid);
        processes.push(pid);
        let status = Command::new("kill").arg(signal).args(processes).status();
        // A connection may have ended meanwhile, which is as good as stopped.
        status.expect("kill can't be run");
    }

    fn tell(&self, what: &str) {
        let mut keeper = self.keeper.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut stdin = keeper.child.stdin.as_ref().expect("its input");
        writeln!(stdin, "{what}").expect("the keeper of PostgreSQL is gone");
        keeper.await_answer(&self.directory);
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let keeper = self.keeper.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        drop(keeper.child.stdin.take());
        let _ = keeper.child.wait();
    }
}

impl Keeper {
    fn await_answer(&mut self, directory: &Path) {
        let mut line = String::new();
        let read = std::io::BufRead::read_line(&mut self.answers, &mut line);
        assert!(
            read.is_ok() && !line.is_empty(),
            "PostgreSQL can't be started in {}; has the disk room, and is there a user `postgres`?",
            directory.display()
        );
    }
}

/// The programs of the newest PostgreSQL that Debian installed.
fn bin() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect(MISSING);
    let versions = versions.flatten().map(|version| version.path().join("bin"));
    let number = |bin: &PathBuf| -> Option<u32> { bin.parent()?.file_name()?.to_str()?.parse().ok() };
    versions.filter(|bin| bin.join("initdb").exists()).max_by_key(number).expect(MISSING)
}

fn children(parent: &str) -> Vec<String> {
    let of_parent = |status: String| status.lines().any(|line| line.strip_prefix("PPid:\t") == Some(parent));
    let processes = std::fs::read_dir("/proc").expect("the list of processes").flatten();
    processes
        .filter(|process| std::fs::read_to_string(process.path().join("status")).is_ok_and(of_parent))
        .map(|process| process.file_name().to_string_lossy().into_owned())
        .collect()
}
