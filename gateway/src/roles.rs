//! The clients of the other roles, and the one way in which their answers are awaited.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::series_service_client::SeriesServiceClient;
use astragal_proto::matchmaking::v1::GetProfilesRequest;
use astragal_proto::matchmaking::v1::account_service_client::AccountServiceClient;
use astragal_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use astragal_proto::rematch::v1::rematch_service_client::RematchServiceClient;
use astragal_proto::replay::v1::replay_service_client::ReplayServiceClient;
use astragal_proto::seeding::v1::seeding_service_client::SeedingServiceClient;
use astragal_proto::seeding::v1::{GetDrawRequest, GetDrawResponse};
use astragal_runtime::channel::{Member, RoleChannel};
use astragal_runtime::error::{Code, Problem, Result, is_shut_out};
use astragal_runtime::id::TableId;
use tokio::sync::watch;
use tonic::{Response, Status};

/// The finished log of a table with 100,000 moves is the largest answer there is.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The largest file that is sent to be verified.
const FILE_BYTES_MAX: usize = 128 * 1024 * 1024;

/// Where the other roles are.
#[derive(Debug, Clone)]
pub struct Channels {
    /// The role engine.
    pub engine: RoleChannel,
    /// The role matchmaking, with its services of accounts, games and draws.
    pub matchmaking: RoleChannel,
    /// The role rematch; none: no rematches are offered.
    pub rematch: Option<RoleChannel>,
    /// The role replay; none: nothing is shown of what was.
    pub replay: Option<RoleChannel>,
}

/// The clients; cheap to clone.
#[derive(Clone)]
pub(crate) struct Roles {
    engine: RoleChannel,
    replay: Option<RoleChannel>,
    matchmaking: MatchmakingServiceClient<RoleChannel>,
    accounts: AccountServiceClient<RoleChannel>,
    seeding: SeedingServiceClient<RoleChannel>,
    rematch: Option<RematchServiceClient<RoleChannel>>,
    timeout: Duration,
    /// Whether the last role that answered did not let this process in.
    shut_out: Arc<AtomicBool>,
}

impl Roles {
    pub(crate) fn new(channels: Channels, timeout: Duration) -> Self {
        Self {
            engine: channels.engine,
            replay: channels.replay,
            matchmaking: MatchmakingServiceClient::new(channels.matchmaking.clone()),
            accounts: AccountServiceClient::new(channels.matchmaking.clone()),
            seeding: SeedingServiceClient::new(channels.matchmaking),
            rematch: channels.rematch.map(RematchServiceClient::new),
            timeout,
            shut_out: Arc::default(),
        }
    }

    /// Whether this process is not let in: its own token is wrong or has run out. Once that was so, a role is asked
    /// whether it still is.
    pub(crate) async fn is_shut_out(&self) -> bool {
        if self.shut_out.load(Ordering::Relaxed) {
            let _ = self.answer(self.accounts().get_profiles(GetProfilesRequest::default())).await;
        }
        self.shut_out.load(Ordering::Relaxed)
    }

    /// A client of its own for one call that any engine answers as well as the others.
    pub(crate) fn engine(&self) -> EngineServiceClient<RoleChannel> {
        client(self.engine.clone())
    }

    /// A client for one call about a table, to the engine that has it at hand.
    pub(crate) fn engine_of(&self, table: TableId) -> EngineServiceClient<RoleChannel> {
        client(self.engine.clone().about(table.0))
    }

    /// A client for one call of the role replay, to the process that has the table at hand.
    pub(crate) fn replay_of(&self, table: TableId) -> Result<ReplayServiceClient<RoleChannel>> {
        let missing = || Problem::unavailable("this installation has no role replay; start one");
        let channel = self.replay.clone().ok_or_else(missing)?.about(table.0);
        Ok(ReplayServiceClient::new(channel).max_encoding_message_size(FILE_BYTES_MAX))
    }

    /// The engines that there are, now and whenever they change.
    pub(crate) fn engines(&self) -> watch::Receiver<Arc<[Arc<Member>]>> {
        self.engine.members()
    }

    pub(crate) fn matchmaking(&self) -> MatchmakingServiceClient<RoleChannel> {
        self.matchmaking.clone()
    }

    pub(crate) fn accounts(&self) -> AccountServiceClient<RoleChannel> {
        self.accounts.clone()
    }

    pub(crate) fn seeding(&self) -> SeedingServiceClient<RoleChannel> {
        self.seeding.clone()
    }

    /// A client of the series of tables.
    pub(crate) fn series(&self) -> SeriesServiceClient<RoleChannel> {
        SeriesServiceClient::new(self.engine.clone()).max_decoding_message_size(ANSWER_BYTES_MAX)
    }

    /// A client of rematches, where they are offered.
    pub(crate) fn rematch(&self) -> Result<RematchServiceClient<RoleChannel>> {
        let nobody = || Problem::unavailable("no rematches are offered here; start another game");
        self.rematch.clone().ok_or_else(nobody)
    }

    /// How a game was drawn, asked anew; nothing, if it had no draw.
    pub(crate) async fn draw_of(&self, table: TableId) -> Result<GetDrawResponse> {
        let request = GetDrawRequest { game_id: table.to_string() };
        match self.answer(self.seeding().get_draw(request)).await {
            Err(problem) if problem.code == Code::NotFound => Ok(GetDrawResponse::default()),
            answer => answer,
        }
    }

    /// Waits for the answer of a role, but not for ever.
    pub(crate) async fn answer<T>(
        &self,
        call: impl Future<Output = std::result::Result<Response<T>, Status>>,
    ) -> Result<T> {
        match tokio::time::timeout(self.timeout, call).await {
            Ok(Ok(response)) => {
                self.shut_out.store(false, Ordering::Relaxed);
                Ok(response.into_inner())
            }
            Ok(Err(status)) => {
                if is_shut_out(&status) {
                    self.shut_out.store(true, Ordering::Relaxed);
                }
                Err(status.into())
            }
            Err(_) => Err(Problem::unavailable("a part of the system does not answer in time; try again")),
        }
    }
}

fn client(channel: RoleChannel) -> EngineServiceClient<RoleChannel> {
    EngineServiceClient::new(channel).max_decoding_message_size(ANSWER_BYTES_MAX)
}
