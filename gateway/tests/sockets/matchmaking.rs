//! A matchmaking that knows three names, which of their sessions count, and no games.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use astragal_proto::matchmaking::v1::account_service_client::AccountServiceClient;
use astragal_proto::matchmaking::v1::account_service_server::{AccountService, AccountServiceServer};
use astragal_proto::matchmaking::v1::matchmaking_service_server::MatchmakingService;
use astragal_proto::matchmaking::v1::*;
use astragal_runtime::auth::TokenKey;
use astragal_runtime::auth::gate::Gate;
use astragal_runtime::channel::RoleChannel;
use astragal_runtime::clock::SystemClock;
use astragal_runtime::entropy::ScriptedEntropy;
use tonic::service::LayerExt;
use tonic::{Request, Response, Status};

use crate::stage::{ADA, BLAISE};

type Reply<T> = Result<Response<T>, Status>;

fn not_played<T>() -> Reply<T> {
    Err(Status::unimplemented("not played by this test"))
}

fn name(account_id: &str) -> &'static str {
    match account_id {
        ADA => "ada",
        BLAISE => "blaise",
        _ => "cleo",
    }
}

/// The accounts, and the epochs of sessions that they have begun.
#[derive(Clone, Default)]
pub(crate) struct Accounts(Arc<Mutex<HashMap<String, u32>>>, Arc<AtomicBool>);

impl Accounts {
    /// Ends all sessions of an account, and tells nobody.
    pub(crate) fn end_sessions_of(&self, account_id: &str) {
        *self.0.lock().unwrap().entry(account_id.to_owned()).or_default() += 1;
    }

    /// Refuses all who call from now on, as the gate of a port does whose key is another, or lets them in again.
    pub(crate) fn let_nobody_in(&self, refuse: bool) {
        self.1.store(refuse, Ordering::Relaxed);
    }

    async fn check(&self) -> Result<(), Status> {
        if !self.1.load(Ordering::Relaxed) {
            return Ok(());
        }
        let key = TokenKey::generate(&ScriptedEntropy::expanded([9; 32])).unwrap();
        let gate = Gate::new(key.verifier(), Arc::new(SystemClock));
        let gated = gate.named_layer(AccountServiceServer::new(Self::default()));
        let mut client = AccountServiceClient::new(RoleChannel::local(gated));
        client.find_accounts(FindAccountsRequest::default()).await.map(drop)
    }
}

#[tonic::async_trait]
impl AccountService for Accounts {
    async fn create_guest(&self, _: Request<CreateGuestRequest>) -> Reply<CreateGuestResponse> {
        self.check().await?;
        not_played()
    }

    async fn renew_session(&self, _: Request<RenewSessionRequest>) -> Reply<RenewSessionResponse> {
        not_played()
    }

    async fn name_account(&self, _: Request<NameAccountRequest>) -> Reply<NameAccountResponse> {
        not_played()
    }

    async fn open_session(&self, _: Request<OpenSessionRequest>) -> Reply<OpenSessionResponse> {
        not_played()
    }

    async fn change_password(&self, _: Request<ChangePasswordRequest>) -> Reply<ChangePasswordResponse> {
        not_played()
    }

    async fn end_sessions(&self, _: Request<EndSessionsRequest>) -> Reply<EndSessionsResponse> {
        not_played()
    }

    async fn delete_account(&self, _: Request<DeleteAccountRequest>) -> Reply<DeleteAccountResponse> {
        not_played()
    }

    async fn find_accounts(
        &self,
        _: Request<astragal_proto::matchmaking::v1::FindAccountsRequest>,
    ) -> Reply<astragal_proto::matchmaking::v1::FindAccountsResponse> {
        Ok(Response::new(astragal_proto::matchmaking::v1::FindAccountsResponse::default()))
    }

    async fn get_profiles(&self, request: Request<GetProfilesRequest>) -> Reply<GetProfilesResponse> {
        self.check().await?;
        let named = |account_id: String| Profile {
            name: name(&account_id).to_owned(),
            session_epoch: self.0.lock().unwrap().get(&account_id).copied().unwrap_or_default(),
            account_id,
            ..Profile::default()
        };
        let profiles = request.into_inner().account_ids.into_iter().map(named).collect();
        Ok(Response::new(GetProfilesResponse { profiles }))
    }
}

pub(crate) struct NoGames;

#[tonic::async_trait]
impl MatchmakingService for NoGames {
    type WatchOpenGamesStream = tokio_stream::Empty<Result<WatchOpenGamesResponse, Status>>;

    async fn watch_open_games(&self, _: Request<WatchOpenGamesRequest>) -> Reply<Self::WatchOpenGamesStream> {
        not_played()
    }

    type WatchGameStream = tokio_stream::Empty<Result<WatchGameResponse, Status>>;

    async fn watch_game(&self, _: Request<WatchGameRequest>) -> Reply<Self::WatchGameStream> {
        not_played()
    }

    async fn get_game(&self, _: Request<GetGameRequest>) -> Reply<GetGameResponse> {
        not_played()
    }

    async fn find_game(&self, _: Request<FindGameRequest>) -> Reply<FindGameResponse> {
        not_played()
    }

    async fn create_game(&self, _: Request<CreateGameRequest>) -> Reply<CreateGameResponse> {
        not_played()
    }

    async fn join_game(&self, _: Request<JoinGameRequest>) -> Reply<JoinGameResponse> {
        not_played()
    }

    async fn cancel_game(&self, _: Request<CancelGameRequest>) -> Reply<CancelGameResponse> {
        not_played()
    }

    async fn list_open_games(&self, _: Request<ListOpenGamesRequest>) -> Reply<ListOpenGamesResponse> {
        Ok(Response::new(ListOpenGamesResponse { games: Vec::new() }))
    }
}
