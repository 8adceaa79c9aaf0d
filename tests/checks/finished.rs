//! The finished log of a game, downloaded and replayed by this build's rules.

use anyhow::{Context, Result, ensure};
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::game::Viewer;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_rules::seed::Commitment;
use astragal_tests::http::Http;
use serde_json::Value;

/// A finished log and the table that it replays to.
pub(crate) struct Finished {
    /// The file's text.
    pub(crate) text: String,
    /// The file as JSON.
    pub(crate) json: Value,
    /// The last view, as a spectator has it.
    pub(crate) view: Value,
}

impl Finished {
    /// Downloads the log of a game that is over, and verifies it against its commitment.
    pub(crate) async fn download(http: &mut Http, game_id: &str, commitment: &str) -> Result<Self> {
        let answer = http.get(&format!("/v1/tables/{game_id}/log")).await?;
        ensure!(answer.status.is_success(), "no log of {game_id}: {}", answer.text());
        let text = answer.text();
        let commitment: Commitment = commitment.parse().ok().context("an odd commitment")?;
        let table = Registry::new().with(Kalah).verify(&FinishedLog::from_json(&text)?, &commitment)?;
        let view = serde_json::from_str(&table.view(Viewer::Spectator)?)?;
        Ok(Self { json: serde_json::from_str(&text)?, text, view })
    }

    /// The moves as the file has them, those of the table included.
    pub(crate) fn moves(&self) -> Result<&Vec<Value>> {
        self.json["moves"].as_array().context("a log without moves")
    }
}
