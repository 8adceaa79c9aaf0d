//! Logs that were finished long ago. They read, verify and end as they did on the day they were
//! written, for ever: a change that breaks one of them needs a new version of its rules.

use crate::toys::registry;
use astragal_rules::finished_log::FinishedLog;
use sha2::{Digest, Sha256};

/// Each log and the SHA-256 of the state in which it ends.
const LOGS: [(&str, &str, &str); 5] = [
    (
        "kalah",
        include_str!("../golden/log_kalah.json"),
        "9523e2eb5b5b30d98d47a1810b78a525b983929f85016333599deb83707dbe08",
    ),
    (
        "dare",
        include_str!("../golden/log_dare.json"),
        "9008468804e8fd8e7597b7f133c63bb3dfa2349d44d9bc0301918ca788036a9e",
    ),
    (
        "letters",
        include_str!("../golden/log_letters.json"),
        "abb6aebf58c727e090ba9b5077c8acfe572231b120621a0b0efb4a09dbf43179",
    ),
    (
        "counter 1",
        include_str!("../golden/log_counter_1.json"),
        "1c1cff7056f33e93a1df4ef76408915519e2b0aac082435a52bd6d6cce96c2fd",
    ),
    (
        "counter 2",
        include_str!("../golden/log_counter_2.json"),
        "7e3642a6dcc5ee70399ee9e5fb53b70c042534b5cc77d3935d625a4205a8a4af",
    ),
];

#[test]
fn l4_old_logs_end_as_they_did() {
    for (name, text, expected) in LOGS {
        let text = text.trim_end();
        let log = FinishedLog::from_json(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(log.to_json().unwrap(), text, "{name} is written as it was");
        let end = registry().verify(&log, &log.log().commitment());
        let end = end.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(hex::encode(Sha256::digest(end.state_json().unwrap())), expected, "{name}");
    }
}
