//! Tile sets: which letters an alphabet has, in which order, how many tiles of each, and what
//! they are worth. It knows nothing of boards, racks or the draw.
//!
//! The order of an alphabet is the order of its table. Code points are never compared and
//! letters never upper-cased: in Unicode Ё comes before А, and the upper case of a Turkish i
//! is not I.

pub mod english;
pub mod erudit;
pub mod russian;
pub mod turkish;

/// One letter of an alphabet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Letter {
    /// How it is written on the tile.
    pub text: &'static str,
    /// How many tiles of it the set has.
    pub count: u8,
    /// What one tile scores.
    pub value: u8,
}

impl Letter {
    /// A row of an alphabet's table.
    pub const fn new(text: &'static str, count: u8, value: u8) -> Self {
        Self { text, count, value }
    }
}

/// The face of a tile, by its rank: a blank, or the letter at a place of the alphabet.
///
/// Tiles compare by rank. What a rank means is up to the set that the tile is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(i8);

impl Tile {
    /// The blank, which ranks before every letter and scores nothing.
    pub const BLANK: Self = Self(-1);

    /// -1 for a blank, else the index of the letter in the alphabet.
    pub const fn rank(self) -> i8 {
        self.0
    }

    /// Whether it is a blank.
    pub const fn is_blank(self) -> bool {
        self.0 < 0
    }
}

/// A named multiset of tiles over one alphabet.
#[derive(Debug, PartialEq, Eq)]
pub struct TileSet {
    name: &'static str,
    blanks: u8,
    letters: &'static [Letter],
}

impl TileSet {
    /// A set of its own, from the letters in the order of their alphabet (at most 127).
    ///
    /// # Panics
    /// If there are more letters than ranks; in a `static` that is an error of compilation.
    pub const fn new(name: &'static str, blanks: u8, letters: &'static [Letter]) -> Self {
        assert!(letters.len() <= i8::MAX as usize, "an alphabet has at most 127 letters");
        Self { name, blanks, letters }
    }

    /// The sets that Astragal ships.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        [&english::ENGLISH, &russian::RUSSIAN, &erudit::ERUDIT, &turkish::TURKISH].into_iter()
    }

    /// The shipped set of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|set| set.name == name)
    }

    /// The name that records keep.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The alphabet in its order.
    pub const fn letters(&self) -> &'static [Letter] {
        self.letters
    }

    /// How many blanks there are.
    pub const fn blanks(&self) -> u8 {
        self.blanks
    }

    /// How many tiles there are, blanks included.
    pub fn total(&self) -> usize {
        self.faces().map(|(_, count)| usize::from(count)).sum()
    }

    /// Every face with the number of its tiles, in the order of rank.
    pub fn faces(&self) -> impl Iterator<Item = (Tile, u8)> {
        let letters = (0_i8..).zip(self.letters).map(|(rank, letter)| (Tile(rank), letter.count));
        std::iter::once((Tile::BLANK, self.blanks)).chain(letters)
    }

    /// Every tile once, in the order of rank: the blanks, then the letters of the alphabet.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> {
        self.faces().flat_map(|(tile, count)| std::iter::repeat_n(tile, count.into()))
    }

    /// The tile on which this is written; the empty text is a blank.
    pub fn tile(&self, text: &str) -> Option<Tile> {
        if text.is_empty() {
            return Some(Tile::BLANK);
        }
        (0_i8..).zip(self.letters).find(|(_, letter)| letter.text == text).map(|(rank, _)| Tile(rank))
    }

    /// The letter of a tile; none for a blank.
    pub fn letter(&self, tile: Tile) -> Option<&'static Letter> {
        self.letters.get(usize::try_from(tile.0).ok()?)
    }

    /// What is written on a tile; nothing on a blank.
    pub fn text(&self, tile: Tile) -> &'static str {
        self.letter(tile).map_or("", |letter| letter.text)
    }

    /// What a tile scores; 0 for a blank.
    pub fn value(&self, tile: Tile) -> u8 {
        self.letter(tile).map_or(0, |letter| letter.value)
    }
}
