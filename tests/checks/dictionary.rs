//! `astragal dictionary build`, and `astragal verify` that judges words by what was built.

use anyhow::{Context, Result, ensure};
use astragal_tests::program;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

fn text(path: &Path) -> Result<&str> {
    path.to_str().context("an odd path")
}

fn build(list: &Path, output: &Path, alphabet: &str) -> Result<Output> {
    program::run(&["dictionary", "build", text(list)?, "-o", text(output)?, "--alphabet", alphabet])
}

fn built(folder: &Path, words: &str) -> Result<PathBuf> {
    let (list, output) = (folder.join("list.txt"), folder.join("built.dict"));
    std::fs::write(&list, words)?;
    let done = build(&list, &output, "english")?;
    ensure!(done.status.code() == Some(0), "{done:?}");
    Ok(output)
}

/// Crossword, build 2: the SHA-256 of the file is printed, and the same words make the same file.
#[test]
fn dictionary_build_prints_the_digest_of_what_it_wrote() -> Result<()> {
    let folder = TempDir::new()?;
    let (list, one, other) =
        (folder.path().join("list.txt"), folder.path().join("one.dict"), folder.path().join("other.dict"));
    std::fs::write(&list, "# a list\ncab\nAB\n\ncabs\n")?;
    let said = String::from_utf8(build(&list, &one, "english")?.stdout)?;
    let bytes = std::fs::read(&one)?;
    let digest = hex::encode(Sha256::digest(&bytes));
    ensure!(said.starts_with(&digest) && said.contains("3 words"), "{said} is not {digest}");
    std::fs::write(&list, "CABS\nCAB\nAB\nab\n")?;
    build(&list, &other, "english")?;
    ensure!(bytes == std::fs::read(&other)?, "the same words make another file");
    ensure!(std::fs::read_dir(folder.path())?.count() == 3, "a draft was left behind");
    Ok(())
}

/// Crossword, bad input: a list is refused with the line that is wrong, and nothing is written.
#[test]
fn dictionary_build_refuses_a_list_by_line() -> Result<()> {
    let folder = TempDir::new()?;
    let (list, output) = (folder.path().join("list.txt"), folder.path().join("built.dict"));
    let bad: [(&[u8], &str, &str); 8] = [
        ("cab\ncaf\u{e9}\n".as_bytes(), "english", "line 2: "),
        ("cab\nдом\n".as_bytes(), "english", "line 2: "),
        ("дом\nдоm\n".as_bytes(), "russian", "line 2: "),
        (b"cab\na\n", "english", "line 2: a word has 2 to 15 letters"),
        (b"cab\r\n\r\nabcdefghijklmnop\r\n", "english", "line 3: a word has 2 to 15 letters"),
        (b"ab\ncab\nc\xff\n", "english", "line 3: the bytes are not UTF-8"),
        (b"# nothing\n", "english", "the list has no words"),
        (b"cab\n", "klingon", "english, russian, erudit, turkish"),
    ];
    for (bytes, alphabet, why) in bad {
        std::fs::write(&list, bytes)?;
        let refused = build(&list, &output, alphabet)?;
        ensure!(!refused.status.success() && refused.stdout.is_empty(), "{why}: {refused:?}");
        let said = String::from_utf8(refused.stderr)?;
        ensure!(said.contains(why), "{said} is not {why}");
        ensure!(!output.exists(), "{why}: something was written");
    }
    let nowhere = build(&folder.path().join("none"), &output, "english")?;
    ensure!(nowhere.status.code() == Some(1), "{nowhere:?}");
    Ok(())
}

/// Crossword, build 2: `verify` says that it did not judge the words, and judges them with a dictionary.
#[test]
fn verify_judges_words_again_with_a_dictionary() -> Result<()> {
    let folder = TempDir::new()?;
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../services/rules/tests/golden");
    let log: serde_json::Value =
        serde_json::from_slice(&std::fs::read(golden.join("log_crossword_english.json"))?)?;
    // The words of that game are judged when its options say so.
    let strict = folder.path().join("log.json");
    let mut judged = log.clone();
    judged["options"]["words"] = "dictionary".into();
    std::fs::write(&strict, judged.to_string())?;

    let plain = program::run(&["verify", text(&strict)?])?;
    let said = String::from_utf8(plain.stdout)?;
    ensure!(plain.status.code() == Some(0) && said.contains("words       not judged again"), "{said}");

    let few = built(folder.path(), "can\n")?;
    let refused = program::run(&["verify", text(&strict)?, "--dictionary", text(&few)?])?;
    let said = String::from_utf8(refused.stderr)?;
    ensure!(refused.status.code() == Some(1) && said.contains("move 2"), "{said}");

    // Where any word is good, any dictionary agrees.
    let free = golden.join("log_crossword_english.json");
    let good = program::run(&["verify", text(&free)?, "--dictionary", text(&few)?])?;
    let said = String::from_utf8(good.stdout)?;
    let digest = hex::encode(Sha256::digest(std::fs::read(&few)?));
    ensure!(
        good.status.code() == Some(0) && said.contains(&format!("judged again by list {digest}")),
        "{said}"
    );

    let kalah = golden.join("log_kalah.json");
    let none = program::run(&["verify", text(&kalah)?, "--dictionary", text(&few)?])?;
    ensure!(none.status.code() == Some(1), "{none:?}");
    let broken = program::run(&["verify", text(&free)?, "--dictionary", text(&kalah)?])?;
    let said = String::from_utf8(broken.stderr)?;
    ensure!(broken.status.code() == Some(1) && said.contains("not a dictionary"), "{said}");
    Ok(())
}
