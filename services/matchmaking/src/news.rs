//! What the lobby tells on the bus, in wire types.

use std::sync::Arc;

use astragal_proto::matchmaking::v1::{
    AccountChanged, AccountEvent, GameStarted, LobbyEvent, OpenGame, OpenGameClosed, account_event,
    lobby_event,
};
use astragal_runtime::bus::{Bus, Message, Topic};
use astragal_runtime::id::AccountId;
use astragal_runtime::time_control::TimeControl;
use bytes::Bytes;

use crate::account::Account;
use crate::game::{Game, Player, Status};

/// Tells of a game whose engine has just confirmed everything after the change `before`.
pub fn tell(bus: &Bus, game: &Game, before: u32) {
    if game.status != Status::Cancelled {
        for (_, player) in game.taken_after(before).filter(|(_, player)| !player.is_robot()) {
            tell_started(bus, game, player.account);
        }
    }
    if game.is_listed() {
        tell_lobby(bus, game, before > 0);
    }
}

/// Tells of an account that has another name, or whose sessions have ended.
pub fn tell_account(bus: &Bus, account: &Account) {
    let changed = AccountChanged {
        name: account.name.clone(),
        session_epoch: account.session_epoch,
        deleted: account.deleted,
    };
    let kind = Some(account_event::Kind::Changed(changed));
    let event = AccountEvent { account_id: account.id.to_string(), kind, event_id: String::new() };
    bus.publish(Topic::Account(account.id), &Message::Account(Arc::new(event)));
}

/// Tells of a game whose opener has gone offline, or is back: it is shown only while it can be joined.
pub fn tell_away(bus: &Bus, game: &Game) {
    tell_lobby(bus, game, true);
}

fn tell_started(bus: &Bus, game: &Game, account: AccountId) {
    let started = GameStarted { game_id: game.id.to_string() };
    let kind = Some(account_event::Kind::GameStarted(started));
    let event = AccountEvent { account_id: account.to_string(), kind, ..AccountEvent::default() };
    bus.publish(Topic::Account(account), &Message::Account(Arc::new(event)));
}

/// A game that was shown before is shown anew when it has changed, and removed when it waits no longer.
fn tell_lobby(bus: &Bus, game: &Game, shown: bool) {
    let kind = match game.status {
        Status::Waiting if !game.away => lobby_event::Kind::Opened(open_game(game)),
        _ if shown => lobby_event::Kind::Closed(OpenGameClosed { game_id: game.id.to_string() }),
        _ => return,
    };
    bus.publish(Topic::Lobby, &Message::Lobby(Arc::new(LobbyEvent { kind: Some(kind) })));
}

/// A waiting game as the list shows it: without its draw and without the seats' numbers.
pub fn open_game(game: &Game) -> OpenGame {
    let mut seats = game.seats.clone();
    // In the order of asking: the order of the seats would give the draw away.
    seats.sort_by_key(|seat| seat.participant);
    let account = |(player, _): (Player, u32)| player.account.to_string();
    OpenGame {
        game_id: game.id.to_string(),
        game: game.kind.game.clone(),
        variant: game.kind.variant.clone(),
        options: Bytes::from(game.kind.options.clone()),
        seats: game.kind.seats.into(),
        account_ids: seats.iter().filter_map(|seat| seat.taken.map(account)).collect(),
        created_at: Some(game.created_at.into()),
        listed: game.is_listed(),
        clock: game.kind.clock.map(TimeControl::to_wire),
        best_of: game.kind.best_of.into(),
    }
}
