//! Dictionaries: which words are good, as an automaton in memory. Where files lie and which of
//! them a table is judged by is for others to know.

pub(crate) mod automaton;
mod builder;
mod file;

use crate::crossword::alphabet::{Laid, NoLetter};
use crate::crossword::content::JudgedBy;
use crate::crossword::edition::{Edition, Variant};
use crate::crossword::place::SIDE;
use crate::game::Judge;
use automaton::{Automaton, Faces};
use std::sync::Arc;

/// The words of one variant.
pub struct Dictionary {
    name: String,
    notice: String,
    variant: Variant,
    words: u32,
    automaton: Automaton,
    sha256: String,
}

/// Why a word list or a file is no dictionary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DictionaryError {
    /// A character of the list is no letter.
    #[error("line {line}: {why}")]
    NoLetter {
        /// The line, from 1.
        line: usize,
        /// What is wrong with the character.
        why: NoLetter,
    },
    /// A word that no play can form.
    #[error("line {0}: a word has 2 to {SIDE} letters, leave this one out")]
    Length(usize),
    /// The list has no words.
    #[error("the list has no words")]
    Empty,
    /// More than the form can hold.
    #[error("the list has too many words for one dictionary")]
    TooLarge,
    /// The bytes are not a dictionary.
    #[error("not a dictionary of Astragal: {0}; build it again")]
    File(&'static str),
}

impl Dictionary {
    /// Builds a dictionary of a list with a word a line, in capital or small letters. Empty lines
    /// and those that begin with `#` are left out.
    pub fn build(name: &str, variant: Variant, notice: &str, list: &str) -> Result<Self, DictionaryError> {
        let mut words = Vec::new();
        for (index, line) in list.lines().enumerate() {
            let word = line.trim();
            if !word.is_empty() && !word.starts_with('#') {
                words.push(read_word(word, index + 1, variant.edition())?);
            }
        }
        words.sort_unstable();
        words.dedup();
        if words.is_empty() {
            return Err(DictionaryError::Empty);
        }
        let automaton = builder::build(&words).ok_or(DictionaryError::TooLarge)?;
        let mut dictionary = Self {
            name: name.to_owned(),
            notice: notice.to_owned(),
            variant,
            words: words.len() as u32,
            automaton,
            sha256: String::new(),
        };
        dictionary.sha256 = file::sha256(&dictionary.to_bytes());
        Ok(dictionary)
    }

    /// The name that tables record.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the words come from and under which licence.
    pub fn notice(&self) -> &str {
        &self.notice
    }

    /// The variant whose letters the words are of.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// How many words there are.
    pub const fn words(&self) -> u32 {
        self.words
    }

    /// The SHA-256 of its file, in lower-case hex: what makes it this dictionary and no other.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// What tables record of it.
    pub fn identity(&self) -> JudgedBy {
        JudgedBy { name: self.name.clone(), sha256: self.sha256.clone() }
    }

    /// True if the word, in capital letters, is one of them.
    pub fn contains(&self, word: &str) -> bool {
        let alphabet = &self.variant.edition().alphabet;
        let mut node = self.automaton.root();
        let mut ends = false;
        for character in word.chars() {
            let face = alphabet.face(character);
            let Some(arc) = face.and_then(|face| self.automaton.step(node, face)) else { return false };
            (node, ends) = (arc.node(), arc.ends());
        }
        ends
    }

    /// The words in capital letters, a line each, in the order of the alphabet: the list that builds this again.
    pub fn list(&self) -> String {
        let mut list = String::new();
        self.list_from(self.automaton.root(), SIDE, &mut String::new(), &mut list);
        list
    }

    /// The words that begin so and have at most so many letters more.
    fn list_from(&self, node: u32, more: usize, begun: &mut String, list: &mut String) {
        if more == 0 {
            return;
        }
        let alphabet = &self.variant.edition().alphabet;
        for arc in self.automaton.steps(node, Faces::MAX) {
            begun.push(alphabet.character(Laid::letter(arc.face())));
            if arc.ends() {
                list.push_str(begun);
                list.push('\n');
            }
            self.list_from(arc.node(), more - 1, begun, list);
            begun.pop();
        }
    }

    pub(crate) const fn automaton(&self) -> &Automaton {
        &self.automaton
    }
}

impl Judge for Dictionary {
    fn accepts(&self, word: &str) -> bool {
        self.contains(word)
    }
}

/// The faces of a word of a list.
fn read_word(word: &str, line: usize, edition: &Edition) -> Result<Vec<u8>, DictionaryError> {
    let mut faces = Vec::with_capacity(SIDE);
    for character in word.chars() {
        let folded = edition.folds.iter().find(|(folded, _)| *folded == character);
        let character = folded.map_or(character, |(_, stands)| *stands);
        let laid = edition.alphabet.laid(character);
        let why = || DictionaryError::NoLetter { line, why: NoLetter::of(character, edition) };
        faces.push(laid.ok_or_else(why)?.face());
    }
    if (2..=SIDE).contains(&faces.len()) { Ok(faces) } else { Err(DictionaryError::Length(line)) }
}

/// Those at hand: for each variant one that judges new tables, and any number that go on to judge
/// the tables that they have judged.
#[derive(Clone, Default)]
pub struct Dictionaries {
    /// The newest first.
    by_variant: [Vec<Arc<Dictionary>>; Variant::ALL.len()],
}

impl Dictionaries {
    /// With one more, which judges new tables of its variant from now on.
    #[must_use]
    pub fn with(mut self, dictionary: Dictionary) -> Self {
        let ours = &mut self.by_variant[dictionary.variant as usize];
        ours.retain(|other| other.sha256 != dictionary.sha256);
        ours.insert(0, Arc::new(dictionary));
        self
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.by_variant.iter().all(Vec::is_empty)
    }

    /// The one that judges new tables of a variant.
    pub fn get(&self, variant: Variant) -> Option<&Dictionary> {
        self.by_variant[variant as usize].first().map(Arc::as_ref)
    }

    /// Exactly the one that a table has recorded.
    pub fn recorded(&self, variant: Variant, by: &JudgedBy) -> Option<&Dictionary> {
        let ours = self.by_variant[variant as usize].iter().map(Arc::as_ref);
        ours.into_iter().find(|dictionary| dictionary.sha256 == by.sha256 && dictionary.name == by.name)
    }
}
