//! Reads the shared test data: real games and vectors that were not written by us.

use serde_json::Value;
use std::path::PathBuf;

/// One file of the data, parsed.
pub(crate) fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path} is not JSON: {error}"))
}

/// One file of the data as text.
pub(crate) fn text(path: &str) -> String {
    String::from_utf8(bytes(path)).unwrap_or_else(|error| panic!("{path} is not UTF-8: {error}"))
}

/// One file of the data. A missing folder or file fails the test with what to do.
pub(crate) fn bytes(path: &str) -> Vec<u8> {
    let file = folder().join(path);
    std::fs::read(&file).unwrap_or_else(|error| {
        panic!("can't read {}: {error}; set ASTRAGAL_DATA to the folder of the test data", file.display())
    })
}

#[expect(clippy::disallowed_methods, reason = "where the data lies is the one setting of these tests")]
fn folder() -> PathBuf {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var("ASTRAGAL_DATA").map_or(beside, PathBuf::from)
}
