//! By what two names count as the same: they differ in letter case only, or they look alike.

use unicase::UniCase;
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

/// What no two named accounts have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameKeys {
    /// Equal for names that differ in letter case, in signs between words, or in letters that look alike.
    pub folded: String,
    /// Equal for names that look alike as they are written: `AlI` and `All`, which no letter case makes equal.
    pub likeness: String,
}

impl NameKeys {
    /// The keys of a text, which need not be a good name.
    pub fn of(name: &str) -> Self {
        let words: String = name.nfkc().filter(|character| character.is_alphanumeric()).collect();
        let likeness = skeleton(&words).collect();
        // What looks alike in lower case may be given by a capital letter: 0 is O.
        let folded = fold(&skeleton(&fold(&words)).collect::<String>());
        Self { folded, likeness }
    }

    /// Whether nobody may have both names.
    pub fn clash(&self, other: &Self) -> bool {
        self.folded == other.folded || self.likeness == other.likeness
    }
}

/// Letter case folded. An `i` has its dot in every language: the Turkish capital `İ` would fold to an `i` with a dot
/// above it, and the `I` of other languages to an `i` that a Turk writes `ı`, which its likeness makes an `i`.
fn fold(text: &str) -> String {
    let folded = UniCase::new(text).to_folded_case();
    folded.nfd().collect::<String>().replace("i\u{307}", "i").nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clash(one: &str, other: &str) -> bool {
        NameKeys::of(one).clash(&NameKeys::of(other))
    }

    #[test]
    fn g8_letter_case_and_likeness_make_no_other_name() {
        for (one, other) in [
            ("Ada", "ADA"),
            ("Ada", "Аdа"),
            ("Ada L", "ada-l"),
            ("Ёжик", "ЁЖИК"),
            ("Jose\u{301}", "josé"),
            ("Straße", "STRASSE"),
            ("Ian", "lan"),
            ("All", "AlI"),
            ("All", "A11"),
            ("Bob0", "bobo"),
            ("modern", "rnodern"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("Ａｄａ", "Ada"),
        ] {
            assert!(
                clash(one, other),
                "{one} and {other}: {:?} {:?}",
                NameKeys::of(one),
                NameKeys::of(other)
            );
        }
    }

    #[test]
    fn g8_the_turkish_letters_i_are_one() {
        let spellings = ["Işık", "IŞIK", "ışık", "İŞİK", "işik", "Isik"];
        for one in &spellings[..5] {
            for other in &spellings[..5] {
                assert!(clash(one, other), "{one} and {other}");
            }
            assert!(!clash(one, spellings[5]), "ş is no s");
        }
        assert!(
            clash("İstanbul", "istanbul") && clash("ISTANBUL", "ıstanbul") && clash("İSTANBUL", "ISTANBUL")
        );
    }

    #[test]
    fn g8_other_names_are_other_names() {
        for (one, other) in [("Ada", "Adam"), ("Ali", "All"), ("Jose", "José"), ("Anna", "Аня"), ("Е", "Ё")]
        {
            assert!(!clash(one, other), "{one} and {other}");
        }
    }
}
