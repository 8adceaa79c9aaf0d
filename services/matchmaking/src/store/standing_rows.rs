//! Draws that stand, put together from one row a pick. It knows no SQL.

use std::collections::HashMap;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::{AccountId, TableId};

use crate::game::{NewGame, Seat};
use crate::order::{Batch, Order};
use crate::seating::DrawnPick;
use crate::standing::{STANDS_FOR, Standing, Way};
use crate::store::draws::DrawKey;

/// A pick, with the draw that it is of and whose that is.
pub(super) struct StandingRow {
    pub(super) account: AccountId,
    pub(super) game: TableId,
    pub(super) way: Way,
    pub(super) given_up: bool,
    pub(super) name: String,
    /// The account's place in the circle.
    pub(super) own: u8,
    /// The place of who drew.
    pub(super) participant: u8,
    pub(super) pick: DrawnPick,
}

/// Puts the picks of each draw together; they stand side by side, in their order.
pub(super) fn gather(rows: Vec<StandingRow>) -> HashMap<AccountId, Vec<Standing>> {
    let mut all: HashMap<AccountId, Vec<Standing>> = HashMap::new();
    for StandingRow { account, game, way, given_up, name, own, participant, pick } in rows {
        let standing = all.entry(account).or_default();
        if standing.last().is_none_or(|last| last.game != game) {
            let (seats, picks) = (Vec::new(), Vec::new());
            standing.push(Standing { game, way, given_up, name, participant: own, seats, picks });
        }
        let Some(last) = standing.last_mut() else { continue };
        if pick.round == 1 {
            // Everyone draws in the first round, so every seat comes up.
            let place = usize::from(participant);
            if last.seats.len() <= place {
                last.seats.resize(place + 1, 0);
            }
            last.seats[place] = pick.seat;
        }
        last.picks.push(pick);
    }
    all
}

/// What the row of a seat says of the draw, by which whoever sits there finds it; nothing if there was none.
pub(super) fn drawn_for(new: &NewGame, seat: &Seat) -> Option<String> {
    let account = seat.taken.map(|(player, _)| player.account);
    DrawKey::of(new, Way::to(new, account)).map(|key| key.drawn_for())
}

/// Whose draw for which game may stand.
pub(crate) fn keys(orders: &[Order]) -> Vec<DrawKey<'_>> {
    let mut keys: Vec<_> = asking(orders).map(|(key, _)| key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// As [`keys`], and since when it would have to have been given up.
pub(super) fn asked(batch: &Batch) -> Vec<(DrawKey<'_>, Timestamp)> {
    let mut asked: Vec<_> = asking(&batch.orders).collect();
    asked.sort_unstable();
    asked.dedup_by_key(|(key, _)| *key);
    asked
}

fn asking(orders: &[Order]) -> impl Iterator<Item = (DrawKey<'_>, Timestamp)> {
    let opens = orders.iter().filter_map(|order| Some((order.request()?, order.opens()?)));
    opens.flat_map(|(request, new)| {
        let keys = Way::counting_for(new).filter_map(move |way| DrawKey::of(new, way));
        keys.map(|key| (key, request.at - STANDS_FOR))
    })
}
