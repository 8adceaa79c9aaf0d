//! The draw as a flat list: a line a round, as it was.

use std::collections::HashMap;
use std::fmt::Display;

use astragal_proto::seeding::v1::{Draw, Pick};
use astragal_runtime::error::Result;
use astragal_runtime::id::{AccountId, TableId};

use crate::compose::names::Profile;
use crate::gateway::Gateway;

/// One round.
pub(super) struct DrawRound {
    pub(super) number: usize,
    pub(super) picks: Vec<DrawPick>,
    /// Who leads, in the round that decided.
    pub(super) leads: Option<String>,
}

/// One tile.
pub(super) struct DrawPick {
    pub(super) name: String,
    pub(super) account: Option<String>,
    pub(super) tile: String,
    pub(super) rank: i32,
    pub(super) recorded: bool,
}

/// The rounds of a game's draw; none if it had no draw.
pub(super) async fn rounds(gateway: &Gateway, table: TableId) -> Result<Vec<DrawRound>> {
    let Some(draw) = gateway.roles().draw_of(table).await?.draw else { return Ok(Vec::new()) };
    let picks = draw.rounds.iter().flat_map(|round| &round.picks);
    let accounts: Vec<AccountId> = picks.filter_map(|pick| pick.account_id.parse().ok()).collect();
    let profiles = gateway.composer().names.get(&accounts).await?;
    Ok(listed(&draw, &profiles))
}

fn listed(draw: &Draw, profiles: &HashMap<AccountId, Profile>) -> Vec<DrawRound> {
    let plain = |pick: &Pick| {
        let account: Option<AccountId> = pick.account_id.parse().ok();
        let profile = account.and_then(|account| profiles.get(&account));
        profile
            .map_or_else(|| format!("participant {}", pick.participant + 1), |known| known.name.to_string())
    };
    let all: Vec<String> = draw.rounds.first().iter().flat_map(|first| &first.picks).map(plain).collect();
    let name = |pick: &Pick| {
        let name = plain(pick);
        match pick.seat {
            Some(seat) if all.iter().filter(|other| **other == name).count() > 1 => apart(&name, seat),
            _ => name,
        }
    };
    let last = draw.rounds.len();
    let round = |(place, round): (usize, &astragal_proto::seeding::v1::Round)| DrawRound {
        number: place + 1,
        picks: round
            .picks
            .iter()
            .map(|pick| DrawPick {
                name: name(pick),
                account: Some(pick.account_id.clone()).filter(|id| !id.is_empty()),
                tile: if pick.blank { "blank".to_owned() } else { pick.letter.clone() },
                rank: pick.rank,
                recorded: pick.recorded,
            })
            .collect(),
        leads: (place + 1 == last)
            .then(|| round.picks.iter().find(|pick| Some(pick.participant) == draw.winner).map(name))
            .flatten(),
    };
    draw.rounds.iter().enumerate().map(round).collect()
}

/// A name that several share, told apart by the seat.
pub(super) fn apart(name: &str, seat: impl Display) -> String {
    format!("{name} (seat {seat})")
}

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
