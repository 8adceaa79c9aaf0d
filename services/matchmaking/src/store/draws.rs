//! What is kept of draws tile by tile, of how games ended, and what follows from both: one narrow trait, behind which
//! lies one database or another.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use async_trait::async_trait;

use crate::error::Result;
use crate::game::{GameEnd, NewGame};
use crate::seeding::request::DrawRequest;
use crate::seeding::sheet::{Allotment, Fallen, Sheet};
use crate::standing::Way;

use super::game_rows::broken;

/// A draw as it has become, beside what is written already.
#[derive(Debug, Clone, Copy)]
pub struct SheetStep<'s> {
    /// As it was; none: it is new.
    pub before: Option<&'s Sheet>,
    /// As it is.
    pub after: &'s Sheet,
    /// What is known again, if anybody asked for it.
    pub request: Option<&'s DrawRequest>,
    /// When.
    pub at: Timestamp,
}

impl<'s> SheetStep<'s> {
    /// The picks that are new. Rows are only ever appended.
    pub(super) fn picks(&self) -> &'s [Fallen] {
        self.after.picks.get(self.before.map_or(0, |before| before.picks.len())..).unwrap_or_default()
    }

    /// The entropy that is new.
    pub(super) fn allotted(&self) -> &'s [Allotment] {
        self.after.allotted.get(self.before.map_or(0, |before| before.allotted.len())..).unwrap_or_default()
    }
}

/// Which draws of an account stand for each other: those of the same game, number of seats and draw set. Of those to
/// which it came on one way, the newest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DrawKey<'k> {
    /// Whose.
    pub account: AccountId,
    /// How it came to them.
    pub way: Way,
    /// The name of the game.
    pub game: &'k str,
    /// The number of seats.
    pub seats: u8,
    /// The name of the tile set.
    pub tile_set: &'k str,
}

impl<'k> DrawKey<'k> {
    /// The key of whoever opens a game; none if nothing is drawn for it.
    pub fn of(new: &'k NewGame, way: Way) -> Option<Self> {
        let (account, game, seats) = (new.opener, &*new.kind.game, new.kind.seats);
        let tile_set = &*new.picks.first()?.tile_set;
        Some(Self { account, way, game, seats, tile_set })
    }

    /// All but the account in the words of a row.
    pub(super) fn drawn_for(&self) -> String {
        format!("{} {} {} {}", self.way.as_str(), self.game, self.seats, self.tile_set)
    }
}

/// What such words say of the way.
pub(super) fn way_of(drawn_for: &str) -> Result<Way> {
    let word = drawn_for.split(' ').next();
    let way = Way::ALL.into_iter().find(|way| Some(way.as_str()) == word);
    way.ok_or_else(|| broken(drawn_for))
}

/// The draws of the role.
#[async_trait]
pub trait DrawStore: Send + Sync {
    /// A draw.
    async fn sheet(&self, game: TableId) -> Result<Option<Sheet>>;

    /// The content of a request of the last day, and the draw that it was about.
    async fn draw_request(&self, request: RequestId) -> Result<Option<([u8; 32], TableId)>>;

    /// Writes what has become of a draw, in one transaction.
    /// [`DrawChanged`](crate::error::LobbyError::DrawChanged): somebody else has changed it since it was read, or sent
    /// the same request, and nothing was written.
    async fn write_sheet(&self, step: &SheetStep<'_>) -> Result<()>;

    /// Forgets requests from before an instant.
    async fn forget_draw_requests(&self, before: Timestamp) -> Result<u64>;

    /// The newest games of these keys in which their accounts sit: those that are full and of which nobody has asked how
    /// they ended.
    async fn newest_unended(&self, keys: &[DrawKey<'_>]) -> Result<Vec<TableId>>;

    /// Full games of this name in which the accounts sit and of which nobody has asked how they ended, newest first.
    async fn unended(&self, accounts: &[AccountId], game: &str, limit: u32) -> Result<Vec<TableId>>;

    /// Notes how a game ended, once.
    async fn note_end(&self, game: TableId, end: &GameEnd) -> Result<()>;

    /// Whether accounts moved first in the games that count, oldest first: those that were full and not aborted. The
    /// variant is empty for all of them.
    async fn seatings(
        &self,
        accounts: &[AccountId],
        game: &str,
        variant: &str,
    ) -> Result<Vec<(AccountId, bool)>>;
}
