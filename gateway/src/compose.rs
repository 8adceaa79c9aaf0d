//! What a client sees, put together from what the roles know: the table from the engine, names from accounts,
//! the draw from seeding, and who is online from this gateway's own sockets.
//!
//! Decides nothing about play: a viewer's part of a table is what the engine gave for that viewer.

pub(crate) mod draws;
pub(crate) mod names;
pub(crate) mod rematches;
pub(crate) mod table;

use std::collections::HashMap;
use std::sync::Arc;

use astragal_proto::content::Content;
use astragal_proto::engine::v1::TableView;
use astragal_proto::gateway::v1::{Draw, MatchRequest, OpenGame, Table};
use astragal_proto::matchmaking::v1::OpenGame as WaitingGame;
use astragal_runtime::error::Result;
use astragal_runtime::id::{AccountId, TableId};
use futures::{StreamExt, stream};

use self::draws::Draws;
use self::names::{Names, Profile};
use self::rematches::Rematches;
use crate::hub::accounts::Accounts;
use crate::hub::audience::Spectators;
use crate::roles::Roles;

/// Tables whose draws and rematches are asked for at once.
const AT_ONCE: usize = 8;

/// Puts tables and open games together; cheap to clone.
#[derive(Clone)]
pub(crate) struct Composer {
    pub(crate) names: Names,
    pub(crate) draws: Draws,
    pub(crate) rematches: Rematches,
    accounts: Arc<Accounts>,
    spectators: Arc<Spectators>,
}

impl Composer {
    pub(crate) fn new(roles: &Roles, accounts: Arc<Accounts>, spectators: Arc<Spectators>) -> Self {
        Self {
            names: Names::new(roles.clone()),
            draws: Draws::new(roles.clone()),
            rematches: Rematches::new(roles.clone()),
            accounts,
            spectators,
        }
    }

    /// The table as the viewer for whom the engine made `view` sees it.
    pub(crate) async fn table(&self, view: TableView) -> Result<Table> {
        let profiles = self.profiles([&view]).await?;
        Ok(self.whole(view, &profiles).await)
    }

    /// Tables of one viewer, in the same order.
    pub(crate) async fn tables(&self, views: Vec<TableView>) -> Result<Vec<Table>> {
        let profiles = self.profiles(&views).await?;
        let tables = stream::iter(views).map(|view| self.whole(view, &profiles));
        Ok(tables.buffered(AT_ONCE).collect().await)
    }

    /// Tables for a list of what can be watched: without their draws, which nobody looks for there.
    pub(crate) async fn listed(&self, views: Vec<TableView>) -> Result<Vec<Table>> {
        let profiles = self.profiles(&views).await?;
        Ok(views.into_iter().map(|view| self.shown(view, &profiles, None)).collect())
    }

    /// How everyone is shown who sits at these tables.
    pub(crate) async fn profiles(
        &self,
        views: impl IntoIterator<Item = &TableView>,
    ) -> Result<HashMap<AccountId, Profile>> {
        let sitting = views.into_iter().flat_map(sitting);
        let accounts: Vec<AccountId> = sitting.map(|(_, account)| account).collect();
        self.names.get(&accounts).await
    }

    /// The table with its draw and its rematch.
    async fn whole(&self, view: TableView, profiles: &HashMap<AccountId, Profile>) -> Table {
        let id = view.table_id.parse::<TableId>().ok();
        let draw = match id.filter(|_| may_be_drawn(&view)) {
            Some(table) => self.draws.shown(table, view.your_seat.is_some()).await,
            None => None,
        };
        let player = view.your_seat.filter(|_| view.phase == "over");
        let player = player.and_then(|seat| sitting(&view).find(|(taken, _)| *taken == seat));
        let mut shown = self.shown(view, profiles, draw);
        if let (Some(table), Some((_, account))) = (id, player) {
            let standing = self.rematches.of(table, Some(account)).await;
            shown.rematch = Some(standing.rematch).filter(|word| !word.is_empty());
            shown.rematch_until = standing.until.filter(|_| shown.rematch.is_some());
        }
        shown
    }

    fn shown(&self, view: TableView, profiles: &HashMap<AccountId, Profile>, draw: Option<Draw>) -> Table {
        let viewers = view.table_id.parse().map_or(0, |table| self.spectators.of(table));
        let mut shown = table::table(view, profiles, |account| self.accounts.is_online(account), draw);
        shown.viewers = Some(viewers);
        shown
    }

    /// Games that wait for players, in the same order.
    pub(crate) async fn open_games(&self, games: Vec<WaitingGame>) -> Result<Vec<OpenGame>> {
        let waiting: Vec<AccountId> =
            games.iter().flat_map(|game| &game.account_ids).filter_map(|id| id.parse().ok()).collect();
        let profiles = self.names.get(&waiting).await?;
        Ok(games.into_iter().map(|game| open_game(game, &profiles)).collect())
    }
}

/// False for a game that follows another one, and so was not drawn. One that is over is among the games of its series.
fn may_be_drawn(view: &TableView) -> bool {
    view.phase == "over" || matches!(&*view.series, b"" | b"[]")
}

/// The accounts that sit at a table, with their seats.
pub(crate) fn sitting(view: &TableView) -> impl Iterator<Item = (u32, AccountId)> {
    view.occupants.iter().filter_map(|occupant| Some((occupant.seat, occupant.account_id.parse().ok()?)))
}

fn open_game(game: WaitingGame, profiles: &HashMap<AccountId, Profile>) -> OpenGame {
    let names = game.account_ids.iter().filter_map(|id| profiles.get(&id.parse().ok()?));
    OpenGame {
        names: names.map(|profile| profile.name.to_string()).collect(),
        seats_empty: game.seats.saturating_sub(game.account_ids.len() as u32),
        game_id: game.game_id,
        game: game.game,
        variant: game.variant,
        options: Some(Content::from_json(game.options)),
        clock: game.clock.map(table::time_control),
        r#match: (game.best_of > 0).then_some(MatchRequest { best_of: game.best_of }),
        seats: game.seats,
        created_at: game.created_at,
    }
}
