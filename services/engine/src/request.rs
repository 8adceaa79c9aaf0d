//! Requests by their ids: the same one is applied once and answered the same. The journal is the
//! truth; here are only the newest, so that a repetition usually costs no read.

use astragal_rules::seat::Seat;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::RequestId;
use sha2::{Digest, Sha256};
use std::collections::{HashSet, VecDeque};

/// How many requests a table remembers without a read.
const RECENT_MAX: usize = 32;

/// A request's id, and the digest of what it asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// The id.
    pub id: RequestId,
    /// The digest.
    pub hash: [u8; 32],
}

impl Stamp {
    /// Stamps what a request asks for: the kind of action, the client's revision, the content.
    pub fn new(id: RequestId, kind: u8, revision: u32, content: &[u8]) -> Self {
        let digest = Sha256::new()
            .chain_update([kind])
            .chain_update(revision.to_be_bytes())
            .chain_update(content)
            .finalize();
        Self { id, hash: digest.into() }
    }

    /// The answer that was given to the request that used this id at `revision`.
    pub fn answer(&self, used: &Self, revision: u32) -> Result<u32> {
        if self.hash == used.hash {
            return Ok(revision);
        }
        Err(Problem::invalid_argument("this id was used for another request; take a new one"))
    }
}

/// The newest requests of a table with the revisions that they made, and a trace of all older ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecentRequests {
    newest: VecDeque<(Seat, Stamp, u32)>,
    /// Half of each older id. A stranger's id that looks like one costs a read, nothing else.
    older: HashSet<u64>,
}

impl RecentRequests {
    /// Remembers one more; the oldest goes when there are too many.
    pub fn push(&mut self, seat: Seat, stamp: Stamp, revision: u32) {
        if self.newest.len() == RECENT_MAX
            && let Some((_, oldest, _)) = self.newest.pop_front()
        {
            self.older.insert(trace(oldest.id));
        }
        self.newest.push_back((seat, stamp, revision));
    }

    /// What was answered to this request of a seat, if it is among the newest.
    pub fn answer(&self, seat: Seat, stamp: &Stamp) -> Option<Result<u32>> {
        let used = |(who, used, _): &&(Seat, Stamp, u32)| *who == seat && used.id == stamp.id;
        let (_, used, revision) = self.newest.iter().rev().find(used)?;
        Some(stamp.answer(used, *revision))
    }

    /// True if a request that is not among the newest can still be in the journal.
    pub fn may_be_older(&self, id: RequestId) -> bool {
        self.older.contains(&trace(id))
    }
}

fn trace(id: RequestId) -> u64 {
    id.0.as_u64_pair().1
}
