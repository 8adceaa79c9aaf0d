//! How letters are read and written, by the table of each alphabet: a small letter is a blank
//! that stands for the letter. It knows nothing of tiles' numbers, values or places.
//!
//! Letters are never upper-cased or ranked by code point: the small form of a Turkish İ is i, and
//! Ё stands after Е.

use crate::crossword::edition::Edition;
use crate::tile_set::TileSet;
use std::fmt;

/// The most faces that a set has: a blank and 33 letters.
pub const FACES: usize = 34;

/// The length of arrays by face: a power of two, so that a face of six bits is always inside.
pub(crate) const SLOTS: usize = 64;

/// The place of a face in an array of [`SLOTS`].
pub(crate) const fn slot(face: u8) -> usize {
    face as usize % SLOTS
}

/// Code points below this one are looked up; all letters of the alphabets are.
const CODES: usize = 0x460;

/// What lies on a square: a letter, laid as its own tile or as a blank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laid(u8);

impl Laid {
    const BLANK: u8 = 0x40;

    /// The letter of a face other than the blank.
    pub(crate) const fn letter(face: u8) -> Self {
        Self(face)
    }

    /// A blank that stands for the letter of a face.
    pub(crate) const fn blank(face: u8) -> Self {
        Self(face | Self::BLANK)
    }

    /// The number of the letter in its alphabet, from 1, whatever tile stands for it.
    pub const fn face(self) -> u8 {
        self.0 & !Self::BLANK
    }

    /// True if a blank stands for the letter.
    pub const fn is_blank(self) -> bool {
        self.0 & Self::BLANK != 0
    }

    /// The face of the tile itself: 0 for a blank.
    pub const fn tile(self) -> u8 {
        if self.is_blank() { 0 } else { self.0 }
    }

    pub(crate) const fn code(self) -> u8 {
        self.0
    }

    pub(crate) const fn of_code(code: u8) -> Option<Self> {
        if code == 0 { None } else { Some(Self(code)) }
    }
}

/// The letters of a set in both forms.
pub struct Alphabet {
    upper: [char; FACES],
    lower: [char; FACES],
    count: usize,
    codes: [u8; CODES],
}

impl Alphabet {
    /// The alphabet of a set, with the small form of each letter in the same order.
    ///
    /// # Panics
    /// If the two do not match; in a `static` that is an error of compilation.
    pub(super) const fn new(set: &TileSet, small: &str) -> Self {
        let letters = set.letters();
        assert!(letters.len() < FACES, "an alphabet has at most 33 letters");
        let mut alphabet =
            Self { upper: ['?'; FACES], lower: ['?'; FACES], count: letters.len(), codes: [0; CODES] };
        let (mut face, mut from) = (1, 0);
        while face <= letters.len() {
            let text = letters[face - 1].text.as_bytes();
            let (upper, length) = decoded(text, 0);
            assert!(length == text.len(), "a letter is one character");
            let (lower, length) = decoded(small.as_bytes(), from);
            from += length;
            alphabet.upper[face] = upper;
            alphabet.lower[face] = lower;
            alphabet.codes[upper as usize] = Laid::letter(face as u8).code();
            alphabet.codes[lower as usize] = Laid::blank(face as u8).code();
            face += 1;
        }
        assert!(from == small.len(), "each letter has one small form");
        alphabet
    }

    /// How many letters there are.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// What a character lays: a capital letter its own tile, a small one a blank.
    pub fn laid(&self, character: char) -> Option<Laid> {
        Laid::of_code(*self.codes.get(character as usize)?)
    }

    /// The character of what lies on a square.
    pub fn character(&self, laid: Laid) -> char {
        let forms = if laid.is_blank() { &self.lower } else { &self.upper };
        forms[usize::from(laid.face()) % FACES]
    }

    /// The face of a tile on a rack: `?` is a blank.
    pub fn face(&self, character: char) -> Option<u8> {
        if character == '?' {
            return Some(0);
        }
        self.laid(character).filter(|laid| !laid.is_blank()).map(Laid::face)
    }

    /// The character of a tile on a rack.
    pub fn face_character(&self, face: u8) -> char {
        // The blank's entry of the table is a question mark.
        self.upper[usize::from(face) % FACES]
    }
}

/// The character at a place of UTF-8 text, of one or two bytes, and how many bytes it takes.
const fn decoded(text: &[u8], at: usize) -> (char, usize) {
    let first = text[at] as u32;
    let (code, length) = if first < 0x80 {
        (first, 1)
    } else {
        assert!(first & 0xe0 == 0xc0, "a letter takes one or two bytes");
        (((first & 0x1f) << 6) | (text[at + 1] as u32 & 0x3f), 2)
    };
    match char::from_u32(code) {
        Some(character) => (character, length),
        None => panic!("not a character"),
    }
}

/// Why a character is no letter of an alphabet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoLetter {
    /// An accent that is written after its letter.
    Combining(char),
    /// A letter for which the set has no tile, and the letter that stands for it.
    Folded(char, char),
    /// It looks like a letter of this alphabet and is one of another.
    LookAlike(char, char),
    /// A letter of another set.
    OtherSet(char, &'static str),
    /// A small letter where tiles are meant, and the capital one.
    Small(char, char),
    /// No letter at all, or of an alphabet that no set has.
    Unknown(char),
}

impl NoLetter {
    /// Says what a character is that the edition's alphabet does not have.
    pub(crate) fn of(character: char, edition: &Edition) -> Self {
        if matches!(character, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}') {
            return Self::Combining(character);
        }
        if let Some(laid) = edition.alphabet.laid(character) {
            return Self::Small(character, edition.alphabet.face_character(laid.face()));
        }
        if let Some((_, stands)) = edition.folds.iter().find(|(folded, _)| *folded == character) {
            return Self::Folded(character, *stands);
        }
        let twin = TWINS.iter().find_map(|(latin, cyrillic)| match character {
            _ if character == *latin => Some(*cyrillic),
            _ if character == *cyrillic => Some(*latin),
            _ => None,
        });
        if let Some(twin) = twin.filter(|twin| edition.alphabet.laid(*twin).is_some()) {
            return Self::LookAlike(character, twin);
        }
        let other = Edition::all().find(|other| other.alphabet.laid(character).is_some());
        other.map_or(Self::Unknown(character), |other| Self::OtherSet(character, other.set.name()))
    }
}

/// Latin and Cyrillic letters that look the same.
const TWINS: [(char, char); 21] = [
    ('A', 'А'),
    ('B', 'В'),
    ('C', 'С'),
    ('E', 'Е'),
    ('H', 'Н'),
    ('K', 'К'),
    ('M', 'М'),
    ('O', 'О'),
    ('P', 'Р'),
    ('T', 'Т'),
    ('X', 'Х'),
    ('Y', 'У'),
    ('a', 'а'),
    ('c', 'с'),
    ('e', 'е'),
    ('k', 'к'),
    ('o', 'о'),
    ('p', 'р'),
    ('u', 'и'),
    ('x', 'х'),
    ('y', 'у'),
];

impl fmt::Display for NoLetter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Combining(mark) => {
                let code = u32::from(*mark);
                write!(formatter, "U+{code:04X} is a combining mark, write the letter as one character")
            }
            Self::Folded(character, stands) => {
                write!(formatter, "the set has no {character}, write {stands}")
            }
            Self::LookAlike(character, twin) => {
                let (code, twin_code) = (u32::from(*character), u32::from(*twin));
                write!(
                    formatter,
                    "{character} (U+{code:04X}) only looks like the {twin} of this set (U+{twin_code:04X})"
                )
            }
            Self::OtherSet(character, set) => {
                write!(formatter, "{character} is a letter of the {set} set, not of this one")
            }
            Self::Small(character, capital) => {
                write!(formatter, "{character} is written small, write {capital}, or ? for a blank")
            }
            Self::Unknown(character) => write!(formatter, "{character:?} is not a letter of this set"),
        }
    }
}
