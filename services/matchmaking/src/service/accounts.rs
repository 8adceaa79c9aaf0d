//! `AccountService`.

use astragal_proto::matchmaking::v1::account_service_server::AccountService;
use astragal_proto::matchmaking::v1::{
    ChangePasswordRequest, ChangePasswordResponse, CreateGuestRequest, CreateGuestResponse,
    DeleteAccountRequest, DeleteAccountResponse, EndSessionsRequest, EndSessionsResponse,
    FindAccountsRequest, FindAccountsResponse, GetProfilesRequest, GetProfilesResponse, NameAccountRequest,
    NameAccountResponse, OpenSessionRequest, OpenSessionResponse, Profile, RenewSessionRequest,
    RenewSessionResponse,
};
use astragal_runtime::error::Result;
use astragal_runtime::id::AccountId;
use tonic::{Request, Response, Status};

use crate::account::Account;
use crate::accounts::{Accounts, Session};

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
        let RenewSessionRequest { account_id, session_epoch } = request.into_inner();
        let account = AccountId::parse("accountId", &account_id)?;
        let session = self.0.renew_session(account, session_epoch).await?;
        let expires_at = Some(session.expires_at.into());
        Ok(Response::new(RenewSessionResponse { token: session.token, expires_at }))
    }

    async fn name_account(
        &self,
        request: Request<NameAccountRequest>,
    ) -> std::result::Result<Response<NameAccountResponse>, Status> {
        let NameAccountRequest { account_id, name, password } = request.into_inner();
        let account = AccountId::parse("accountId", &account_id)?;
        let Session { account, token, expires_at } = self.0.name(account, &name, &password).await?;
        let expires_at = Some(expires_at.into());
        Ok(Response::new(NameAccountResponse { name: account.name, token, expires_at }))
    }

    async fn open_session(
        &self,
        request: Request<OpenSessionRequest>,
    ) -> std::result::Result<Response<OpenSessionResponse>, Status> {
        let OpenSessionRequest { name, password, address } = request.into_inner();
        let Session { account, token, expires_at } = self.0.open_session(&name, &password, &address).await?;
        Ok(Response::new(OpenSessionResponse {
            account_id: account.id.to_string(),
            name: account.name,
            token,
            expires_at: Some(expires_at.into()),
        }))
    }

    async fn change_password(
        &self,
        request: Request<ChangePasswordRequest>,
    ) -> std::result::Result<Response<ChangePasswordResponse>, Status> {
        let ChangePasswordRequest { account_id, old_password, new_password } = request.into_inner();
        let account = AccountId::parse("accountId", &account_id)?;
        let Session { account, token, expires_at } =
            self.0.change_password(account, &old_password, &new_password).await?;
        let expires_at = Some(expires_at.into());
        Ok(Response::new(ChangePasswordResponse { name: account.name, token, expires_at }))
    }

    async fn end_sessions(
        &self,
        request: Request<EndSessionsRequest>,
    ) -> std::result::Result<Response<EndSessionsResponse>, Status> {
        self.0.end_sessions(AccountId::parse("accountId", &request.into_inner().account_id)?).await?;
        Ok(Response::new(EndSessionsResponse {}))
    }

    async fn delete_account(
        &self,
        request: Request<DeleteAccountRequest>,
    ) -> std::result::Result<Response<DeleteAccountResponse>, Status> {
        self.0.delete(AccountId::parse("accountId", &request.into_inner().account_id)?).await?;
        Ok(Response::new(DeleteAccountResponse {}))
    }

    async fn find_accounts(
        &self,
        request: Request<FindAccountsRequest>,
    ) -> std::result::Result<Response<FindAccountsResponse>, Status> {
        let found = self.0.called(&request.into_inner().name).await?;
        Ok(Response::new(FindAccountsResponse { profiles: found.into_iter().map(profile).collect() }))
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
        session_epoch: account.session_epoch,
        deleted: account.deleted,
    }
}
