//! Whether a file that somebody brings is true: a log with its commitment, or a certificate.

use crate::Parts;
use astragal_proto::replay::v1::VerifyResponse;
use astragal_rules::any::AnyTable;
use astragal_rules::certificate::Certificate;
use astragal_rules::error::InvalidGame;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::seed::Commitment;
use astragal_runtime::error::{Problem, Result};
use std::sync::Arc;

impl Parts {
    /// The verdict on a file. A file that is false is an answer, not an error.
    pub(crate) async fn verify(self: Arc<Self>, text: String, commitment: String) -> Result<VerifyResponse> {
        let check = move || match self.check(&text, &commitment) {
            Ok(message) => VerifyResponse { holds: true, place: String::new(), message },
            Err(InvalidGame { place, why }) => VerifyResponse { holds: false, place, message: why },
        };
        tokio::task::spawn_blocking(check).await.map_err(|error| Problem::internal(&error))
    }

    fn check(&self, text: &str, commitment: &str) -> std::result::Result<String, InvalidGame> {
        let shown: Option<Commitment> = match commitment {
            "" => None,
            given => Some(given.parse().map_err(|error| InvalidGame::new("commitment", error))?),
        };
        if Certificate::is_named_by(text) {
            let certificate = Certificate::from_json(text)?;
            let table = certificate.check(&self.registry)?;
            if shown.is_some_and(|shown| !certificate.commitment.matches(&shown)) {
                return Err(InvalidGame::new("commitment", "not the one that was given with the file"));
            }
            let draw = if certificate.draw.is_some() { ", and the draw fell as it says" } else { "" };
            return Ok(format!("{}{draw}", said(&*table)));
        }
        let log = FinishedLog::from_json(text)?;
        let shown = shown.unwrap_or_else(|| log.log().commitment());
        Ok(said(&*self.registry.verify(&log, &shown)?))
    }
}

fn said(table: &dyn AnyTable) -> String {
    let opening = table.opening();
    let ended = table.outcome().map_or("", |outcome| outcome.reason.as_str());
    let moves = table.number();
    format!("{} {}: {moves} moves follow from the seed, ended as {ended}", opening.game, opening.table)
}
