//! Requests that change something: known again by their id, so that each is done once.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use chrono::Duration;

use crate::fingerprint::fingerprint;
use crate::game::{Origin, Player};
use crate::kind::Kind;

/// For how long a request is known again.
pub const REMEMBERED_FOR: Duration = Duration::hours(24);

/// One request of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Who asks.
    pub account: AccountId,
    /// Of the account's choosing.
    pub id: RequestId,
    /// Equal for equal content only.
    pub hash: [u8; 32],
    /// When it came.
    pub at: Timestamp,
}

impl Request {
    /// Requests from before this instant are forgotten.
    pub fn forgotten_before(&self) -> Timestamp {
        self.at - REMEMBERED_FOR
    }
}

/// The content of a request for a new game.
pub fn game_content(origin: Origin, kind: &Kind, others: &[Option<Player>]) -> [u8; 32] {
    let kind = kind.hash();
    let others = others.iter().map(|other| other.map_or(AccountId::PLACEHOLDER, |player| player.account));
    let others: Vec<_> = others.collect();
    let parts: [&[u8]; 2] = [origin.as_str().as_bytes(), &kind];
    fingerprint(parts.into_iter().chain(others.iter().map(|account| &account.0.as_bytes()[..])))
}

/// The content of a request to join a game.
pub fn join_content(game: TableId) -> [u8; 32] {
    fingerprint([b"join", &game.0.as_bytes()[..]])
}

/// The content of a request to cancel a game.
pub fn cancel_content(game: TableId) -> [u8; 32] {
    fingerprint([b"cancel", &game.0.as_bytes()[..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l14_other_content_is_another_request() {
        let kind = Kind::kalah();
        let (friend, game) = (Player::person(AccountId::new()), TableId::new());
        let contents = [
            game_content(Origin::Auto, &kind, &[None]),
            game_content(Origin::Friends, &kind, &[None]),
            game_content(Origin::Friends, &kind, &[Some(friend)]),
            game_content(Origin::Friends, &Kind { seats: 3, ..kind.clone() }, &[None]),
            join_content(game),
            cancel_content(game),
            join_content(TableId::new()),
        ];
        for (place, content) in contents.iter().enumerate() {
            assert!(!contents[..place].contains(content), "content {place} is not its own");
        }
        assert_eq!(join_content(game), join_content(game));
    }
}
