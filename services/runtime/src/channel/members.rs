//! The processes of a role, as its addresses name them now. Names are looked up again and again;
//! while that fails for one of them, those that were found last under it are kept.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tonic::Status;

use super::address::Address;
use super::credentials::Credentials;
use super::member::Member;
use super::names::Names;

/// How often names are looked up.
pub(super) const RESOLVE_INTERVAL: Duration = Duration::from_secs(5);
/// How soon again as long as nothing was found.
const RESOLVE_AGAIN: Duration = Duration::from_millis(200);
/// How long a call waits for the first look-up.
const RESOLVE_MAX: Duration = Duration::from_secs(3);
/// Processes of one role that are called; whatever a name stands for beyond that is left out.
const MEMBERS_MAX: usize = 256;

type List = Arc<[Arc<Member>]>;
/// Processes, each with the address under which it was found.
type Places<'a> = BTreeMap<SocketAddr, &'a Address>;

/// The processes; cheap to clone.
#[derive(Clone)]
pub(super) struct Members {
    list: watch::Receiver<List>,
    /// Where the next call without a preference begins.
    turn: Arc<AtomicUsize>,
}

impl Members {
    /// Those behind `addresses`, kept up to date for as long as anybody holds them.
    pub(super) fn of(addresses: Vec<Address>, credentials: Credentials, names: impl Names) -> Self {
        let literal: Places<'_> =
            addresses.iter().filter_map(|address| Some((address.literal()?, address))).collect();
        let all_literal = literal.len() == addresses.len();
        let (sender, list) = watch::channel(renewed(&Arc::from([]), literal, &credentials));
        if !all_literal {
            tokio::spawn(follow(addresses, credentials, names, sender));
        }
        Self { list, turn: Arc::default() }
    }

    pub(super) fn watch(&self) -> watch::Receiver<List> {
        self.list.clone()
    }

    /// Everybody, in the order in which a call should ask them.
    pub(super) async fn ranked(&self, key: Option<&[u8; 16]>) -> Result<Vec<Arc<Member>>, Status> {
        let mut list = self.list.clone();
        let found = tokio::time::timeout(RESOLVE_MAX, list.wait_for(|list| !list.is_empty())).await;
        let Ok(Ok(list)) = found else {
            return Err(Status::unavailable("nothing is found under the name of this part of the system"));
        };
        let mut ranked = list.to_vec();
        drop(list);
        if let Some(key) = key {
            ranked.sort_by_cached_key(|member| (member.rests(), Reverse(member.weight(key))));
        } else {
            let turn = self.turn.fetch_add(1, Ordering::Relaxed) % ranked.len();
            ranked.rotate_left(turn);
            ranked.sort_by_key(|member| member.rests());
        }
        Ok(ranked)
    }
}

async fn follow(
    addresses: Vec<Address>,
    credentials: Credentials,
    names: impl Names,
    sender: watch::Sender<List>,
) {
    let mut found = vec![Vec::new(); addresses.len()];
    loop {
        for (address, found) in addresses.iter().zip(&mut found) {
            match address.resolve(&names).await {
                Ok(sockets) => *found = sockets,
                Err(error) => tracing::warn!(name = address.host, %error, "a name can't be looked up now"),
            }
        }
        let places = addresses.iter().zip(&found);
        let places = places.flat_map(|(address, found)| found.iter().map(move |socket| (*socket, address)));
        let now = sender.borrow().clone();
        let next = renewed(&now, places.collect(), &credentials);
        if !now.iter().map(|member| member.name()).eq(next.iter().map(|member| member.name())) {
            tracing::info!(members = next.len(), "the processes of a role have changed");
            sender.send_replace(next);
        }
        let pause = if sender.borrow().is_empty() { RESOLVE_AGAIN } else { RESOLVE_INTERVAL };
        tokio::select! {
            () = sender.closed() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// The list for what was found; who was known before keeps their connection.
fn renewed(known: &List, found: Places<'_>, credentials: &Credentials) -> List {
    let member = |(socket, address): (SocketAddr, &Address)| {
        let name = socket.to_string();
        if let Some(known) = known.iter().find(|member| member.name() == name) {
            return Some(known.clone());
        }
        match Member::remote(socket, address, credentials) {
            Ok(member) => Some(Arc::new(member)),
            Err(error) => {
                tracing::error!(%error, %socket, "a process can't be called");
                None
            }
        }
    };
    found.into_iter().take(MEMBERS_MAX).filter_map(member).collect()
}
