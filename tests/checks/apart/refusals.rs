//! Who may call a role: parts of the system, and nobody else. Health is for anybody.

use super::embedded;
use anyhow::{Context, Result, ensure};
use astragal_proto::engine::v1::ListGamesRequest;
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::matchmaking::v1::ListOpenGamesRequest;
use astragal_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use astragal_runtime::auth::{Role, TokenKey};
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::id::AccountId;
use astragal_tests::roles::Roles;
use chrono::Duration;
use tonic::transport::Channel;
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;

/// What a caller shows, and what they are told.
type Case = (&'static str, Option<String>, Result<(), Code>);

fn cases(key: &TokenKey) -> Result<Vec<Case>> {
    let now = SystemClock.now();
    let sign = |key: &TokenKey, role, from| -> Result<Option<String>> {
        let token = key.signer()?.sign(AccountId::new(), role, from, Duration::minutes(10))?;
        Ok(Some(format!("Bearer {token}")))
    };
    let good = sign(key, Role::Service, now)?.context("a token")?;
    let other = TokenKey::generate(&OsEntropy)?;
    Ok(vec![
        ("no token", None, Err(Code::Unauthenticated)),
        ("no bearer", Some(good.replace("Bearer ", "")), Err(Code::Unauthenticated)),
        ("no token at all", Some("Bearer let-me-in".into()), Err(Code::Unauthenticated)),
        ("another key's", sign(&other, Role::Service, now)?, Err(Code::Unauthenticated)),
        ("an expired one", sign(key, Role::Service, now - Duration::hours(1))?, Err(Code::Unauthenticated)),
        ("a player's", sign(key, Role::Player, now)?, Err(Code::PermissionDenied)),
        ("an administrator's", sign(key, Role::Admin, now)?, Err(Code::PermissionDenied)),
        ("a tournament's", sign(key, Role::Tournament, now)?, Err(Code::PermissionDenied)),
        ("a service's", Some(good), Ok(())),
    ])
}

fn showing<T>(message: T, token: Option<&str>) -> Result<Request<T>> {
    let mut request = Request::new(message);
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", token.parse()?);
    }
    Ok(request)
}

#[tokio::test]
async fn g2_only_parts_of_the_system_may_call_a_role() -> Result<()> {
    let roles = Roles::start(&embedded(1, 0))?;
    let channel = |url: &str| Channel::from_shared(url.to_owned());
    let engine = channel(roles.engines[0].url())?.connect().await?;
    let matchmaking = channel(roles.matchmakings[0].url())?.connect().await?;
    for (what, token, expected) in cases(roles.key())? {
        let token = token.as_deref();
        let asked = showing(ListGamesRequest {}, token)?;
        let answer = EngineServiceClient::new(engine.clone()).list_games(asked).await;
        ensure!(answer.as_ref().map(drop).map_err(tonic::Status::code) == expected, "{what}: {answer:?}");

        let open = ListOpenGamesRequest { limit: 10, ..ListOpenGamesRequest::default() };
        let asked = showing(open, token)?;
        let answer = MatchmakingServiceClient::new(matchmaking.clone()).list_open_games(asked).await;
        ensure!(answer.as_ref().map(drop).map_err(tonic::Status::code) == expected, "{what}: {answer:?}");

        let named = services(engine.clone(), token).await;
        match expected {
            Ok(()) => ensure!(named?.iter().any(|name| name == "astragal.engine.v1.EngineService"), "{what}"),
            Err(_) => ensure!(named.is_err(), "{what}: reflection answered {named:?}"),
        }
    }
    Ok(())
}

/// The services that reflection names.
async fn services(channel: Channel, token: Option<&str>) -> Result<Vec<String>> {
    let list = ServerReflectionRequest {
        message_request: Some(MessageRequest::ListServices(String::new())),
        ..ServerReflectionRequest::default()
    };
    let asked = showing(tokio_stream::once(list), token)?;
    let mut answers = ServerReflectionClient::new(channel).server_reflection_info(asked).await?.into_inner();
    let answer = answers.message().await?.context("no answer")?;
    match answer.message_response.context("an empty answer")? {
        tonic_reflection::pb::v1::server_reflection_response::MessageResponse::ListServicesResponse(list) => {
            Ok(list.service.into_iter().map(|service| service.name).collect())
        }
        other => anyhow::bail!("{other:?}"),
    }
}

#[tokio::test]
async fn o1_health_is_answered_to_anybody() -> Result<()> {
    let roles = Roles::start(&embedded(1, 0))?;
    for (url, service) in [
        (roles.engines[0].url(), "astragal.engine.v1.EngineService"),
        (roles.matchmakings[0].url(), "astragal.matchmaking.v1.MatchmakingService"),
        (roles.matchmakings[0].url(), ""),
    ] {
        let mut health = HealthClient::new(Channel::from_shared(url.to_owned())?.connect().await?);
        let mut told = health.watch(HealthCheckRequest { service: service.into() }).await?.into_inner();
        // Right after its start a role may not have asked its database yet.
        loop {
            let told = told.message().await?.context("the watch ended")?;
            if told.status() == ServingStatus::Serving {
                break;
            }
        }
    }
    Ok(())
}
