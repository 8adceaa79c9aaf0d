//! The names of guests. Names need not differ: the account is what tells people apart.

use astragal_runtime::entropy::Entropy;
use astragal_runtime::error::{Problem, Result};

/// The longest name, in characters.
pub const NAME_MAX: usize = 32;

/// The name that a guest asked for, or a made-up one if they asked for none.
pub fn guest_name(asked: &str, entropy: &dyn Entropy) -> Result<String> {
    let name = asked.trim();
    if asked.is_empty() {
        return make_up(entropy);
    }
    if name.is_empty() || name.chars().count() > NAME_MAX {
        return Err(Problem::invalid_argument(format!("a name has 1 to {NAME_MAX} characters")));
    }
    if name.chars().any(is_unseen) {
        return Err(Problem::invalid_argument("a name has no control characters; leave them out"));
    }
    Ok(name.to_owned())
}

fn make_up(entropy: &dyn Entropy) -> Result<String> {
    let mut bytes = [0; 4];
    entropy.fill(&mut bytes)?;
    Ok(format!("Guest {}", 1000 + u32::from_be_bytes(bytes) % 9000))
}

/// Control characters, and those that only turn the direction of the text around them.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
    fn g8_a_name_is_trimmed_and_kept() {
        assert_eq!(name("  Ada  ").as_deref(), Ok("Ada"));
        assert_eq!(name("Ёжик").as_deref(), Ok("Ёжик"));
        assert_eq!(name(&"x".repeat(32)), Ok("x".repeat(32)));
    }

    #[test]
    fn g8_a_name_that_cannot_be_shown_is_refused() {
        let long = "x".repeat(33);
        for asked in [" ", "\n", long.as_str(), "a\u{0}b", "a\nb", "a\u{202e}b"] {
            assert_eq!(name(asked), Err(Code::InvalidArgument), "{asked:?}");
        }
    }

    #[test]
    fn g8_who_asks_for_no_name_gets_one() {
        assert_eq!(name("").as_deref(), Ok("Guest 4821"));
    }
}
