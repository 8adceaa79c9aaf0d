//! The English set: 100 tiles, 26 letters.

use super::{Letter, TileSet};

/// The English set: 100 tiles, 26 letters.
pub static ENGLISH: TileSet = TileSet::new(
    "english",
    2,
    &[
        Letter::new("A", 9, 1),
        Letter::new("B", 2, 3),
        Letter::new("C", 2, 3),
        Letter::new("D", 4, 2),
        Letter::new("E", 12, 1),
        Letter::new("F", 2, 4),
        Letter::new("G", 3, 2),
        Letter::new("H", 2, 4),
        Letter::new("I", 9, 1),
        Letter::new("J", 1, 8),
        Letter::new("K", 1, 5),
        Letter::new("L", 4, 1),
        Letter::new("M", 2, 3),
        Letter::new("N", 6, 1),
        Letter::new("O", 8, 1),
        Letter::new("P", 2, 3),
        Letter::new("Q", 1, 10),
        Letter::new("R", 6, 1),
        Letter::new("S", 4, 1),
        Letter::new("T", 6, 1),
        Letter::new("U", 4, 1),
        Letter::new("V", 2, 4),
        Letter::new("W", 2, 4),
        Letter::new("X", 1, 8),
        Letter::new("Y", 2, 4),
        Letter::new("Z", 1, 10),
    ],
);
