//! A Redis Cluster of the tests' own: nodes on free ports of this machine, in a directory of their own, and ended with
//! the process that started them, however that ends.

use crate::ports::free_address;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

const PRIMARIES: usize = 3;

/// Starts the nodes, says `done` once they are one cluster, then ends a node at once for each port that it reads, and
/// sweeps up once its standard input is closed: the system closes it when the test's process ends, even by a signal.
const KEEPER: &str = r#"
set -eu
directory=$1 replicas=$2 nodes=; shift 2
install -d -m 700 "$directory"
cd "$directory"
exec 2> log
sweep() { for node in $nodes; do kill -KILL "$node" || true; done; cd /; rm -rf "$directory"; }
trap sweep EXIT
trap '' INT TERM HUP
addresses=
while [ $# -gt 0 ]; do
    redis-server --bind 127.0.0.1 --port "$1" --cluster-port "$2" --cluster-enabled yes --cluster-node-timeout 2000 \
        --cluster-config-file "$1.conf" --save "" --appendonly no > "$1.log" &
    nodes="$nodes $!" addresses="$addresses 127.0.0.1:$1"
    echo $! > "$1.pid"
    until [ "$(redis-cli -p "$1" ping)" = PONG ]; do kill -0 $!; sleep 0.02; done
    shift 2
done
redis-cli --cluster create $addresses --cluster-replicas "$replicas" --cluster-yes > create.log
for address in $addresses; do
    port=${address#*:}
    until redis-cli -p "$port" cluster info | grep -q cluster_state:ok; do sleep 0.05; done
    # A replica takes over only if it has been in step with its primary.
    until ! redis-cli -p "$port" info replication | grep -q master_link_status:down; do sleep 0.05; done
done
echo done
while read -r port; do
    kill -KILL "$(cat "$port.pid")"
    wait "$(cat "$port.pid")" || true
    echo done
done
"#;

/// A running cluster.
#[derive(Debug)]
pub struct RedisCluster {
    ports: Vec<u16>,
    keeper: Mutex<Keeper>,
}

#[derive(Debug)]
struct Keeper {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl RedisCluster {
    /// The one cluster of this process, for tests that don't disturb each other. Its nodes are primaries.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<RedisCluster> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(0))
    }

    /// A cluster in which another node takes over when a primary is gone.
    pub fn with_replicas() -> Self {
        Self::start(1)
    }

    fn start(replicas: usize) -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let ports: Vec<_> = (0..PRIMARIES * (1 + replicas) * 2).map(|_| free_address().port()).collect();
        let directory = PathBuf::from(format!("/tmp/astragal-redis-cluster-{}-{number}", std::process::id()));
        let child = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(&directory)
            .arg(replicas.to_string())
            .args(ports.iter().map(ToString::to_string))
            // What a terminal sends to the tests must not end the sweeping up.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.expect("sh can't be run");
        let answers = BufReader::new(child.stdout.take().expect("its output"));
        let mut keeper = Keeper { child, answers };
        keeper.hear();
        Self { ports: ports.into_iter().step_by(2).collect(), keeper: Mutex::new(keeper) }
    }

    /// The addresses of its nodes.
    pub fn urls(&self) -> Vec<String> {
        self.ports.iter().map(|port| format!("redis://127.0.0.1:{port}")).collect()
    }

    /// The address of the primary that holds a key, as the other nodes have it; none while it has no primary that is
    /// there.
    pub fn holder_of(&self, key: &str) -> Option<String> {
        let slot: u16 = self.ask("keyslot", &[key])?.trim().parse().ok()?;
        let nodes = self.ask("nodes", &[])?;
        let holds = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let bounds = first.parse().ok().zip(last.parse().ok());
            bounds.is_some_and(|(first, last): (u16, u16)| (first..=last).contains(&slot))
        };
        nodes.lines().find_map(|node| {
            let words: Vec<_> = node.split(' ').collect();
            let flags: Vec<_> = words.get(2)?.split(',').collect();
            let is_there = flags.contains(&"master") && !flags.iter().any(|flag| flag.starts_with("fail"));
            let address = words.get(1)?.split('@').next()?;
            let is_holder = is_there && words.get(8..)?.iter().any(|range| holds(range));
            is_holder.then(|| format!("redis://{address}"))
        })
    }

    /// Ends a node at once.
    pub fn crash(&self, url: &str) {
        let (_, port) = url.rsplit_once(':').expect("an address with a port");
        let mut keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stdin = keeper.child.stdin.as_ref().expect("its input");
        writeln!(stdin, "{port}").expect("the keeper of the cluster is gone");
        keeper.hear();
    }

    /// What the first node says that is there and of a cluster that is whole.
    fn ask(&self, what: &str, words: &[&str]) -> Option<String> {
        self.ports.iter().find_map(|port| {
            let cluster = |what: &str, words: &[&str]| {
                let port = port.to_string();
                let output = Command::new("redis-cli")
                    .args(["-p", &port, "cluster", what])
                    .args(words)
                    .output()
                    .ok()?;
                output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
            };
            cluster("info", &[]).filter(|info| info.contains("cluster_state:ok"))?;
            cluster(what, words)
        })
    }
}

impl Keeper {
    fn hear(&mut self) {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        assert!(
            read.is_ok() && !line.is_empty(),
            "a Redis Cluster can't be started; is redis-server installed?"
        );
    }
}

impl Drop for RedisCluster {
    fn drop(&mut self) {
        let keeper = self.keeper.get_mut().unwrap_or_else(PoisonError::into_inner);
        drop(keeper.child.stdin.take());
        let _ = keeper.child.wait();
    }
}
