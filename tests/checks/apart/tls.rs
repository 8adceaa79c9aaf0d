//! TLS between the roles, and to the database: whom a port lets in, whom a caller believes, and starts
//! that can't be.

mod papers;

use self::papers::{Authority, Identity, Papers};
use anyhow::{Context, Result, ensure};
use astragal_runtime::auth::TokenKey;
use astragal_runtime::entropy::OsEntropy;
use astragal_support::postgres::Postgres;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::program;
use astragal_tests::server::{Launch, Server};
use serde_json::json;
use std::process::Command;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity as TonicIdentity};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

const HERE: &str = "127.0.0.1";

/// An installation whose roles ask each other for certificates.
struct House {
    papers: Papers,
    authority: Authority,
    caller: Identity,
    key: String,
    engine: Server,
    matchmaking: Server,
}

impl House {
    fn start() -> Result<Self> {
        let papers = Papers::new()?;
        let authority = papers.authority("authority")?;
        let key = papers.file("token.pem", &TokenKey::generate(&OsEntropy)?.to_pem()?)?;
        let caller = papers.identity(&authority, "caller", HERE)?;
        let role = |role: &'static str| -> Result<Launch> {
            let own = papers.identity(&authority, role, HERE)?;
            let database = format!("sqlite:{}", papers.path().join(role).display());
            let launch = Launch::role(role)?.flag("--database-url", &database).flag("--token-key", &key);
            let launch = launch.flag("--tls-certificate", &own.certificate).flag("--tls-key", &own.key);
            Ok(launch.flag("--tls-client-ca", &authority.file))
        };
        let engine = role("engine")?.start()?;
        let matchmaking = role("matchmaking")?.flag("--engine-url", engine.url());
        let matchmaking = calling(matchmaking, &authority, &caller).start()?;
        Ok(Self { papers, authority, caller, key, engine, matchmaking })
    }

    fn gateway(&self) -> Result<Launch> {
        Ok(Launch::role("gateway")?
            .flag("--token-key", &self.key)
            .flag("--engine-url", self.engine.url())
            .flag("--matchmaking-url", self.matchmaking.url())
            .flag("--heads-interval", "50ms"))
    }
}

fn calling(launch: Launch, authority: &Authority, caller: &Identity) -> Launch {
    let launch = launch.flag("--tls-ca", &authority.file);
    launch.flag("--tls-client-certificate", &caller.certificate).flag("--tls-client-key", &caller.key)
}

#[tokio::test]
async fn o1_a_game_is_played_by_roles_that_show_each_other_certificates() -> Result<()> {
    let house = House::start()?;
    ensure!(house.engine.url().starts_with("https://"), "{}", house.engine.url());
    let gateway = calling(house.gateway()?, &house.authority, &house.caller).start()?;
    let (mut ada, _) = Client::guest(gateway.url(), "Ada", Wire::Json).await?;
    let (mut blaise, _) = Client::guest(gateway.url(), "Blaise", Wire::Binary).await?;
    let mut players = KalahPlayer::pair(&mut ada, &mut blaise, 5).await?;
    let outcome = play_both(&mut players, &mut [ada, blaise]).await?;
    ensure!(outcome.reason == "finished", "{outcome:?}");
    Ok(())
}

#[tokio::test]
async fn g2_a_port_with_tls_lets_in_only_who_shows_a_certificate_of_its_authority() -> Result<()> {
    let house = House::start()?;
    let other = house.papers.authority("other")?;
    let stranger = house.papers.identity(&other, "stranger", HERE)?;
    let url = house.engine.url();
    let plain = Endpoint::from_shared(url.replace("https://", "http://"))?;
    let tls = |authority: &Authority, shown: Option<&Identity>| -> Result<Endpoint> {
        let authority = Certificate::from_pem(std::fs::read(&authority.file)?);
        let mut config = ClientTlsConfig::new().ca_certificate(authority);
        if let Some(shown) = shown {
            config = config.identity(TonicIdentity::from_pem(&shown.certificate_pem, &shown.key_pem));
        }
        Ok(Endpoint::from_shared(url.to_owned())?.tls_config(config)?)
    };
    for (what, endpoint, is_let_in) in [
        ("without TLS", plain, false),
        ("who believes another authority", tls(&other, Some(&house.caller))?, false),
        ("without a certificate", tls(&house.authority, None)?, false),
        ("with a certificate of another authority", tls(&house.authority, Some(&stranger))?, false),
        ("with all in order", tls(&house.authority, Some(&house.caller))?, true),
    ] {
        let asked = ask(&endpoint).await;
        ensure!(asked.is_ok() == is_let_in, "{what}: {asked:?}");
    }
    Ok(())
}

/// Health, which is answered to anybody who comes in.
async fn ask(endpoint: &Endpoint) -> Result<()> {
    let channel: Channel = endpoint.connect().await?;
    HealthClient::new(channel).check(HealthCheckRequest::default()).await?;
    Ok(())
}

#[tokio::test]
async fn o3_a_gateway_that_cannot_call_says_why_in_its_log() -> Result<()> {
    let house = House::start()?;
    let other = house.papers.authority("other")?;
    let unencrypted = house.matchmaking.url().replace("https://", "http://");
    for (launch, why) in [
        (calling(house.gateway()?, &other, &house.caller), "certificate"),
        (
            house.gateway()?.flag("--engine-url", &unencrypted).flag("--matchmaking-url", &unencrypted),
            "https://",
        ),
    ] {
        let gateway = launch.start()?;
        let mut http = Http::connect(gateway.url()).await?;
        let answer = http.post("/v1/guests", &json!({"name": "Ada"})).await?;
        ensure!(answer.status == 503, "{}: {}", answer.status, answer.text());
        let said = String::from_utf8(gateway.said()?)?;
        let line = said.lines().find(|line| line.contains("can't be called")).context("no word of it")?;
        ensure!(line.contains(why), "{line}");
    }
    Ok(())
}

#[test]
fn o3_papers_that_cannot_work_stop_the_start_and_are_named() -> Result<()> {
    let papers = Papers::new()?;
    let authority = papers.authority("authority")?;
    let (own, other) =
        (papers.identity(&authority, "own", HERE)?, papers.identity(&authority, "other", HERE)?);
    let key = papers.file("token.pem", &TokenKey::generate(&OsEntropy)?.to_pem()?)?;
    let (encrypted, plain) = ("https://127.0.0.1:1", "http://127.0.0.1:1");
    let engine = ["engine"];
    let matchmaking = ["matchmaking", "--engine-url"];
    for (role, words, named) in [
        (&engine[..], vec!["--tls-certificate", &own.certificate], "--tls-key"),
        (&engine, vec!["--tls-client-ca", &authority.file], "--tls-certificate"),
        (&engine, vec!["--tls-certificate", "none.crt", "--tls-key", &own.key], "none.crt"),
        (&engine, vec!["--tls-certificate", &own.key, "--tls-key", &own.key], "holds no certificate"),
        (
            &engine,
            vec!["--tls-certificate", &own.certificate, "--tls-key", &key],
            "can't be used with --tls-key",
        ),
        (&engine, vec!["--tls-certificate", &own.certificate, "--tls-key", &other.key], "not the key"),
        (&engine, vec!["--redis-url", "redis://127.0.0.1:1", "--redis-tls-ca", &authority.file], "rediss://"),
        (&engine, vec!["--redis-url", "redis://127.0.0.1:1", "--redis-prefix", "a b"], "the prefix in Redis"),
        (&engine, vec!["--database-connections-max", "0"], "1..=1000"),
        (&matchmaking, vec![encrypted], "--tls-ca"),
        (&matchmaking, vec![plain, "--tls-ca", &authority.file], "https://HOST:PORT"),
        (&matchmaking, vec![encrypted, "--tls-ca", &own.key], "can't be used with --tls-ca"),
    ] {
        let mut command = Command::new(program::find()?);
        command.args(role).args(&words).args([
            "--listen",
            "127.0.0.1:0",
            "--database-url",
            "sqlite::memory:",
        ]);
        let output = program::run_command(command.args(["--token-key", &key]).env("ASTRAGAL_LOG", "off"))?;
        let said = String::from_utf8(output.stderr)?;
        ensure!(output.status.code().is_some_and(|code| code != 0), "{words:?}: {:?}", output.status);
        ensure!(said.contains(named) && !said.contains("panicked"), "{words:?}: {named} isn't named: {said}");
        ensure!(output.stdout.is_empty(), "{words:?}: it printed an address");
    }
    Ok(())
}

#[tokio::test]
async fn o2_a_database_over_tls_is_one_that_shows_the_right_certificate() -> Result<()> {
    let papers = Papers::new()?;
    let (authority, other) = (papers.authority("authority")?, papers.authority("other")?);
    // An address of this machine's own that no other test has.
    let [high, low] = (std::process::id() as u16).to_be_bytes();
    let address = format!("127.91.{high}.{low}");
    let server = Postgres::start(&["fsync=off", &format!("listen_addresses={address}")]);
    let shown = papers.identity(&authority, "postgres", &address)?;
    server.encrypt(&shown.certificate_pem, &shown.key_pem);
    server.run_sql("postgres", "CREATE DATABASE games");
    let url = |authority: &Authority| {
        format!("postgres://postgres@{address}/games?sslmode=verify-full&sslrootcert={}", authority.file)
    };
    let refused = program::run(&["migrate", "--database-url", &url(&other)])?;
    let said = String::from_utf8(refused.stderr)?;
    ensure!(!refused.status.success() && said.contains("can't use the database"), "{said}");
    let migrated = program::run(&["migrate", "--database-url", &url(&authority)])?;
    ensure!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));

    let key = papers.file("token.pem", &TokenKey::generate(&OsEntropy)?.to_pem()?)?;
    let launch = Launch::role("engine")?.flag("--token-key", &key);
    let engine = launch.flag("--database-url", &url(&authority)).start()?;
    let mut health = HealthClient::new(Channel::from_shared(engine.url().to_owned())?.connect().await?);
    let mut told = health.watch(HealthCheckRequest::default()).await?.into_inner();
    while told.message().await?.context("the watch ended")?.status != 1 {}
    let encrypted = "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
        WHERE application_name = 'astragal-engine'";
    ensure!(server.run_sql("postgres", encrypted) == "t", "the engine's connections have no TLS");
    Ok(())
}
