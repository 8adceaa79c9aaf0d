//! `deploy/Dockerfile` and `deploy/check.sh`: where no other images can be had, the script builds the program itself. That
//! says something of the image only as long as both build it in the same way.

use super::folder;
use anyhow::{Context, Result, ensure};

/// The words from one that begins so to the end of the command.
fn command<'a>(text: &'a str, begin: &str) -> Result<Vec<&'a str>> {
    let at = text.find(begin).with_context(|| format!("no {begin:?}"))?;
    let words = text[at..].split_whitespace();
    Ok(words.take_while(|word| !["--target-dir", "\\", "&&"].contains(word)).collect())
}

/// O2: what is checked is what is shipped.
#[test]
fn o2_the_program_is_checked_as_the_image_has_it() -> Result<()> {
    let read = |name: &str| std::fs::read_to_string(folder().join(name));
    let (dockerfile, script) = (read("Dockerfile")?, read("check.sh")?);
    for begin in ["cargo build", "RUSTFLAGS="] {
        let (shipped, checked) = (command(&dockerfile, begin)?, command(&script, begin)?);
        let shipped: Vec<_> = shipped.into_iter().take_while(|word| *word != "#").collect();
        ensure!(shipped == checked, "the image has {shipped:?}, and {checked:?} is checked");
    }
    ensure!(dockerfile.contains("--profile dist"), "the image isn't built for use");
    Ok(())
}
