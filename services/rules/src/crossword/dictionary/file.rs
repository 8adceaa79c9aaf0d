//! The file of a dictionary, over bytes in memory: a line that says what it is, a line of JSON,
//! then the arcs, four bytes each, the low one first.

use crate::canonical::canonical;
use crate::crossword::dictionary::automaton::{Automaton, Step};
use crate::crossword::dictionary::{Dictionary, DictionaryError};
use crate::crossword::edition::Variant;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const FIRST_LINE: &[u8] = b"astragal dictionary 1\n";

/// The longest line of JSON that is read.
const HEAD_BYTES_MAX: usize = 64 * 1024;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    name: String,
    notice: String,
    variant: Variant,
    words: u32,
}

impl Dictionary {
    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = Head {
            name: self.name.clone(),
            notice: self.notice.clone(),
            variant: self.variant,
            words: self.words,
        };
        let mut bytes = FIRST_LINE.to_vec();
        // Texts and one number: there is nothing in it that JSON can't say.
        bytes.extend(canonical(&head).unwrap_or_default().bytes());
        bytes.push(b'\n');
        bytes.extend(self.automaton.arcs().iter().flat_map(|arc| arc.bits().to_le_bytes()));
        bytes
    }

    /// Reads a file. Whatever passes is a set of words of its variant's alphabet.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DictionaryError> {
        let wrong = DictionaryError::File;
        let rest = bytes.strip_prefix(FIRST_LINE).ok_or(wrong("another first line"))?;
        let end = rest.iter().take(HEAD_BYTES_MAX).position(|byte| *byte == b'\n');
        let (head, arcs) = rest.split_at(end.ok_or(wrong("no second line"))?);
        let head = str::from_utf8(head)
            .ok()
            .and_then(|head| crate::strict::object::<Head>("head", "head.", head).ok());
        let head = head.ok_or(wrong("the second line can't be read"))?;
        let (arcs, []) = arcs[1..].as_chunks::<4>() else { return Err(wrong("the end is cut off")) };
        let arcs: Vec<Step> = arcs.iter().map(|bits| Step::of_bits(u32::from_le_bytes(*bits))).collect();
        let letters = head.variant.edition().alphabet.count();
        let (automaton, words) = Automaton::of_arcs(&arcs, letters).map_err(wrong)?;
        if words != head.words {
            return Err(wrong("the number of words is another"));
        }
        let Head { name, notice, variant, words } = head;
        Ok(Self { name, notice, variant, words, automaton, sha256: sha256(bytes) })
    }
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
