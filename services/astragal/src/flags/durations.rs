//! Durations as flags take them: `1500ms`, `10s`, `2m`.

use std::time::Duration;

/// A duration within bounds; otherwise what may be written.
pub(crate) fn between(text: &str, least: Duration, most: Duration) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(duration) if (least..=most).contains(&duration) => Ok(duration),
        _ => Err(format!(
            "write a duration from {} to {}",
            humantime::format_duration(least),
            humantime::format_duration(most)
        )),
    }
}
