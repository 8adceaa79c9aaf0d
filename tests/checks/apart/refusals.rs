//! Who may call a role: parts of the system, and nobody else. Health is for anybody.
//!
//! Every method of every service is asked with every kind of token, at the port of every role, so that none is forgotten
//! that comes later. What is asked says nothing; only who is let in is looked at.

use super::embedded;
use anyhow::{Context, Result, ensure};
use astragal_proto::DESCRIPTORS;
use astragal_runtime::auth::{Role, TokenKey};
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::id::AccountId;
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::server::Launch;
use chrono::Duration;
use prost::Message;
use prost_types::FileDescriptorSet;
use tonic::client::Grpc;
use tonic::transport::Channel;
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_prost::ProstCodec;

const HEALTH: &str = "grpc.health.v1.";
const REFLECTION: &str = "grpc.reflection.v1.";
/// The packages of each port, besides those of every port.
const ENGINE: &[&str] = &["astragal.engine.v1."];
const MATCHMAKING: &[&str] = &["astragal.matchmaking.v1.", "astragal.seeding.v1."];
const REMATCH: &[&str] = &["astragal.rematch.v1."];
const REPLAY: &[&str] = &["astragal.replay.v1."];

const TOURNAMENT: &str = "a tournament's";
/// What a tournament system may call besides health.
const OF_TOURNAMENTS: [&str; 6] = [
    "/astragal.seeding.v1.SeedingService/",
    "/astragal.matchmaking.v1.MatchmakingService/CreateGame",
    "/astragal.matchmaking.v1.MatchmakingService/GetGame",
    "/astragal.matchmaking.v1.MatchmakingService/WatchGame",
    "/astragal.matchmaking.v1.MatchmakingService/WatchOpenGames",
    "/astragal.engine.v1.EngineService/GetFinishedLog",
];

/// A kind of token: its name, what is shown, and why it is refused, if it is.
type Kind = (&'static str, Option<String>, Option<Code>);

fn kinds(key: &TokenKey) -> Result<Vec<Kind>> {
    let now = SystemClock.now();
    let sign = |key: &TokenKey, role, from| -> Result<String> {
        let token = key.signer()?.sign(AccountId::new(), role, from, Duration::minutes(10))?;
        Ok(format!("Bearer {token}"))
    };
    let good = sign(key, Role::Service, now)?;
    let players = sign(key, Role::Player, now)?;
    let other = TokenKey::generate(&OsEntropy)?;
    let (forged, unknown, denied) =
        (spliced(&good, &players)?, Some(Code::Unauthenticated), Some(Code::PermissionDenied));
    Ok(vec![
        ("none", None, unknown),
        ("an empty one", Some("Bearer ".into()), unknown),
        ("no bearer", Some(good.replace("Bearer ", "")), unknown),
        ("garbage", Some("Bearer let-me-in".into()), unknown),
        ("another key's", Some(sign(&other, Role::Service, now)?), unknown),
        ("an expired one", Some(sign(key, Role::Service, now - Duration::hours(1))?), unknown),
        ("a service's claims under a player's signature", Some(forged), unknown),
        ("a player's", Some(players), denied),
        ("an administrator's", Some(sign(key, Role::Admin, now)?), denied),
        (TOURNAMENT, Some(sign(key, Role::Tournament, now)?), denied),
        ("a service's", Some(good), None),
    ])
}

/// The claims of one token with the signature of another.
fn spliced(claims: &str, signature: &str) -> Result<String> {
    let (claims, _) = claims.rsplit_once('.').context("a token of three parts")?;
    let (_, signature) = signature.rsplit_once('.').context("a token of three parts")?;
    Ok(format!("{claims}.{signature}"))
}

/// The paths of all methods that there are, as `/package.Service/Method`.
fn methods() -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for descriptors in
        [DESCRIPTORS, tonic_health::pb::FILE_DESCRIPTOR_SET, tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET]
    {
        for file in FileDescriptorSet::decode(descriptors)?.file {
            for service in &file.service {
                for method in &service.method {
                    paths.push(format!("/{}.{}/{}", file.package(), service.name(), method.name()));
                }
            }
        }
    }
    Ok(paths)
}

/// Sends one empty message, and gives the code of what comes back first.
pub(super) async fn ask(channel: &Channel, path: &str, token: Option<&str>) -> Result<Code> {
    let mut request = Request::new(());
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", token.parse()?);
    }
    let mut client = Grpc::new(channel.clone());
    client.ready().await?;
    let codec = ProstCodec::<(), ()>::default();
    let answered = match client.server_streaming(request, path.parse()?, codec).await {
        Ok(answers) => answers.into_inner().message().await.map(drop),
        Err(status) => Err(status),
    };
    Ok(answered.map_or_else(|status| status.code(), |()| Code::Ok))
}

#[tokio::test]
async fn g2_only_parts_of_the_system_may_call_a_role() -> Result<()> {
    let roles = Roles::start(&Plan { rematches: 1, ..embedded(1, 0) })?;
    let pem = roles.key().to_pem()?;
    let replay = Launch::role("replay")?.flag("--engine-url", roles.engines[0].url());
    let replay = replay.variable("ASTRAGAL_TOKEN_KEY", &pem).start()?;
    let (methods, kinds) = (methods()?, kinds(roles.key())?);
    for (url, packages) in [
        (roles.engines[0].url(), ENGINE),
        (roles.matchmakings[0].url(), MATCHMAKING),
        (roles.rematches[0].url(), REMATCH),
        (replay.url(), REPLAY),
    ] {
        let channel = Channel::from_shared(url.to_owned())?.connect().await?;
        let mut served = 0;
        for path in &methods {
            let is_of = |package: &&str| path[1..].starts_with(package);
            let is_served = packages.iter().chain(&[HEALTH, REFLECTION]).any(is_of);
            served += u32::from(is_served);
            for (kind, token, refused) in &kinds {
                let code = ask(&channel, path, token.as_deref()).await?;
                let is_theirs = *kind == TOURNAMENT
                    && OF_TOURNAMENTS.iter().any(|theirs| path.starts_with(theirs))
                    && is_served;
                let refused = refused.filter(|_| !is_of(&HEALTH) && !is_theirs);
                let is_right = match refused {
                    Some(refused) => code == refused,
                    None if !is_served => code == Code::Unimplemented,
                    // Whoever signs in without name and password is let in, and then refused.
                    None if path.ends_with("/OpenSession") => code == Code::Unauthenticated,
                    None => {
                        !matches!(code, Code::Unauthenticated | Code::PermissionDenied | Code::Unimplemented)
                    }
                };
                ensure!(is_right, "{url}{path} answers {code:?} to {kind}");
            }
        }
        ensure!(served > 4, "only {served} methods are served at {url}");
    }
    Ok(())
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
