//! Names as they are shown: what a guest may be called, and what nobody may.
//!
//! The names of guests need not differ: the account is what tells people apart. A name that belongs to
//! one account alone is an [`own::OwnName`].

pub mod keys;
pub mod own;

use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::{Problem, Result};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The longest name, in characters.
pub const NAME_MAX: usize = 32;

/// How an account is shown whose owner has deleted it.
pub const FORMER: &str = "Former player";

/// Marks on one letter; Vietnamese needs two.
const MARKS_MAX: usize = 3;

/// The name that a guest asked for, or a made-up one if they asked for none.
pub fn guest_name(asked: &str, entropy: &dyn Entropy) -> Result<String> {
    if !asked.is_empty() {
        return shown(asked);
    }
    let mut bytes = [0; 4];
    entropy.fill(&mut bytes)?;
    Ok(made_up(u32::from_be_bytes(bytes)))
}

/// A name as it is shown: composed, without spaces around it, and with nothing in it that can't be seen or that
/// changes how other text looks.
pub(crate) fn shown(asked: &str) -> Result<String> {
    // Composing could make an endless text longer before it is measured.
    let asked = asked.trim();
    if asked.len() > 8 * NAME_MAX {
        return Err(too_long());
    }
    let name: String = asked.nfc().collect();
    if name.is_empty() || name.chars().count() > NAME_MAX {
        return Err(too_long());
    }
    if name.chars().any(is_unseen) || !name.chars().any(is_seen) {
        return Err(Problem::invalid_argument(
            "a name has no control characters and nothing that can't be seen; leave them out",
        ));
    }
    if piles_marks(&name) {
        return Err(Problem::invalid_argument("a letter of this name has too many marks; leave some out"));
    }
    Ok(name)
}

fn too_long() -> Problem {
    Problem::invalid_argument(format!("a name has 1 to {NAME_MAX} characters"))
}

/// A name for who asks for none.
pub(crate) fn made_up(number: u32) -> String {
    format!("Guest {}", 1000 + number % 9000)
}

/// Whether a name begins with a mark, or heaps them onto one letter, over the lines around it.
fn piles_marks(name: &str) -> bool {
    // One for the letter that is not there.
    let mut marks = MARKS_MAX;
    name.chars().any(|character| {
        marks = if is_combining_mark(character) { marks + 1 } else { 0 };
        marks > MARKS_MAX
    })
}

/// Whether a character shows something by itself; what joins emoji or chooses how they look does not.
fn is_seen(character: char) -> bool {
    let chooses = matches!(character, '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    !chooses && !character.is_whitespace() && !is_combining_mark(character)
}

/// Characters that control, that only turn the direction of the text around them, or that show nothing.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}' | '\u{e000}'..='\u{f8ff}' | '\u{13430}'..='\u{1345f}'
            | '\u{16fe4}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_runtime::entropy::ScriptedEntropy;
    use astragal_runtime::error::Code;

    fn name(asked: &str) -> std::result::Result<String, Code> {
        guest_name(asked, &ScriptedEntropy::queue([0, 0, 0x0e, 0xed])).map_err(|problem| problem.code)
    }

    #[test]
    fn g8_a_name_is_trimmed_composed_and_kept() {
        assert_eq!(name("  Ada  ").as_deref(), Ok("Ada"));
        assert_eq!(name("Ёжик").as_deref(), Ok("Ёжик"));
        assert_eq!(name("Jose\u{301}").as_deref(), Ok("José"));
        assert_eq!(name("Nguyễn 🎲").as_deref(), Ok("Nguyễn 🎲"));
        let family = "👩\u{200d}👧";
        assert_eq!(name(family).as_deref(), Ok(family), "what joins emoji stays");
        assert_eq!(name(&"x".repeat(32)), Ok("x".repeat(32)));
    }

    #[test]
    fn g8_a_name_that_cannot_be_shown_is_refused() {
        let long = "x".repeat(33);
        let endless = "x".repeat(60_000);
        let heap = format!("a{}", "\u{301}\u{308}".repeat(4));
        for asked in [
            " ",
            "\n",
            &long,
            &endless,
            &heap,
            "a\u{0}b",
            "a\nb",
            "a\u{202e}b",
            "a\u{200b}b",
            "\u{3164}",
            "a\u{2066}b",
            "\u{e0041}",
            "\u{301}a",
            "\u{200d}",
            "\u{200d} \u{fe0f}",
            "\u{2800}",
            "a\u{2800}",
            "\u{1d173}",
            "\u{1d159}",
            "\u{1bca0}",
        ] {
            assert_eq!(name(asked), Err(Code::InvalidArgument), "{asked:?}");
        }
    }

    #[test]
    fn g8_who_asks_for_no_name_gets_one() {
        assert_eq!(name("").as_deref(), Ok("Guest 4821"));
    }
}
