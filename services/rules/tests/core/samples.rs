//! Short games that ended, one of each kind, the same at every run.

use crate::toys::played::{Played, Setting};
use crate::toys::registry;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::registry::Registry;

/// One game of each kind, with all that a log can hold among them: robots, chance, moves of the
/// table, options.
pub fn all() -> Vec<Played> {
    vec![kalah(), dare(), letters(), counter(1)]
}

/// South runs out of seeds after some moves and time.
pub fn kalah() -> Played {
    let mut played = open(Setting { options: r#"{"seeds":3}"#, ..Setting::of("kalah") });
    for (seat, pit) in [(0, 4), (0, 1), (1, 2), (0, 5)] {
        played.play(seat, &format!(r#"{{"pit":{pit}}}"#));
    }
    played.decree(r#"{"time":1}"#);
    played
}

/// Three seats; the last round waits for a seat that leaves.
pub fn dare() -> Played {
    let mut played = open(Setting { seats: 3, options: r#"{"rounds":2}"#, ..Setting::of("dare") });
    for (seat, dice) in [(1, 2), (0, 1), (2, 3), (2, 1), (0, 2)] {
        played.play(seat, &format!(r#"{{"dice":{dice}}}"#));
    }
    played.decree(r#"{"left":1}"#);
    played
}

/// A word is challenged and falls; then nobody wants to go on.
pub fn letters() -> Played {
    let options = r#"{"variant":"long","words":"challenged"}"#;
    let mut played = open(Setting { first_seat: 1, seed: 3, options, ..Setting::of("letters") });
    played.play(1, &format!(r#"{{"lay":"{}"}}"#, rack(&played, 1)));
    played.play(0, r#""challenge""#);
    let verdict = played.now().automatic(&crate::toys::NoTwins).unwrap().expect("a verdict is due");
    played.decree(&verdict);
    let seat = played.now().turn().acting.expect("a seat acts").0;
    played.play(seat, &format!(r#"{{"exchange":"{}"}}"#, &rack(&played, seat)[..2]));
    for turn in 1..4 {
        played.play((seat + turn) % 2, r#""pass""#);
    }
    played
}

/// Sums and throws up to the target.
pub fn counter(version: u32) -> Played {
    let mut played =
        open(Setting { version, seats: 3, options: r#"{"target":9}"#, ..Setting::of("counter") });
    for (turn, action) in
        [r#"{"add":1}"#, r#"{"add":2}"#, r#""roll""#, r#"{"add":3}"#, r#""roll""#].into_iter().enumerate()
    {
        if played.now().outcome().is_none() {
            played.play((turn % 3) as u8, action);
        }
    }
    played
}

/// The tiles of a seat, in order.
pub fn rack(played: &Played, seat: u8) -> String {
    let state: serde_json::Value = serde_json::from_str(&played.state()).unwrap();
    state["data"]["racks"][usize::from(seat)].as_str().expect("a rack").to_owned()
}

pub fn open(setting: Setting) -> Played {
    Played::open(&registry(), setting)
}

/// Reads a log's text and checks it against the commitment that was shown.
pub fn check(
    text: &str,
    registry: &Registry,
    shown: &Played,
) -> Result<(), astragal_rules::error::InvalidGame> {
    let finished = FinishedLog::from_json(text)?;
    registry.verify(&finished, &shown.log().commitment()).map(|_| ())
}
