//! Counts over many players: how often they had to ask, and how long a move took to reach the last of them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The counts; shared by all players.
#[derive(Debug, Default)]
pub struct Tally {
    moves: AtomicU32,
    sends_max: AtomicU32,
    refused: AtomicU32,
    resumed: AtomicU32,
    drained: AtomicU32,
    missed: AtomicU32,
    sights: Mutex<Sights>,
}

#[derive(Debug, Default)]
struct Sights {
    /// When anybody was first told of a revision, by an event or an acknowledgement.
    first: HashMap<(String, u32), Instant>,
    slowest: Duration,
    slowest_answer: Duration,
}

impl Tally {
    /// A move was acknowledged after so many sends and so long.
    pub(crate) fn moved(&self, sends: u32, took: Duration) {
        self.moves.fetch_add(1, Ordering::Relaxed);
        self.sends_max.fetch_max(sends, Ordering::Relaxed);
        let mut sights = self.sights();
        sights.slowest_answer = sights.slowest_answer.max(took);
    }

    /// Somebody knows of a revision.
    pub(crate) fn told(&self, game_id: &str, revision: u32) {
        self.sights().first.entry((game_id.to_owned(), revision)).or_insert_with(Instant::now);
    }

    /// Somebody saw a revision.
    pub(crate) fn saw(&self, game_id: &str, revision: u32) {
        let now = Instant::now();
        let mut sights = self.sights();
        let first = *sights.first.entry((game_id.to_owned(), revision)).or_insert(now);
        sights.slowest = sights.slowest.max(now - first);
    }

    pub(crate) fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn resumed(&self) {
        self.resumed.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn drained(&self) {
        self.drained.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn missed(&self) {
        self.missed.fetch_add(1, Ordering::Relaxed);
    }

    /// Moves that were acknowledged.
    pub fn moves(&self) -> u32 {
        self.moves.load(Ordering::Relaxed)
    }

    /// How often the move that was sent most often was sent.
    pub fn sends_max(&self) -> u32 {
        self.sends_max.load(Ordering::Relaxed)
    }

    /// Refusals as `UNAVAILABLE`.
    pub fn refusals(&self) -> u32 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Tables that were resumed on another socket.
    pub fn resumptions(&self) -> u32 {
        self.resumed.load(Ordering::Relaxed)
    }

    /// Times that somebody was told that their gateway stops.
    pub fn drainings(&self) -> u32 {
        self.drained.load(Ordering::Relaxed)
    }

    /// Times that somebody was told that the other one is offline.
    pub fn absences(&self) -> u32 {
        self.missed.load(Ordering::Relaxed)
    }

    /// How long it took, at most, from whoever knew first of a move to whoever saw it last. Since the last call.
    pub fn take_slowest(&self) -> Duration {
        std::mem::take(&mut self.sights().slowest)
    }

    /// How long it took, at most, until a move was acknowledged.
    pub fn slowest_answer(&self) -> Duration {
        self.sights().slowest_answer
    }

    fn sights(&self) -> MutexGuard<'_, Sights> {
        self.sights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
