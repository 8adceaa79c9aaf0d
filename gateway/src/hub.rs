//! Who watches what: the one bus connection and the presence desk of this gateway, and the way from their news to
//! the sockets.
//!
//! Writes each frame once for a class of viewers. Waits for no socket, and knows none but by its outbox.

pub(crate) mod accounts;
pub(crate) mod audience;
mod fill;
pub(crate) mod lobby;
pub(crate) mod news;
mod subscriptions;
mod tables;
pub(crate) mod watched;

use std::sync::Arc;
use std::time::Duration;

use astragal_proto::engine::v1::table_event::Kind as TableKind;
use astragal_proto::engine::v1::{TableEvent, TableView};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{OnRematchEnded, OnRematchRequest};
use astragal_proto::matchmaking::v1::account_event::Kind as AccountKind;
use astragal_proto::matchmaking::v1::{AccountEvent, LobbyEvent};
use astragal_runtime::bus::{Bus, BusReceiver, Delivery, Message, Topic};
use astragal_runtime::error::Result;
use astragal_runtime::id::{AccountId, TableId};
use astragal_runtime::presence::{PresenceChange, PresenceChanges};
use moka::sync::Cache;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use self::accounts::Accounts;
use self::audience::Spectators;
use self::lobby::{Lobby, LobbyViewer};
use self::subscriptions::Subscriptions;
use self::tables::Tables;
use self::watched::Viewer;
use crate::compose::Composer;
use crate::compose::names::{BATCH_MAX, profiles};
use crate::roles::Roles;
use crate::settings::GatewaySettings;
use crate::socket::outbox::{Mail, Outbox};

/// Messages that wait for the hub; if more pile up, what is watched is compared with the roles again.
const BUS_QUEUE_MAX: usize = 65_536;
const LOBBY_QUEUE_MAX: usize = 1_024;

/// News whose names are remembered, and for how long: they come again within seconds or not at all.
const HEARD_MAX: u64 = 20_000;
const HEARD_FOR: Duration = Duration::from_mins(2);

/// The hub; cheap to clone.
#[derive(Clone)]
pub(crate) struct Hub {
    roles: Roles,
    composer: Composer,
    settings: Arc<GatewaySettings>,
    tables: Arc<Tables>,
    accounts: Arc<Accounts>,
    spectators: Arc<Spectators>,
    lobby: Arc<Lobby>,
    subscriptions: Arc<Subscriptions>,
    /// The names of news that came lately.
    heard: Cache<String, ()>,
}

impl Hub {
    /// A hub and its end of the bus, which [`Hub::run`] reads.
    pub(crate) fn new(
        bus: &Bus,
        roles: Roles,
        composer: Composer,
        accounts: Arc<Accounts>,
        spectators: Arc<Spectators>,
        settings: Arc<GatewaySettings>,
    ) -> (Self, BusReceiver) {
        let (subscriber, receiver) = bus.connect(BUS_QUEUE_MAX);
        let subscriptions = Arc::new(Subscriptions::new(subscriber));
        let hub = Self {
            roles,
            composer,
            settings,
            accounts,
            spectators,
            subscriptions,
            tables: Arc::default(),
            lobby: Arc::default(),
            heard: Cache::builder().max_capacity(HEARD_MAX).time_to_live(HEARD_FOR).build(),
        };
        (hub, receiver)
    }

    /// Hands out what the bus and presence bring, until `stop`.
    pub(crate) async fn run(
        &self,
        mut bus: BusReceiver,
        presence: PresenceChanges,
        stop: &CancellationToken,
    ) {
        let (lobby, mut lobby_news) = mpsc::channel::<Arc<LobbyEvent>>(LOBBY_QUEUE_MAX);
        let deliver = async {
            while let Some(delivery) = bus.recv().await {
                match delivery {
                    Delivery::Message(Topic::Table(table), Message::Table(event)) => {
                        self.table(table, event).await;
                    }
                    Delivery::Message(Topic::Account(account), Message::Account(event)) => {
                        self.account(account, &event).await;
                    }
                    Delivery::Message(_, Message::Lobby(event)) => {
                        if lobby.try_send(event).is_err() {
                            self.accounts.tell_all(|| Mail::Recheck);
                        }
                    }
                    Delivery::Message(..) => {}
                    Delivery::Lagged => {
                        tracing::warn!(
                            "the bus has lost messages; everything watched is compared with the roles"
                        );
                        self.accounts.tell_all(|| Mail::Recheck);
                        self.compare_heads(Duration::ZERO).await;
                    }
                }
            }
        };
        let tell_lobby = async {
            while let Some(event) = lobby_news.recv().await {
                self.lobby.hear(&event, &self.composer).await;
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.look_for_ended_sessions() => {}
            () = deliver => {}
            () = tell_lobby => {}
            () = self.look_for_lost_news() => {}
            () = self.tell_presence(presence) => {}
            () = self.count_spectators() => {}
        }
    }

    async fn look_for_lost_news(&self) {
        // What was lost is found within the interval, also if it was lost just after a look and has to be waited for.
        let on_their_way_for = self.settings.heads_interval / 4;
        let mut heads = tokio::time::interval(on_their_way_for * 3);
        loop {
            heads.tick().await;
            self.compare_heads(on_their_way_for).await;
        }
    }

    async fn look_for_ended_sessions(&self) {
        let mut look = tokio::time::interval(self.settings.sessions_interval);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            look.tick().await;
            for some in self.accounts.all().chunks(BATCH_MAX) {
                match profiles(&self.roles, some).await {
                    Ok(known) => {
                        for (account, known) in known {
                            self.accounts.end_sessions(account, known.session_epoch);
                        }
                    }
                    Err(problem) => {
                        tracing::debug!(%problem, "sessions could not be looked at; the next time will do");
                        break;
                    }
                }
            }
        }
    }

    async fn count_spectators(&self) {
        let mut exchange = tokio::time::interval(self.settings.audience_interval);
        exchange.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            exchange.tick().await;
            for (table, viewers) in self.spectators.exchange(self.tables.spectators()).await {
                self.tables.with(table, |watched| watched.tell_viewers(viewers));
            }
        }
    }

    async fn tell_presence(&self, mut presence: PresenceChanges) {
        while let Some(change) = presence.recv().await {
            match change {
                PresenceChange::Online(account) => self.tables.presence(account, true),
                PresenceChange::Offline(account) => self.tables.presence(account, false),
                PresenceChange::Anyone => {
                    for account in self.tables.seated() {
                        self.tables.presence(account, self.accounts.is_online(account));
                    }
                }
            }
        }
    }

    async fn table(&self, table: TableId, event: Arc<TableEvent>) {
        if let Some(TableKind::NextGame(next)) = &event.kind {
            if let Ok(next) = next.table_id.parse() {
                self.tables.with(table, |watched| watched.lead(next));
            }
            return;
        }
        let account = fill::taker(&event);
        let taker = match account {
            Some(account) => self.composer.names.known(account).await,
            None => None,
        };
        if account.is_some() && taker.is_none() {
            // The name has to be asked for, and the way that fills gaps can wait for it.
            self.miss(table, event.revision);
            return;
        }
        let heard = self.heard_of(event, taker);
        if let Some(gap) = self.tables.with(table, |watched| watched.hear(&heard)).flatten() {
            self.fill(table, gap);
        }
    }

    async fn account(&self, account: AccountId, event: &AccountEvent) {
        match &event.kind {
            Some(AccountKind::GameStarted(started)) => {
                if let Ok(table) = started.game_id.parse() {
                    self.accounts.tell(account, || Mail::Started(table));
                }
            }
            Some(AccountKind::Changed(changed)) => {
                self.composer.names.note(account, &changed.name).await;
                self.accounts.end_sessions(account, changed.session_epoch);
            }
            Some(kind) => {
                if let Some(told) = rematch_news(kind)
                    && !self.heard_before(&event.event_id)
                {
                    self.accounts.tell(account, || Mail::Event(Box::new(told.clone())));
                }
            }
            None => {}
        }
    }

    /// Whether news of this name came before; a crash lets them come twice.
    fn heard_before(&self, event_id: &str) -> bool {
        !event_id.is_empty() && !self.heard.entry(event_id.to_owned()).or_insert(()).is_fresh()
    }

    /// Asks all sockets to say goodbye.
    pub(crate) fn drain(&self) {
        self.accounts.tell_all(|| Mail::Drain);
    }

    /// Adds a socket of an account, and returns once it gets the account's news.
    pub(crate) async fn join(&self, account: AccountId, epoch: u32, outbox: &Outbox) -> Result<()> {
        self.accounts.join(account, epoch, outbox.clone(), self.settings.sockets_per_account_max)?;
        self.subscriptions.want(Topic::Account(account)).await;
        Ok(())
    }

    /// Removes a socket of an account.
    pub(crate) async fn leave(&self, account: AccountId, socket: u64) {
        self.accounts.leave(account, socket);
        if !self.accounts.has_socket(account) {
            let is_wanted = || self.accounts.has_socket(account);
            self.subscriptions.release(Topic::Account(account), is_wanted).await;
        }
    }

    /// Begins a watch, and returns once everything that happens from now on is kept for the viewer.
    pub(crate) async fn begin(&self, table: TableId, viewer: Viewer) {
        self.tables.begin(table, viewer);
        self.subscriptions.want(Topic::Table(table)).await;
    }

    /// The table was loaded: the viewer gets what happened since.
    pub(crate) fn finish(&self, table: TableId, socket: u64, view: &TableView) {
        self.tables.with(table, |watched| watched.finish(socket, view));
    }

    /// Ends a watch.
    pub(crate) async fn unwatch(&self, table: TableId, socket: u64) {
        if self.tables.leave(table, socket) {
            self.subscriptions.release(Topic::Table(table), || self.tables.is_watched(table)).await;
        }
    }

    /// Begins to watch the list of open games.
    pub(crate) async fn watch_lobby(&self, viewer: LobbyViewer) {
        self.lobby.join(viewer);
        self.subscriptions.want(Topic::Lobby).await;
    }

    /// Ends that.
    pub(crate) async fn unwatch_lobby(&self, socket: u64) {
        self.lobby.leave(socket);
        if !self.lobby.is_watched() {
            self.subscriptions.release(Topic::Lobby, || self.lobby.is_watched()).await;
        }
    }
}

/// News of rematches as clients are told them.
fn rematch_news(kind: &AccountKind) -> Option<Event> {
    match kind.clone() {
        AccountKind::RematchRequested(requested) => Some(Event::OnRematchRequest(OnRematchRequest {
            game_id: requested.game_id,
            from_seat: requested.from_seat,
            expires_at: requested.expires_at,
        })),
        AccountKind::RematchEnded(ended) => {
            Some(Event::OnRematchEnded(OnRematchEnded { game_id: ended.game_id, reason: ended.reason }))
        }
        AccountKind::GameStarted(_) | AccountKind::Changed(_) => None,
    }
}
