//! A Redis Cluster of the tests' own: three nodes on free ports of this machine, in a directory of their own, and
//! ended with the process that started them, however that ends.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

const NODES: usize = 3;

/// Starts the nodes, says `done` once they are one cluster, and sweeps up once its standard input is closed: the
/// system closes it when the test's process ends, even by a signal.
const KEEPER: &str = r#"
set -eu
directory=$1 nodes=; shift
install -d -m 700 "$directory"
cd "$directory"
exec 2> log
sweep() { [ -z "$nodes" ] || kill -KILL $nodes; cd /; rm -rf "$directory"; }
trap sweep EXIT
trap '' INT TERM HUP
addresses=
while [ $# -gt 0 ]; do
    redis-server --bind 127.0.0.1 --port "$1" --cluster-port "$2" --cluster-enabled yes --cluster-node-timeout 2000 \
        --cluster-config-file "$1.conf" --save "" --appendonly no > "$1.log" &
    nodes="$nodes $!" addresses="$addresses 127.0.0.1:$1"
    until [ "$(redis-cli -p "$1" ping)" = PONG ]; do kill -0 $!; sleep 0.02; done
    shift 2
done
redis-cli --cluster create $addresses --cluster-yes > create.log
for address in $addresses; do
    until redis-cli -p "${address#*:}" cluster info | grep -q cluster_state:ok; do sleep 0.05; done
done
echo done
cat > /dev/null
"#;

/// A running cluster.
#[derive(Debug)]
pub struct RedisCluster {
    ports: Vec<u16>,
    keeper: Child,
}

impl RedisCluster {
    /// The one cluster of this process, for tests that don't disturb each other.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<RedisCluster> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    fn start() -> Self {
        // All are held until all are known, or one would be given twice.
        let held: Vec<_> =
            (0..NODES * 2).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
        let ports = held.iter().map(|listener| listener.local_addr().expect("an address").port());
        let ports: Vec<_> = ports.collect();
        drop(held);
        let directory = PathBuf::from(format!("/tmp/astragal-redis-cluster-{}", std::process::id()));
        let keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(&directory)
            .args(ports.iter().map(ToString::to_string))
            // What a terminal sends to the tests must not end the sweeping up.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut keeper = keeper.expect("sh can't be run");
        let mut line = String::new();
        let read = BufReader::new(keeper.stdout.take().expect("its output")).read_line(&mut line);
        assert!(
            read.is_ok() && !line.is_empty(),
            "a Redis Cluster can't be started; is redis-server installed?"
        );
        Self { ports: ports.into_iter().step_by(2).collect(), keeper }
    }

    /// The addresses of its nodes.
    pub fn urls(&self) -> Vec<String> {
        self.ports.iter().map(|port| format!("redis://127.0.0.1:{port}")).collect()
    }
}

impl Drop for RedisCluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}
