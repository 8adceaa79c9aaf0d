//! Games that were finished long ago. They read, verify and end as they did on the day they were
//! written, for ever: a change that breaks one of them needs a new version of the rules.

use astragal_rules::crossword::game::Crossword;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::registry::Registry;
use sha2::{Digest, Sha256};

/// Each log and the SHA-256 of the state in which it ends.
const LOGS: [(&str, &str, &str); 4] = [
    (
        "english, any words, to the last tile",
        include_str!("../golden/log_crossword_english.json"),
        "a5098030d63cf46c0c298dbbe8d977dc524da37ef2acd225363f5ed8ce10e870",
    ),
    (
        "russian, three seats, challenges of both outcomes, a seat that leaves",
        include_str!("../golden/log_crossword_russian.json"),
        "df7a2c284817a3172731636fd12d4b5bd1c2c005acc93ab7640f6905b4fdc62d",
    ),
    (
        "erudit, a dictionary, scoreless turns at the end",
        include_str!("../golden/log_crossword_erudit.json"),
        "c2f7bd29dc2612f688d179d73ab6c0a10d0c3c72c6eac3b310125847e9fba1de",
    ),
    (
        "turkish, challenges",
        include_str!("../golden/log_crossword_turkish.json"),
        "7205ea878837d891bad14dc39af8fb11572b79a3d89133d7838bcf6732abbf39",
    ),
];

#[test]
fn l9_crossword_finished_logs_of_version_1_end_as_they_did() {
    // Without a word list: the words were judged when they were laid.
    let registry = Registry::new().with(Crossword::default());
    for (name, text, sha256) in LOGS {
        let finished =
            FinishedLog::from_json(text.trim_end()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(finished.to_json().unwrap(), text.trim_end(), "{name}");
        let table = registry.verify(&finished, &finished.log().commitment());
        let state = table.unwrap_or_else(|error| panic!("{name}: {error}")).state_json().unwrap();
        assert_eq!(hex::encode(Sha256::digest(&state)), sha256, "{name}: {state}");
    }
}
