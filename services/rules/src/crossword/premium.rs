//! The squares that multiply. It knows nothing of tiles.

use crate::crossword::place::{Place, SIDE, SQUARES};

/// What a square multiplies by: its letter and its word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Premium {
    /// Of the letter that is laid there.
    pub letter: u8,
    /// Of the words that are formed by it.
    pub word: u8,
}

impl Premium {
    const NONE: Self = Self { letter: 1, word: 1 };
}

/// The premiums of a board.
pub struct Premiums([Premium; SQUARES]);

impl Premiums {
    /// From rows of text: `=` and `-` triple and double the word, `"` and `'` the letter.
    ///
    /// # Panics
    /// At any other character; in a `static` that is an error of compilation.
    pub(super) const fn new(rows: &[&str; SIDE]) -> Self {
        let mut premiums = [Premium::NONE; SQUARES];
        let mut square = 0;
        while square < SQUARES {
            premiums[square] = match rows[square / SIDE].as_bytes()[square % SIDE] {
                b'=' => Premium { letter: 1, word: 3 },
                b'-' => Premium { letter: 1, word: 2 },
                b'"' => Premium { letter: 3, word: 1 },
                b'\'' => Premium { letter: 2, word: 1 },
                b' ' => Premium::NONE,
                _ => panic!("not a premium"),
            };
            square += 1;
        }
        Self(premiums)
    }

    /// The rows as a page shows them: `d` and `t` double and triple the letter, `D` and `T` the word, `.`
    /// is plain.
    pub(super) fn rows(&self) -> Vec<String> {
        let mark = |premium: &Premium| match (premium.letter, premium.word) {
            (2, _) => 'd',
            (3, _) => 't',
            (_, 2) => 'D',
            (_, 3) => 'T',
            _ => '.',
        };
        self.0.chunks(SIDE).map(|row| row.iter().map(mark).collect()).collect()
    }

    /// The premium of a square.
    pub const fn at(&self, place: Place) -> Premium {
        self.0[place.index()]
    }
}

/// The usual board: the centre doubles the first word.
pub(super) static USUAL: Premiums = Premiums::new(&[
    "=  '   =   '  =",
    " -   \"   \"   - ",
    "  -   ' '   -  ",
    "'  -   '   -  '",
    "    -     -    ",
    " \"   \"   \"   \" ",
    "  '   ' '   '  ",
    "=  '   -   '  =",
    "  '   ' '   '  ",
    " \"   \"   \"   \" ",
    "    -     -    ",
    "'  -   '   -  '",
    "  -   ' '   -  ",
    " -   \"   \"   - ",
    "=  '   =   '  =",
]);

/// The board of Erudit: as the usual one, with a plain centre.
pub(super) static ERUDIT: Premiums = Premiums::new(&[
    "=  '   =   '  =",
    " -   \"   \"   - ",
    "  -   ' '   -  ",
    "'  -   '   -  '",
    "    -     -    ",
    " \"   \"   \"   \" ",
    "  '   ' '   '  ",
    "=  '       '  =",
    "  '   ' '   '  ",
    " \"   \"   \"   \" ",
    "    -     -    ",
    "'  -   '   -  '",
    "  -   ' '   -  ",
    " -   \"   \"   - ",
    "=  '   =   '  =",
]);
