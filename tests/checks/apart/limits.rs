//! What a role's port takes at most. Whoever sends more is refused, and everybody else is served on.

use super::embedded;
use anyhow::{Result, ensure};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::{GetHeadsRequest, ListGamesRequest};
use astragal_runtime::auth::Role;
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::id::AccountId;
use astragal_tests::roles::Roles;
use tonic::transport::Channel;
use tonic::{Code, Request};

const MESSAGE_BYTES: usize = 5 * 1024 * 1024;
const HEADER_BYTES: usize = 64 * 1024;

#[tokio::test]
async fn g6_a_message_or_a_header_beyond_the_limits_is_refused() -> Result<()> {
    let roles = Roles::start(&embedded(1, 0))?;
    let now = SystemClock.now();
    let token =
        roles.key().signer()?.sign(AccountId::SYSTEM, Role::Service, now, chrono::Duration::minutes(5))?;
    let bearer = format!("Bearer {token}");
    let channel = Channel::from_shared(roles.engines[0].url().to_owned())?.connect().await?;
    let mut engine = EngineServiceClient::new(channel);

    let mut large = Request::new(GetHeadsRequest { table_ids: vec!["0".repeat(MESSAGE_BYTES)] });
    large.metadata_mut().insert("authorization", bearer.parse()?);
    let refused = engine.get_heads(large).await.map_err(|status| status.code());
    ensure!(refused.as_ref().err() == Some(&Code::OutOfRange), "{refused:?}");

    let mut long = Request::new(ListGamesRequest {});
    long.metadata_mut().insert("authorization", bearer.parse()?);
    long.metadata_mut().insert("filler", "0".repeat(HEADER_BYTES).parse()?);
    ensure!(engine.list_games(long).await.is_err(), "a header of {HEADER_BYTES} bytes is taken");

    let mut good = Request::new(ListGamesRequest {});
    good.metadata_mut().insert("authorization", bearer.parse()?);
    engine.list_games(good).await?;
    Ok(())
}
