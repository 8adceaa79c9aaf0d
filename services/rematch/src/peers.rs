//! The calls to the engine and to matchmaking: how a game ended, and the game that follows it.

use crate::entry::Entry;
use astragal_proto::engine::v1::series_service_client::SeriesServiceClient;
use astragal_proto::engine::v1::{Ending, GetEndingRequest, GetPlayingRequest, PlayedTable};
use astragal_proto::matchmaking::v1::next_game_service_client::NextGameServiceClient;
use astragal_proto::matchmaking::v1::{CreateNextGameRequest, HaveBegunRequest};
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::Timestamp;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, TableId};
use async_trait::async_trait;
use std::time::Duration;
use tonic::{Response, Status};

/// How long another role may take for one call.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// What rematches need of the other roles.
#[async_trait]
pub trait Peers: Send + Sync + 'static {
    /// How a game ended, for somebody who sits there; none: for whoever asks in the name of the system.
    async fn ending(&self, game: TableId, account: Option<AccountId>) -> Result<Ending>;

    /// Whether accounts have begun a game or a search since an instant.
    async fn have_begun(&self, accounts: &[AccountId], since: Timestamp) -> Result<bool>;

    /// Whether one of the players is in a game that leaves no time for the next one.
    async fn is_busy(&self, entry: &Entry) -> Result<bool>;

    /// Creates the next game, if it isn't there yet.
    async fn create(&self, entry: &Entry) -> Result<()>;
}

/// The other roles, called.
pub(crate) struct Roles {
    engine: RoleChannel,
    matchmaking: RoleChannel,
}

impl Roles {
    pub(crate) const fn new(engine: RoleChannel, matchmaking: RoleChannel) -> Self {
        Self { engine, matchmaking }
    }
}

#[async_trait]
impl Peers for Roles {
    async fn ending(&self, game: TableId, account: Option<AccountId>) -> Result<Ending> {
        let request = GetEndingRequest {
            table_id: game.to_string(),
            account_id: account.map(|account| account.to_string()).unwrap_or_default(),
        };
        let mut engine = SeriesServiceClient::new(self.engine.clone().about(game.0));
        let answer = answer(engine.get_ending(request)).await?;
        answer.ending.ok_or_else(|| Problem::not_found("there is no such game"))
    }

    async fn have_begun(&self, accounts: &[AccountId], since: Timestamp) -> Result<bool> {
        let account_ids = accounts.iter().map(ToString::to_string).collect();
        let request = HaveBegunRequest { account_ids, since: Some(since.into()) };
        let mut matchmaking = NextGameServiceClient::new(self.matchmaking.clone());
        Ok(answer(matchmaking.have_begun(request)).await?.begun)
    }

    async fn is_busy(&self, entry: &Entry) -> Result<bool> {
        let account_ids = entry.people().map(|(_, account)| account.to_string()).collect();
        let mut engine = SeriesServiceClient::new(self.engine.clone());
        let playing = answer(engine.get_playing(GetPlayingRequest { account_ids })).await?.tables;
        let next = entry.next.id.to_string();
        let mut others = playing.iter().filter(|table| table.table_id != next);
        Ok(others.any(|other| entry.next.real_time || is_real_time(other)))
    }

    async fn create(&self, entry: &Entry) -> Result<()> {
        let request = CreateNextGameRequest {
            game_id: entry.next.id.to_string(),
            follows_game_id: entry.game.to_string(),
            first_seat: entry.next.first_seat.into(),
            series_id: entry.next.series_id.to_string(),
            series: entry.next.series.clone().into(),
        };
        let mut matchmaking = NextGameServiceClient::new(self.matchmaking.clone());
        answer(matchmaking.create_next_game(request)).await.map(drop)
    }
}

/// How a game ended, if it has; none: there is no such game.
pub(crate) async fn ending_if_any(peers: &dyn Peers, game: TableId) -> Result<Option<Ending>> {
    match peers.ending(game, None).await {
        Ok(ending) => Ok(Some(ending)),
        Err(Problem { code: Code::NotFound, .. }) => Ok(None),
        Err(problem) => Err(problem),
    }
}

fn is_real_time(table: &PlayedTable) -> bool {
    table.time_control.as_ref().is_some_and(|clock| clock.initial.is_some())
}

async fn answer<T>(call: impl Future<Output = std::result::Result<Response<T>, Status>>) -> Result<T> {
    match tokio::time::timeout(CALL_TIMEOUT, call).await {
        Ok(answered) => Ok(answered.map(Response::into_inner)?),
        Err(_) => Err(Problem::unavailable("a part of the system does not answer in time; try again")),
    }
}
