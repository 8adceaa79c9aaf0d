//! A way to a server on which everything can get lost: connections stay open, and neither side hears anything, as when
//! a machine is cut off.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The way; gone when it is dropped, once its connections have ended.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    swallows: AtomicBool,
    has_ended: AtomicBool,
}

impl Proxy {
    /// A way on which everything passes.
    pub fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::<State>::default();
        let known = Arc::clone(&state);
        thread::spawn(move || {
            for caller in listener.incoming() {
                if known.has_ended.load(Ordering::SeqCst) {
                    return;
                }
                // Nobody is there: the caller is told at once, as they would be without this way.
                if let (Ok(caller), Ok(server)) = (caller, TcpStream::connect(target)) {
                    join(&caller, &server, &known);
                }
            }
        });
        Self { address, state }
    }

    /// Where it begins.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on everything gets lost. New connections are taken, and nothing comes of them.
    pub fn swallow(&self) {
        self.state.swallows.store(true, Ordering::SeqCst);
    }

    /// New connections pass again. Those on which something was lost stay silent for ever.
    pub fn pass(&self) {
        self.state.swallows.store(false, Ordering::SeqCst);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.has_ended.store(true, Ordering::SeqCst);
        let _wakes_the_listener = TcpStream::connect(self.address);
    }
}

/// Carries both directions. A socket is closed when neither of them holds it any more.
fn join(caller: &TcpStream, server: &TcpStream, state: &Arc<State>) {
    let has_lost = Arc::<AtomicBool>::default();
    for (from, to) in [(caller, server), (server, caller)] {
        let (Ok(from), Ok(to)) = (from.try_clone(), to.try_clone()) else { return };
        let (state, has_lost) = (Arc::clone(state), Arc::clone(&has_lost));
        let _not_waited_for = to.set_nodelay(true);
        thread::spawn(move || carry(from, to, &state, &has_lost));
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, state: &State, has_lost: &AtomicBool) {
    let mut bytes = [0; 16 * 1024];
    loop {
        let read = from.read(&mut bytes).unwrap_or_default();
        if state.swallows.load(Ordering::SeqCst) {
            has_lost.store(true, Ordering::SeqCst);
        }
        let is_silent = has_lost.load(Ordering::SeqCst);
        match read {
            0 if is_silent => return,
            0 => {
                let _may_be_closed = to.shutdown(Shutdown::Write);
                return;
            }
            _ if is_silent => {}
            count => {
                if to.write_all(&bytes[..count]).is_err() {
                    return;
                }
            }
        }
    }
}
