//! Files that commands are given: read whole, but never more than is asked for.

use anyhow::{Context, Result, ensure};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

/// The largest file that any command reads: no log of 100,000 moves and no word list is nearly as large.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// The bytes of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    let fits = bytes.len() as u64 <= FILE_BYTES_MAX;
    ensure!(fits, "{shown} is larger than any file of this kind, over {} MB", FILE_BYTES_MAX >> 20);
    Ok(bytes)
}

/// The text of a file in UTF-8. The error names the first line that is not.
pub(crate) fn text(path: &Path) -> Result<String> {
    String::from_utf8(bytes(path)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.split(|byte| *byte == b'\n').count();
        anyhow::anyhow!("cannot read {} as text: line {line}: the bytes are not UTF-8", path.display())
    })
}

/// Writes a file whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let shown = path.display();
    let name = path.file_name().with_context(|| format!("{shown} names no file"))?;
    let mut draft = name.to_owned();
    draft.push(".new");
    let draft = path.with_file_name(draft);
    let written =
        OpenOptions::new().write(true).create(true).truncate(true).open(&draft).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&draft, path)
        });
    written.with_context(|| format!("cannot write {shown}"))
}
