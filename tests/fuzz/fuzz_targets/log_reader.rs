//! Any bytes: the strict reader of finished logs takes or refuses them. What it takes, it reads
//! back from what it writes, and the games replay or refuse it.

#![no_main]

use astragal_rules::finished_log::FinishedLog;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(log) = FinishedLog::from_json(text) else { return };
    let written = log.to_json().expect("what was read can be written");
    let again = FinishedLog::from_json(&written).expect("what was written can be read");
    assert_eq!(again.to_json().as_ref(), Ok(&written));

    let games = Registry::new().with(Kalah);
    let replayed = games.replay(log.log()).map(|table| table.outcome().is_some());
    let verified = games.verify(&log, &log.log().commitment()).is_ok();
    assert_eq!(verified, replayed == Ok(true));
});
