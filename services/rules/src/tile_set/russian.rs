//! The Russian set: 104 tiles, 33 letters. Ё is a letter of its own, after Е.

use super::{Letter, TileSet};

/// The Russian set: 104 tiles, 33 letters. Ё is a letter of its own, after Е.
pub static RUSSIAN: TileSet = TileSet::new(
    "russian",
    2,
    &[
        Letter::new("А", 8, 1),
        Letter::new("Б", 2, 3),
        Letter::new("В", 4, 1),
        Letter::new("Г", 2, 3),
        Letter::new("Д", 4, 2),
        Letter::new("Е", 8, 1),
        Letter::new("Ё", 1, 3),
        Letter::new("Ж", 1, 5),
        Letter::new("З", 2, 5),
        Letter::new("И", 5, 1),
        Letter::new("Й", 1, 4),
        Letter::new("К", 4, 2),
        Letter::new("Л", 4, 2),
        Letter::new("М", 3, 2),
        Letter::new("Н", 5, 1),
        Letter::new("О", 10, 1),
        Letter::new("П", 4, 2),
        Letter::new("Р", 5, 1),
        Letter::new("С", 5, 1),
        Letter::new("Т", 5, 1),
        Letter::new("У", 4, 2),
        Letter::new("Ф", 1, 10),
        Letter::new("Х", 1, 5),
        Letter::new("Ц", 1, 5),
        Letter::new("Ч", 1, 5),
        Letter::new("Ш", 1, 8),
        Letter::new("Щ", 1, 10),
        Letter::new("Ъ", 1, 10),
        Letter::new("Ы", 2, 4),
        Letter::new("Ь", 2, 3),
        Letter::new("Э", 1, 8),
        Letter::new("Ю", 1, 8),
        Letter::new("Я", 2, 3),
    ],
);
