//! A change of keys as `deploy/README.md` tells it, step by step, while people play.

use super::crowd::Crowd;
use super::refusals::ask;
use super::{embedded, system};
use anyhow::{Context, Result, ensure};
use astragal_runtime::auth::{Role, TokenKey};
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::id::AccountId;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::roles::Roles;
use astragal_tests::server::Launch;
use std::path::Path;
use tempfile::TempDir;
use tonic::Code;
use tonic::transport::Channel;

/// Pairs that play meanwhile.
const PAIRS: usize = 10;
/// What an engine does for parts of the system alone.
const METHOD: &str = "/astragal.engine.v1.EngineService/GetHeads";

/// The files that an operator gives to all processes.
struct Secrets(TempDir);

impl Secrets {
    /// One key signs, and tokens of all that are `known` count.
    fn write(&self, signs: &TokenKey, known: &[&TokenKey]) -> Result<()> {
        let public: Vec<_> = known.iter().map(|key| key.to_public_pem()).collect::<Result<_, _>>()?;
        for (name, text) in
            [("key.pem", signs.to_pem()?), ("key.pub.pem", public.concat()), ("token", service(signs)?)]
        {
            std::fs::write(self.0.path().join(name), text)?;
        }
        Ok(())
    }

    /// As the files of `deploy/` do it: matchmaking has the key that signs, the others a token.
    fn give(&self, role: &str, launch: Launch) -> Result<Launch> {
        let file = |name: &str| path(&self.0.path().join(name));
        let launch = launch.flag("--token-public-key", &file("key.pub.pem")?);
        Ok(match role {
            "matchmaking" => launch.flag("--token-key", &file("key.pem")?),
            // Every second gateway is given the key as well.
            "gateway" => {
                launch.flag("--token-key", &file("key.pem")?).flag("--service-token", &file("token")?)
            }
            _ => launch.flag("--service-token", &file("token")?),
        })
    }
}

fn path(path: &Path) -> Result<String> {
    Ok(path.to_str().context("a directory with an odd name")?.to_owned())
}

fn service(key: &TokenKey) -> Result<String> {
    let lifetime = chrono::Duration::hours(1);
    Ok(key.signer()?.sign(AccountId::SYSTEM, Role::Service, SystemClock.now(), lifetime)?)
}

fn restart_all(roles: &mut Roles) -> Result<()> {
    let Roles { engines, matchmakings, gateways, .. } = roles;
    engines.iter_mut().chain(matchmakings).chain(gateways).try_for_each(system::restart)
}

async fn may_enter(roles: &Roles, guest: &Guest) -> Result<bool> {
    let mut are_let_in = Vec::new();
    for gateway in &roles.gateways {
        are_let_in.push(match Client::enter(gateway.url(), guest, Wire::Json).await {
            Ok(_) => true,
            Err(error) => {
                let said = format!("{error:#}");
                ensure!(said.contains("UNAUTHENTICATED"), "{said}");
                false
            }
        });
    }
    ensure!(
        are_let_in.iter().all(|is_let_in| *is_let_in == are_let_in[0]),
        "gateways differ: {are_let_in:?}"
    );
    Ok(are_let_in[0])
}

/// O2, G2: three steps, each a restart of everything, and nobody is signed out before the old key is taken away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn o2_g2_the_key_of_an_installation_is_changed_while_people_play() -> Result<()> {
    let (old, new) = (TokenKey::generate(&OsEntropy)?, TokenKey::generate(&OsEntropy)?);
    let secrets = Secrets(tempfile::tempdir()?);
    secrets.write(&old, &[&old])?;
    let mut roles = Roles::start_with(&embedded(2, 2), |role, _, launch: Launch| secrets.give(role, launch))?;
    let early = Http::connect(roles.gateways[0].url()).await?.sign_up("Early").await?;
    let mut crowd = Crowd::gather(&roles, PAIRS).await?;
    crowd.go_on(2).await?;

    // Everybody knows the new key before anybody signs with it.
    secrets.write(&old, &[&old, &new])?;
    restart_all(&mut roles)?;
    crowd.go_on(2).await?;

    secrets.write(&new, &[&old, &new])?;
    restart_all(&mut roles)?;
    // All of them came back with tokens of the old key.
    crowd.go_on(2).await?;
    crowd.end().await?;
    let late = Http::connect(roles.gateways[1].url()).await?.sign_up("Late").await?;
    ensure!(new.verifier().verify(&late.token, SystemClock.now()).is_ok(), "the old key still signs");
    ensure!(may_enter(&roles, &early).await? && may_enter(&roles, &late).await?, "somebody was signed out");

    secrets.write(&new, &[&new])?;
    restart_all(&mut roles)?;
    ensure!(may_enter(&roles, &late).await?, "a token of the new key doesn't count");
    ensure!(!may_enter(&roles, &early).await?, "a token of the old key still counts");
    let engine = Channel::from_shared(roles.engines[0].url().to_owned())?.connect().await?;
    for (key, is_known) in [(&old, false), (&new, true)] {
        let code = ask(&engine, METHOD, Some(&format!("Bearer {}", service(key)?))).await?;
        ensure!((code != Code::Unauthenticated) == is_known, "a service's token is answered {code:?}");
    }
    Ok(())
}
