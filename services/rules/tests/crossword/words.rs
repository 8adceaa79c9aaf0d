//! The words that these tests play with: those of the real games in the shared data.

use crate::data;
use astragal_rules::crossword::dictionary::{Dictionaries, Dictionary};
use astragal_rules::crossword::edition::Variant;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Every word on the final boards, and those of `scowl80-add.txt` of 2 to 15 letters.
pub fn english_words() -> &'static BTreeSet<String> {
    static WORDS: OnceLock<BTreeSet<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut words = BTreeSet::new();
        let games = data::json("crossword/gcg/manifest_dev.json");
        for game in games.as_array().expect("a list") {
            let rows: Vec<Vec<char>> = game["final_board"]
                .as_array()
                .expect("rows")
                .iter()
                .map(|row| row.as_str().expect("a row").to_ascii_uppercase().chars().collect())
                .collect();
            let columns = (0..15).map(|column| rows.iter().map(|row| row[column]).collect::<String>());
            let rows = rows.iter().map(|row| row.iter().collect::<String>());
            for line in rows.chain(columns) {
                words.extend(line.split('.').filter(|word| word.len() > 1).map(str::to_owned));
            }
        }
        let added = data::text("crossword/scowl80-add.txt");
        words.extend(added.lines().map(|word| word.trim().to_ascii_uppercase()));
        words.retain(|word| {
            (2..=15).contains(&word.len()) && word.bytes().all(|letter| letter.is_ascii_uppercase())
        });
        words
    })
}

/// The dictionary of [`english_words`].
pub fn english() -> Dictionary {
    let list: Vec<_> = english_words().iter().map(String::as_str).collect();
    Dictionary::build("words of real games", Variant::English, "facts", &list.join("\n")).expect("words")
}

/// The words of the short list of a variant, in capitals by its own table.
pub fn list(variant: Variant) -> Vec<String> {
    let alphabet = &variant.edition().alphabet;
    let list = if variant == Variant::Turkish { TURKISH } else { RUSSIAN };
    let list = if variant == Variant::Erudit { list.replace('ё', "е") } else { list.to_owned() };
    let capital = |small| alphabet.face_character(alphabet.laid(small).expect("a small letter").face());
    let words = list.split_whitespace().map(|word| word.chars().map(capital).collect::<String>());
    words.collect::<BTreeSet<_>>().into_iter().collect()
}

/// A small list for each variant, enough for robots to play whole games with.
pub fn all() -> Dictionaries {
    let build = |variant, list: &str| {
        Dictionary::build("short", variant, "", &list.split_whitespace().collect::<Vec<_>>().join("\n"))
            .expect("words of the alphabet")
    };
    Dictionaries::default()
        .with(english())
        .with(build(Variant::Russian, RUSSIAN))
        .with(build(Variant::Erudit, RUSSIAN))
        .with(build(Variant::Turkish, TURKISH))
}

const RUSSIAN: &str = "ад аз ар ас бой бор век вес вид вол вор год гол гул дар дед дно дом дуб ёж ель жар жук \
    зал зло зуб ива икра ил иск йод кит клён ком кон кот кран край круг лак лев лес лён лёд лук луна мак мел мёд \
    меч мир мост мыло мыс нос ночь нота оса осень озеро окно орёл пар пень перо пир плод пол поле река рис роза \
    рот рука сад сам село сено сила сон сорт сосна стол сук сыр тень тина тон тропа туча удар ужин ум усы утро \
    фара флот хор цена час чаша шар шум щит эхо юг юла яд яма яр";

const TURKISH: &str = "ab acı ad ak al an ar arı at av ay az baba bal baş bel bez bir bu can cam çam çay çiçek dal \
    dar deniz dil dış diş el elma er et ev fal gece göl gül gün güz hal ılık ışık ıssız iç ip iş iz kal kan kar kaş \
    kedi kış kız kol kuş kuzu lale masa mavi ne nar od ok ol on ot oy öz ön pas pil rol saç sarı ses sıra sol su \
    süt şal şu tas taş tel toz tuz uç un üç üst var ve yan yaz yeşil yol yüz zil";
