//! Random bytes of the operating system, as an argument. Nothing else in the workspace asks for them.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::error::{Code, Problem, Result};

/// A source of bytes that nobody can foretell.
pub trait Entropy: Send + Sync {
    /// Fills all of `bytes`.
    fn fill(&self, bytes: &mut [u8]) -> Result<()>;
}

/// The operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the operating system")]
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        getrandom::fill(bytes).map_err(|cause| {
            tracing::error!(%cause, "the operating system gives no random bytes");
            Problem::new(Code::Internal, "no random bytes can be had; try again")
        })
    }
}

/// Bytes that are known beforehand, for tests.
#[derive(Debug)]
pub struct ScriptedEntropy(Mutex<Script>);

#[derive(Debug)]
enum Script {
    Queue(VecDeque<u8>),
    Expanded { seed: [u8; 32], counter: u64 },
}

impl ScriptedEntropy {
    /// The given bytes, and after them a refusal.
    pub fn queue(bytes: impl IntoIterator<Item = u8>) -> Self {
        Self(Mutex::new(Script::Queue(bytes.into_iter().collect())))
    }

    /// Endless bytes that follow from `seed`; the requests' sizes matter.
    pub fn expanded(seed: [u8; 32]) -> Self {
        Self(Mutex::new(Script::Expanded { seed, counter: 0 }))
    }
}

impl Entropy for ScriptedEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Script::Queue(queue) if queue.len() < bytes.len() => {
                Err(Problem::new(Code::Internal, "the script has no more bytes; write a longer one"))
            }
            Script::Queue(queue) => {
                bytes.fill_with(|| queue.pop_front().unwrap_or_default());
                Ok(())
            }
            Script::Expanded { seed, counter } => {
                for chunk in bytes.chunks_mut(32) {
                    let block = Sha256::new().chain_update(*seed).chain_update(counter.to_be_bytes());
                    chunk.copy_from_slice(&block.finalize()[..chunk.len()]);
                    *counter += 1;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_gives_its_bytes_in_order_and_then_refuses() {
        let entropy = ScriptedEntropy::queue([1, 2, 3]);
        let mut two = [0; 2];
        assert_eq!(entropy.fill(&mut two), Ok(()));
        assert_eq!(two, [1, 2]);
        assert_eq!(entropy.fill(&mut two).map_err(|problem| problem.code), Err(Code::Internal));
    }

    #[test]
    fn a_seed_gives_the_same_bytes_again_and_never_the_same_block_twice() {
        let (mut first, mut second) = ([0; 64], [0; 64]);
        assert_eq!(ScriptedEntropy::expanded([7; 32]).fill(&mut first), Ok(()));
        assert_eq!(ScriptedEntropy::expanded([7; 32]).fill(&mut second), Ok(()));
        assert_eq!(first, second);
        assert_ne!(first[..32], first[32..]);
    }

    #[test]
    fn the_operating_system_does_not_repeat_itself() {
        let (mut first, mut second) = ([0; 32], [0; 32]);
        assert_eq!(OsEntropy.fill(&mut first), Ok(()));
        assert_eq!(OsEntropy.fill(&mut second), Ok(()));
        assert_ne!(first, second);
    }
}
