//! The set of Erudit: 131 tiles, 32 Russian letters (no Ё), three blanks.

use super::{Letter, TileSet};

/// The set of Erudit: 131 tiles, 32 Russian letters (no Ё), three blanks.
pub static ERUDIT: TileSet = TileSet::new(
    "erudit",
    3,
    &[
        Letter::new("А", 10, 1),
        Letter::new("Б", 3, 3),
        Letter::new("В", 5, 2),
        Letter::new("Г", 3, 3),
        Letter::new("Д", 5, 2),
        Letter::new("Е", 9, 1),
        Letter::new("Ж", 2, 5),
        Letter::new("З", 2, 5),
        Letter::new("И", 8, 1),
        Letter::new("Й", 4, 2),
        Letter::new("К", 6, 2),
        Letter::new("Л", 4, 2),
        Letter::new("М", 5, 2),
        Letter::new("Н", 8, 1),
        Letter::new("О", 10, 1),
        Letter::new("П", 6, 2),
        Letter::new("Р", 6, 2),
        Letter::new("С", 6, 2),
        Letter::new("Т", 5, 2),
        Letter::new("У", 3, 3),
        Letter::new("Ф", 1, 10),
        Letter::new("Х", 2, 5),
        Letter::new("Ц", 1, 10),
        Letter::new("Ч", 2, 5),
        Letter::new("Ш", 1, 10),
        Letter::new("Щ", 1, 10),
        Letter::new("Ъ", 1, 10),
        Letter::new("Ы", 2, 5),
        Letter::new("Ь", 2, 5),
        Letter::new("Э", 1, 10),
        Letter::new("Ю", 1, 10),
        Letter::new("Я", 3, 3),
    ],
);
