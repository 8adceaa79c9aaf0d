//! The seed of a table and the commitment to it. It knows nothing of where seeds come from
//! or where they are kept, and it can't be printed, logged or serialised by accident.

use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;
use subtle::ConstantTimeEq;

/// The 32 bytes that decide every draw of a table.
///
/// It has no `Debug`, `Display` or `Serialize`: the finished log is the one place that shows it.
#[derive(Clone)]
pub struct Seed([u8; 32]);

impl Seed {
    /// Takes 32 bytes that the caller drew from the operating system.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The SHA-256 of the 32 bytes, which everyone sees from the opening on.
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.0).into())
    }

    /// Hands the bytes out, for the store that keeps them and for chance. Any other caller leaks.
    pub const fn expose(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads 64 lower-case hex digits, as the finished log shows them.
    pub fn from_hex(text: &str) -> Option<Self> {
        lower_hex_32(text).map(Self)
    }
}

/// The digest that binds a table to its seed before anyone has moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Commitment([u8; 32]);

impl Commitment {
    /// Compares in constant time.
    pub fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

/// The text is not 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a commitment is 64 lower-case hex digits")]
pub struct CommitmentError;

impl FromStr for Commitment {
    type Err = CommitmentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        lower_hex_32(text).map(Self).ok_or(CommitmentError)
    }
}

fn lower_hex_32(text: &str) -> Option<[u8; 32]> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}
