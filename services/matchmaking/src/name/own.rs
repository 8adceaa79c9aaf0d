//! Names that belong to one account alone.

use std::sync::LazyLock;

use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::ROBOT_LEVEL_MAX;
use unicode_security::{GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection};

use super::keys::NameKeys;
use super::{FORMER, shown};
use crate::account::robot_name;
use crate::error::LobbyError;

/// A name that can be somebody's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnName {
    /// As it is shown.
    pub shown: String,
    /// By which it differs from every other one.
    pub keys: NameKeys,
}

impl OwnName {
    /// Reads a name that somebody wants for themselves: words of letters and digits of one script, or of Latin beside
    /// Chinese, Japanese or Korean.
    pub fn read(asked: &str) -> Result<Self> {
        let shown = shown(asked)?;
        let words: String = shown.chars().filter(|character| !is_between_words(*character)).collect();
        if words.is_empty() || !words.chars().all(GeneralSecurityProfile::identifier_allowed) {
            let message = "a name of one's own has letters and digits, with spaces and - _ . ' between them";
            return Err(Problem::invalid_argument(message));
        }
        if has_two_signs_together(&shown) {
            return Err(Problem::invalid_argument("one space or sign between two words is enough"));
        }
        if words.as_str().detect_restriction_level() > RestrictionLevel::HighlyRestrictive {
            return Err(Problem::invalid_argument(
                "a name is in one script; write all its letters in the same",
            ));
        }
        let keys = NameKeys::of(&shown);
        if is_reserved(&keys) {
            return Err(LobbyError::NameTaken.into());
        }
        Ok(Self { shown, keys })
    }
}

/// By which somebody would pose as the house.
const OF_THE_HOUSE: [&str; 7] =
    ["Admin", "Administrator", "Moderator", "Server", "System", "Support", "Astragal"];

static RESERVED: LazyLock<Vec<NameKeys>> = LazyLock::new(|| {
    let names = (1..=ROBOT_LEVEL_MAX).map(robot_name).chain([FORMER.to_owned()]);
    names.chain(OF_THE_HOUSE.map(str::to_owned)).map(|name| NameKeys::of(&name)).collect()
});

/// Names that the system itself gives to accounts, and those of the house, which it gives to nobody.
pub fn is_reserved(keys: &NameKeys) -> bool {
    RESERVED.iter().any(|reserved| reserved.clash(keys))
}

fn is_between_words(character: char) -> bool {
    matches!(character, ' ' | '-' | '_' | '.' | '\'' | '’')
}

fn has_two_signs_together(name: &str) -> bool {
    let mut before = false;
    name.chars().any(|character| {
        let now = is_between_words(character);
        std::mem::replace(&mut before, now) && now
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_runtime::error::Code;

    #[test]
    fn g8_names_of_many_languages_can_be_ones_own() {
        for name in [
            "Ada",
            "Ada L.",
            "O'Brien",
            "Jean-Luc",
            "Işık",
            "Ёжик 7",
            "Σίσυφος",
            "さくら",
            "Ada さくら",
            "x_1",
        ] {
            assert_eq!(OwnName::read(name).map(|own| own.shown).as_deref(), Ok(name));
        }
    }

    #[test]
    fn g8_a_name_that_poses_as_another_or_as_the_system_is_refused() {
        for (name, code) in [
            ("Аda", Code::InvalidArgument),
            ("Ada  L", Code::InvalidArgument),
            ("...", Code::InvalidArgument),
            ("Ada 🎲", Code::InvalidArgument),
            ("A<b>", Code::InvalidArgument),
            ("a\u{202e}b", Code::InvalidArgument),
            ("", Code::InvalidArgument),
            ("Robot 3", Code::NameTaken),
            ("ROB0T-3", Code::NameTaken),
            ("former player", Code::NameTaken),
            ("admin", Code::NameTaken),
            ("Admin.", Code::NameTaken),
            ("rnoderator", Code::NameTaken),
            ("astraga1", Code::NameTaken),
        ] {
            assert_eq!(OwnName::read(name).map_err(|problem| problem.code), Err(code), "{name}");
        }
    }

    #[test]
    fn g8_a_guest_poses_as_the_house_with_no_letters() {
        for name in ["Admin", "Аdmin", "Adm\u{200d}in", "★ MODERATOR ★", "ѕеrvеr", "Robot 5"] {
            assert!(is_reserved(&NameKeys::of(name)), "{name}");
        }
        for name in ["Adam", "Serverin", "Robot 9", "Astrid"] {
            assert!(!is_reserved(&NameKeys::of(name)), "{name}");
        }
    }
}
