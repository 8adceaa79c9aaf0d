//! Starts that can't be: one sentence that names what is wrong. And the command that signs tokens.

use super::system::FAULTS;
use anyhow::{Context, Result, ensure};
use astragal_runtime::auth::{Role, TokenKey};
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::entropy::OsEntropy;
use astragal_runtime::id::AccountId;
use astragal_tests::program;
use chrono::Duration;
use std::net::TcpListener;
use std::process::Command;

#[test]
fn o3_a_role_with_a_bad_setting_says_which() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let (key, bad) = (path("key.pem"), path("bad.pem"));
    std::fs::write(&key, TokenKey::generate(&OsEntropy)?.to_pem()?)?;
    std::fs::write(&bad, "no key")?;
    let (public, expired, player) = (path("key.pub.pem"), path("old.token"), path("player.token"));
    let (signing, now) = (TokenKey::generate(&OsEntropy)?, SystemClock.now());
    std::fs::write(&public, signing.to_public_pem()?)?;
    for (file, role, began) in
        [(&expired, Role::Service, now - Duration::days(2)), (&player, Role::Player, now)]
    {
        let token = signing.signer()?.sign(AccountId::SYSTEM, role, began, Duration::days(1))?;
        std::fs::write(file, token)?;
    }
    let replay = ["replay", "--engine-url", "http://127.0.0.1:1", "--token-public-key", &public];
    let shows = |token| [&replay[..], &["--service-token", token]].concat();
    let database = format!("sqlite:{}", path("engine.sqlite"));
    let (engine, remote) = ("http://127.0.0.1:1", "engine.example:7001");
    for (words, named) in [
        (vec!["engine", "--token-key", &key], "--database-url"),
        (vec!["engine", "--token-key", &key, "--database-url", "mysql://host"], "sqlite:FILE"),
        (vec!["engine", "--database-url", &database], "--token-public-key"),
        (vec!["engine", "--database-url", &database, "--token-key", &bad], "bad.pem"),
        (vec!["engine", "--database-url", &database, "--token-public-key", &key], "--token-public-key"),
        (vec!["engine", "--database-url", &database, "--token-key", &path("none.pem")], "none.pem"),
        (vec!["engine", "--database-url", &database, "--token-key", &key, "--redis-url", "x"], "redis://"),
        (vec!["matchmaking", "--database-url", &database, "--token-key", &key], "--engine-url"),
        (
            vec!["matchmaking", "--database-url", &database, "--token-key", &key, "--engine-url", remote],
            "http://HOST:PORT",
        ),
        (vec!["gateway", "--engine-url", engine, "--token-key", &key], "--matchmaking-url"),
        (vec!["gateway", "--engine-url", engine, "--matchmaking-url", engine], "--token-public-key"),
        (shows(&expired), "old.token can't be used with --service-token: the token has expired"),
        (shows(&player), "the token is of the role player"),
    ] {
        let mut command = Command::new(program::find()?);
        command.args(&words).args(["--listen", "127.0.0.1:0"]).env("ASTRAGAL_LOG", "off");
        let output = program::run_command(&mut command)?;
        let said = String::from_utf8(output.stderr)?;
        ensure!(output.status.code().is_some_and(|code| code != 0), "{words:?}: {:?}", output.status);
        ensure!(said.contains(named) && !said.contains("panicked"), "{words:?}: {named} isn't named: {said}");
        ensure!(output.stdout.is_empty(), "{words:?}: it printed an address");
    }
    Ok(())
}

/// O3: a variable that is set to nothing is not a setting, and a port that is taken is named with its flag.
#[test]
fn o3_an_empty_variable_is_none_and_the_flag_of_a_taken_port_is_named() -> Result<()> {
    let taken = TcpListener::bind("127.0.0.1:0")?;
    let mut command = Command::new(program::find()?);
    command.args(["dev", "--data", ":memory:", "--listen", "127.0.0.1:0", "--admin-listen"]);
    command
        .arg(taken.local_addr()?.to_string())
        .env("ASTRAGAL_ATTACH_ROBOT_AFTER", "")
        .env("ASTRAGAL_LOG", "off");
    let output = program::run_command(&mut command)?;
    let said = String::from_utf8(output.stderr)?;
    ensure!(!output.status.success() && said.contains("choose another with --admin-listen"), "{said}");
    Ok(())
}

#[test]
fn o3_faults_that_can_not_be_armed_stop_the_start() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let unwritten = scratch.path().join("data");
    let in_release = [("engine.committed=kill@1", "release build")];
    let in_debug = [("engine.asleep=kill@1", "engine.committed"), ("engine.committed=kill", "POINT=kill@N")];
    let refused = if cfg!(debug_assertions) { &in_debug[..] } else { &in_release[..] };
    for (plan, named) in refused {
        let mut command = Command::new(program::find()?);
        command.args(["dev", "--listen", "127.0.0.1:0", "--data"]).arg(&unwritten).env(FAULTS, plan);
        let output = program::run_command(&mut command)?;
        let said = String::from_utf8(output.stderr)?;
        ensure!(!output.status.success() && said.contains(named), "{plan}: {named} isn't named: {said}");
        ensure!(!unwritten.exists(), "{plan}: something was written");
    }
    Ok(())
}

#[test]
fn g2_a_token_of_the_command_line_is_one_of_ours() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let file = scratch.path().join("key.pem");
    let key = TokenKey::generate(&OsEntropy)?;
    std::fs::write(&file, key.to_pem()?)?;
    let file = file.to_str().context("an odd path")?;
    let account = "01936f5e-0000-7000-8000-0000000000a0";

    let output = program::run(&[
        "token",
        "--role",
        "player",
        "--account",
        account,
        "--lifetime",
        "12h",
        "--token-key",
        file,
    ])?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let claims = key.verifier().verify(String::from_utf8(output.stdout)?.trim(), SystemClock.now())?;
    ensure!(claims.role == Role::Player && claims.account.to_string() == account, "{claims:?}");
    ensure!(claims.expires_at - claims.issued_at == Duration::hours(12), "{claims:?}");

    for (words, named) in [
        (vec!["token", "--role", "player", "--token-key", file], "--account"),
        (vec!["token", "--role", "service", "--lifetime", "0s", "--token-key", file], "--lifetime"),
        (vec!["token", "--role", "service", "--lifetime", "99999999999d", "--token-key", file], "to 10years"),
        (vec!["token", "--role", "king", "--token-key", file], "service"),
    ] {
        let output = program::run(&words)?;
        let said = String::from_utf8(output.stderr)?;
        ensure!(!output.status.success() && said.contains(named), "{words:?}: {said}");
    }
    Ok(())
}
