//! The four editions as data: tiles, alphabet, premiums, bonus. A new one is a new constant and a
//! new variant, nothing else.

use crate::crossword::alphabet::{Alphabet, FACES, Laid, SLOTS, slot};
use crate::crossword::place::SIDE;
use crate::crossword::premium::{self, Premiums};
use crate::crossword::tiles::RACK;
use crate::tile_set::TileSet;
use crate::tile_set::english::ENGLISH as ENGLISH_SET;
use crate::tile_set::erudit::ERUDIT as ERUDIT_SET;
use crate::tile_set::russian::RUSSIAN as RUSSIAN_SET;
use crate::tile_set::turkish::TURKISH as TURKISH_SET;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which edition a table plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// 100 tiles.
    #[default]
    English,
    /// 104 tiles; Ё is a tile of its own.
    Russian,
    /// 131 tiles; a bonus of 15 and a plain centre.
    Erudit,
    /// 100 tiles; I and İ are two letters.
    Turkish,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::English, Self::Russian, Self::Erudit, Self::Turkish];

    /// Its data.
    pub const fn edition(self) -> &'static Edition {
        match self {
            Self::English => &ENGLISH,
            Self::Russian => &RUSSIAN,
            Self::Erudit => &ERUDIT,
            Self::Turkish => &TURKISH,
        }
    }

    /// The variant of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.edition().set.name() == name)
    }
}

/// An edition of the game.
pub struct Edition {
    /// Its name among the variants.
    pub variant: Variant,
    /// The tiles, and the letters in their order.
    pub set: &'static TileSet,
    /// How the letters are read and written.
    pub alphabet: Alphabet,
    /// Letters without a tile, each with the one that stands for it.
    pub folds: &'static [(char, char)],
    /// The squares that multiply.
    pub premiums: &'static Premiums,
    /// The points for laying a whole rack at once.
    pub bonus: i32,
    /// The letters that a rack wants some of, but not too many: for robots.
    pub vowels: &'static str,
    /// Letters that are worth more or less on a rack than their points tell, in tenths of a point:
    /// for robots.
    pub prized: &'static [(char, i32)],
    values: [u8; SLOTS],
    counts: [u8; FACES],
}

impl Edition {
    const fn new(variant: Variant, set: &'static TileSet, small: &'static str, vowels: &'static str) -> Self {
        let (mut values, mut counts) = ([0; SLOTS], [0; FACES]);
        counts[0] = set.blanks();
        let letters = set.letters();
        let mut place = 0;
        while place < letters.len() {
            values[place + 1] = letters[place].value;
            counts[place + 1] = letters[place].count;
            place += 1;
        }
        Self {
            variant,
            set,
            alphabet: Alphabet::new(set, small),
            folds: &[],
            premiums: &premium::USUAL,
            bonus: 50,
            vowels,
            prized: &[],
            values,
            counts,
        }
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        Variant::ALL.into_iter().map(Variant::edition)
    }

    /// What a tile scores; 0 for a blank.
    pub const fn value(&self, face: u8) -> u8 {
        self.values[slot(face)]
    }

    /// What a page has to know to show a board of this edition: the side, the premiums as rows of text
    /// (`d` and `t` double and triple the letter, `D` and `T` the word), the letters in their order.
    pub fn describe(&self) -> serde_json::Value {
        let letters = (1..).zip(self.set.letters()).map(|(face, letter)| {
            let small = self.alphabet.character(Laid::blank(face));
            serde_json::json!({
                "letter": letter.text, "small": small, "count": letter.count, "value": letter.value,
            })
        });
        serde_json::json!({
            "side": SIDE,
            "premiums": self.premiums.rows(),
            "letters": letters.collect::<Vec<_>>(),
            "blanks": self.set.blanks(),
            "bonus": self.bonus,
            "rack": RACK,
        })
    }

    /// How many tiles of each face there are.
    pub(crate) const fn counts(&self) -> &[u8; FACES] {
        &self.counts
    }
}

/// 100 tiles.
static ENGLISH: Edition = Edition {
    prized: &[('S', 75), ('E', 20), ('Q', -60), ('V', -50), ('W', -30), ('U', -30), ('X', 30), ('Z', 30)],
    ..Edition::new(Variant::English, &ENGLISH_SET, "abcdefghijklmnopqrstuvwxyz", "AEIOU")
};

/// 104 tiles.
static RUSSIAN: Edition =
    Edition::new(Variant::Russian, &RUSSIAN_SET, "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "АЕЁИОУЫЭЮЯ");

/// 131 tiles. The set has no Ё, as most printed books have none.
static ERUDIT: Edition = Edition {
    folds: &[('Ё', 'Е'), ('ё', 'е')],
    premiums: &premium::ERUDIT,
    bonus: 15,
    ..Edition::new(Variant::Erudit, &ERUDIT_SET, "абвгдежзийклмнопрстуфхцчшщъыьэюя", "АЕИОУЫЭЮЯ")
};

/// 100 tiles.
static TURKISH: Edition =
    Edition::new(Variant::Turkish, &TURKISH_SET, "abcçdefgğhıijklmnoöprsştuüvyz", "AEIİOÖUÜ");
