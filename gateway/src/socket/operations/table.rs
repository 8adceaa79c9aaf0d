//! Watching tables: the order is subscribe, load, and drop what is not newer.

use std::time::Duration;

use astragal_proto::engine::v1::{GetTableRequest, TableView};
use astragal_proto::gateway::v1::OnGameStart;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use chrono::TimeDelta;

use super::super::outbox::Mail;
use super::super::seen::Seen;
use super::super::session::Session;
use super::super::wire::Ending;
use crate::hub::watched::Viewer;

/// A rematch that is asked for in the last moment of its ten minutes starts within them.
const LINGER_FOR: TimeDelta = TimeDelta::minutes(11);

/// A game that has started and can't be loaded is looked for again after this.
const START_AGAIN_AFTER: Duration = Duration::from_secs(1);

impl Session {
    /// Keeps what happens at a table from now on, until it is loaded.
    pub(in super::super) async fn begin_watch(&mut self, table: TableId) {
        let viewer =
            Viewer { outbox: self.wire.outbox.clone(), format: self.wire.format, account: self.account };
        self.tables.entry(table).or_default();
        self.gateway.hub().begin(table, viewer).await;
    }

    /// The table was loaded: what happened since follows.
    pub(in super::super) fn finish_watch(&mut self, table: TableId, view: &TableView) {
        let seen = self.tables.entry(table).or_default();
        seen.revision = seen.revision.max(view.revision);
        seen.seat = view.your_seat;
        self.gateway.hub().finish(table, self.wire.outbox.socket(), view);
    }

    /// Ends a watch.
    pub(in super::super) async fn end_watch(&mut self, table: TableId) {
        if self.tables.remove(&table).is_some() {
            self.gateway.hub().unwatch(table, self.wire.outbox.socket()).await;
        }
    }

    /// Nothing more happens at a table that is over, but its players may play on: a spectator waits for that.
    pub(in super::super) async fn linger(&mut self, table: TableId) {
        let until = self.gateway.now() + LINGER_FOR;
        match self.tables.get_mut(&table) {
            Some(seen) if seen.seat.is_none() => seen.lingers_until = Some(until),
            _ => self.end_watch(table).await,
        }
    }

    /// Ends the watches of spectators who have waited long enough.
    pub(in super::super) async fn end_lingering(&mut self) {
        let now = self.gateway.now();
        let over = |seen: &Seen| seen.lingers_until.is_some_and(|until| until <= now);
        let ended: Vec<_> =
            self.tables.iter().filter(|(_, seen)| over(seen)).map(|(table, _)| *table).collect();
        for table in ended {
            self.end_watch(table).await;
        }
    }

    /// Watches a table and returns it as it stands; one that is over is only returned.
    pub(super) async fn attach(&mut self, table: TableId) -> Result<TableView> {
        let watched_before = self.tables.contains_key(&table);
        self.begin_watch(table).await;
        match self.load(table).await {
            Ok(view) => {
                self.finish_watch(table, &view);
                if view.phase == "over" {
                    self.linger(table).await;
                }
                Ok(view)
            }
            Err(problem) => {
                if !watched_before {
                    self.end_watch(table).await;
                }
                Err(problem)
            }
        }
    }

    async fn load(&mut self, table: TableId) -> Result<TableView> {
        let request = GetTableRequest { table_id: table.to_string(), account_id: self.account.to_string() };
        let roles = self.gateway.roles();
        let view = roles.answer(roles.engine_of(table).get_table(request)).await?.table;
        let view = view.ok_or_else(|| Problem::not_found("there is no such game"))?;
        if view.phase == "waiting" && view.your_seat.is_none() {
            return Err(Problem::permission_denied(
                "the game still waits for players; join it, or watch it later",
            ));
        }
        Ok(view)
    }

    /// Watches a game that has begun for this account, and shows it.
    pub(super) async fn begin_game(&mut self, table: TableId) -> Result<Event> {
        let view = self.attach(table).await?;
        let table_frame = self.gateway.composer().table(view).await?;
        self.started.note(table);
        Ok(Event::OnGameStart(OnGameStart { table: Some(table_frame) }))
    }

    /// A game of this account has started, here or on another device.
    pub(in super::super) async fn start(&mut self, table: TableId) -> std::result::Result<(), Ending> {
        if self.started.has(table) {
            return Ok(());
        }
        match self.begin_game(table).await {
            Ok(event) => self.wire.feed(self.wire.format.event(event)).await,
            Err(problem) => {
                tracing::warn!(%table, %problem, "a game that has started can't be shown");
                if !problem.is_final() {
                    self.start_later(table);
                }
                Ok(())
            }
        }
    }

    /// The start is told once on the bus, so a socket that can't show the game looks for it again.
    fn start_later(&self, table: TableId) {
        let outbox = self.wire.outbox.clone();
        tokio::spawn(async move {
            tokio::time::sleep(START_AGAIN_AFTER).await;
            outbox.push(Mail::Started(table));
        });
    }

    /// Sends a table anew, since too much was missed.
    pub(in super::super) async fn reload(&mut self, table: TableId) -> std::result::Result<(), Ending> {
        if !self.tables.contains_key(&table) {
            return Ok(());
        }
        let event = match self.attach(table).await {
            Ok(view) => self.gateway.composer().table(view).await.map(Event::Table),
            Err(problem) => Err(problem),
        };
        match event {
            Ok(event) => self.wire.feed(self.wire.format.event(event)).await,
            // The client can't be brought up to date, so it starts afresh.
            Err(_) => Err(Ending::Close(1013, "the table can't be loaded now; come back in a moment")),
        }
    }

    /// News for the account were lost: looks which games it has, and which are open. Games that are watched stay
    /// as they are: what was lost of them is filled from their heads, after what the client was told.
    pub(in super::super) async fn recheck(&mut self) -> std::result::Result<(), Ending> {
        match self.games().await {
            Ok(views) => {
                for view in views {
                    if let Ok(table) = view.table_id.parse() {
                        self.start(table).await?;
                    }
                }
            }
            Err(_) => {
                return Err(Ending::Close(1013, "your games can't be loaded now; come back in a moment"));
            }
        }
        self.recheck_offers().await?;
        self.recheck_open_games().await
    }
}
