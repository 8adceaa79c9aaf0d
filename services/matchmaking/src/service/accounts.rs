//! `AccountService`.

use astragal_proto::matchmaking::v1::account_service_server::AccountService;
use astragal_proto::matchmaking::v1::{
    CreateGuestRequest, CreateGuestResponse, DeleteAccountRequest, DeleteAccountResponse, EndSessionsRequest,
    EndSessionsResponse, GetProfilesRequest, GetProfilesResponse, NameAccountRequest, NameAccountResponse,
    OpenSessionRequest, OpenSessionResponse, Profile, RenewSessionRequest, RenewSessionResponse,
};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::AccountId;
use tonic::{Request, Response, Status};

use crate::account::Account;
use crate::accounts::Accounts;

/// Serves accounts.
pub struct AccountEdge(pub(crate) Accounts);

#[tonic::async_trait]
impl AccountService for AccountEdge {
    async fn create_guest(
        &self,
        request: Request<CreateGuestRequest>,
    ) -> std::result::Result<Response<CreateGuestResponse>, Status> {
        let session = self.0.create_guest(&request.into_inner().name).await?;
        Ok(Response::new(CreateGuestResponse {
            account_id: session.account.id.to_string(),
            name: session.account.name,
            token: session.token,
            expires_at: Some(session.expires_at.into()),
        }))
    }

    async fn renew_session(
        &self,
        request: Request<RenewSessionRequest>,
    ) -> std::result::Result<Response<RenewSessionResponse>, Status> {
        let account = AccountId::parse("accountId", &request.into_inner().account_id)?;
        let session = self.0.renew_session(account).await?;
        let expires_at = Some(session.expires_at.into());
        Ok(Response::new(RenewSessionResponse { token: session.token, expires_at }))
    }

    async fn name_account(
        &self,
        _: Request<NameAccountRequest>,
    ) -> std::result::Result<Response<NameAccountResponse>, Status> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    async fn open_session(
        &self,
        _: Request<OpenSessionRequest>,
    ) -> std::result::Result<Response<OpenSessionResponse>, Status> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    async fn end_sessions(
        &self,
        _: Request<EndSessionsRequest>,
    ) -> std::result::Result<Response<EndSessionsResponse>, Status> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    async fn delete_account(
        &self,
        _: Request<DeleteAccountRequest>,
    ) -> std::result::Result<Response<DeleteAccountResponse>, Status> {
        Err(Problem::unavailable("this part is not built yet").into())
    }

    async fn get_profiles(
        &self,
        request: Request<GetProfilesRequest>,
    ) -> std::result::Result<Response<GetProfilesResponse>, Status> {
        let ids = request.into_inner().account_ids;
        let ids: Result<Vec<_>> = ids.iter().map(|id| AccountId::parse("accountIds", id)).collect();
        let profiles = self.0.profiles(&ids?).await?.into_iter().map(profile).collect();
        Ok(Response::new(GetProfilesResponse { profiles }))
    }
}

fn profile(account: Account) -> Profile {
    Profile {
        account_id: account.id.to_string(),
        name: account.name,
        robot_level: account.robot_level.into(),
        ..Profile::default()
    }
}
