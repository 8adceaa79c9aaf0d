//! The first thing a client says: who it is. And the answer: where its games stand.

use astragal_proto::engine::v1::{ListTablesRequest, TableView};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Limits, Welcome};
use astragal_proto::matchmaking::v1::ListOpenGamesRequest;
use astragal_runtime::auth::Claims;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::{AccountId, TableId};

use super::session::Session;
use super::wire::{Ending, Wire};
use crate::gateway::Gateway;

/// Games in a welcome, of each kind.
const GAMES_MAX: u32 = 100;

/// A client that has said who it is.
pub(super) struct SignedIn {
    pub(super) account: AccountId,
    /// Of which of the account's epochs of sessions it is.
    pub(super) epoch: u32,
    /// When the token runs out.
    pub(super) expires_at: Timestamp,
    /// The id of its `hello`, which waits for the answer.
    pub(super) hello: String,
}

/// Reads until a `hello` with a valid token comes; anything else is refused, and the client may try again.
pub(super) async fn sign_in(gateway: &Gateway, wire: &mut Wire) -> std::result::Result<SignedIn, Ending> {
    loop {
        let (id, problem) = match wire.read().await? {
            None => continue,
            Some(Ok((id, Operation::Hello(hello)))) => match claims(gateway, &hello.token) {
                Ok(Claims { account, epoch, expires_at, .. }) => {
                    return Ok(SignedIn { account, epoch, expires_at, hello: id });
                }
                Err(problem) => (Some(id), problem),
            },
            Some(Ok((id, _))) => (Some(id), Problem::unauthenticated("say hello with a token first")),
            Some(Err(unreadable)) => (unreadable.id, Problem::invalid_argument(unreadable.reason)),
        };
        gateway.metrics().errors.count(problem.code);
        wire.feed(wire.format.error(id.as_deref(), problem)).await?;
        wire.flush().await?;
    }
}

fn claims(gateway: &Gateway, token: &str) -> Result<Claims> {
    let claims = gateway.verify(token)?;
    gateway.limits().session(claims.account)?;
    Ok(claims)
}

impl Session {
    /// Subscribes the socket to everything of its account, and answers its `hello`.
    pub(super) async fn welcome(&mut self) -> Result<Event> {
        self.gateway.hub().join(self.account, self.epoch, &self.wire.outbox).await?;
        // Asked once the news would come that it was ended.
        let name = self.gateway.sessions().check(self.account, self.epoch).await?;
        let views = self.attach_games().await?;
        for view in &views {
            if let Ok(table) = view.table_id.parse() {
                self.started.note(table);
            }
        }
        let tables = self.gateway.composer().tables(views).await?;
        let request = ListOpenGamesRequest {
            account_id: self.account.to_string(),
            limit: GAMES_MAX,
            ..Default::default()
        };
        let roles = self.gateway.roles();
        let mine = roles.answer(roles.matchmaking().list_open_games(request)).await?;
        let offers = self.offers().await;
        let settings = self.gateway.settings();
        Ok(Event::Welcome(Welcome {
            account_id: self.account.to_string(),
            name,
            server_time: Some(self.gateway.now().into()),
            ping_interval: Some(settings.ping_interval.into()),
            limits: Some(Limits {
                frame_bytes_max: settings.frame_bytes_max as u32,
                frames_per_second_max: settings.frames_per_second_max,
                watches_max: settings.watches_max as u32,
            }),
            tables,
            open_games: self.gateway.composer().open_games(mine.games).await?,
            offers,
        }))
    }

    /// Watches the games in progress of this account, and returns them.
    ///
    /// Those that have gone on by the time that the watches stand are loaded again, so that nothing is lost in between.
    pub(super) async fn attach_games(&mut self) -> Result<Vec<TableView>> {
        let before = self.games().await?;
        if before.is_empty() {
            return Ok(before);
        }
        let mut begun: Vec<TableId> = before.iter().filter_map(|view| view.table_id.parse().ok()).collect();
        for table in &begun {
            self.begin_watch(*table).await;
        }
        let heads = self.gateway.heads().clone();
        let views = if heads.are_of(&before).await? { before } else { self.games().await? };
        for view in &views {
            if let Ok(table) = view.table_id.parse()
                && begun.contains(&table)
            {
                begun.retain(|other| *other != table);
                self.finish_watch(table, view);
            }
        }
        // These have ended in between.
        for table in begun {
            self.end_watch(table).await;
        }
        Ok(views)
    }

    pub(super) async fn games(&mut self) -> Result<Vec<TableView>> {
        let request = ListTablesRequest {
            account_id: self.account.to_string(),
            in_progress: true,
            limit: GAMES_MAX,
            after_table_id: String::new(),
        };
        let roles = self.gateway.roles();
        Ok(roles.answer(roles.engine().list_tables(request)).await?.tables)
    }
}
