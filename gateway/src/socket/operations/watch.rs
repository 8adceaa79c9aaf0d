//! The operations `watch` and `unwatch`.

use astragal_proto::engine::v1::ListEventsRequest;
use astragal_proto::gateway::v1::Watch;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use axum::extract::ws::Message;

use super::super::session::Session;
use super::super::wire::Ending;
use super::play::ack;
use crate::hub::news::{Heard, Press};

/// What answers a `watch`.
enum Shown {
    Table(Box<Event>),
    /// The client knows the table up to a revision, and gets exactly what it missed.
    Missed {
        revision: u32,
        frames: Vec<Message>,
    },
}

impl Session {
    pub(super) async fn watch(&mut self, id: &str, watch: Watch) -> std::result::Result<(), Ending> {
        let gateway = self.gateway.clone();
        match gateway.doors().pass_if_new(self.came, Box::pin(self.show(&watch))).await {
            Ok((table, Shown::Table(shown))) => {
                self.answer(id, *shown).await?;
                self.follow_on(table).await
            }
            Ok((table, Shown::Missed { revision, frames })) => {
                self.answer(id, ack(table, Some(revision))).await?;
                for frame in frames {
                    self.wire.feed(frame).await?;
                }
                Ok(())
            }
            Err(problem) => self.refuse(Some(id), problem).await,
        }
    }

    /// A spectator of a table that is over is led to the game that follows it, now or when it is there.
    async fn follow_on(&mut self, table: TableId) -> std::result::Result<(), Ending> {
        if self.tables.get(&table).is_none_or(|seen| seen.lingers_until.is_none()) {
            return Ok(());
        }
        let standing = self.gateway.composer().rematches.of(table, None).await;
        match standing.next_game_id.parse() {
            Ok(next) => self.lead(table, next).await,
            Err(_) if standing.until.is_some() => Ok(()),
            Err(_) => {
                self.end_watch(table).await;
                Ok(())
            }
        }
    }

    async fn show(&mut self, watch: &Watch) -> Result<(TableId, Shown)> {
        let table = TableId::parse("gameId", &watch.game_id)?;
        let watches_max = self.gateway.settings().watches_max;
        let watching = || self.tables.values().filter(|seen| seen.seat.is_none()).count();
        if !self.tables.contains_key(&table) && watching() >= watches_max {
            let message = format!("{watches_max} tables may be watched at once; unwatch one");
            return Err(Problem::failed_precondition(message));
        }
        if let Some(missed) = self.known_missed(table, watch.since_revision).await? {
            return Ok((table, missed));
        }
        let view = self.attach(table).await?;
        if view.your_seat.is_some() {
            // A start that is told later would come as a table in which what happened since is not told one by one.
            self.started.note(table);
        }
        // The end of a game has the revision of its last move: who knows that one may still have missed the end,
        // and is shown the whole table.
        let all_known = if view.phase == "over" { view.revision } else { view.revision + 1 };
        if let Some(since) = watch.since_revision.filter(|since| *since < all_known)
            && let Some(missed) = self.missed(table, since, view.revision, view.your_seat).await?
        {
            return Ok((table, missed));
        }
        Ok((table, Shown::Table(Box::new(Event::Table(self.gateway.composer().table(view).await?)))))
    }

    /// What a player missed of a game that this socket is told of since its `hello`: where nothing else has happened
    /// since, it need not be loaded again.
    async fn known_missed(&mut self, table: TableId, since: Option<u32>) -> Result<Option<Shown>> {
        let seen = self.tables.get(&table).filter(|seen| seen.seat.is_some());
        let (Some(since), Some((told, seat))) = (since, seen.map(|seen| (seen.revision, seen.seat))) else {
            return Ok(None);
        };
        if since > told || self.gateway.heads().of(table).await? != told {
            return Ok(None);
        }
        self.missed(table, since, told, seat).await
    }

    /// What happened after a revision, up to another one; nothing if that is too much.
    async fn missed(
        &mut self,
        table: TableId,
        since: u32,
        until: u32,
        seat: Option<u32>,
    ) -> Result<Option<Shown>> {
        let heard = if since == until {
            Vec::new()
        } else {
            let request = ListEventsRequest {
                table_id: table.to_string(),
                account_id: self.account.to_string(),
                since_revision: since,
            };
            let roles = self.gateway.roles();
            let missed = roles.answer(roles.engine_of(table).list_events(request)).await?;
            if missed.resync {
                return Ok(None);
            }
            self.gateway.hub().heard(missed.events).await?
        };
        // What is newer is on its way already, in order.
        let heard: Vec<Heard> = heard.into_iter().filter(|heard| heard.event.revision <= until).collect();
        let mut frames = Vec::with_capacity(heard.len());
        for heard in &heard {
            let news = Press::new(table, heard).print(seat, self.wire.format);
            frames.extend(news.frame.iter().chain(&news.end).cloned());
        }
        Ok(Some(Shown::Missed { revision: until, frames }))
    }

    pub(super) async fn unwatch(&mut self, game_id: &str) -> Result<Event> {
        let table = TableId::parse("gameId", game_id)?;
        self.end_watch(table).await;
        Ok(ack(table, None))
    }
}
