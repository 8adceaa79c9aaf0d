//! The source files that git knows, or would take.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of the repository.
pub(crate) struct Source {
    /// From the root of the repository.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(1).unwrap_or(Path::new("..")).to_owned()
}

/// Every file with one of the endings that is tracked, or new and not ignored. Files that are no text are left out.
pub(crate) fn with_endings(endings: &[&str]) -> Result<Vec<Source>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .context("git can't be run")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let paths = String::from_utf8(output.stdout)?;
    let wanted = |path: &&str| endings.iter().any(|ending| path.ends_with(ending));
    let mut sources = Vec::new();
    for path in paths.split('\0').filter(wanted) {
        // A file that is deleted and not yet committed is still listed.
        if let Ok(text) = std::fs::read_to_string(root().join(path)) {
            sources.push(Source { path: path.to_owned(), text });
        }
    }
    ensure!(!sources.is_empty(), "no files end in {endings:?}");
    Ok(sources)
}

/// Every Rust file.
pub(crate) fn rust() -> Result<Vec<Source>> {
    with_endings(&[".rs"])
}
