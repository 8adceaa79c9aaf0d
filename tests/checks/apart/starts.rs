//! Starts that can't be: one sentence that names what is wrong. And the command that signs tokens.

use super::system::FAULTS;
use anyhow::{Context, Result, ensure};
use astragal_runtime::auth::{Role, TokenKey};
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::entropy::OsEntropy;
use astragal_tests::program;
use chrono::Duration;
use std::process::Command;

#[test]
fn o3_a_role_with_a_bad_setting_says_which() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let (key, bad) = (path("key.pem"), path("bad.pem"));
    std::fs::write(&key, TokenKey::generate(&OsEntropy)?.to_pem()?)?;
    std::fs::write(&bad, "no key")?;
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
        (vec!["token", "--role", "king", "--token-key", file], "service"),
    ] {
        let output = program::run(&words)?;
        let said = String::from_utf8(output.stderr)?;
        ensure!(!output.status.success() && said.contains(named), "{words:?}: {said}");
    }
    Ok(())
}
