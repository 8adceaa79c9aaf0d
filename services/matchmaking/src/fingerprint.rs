//! One hash for everything that is compared as a whole: kinds of games, contents of requests.

use sha2::{Digest, Sha256};

/// The SHA-256 of parts, each with its length before it, so that no two lists of parts run
/// together into the same bytes.
pub fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_borders_of_the_parts_count() {
        let of = |parts: &[&str]| fingerprint(parts.iter().map(|part| part.as_bytes()));
        assert_eq!(of(&["kalah", "1"]), of(&["kalah", "1"]));
        assert_ne!(of(&["kalah", "1"]), of(&["kalah1", ""]));
        assert_ne!(of(&["kalah"]), of(&["kalah", ""]));
    }
}
