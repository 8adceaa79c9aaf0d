//! The Turkish set: 100 tiles, 29 letters. I and İ are two letters, in this order.

use super::{Letter, TileSet};

/// The Turkish set: 100 tiles, 29 letters. I and İ are two letters, in this order.
pub static TURKISH: TileSet = TileSet::new(
    "turkish",
    2,
    &[
        Letter::new("A", 12, 1),
        Letter::new("B", 2, 3),
        Letter::new("C", 2, 4),
        Letter::new("Ç", 2, 4),
        Letter::new("D", 2, 3),
        Letter::new("E", 8, 1),
        Letter::new("F", 1, 7),
        Letter::new("G", 1, 5),
        Letter::new("Ğ", 1, 8),
        Letter::new("H", 1, 5),
        Letter::new("I", 4, 2),
        Letter::new("İ", 7, 1),
        Letter::new("J", 1, 10),
        Letter::new("K", 7, 1),
        Letter::new("L", 7, 1),
        Letter::new("M", 4, 2),
        Letter::new("N", 5, 1),
        Letter::new("O", 3, 2),
        Letter::new("Ö", 1, 7),
        Letter::new("P", 1, 5),
        Letter::new("R", 6, 1),
        Letter::new("S", 3, 2),
        Letter::new("Ş", 2, 4),
        Letter::new("T", 5, 1),
        Letter::new("U", 3, 2),
        Letter::new("Ü", 2, 3),
        Letter::new("V", 1, 7),
        Letter::new("Y", 2, 3),
        Letter::new("Z", 2, 4),
    ],
);
