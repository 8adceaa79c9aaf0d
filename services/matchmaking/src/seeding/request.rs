//! Requests of a tournament system: known again by their id, so that each is done once.

use astragal_runtime::id::{AccountId, RequestId, TableId};

use crate::fingerprint::fingerprint;

/// One request about a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRequest {
    /// Of the caller's choosing.
    pub id: RequestId,
    /// Equal for equal content only.
    pub hash: [u8; 32],
}

/// What a draw is opened with, as it was asked for.
#[derive(Debug, Clone, Copy)]
pub struct DrawWish<'a> {
    /// The participants in the order of asking.
    pub accounts: &'a [AccountId],
    /// Empty: any.
    pub game: &'a str,
    /// Empty: the game's first.
    pub variant: &'a str,
    /// Empty: that of the game's variant.
    pub tile_set: &'a str,
    /// Whether all tiles are drawn at once.
    pub automatic: bool,
    /// Whether the ledger says who may lead.
    pub balance: bool,
}

impl DrawRequest {
    /// Opens a draw.
    pub fn open(id: RequestId, wish: &DrawWish<'_>) -> Self {
        let flags = [u8::from(wish.automatic), u8::from(wish.balance)];
        let words =
            [b"open", wish.game.as_bytes(), wish.variant.as_bytes(), wish.tile_set.as_bytes(), &flags];
        let accounts = wish.accounts.iter().map(|account| &account.0.as_bytes()[..]);
        Self { id, hash: fingerprint(words.into_iter().chain(accounts)) }
    }

    /// Draws a tile.
    pub fn draw(id: RequestId, game: TableId, participant: u8) -> Self {
        Self { id, hash: fingerprint([b"draw", &game.0.as_bytes()[..], &[participant]]) }
    }

    /// Notes a tile.
    pub fn record(id: RequestId, game: TableId, participant: u8, letter: &str, by: AccountId) -> Self {
        let parts = [b"record", &game.0.as_bytes()[..], &[participant], letter.as_bytes(), by.0.as_bytes()];
        Self { id, hash: fingerprint(parts) }
    }

    /// Gives a draw up.
    pub fn cancel(id: RequestId, game: TableId) -> Self {
        Self { id, hash: fingerprint([b"cancel", &game.0.as_bytes()[..]]) }
    }
}
