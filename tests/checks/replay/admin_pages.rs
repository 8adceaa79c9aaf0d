//! `/_gm` from outside: who gets in, what is written down, and that nothing that somebody called themselves
//! is taken for markup.

use crate::people;
use anyhow::{Context, Result, ensure};
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Http, host_of};
use astragal_tests::kalah_player::{KalahPlayer, play_both};
use astragal_tests::program;
use astragal_tests::server::{Launch, Server};
use hyper::Method;
use serde_json::Value;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long an answer may take on a machine that is busy.
const ANSWER_MAX: Duration = Duration::from_mins(1);

/// A browser, as far as these pages need one: it keeps one cookie.
struct Browser<'s> {
    server: &'s Server,
    cookie: String,
    extra: String,
}

impl Browser<'_> {
    async fn get(&self, path: &str) -> Result<String> {
        self.send("GET", path, "", "").await
    }

    async fn post(&self, path: &str, origin: &str, form: &str) -> Result<String> {
        self.send("POST", path, &format!("Origin: {origin}\r\n"), form).await
    }

    async fn send(&self, method: &str, path: &str, headers: &str, form: &str) -> Result<String> {
        let host = host_of(self.server.url())?;
        let kind = if form.is_empty() { "" } else { "Content-Type: application/x-www-form-urlencoded\r\n" };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nCookie: {}\r\n{}{headers}{kind}\
             Content-Length: {}\r\n\r\n{form}",
            self.cookie,
            self.extra,
            form.len()
        );
        let exchange = async {
            let mut stream = TcpStream::connect(host).await?;
            stream.write_all(request.as_bytes()).await?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await?;
            anyhow::Ok(String::from_utf8_lossy(&answer).into_owned())
        };
        tokio::time::timeout(ANSWER_MAX, exchange).await.with_context(|| format!("no answer from {path}"))?
    }

    /// Signs in, and keeps the cookie.
    async fn sign_in(&mut self, token: &str) -> Result<String> {
        let answer = self.post("/_gm/login", self.server.url(), &format!("token={token}")).await?;
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        cookie.and_then(|cookie| cookie.split(';').next()).unwrap_or_default().clone_into(&mut self.cookie);
        Ok(answer)
    }
}

fn browser(server: &Server) -> Browser<'_> {
    Browser { server, cookie: String::new(), extra: String::new() }
}

fn token(server: &Server, role: &str) -> Result<String> {
    let key = server.data().join("token-key.pem");
    let key = key.to_str().context("an odd path")?;
    let signed = program::run(&["token", "--role", role, "--token-key", key])?;
    ensure!(signed.status.success(), "{signed:?}");
    Ok(String::from_utf8(signed.stdout)?.trim().to_owned())
}

/// P3: a token of the role, and nothing else, opens the pages; a session can't be used by other sites.
#[tokio::test]
async fn p3_only_administrators_get_in() -> Result<()> {
    let server = Server::start()?;
    let mut someone = browser(&server);
    for page in ["/_gm", "/_gm/games/0193e6a0-0000-7000-8000-000000000000", "/_gm/accounts/nonsense"] {
        let answer = someone.get(page).await?;
        ensure!(answer.starts_with("HTTP/1.1 303") && answer.contains("location: /_gm/login"), "{answer}");
    }
    let (_, guest) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    for wrong in
        [guest.token.as_str(), &token(&server, "tournament")?, &token(&server, "service")?, "nonsense"]
    {
        let answer = someone.sign_in(wrong).await?;
        ensure!(answer.starts_with("HTTP/1.1 403") && someone.cookie.is_empty(), "{answer}");
        someone.cookie = format!("astragal_gm={wrong}");
        ensure!(someone.get("/_gm").await?.starts_with("HTTP/1.1 303"), "{wrong} opens the pages");
    }
    let admin = token(&server, "admin")?;
    let elsewhere = someone.post("/_gm/login", "https://evil.example", &format!("token={admin}")).await?;
    ensure!(elsewhere.starts_with("HTTP/1.1 403"), "{elsewhere}");

    let answer = someone.sign_in(&admin).await?;
    ensure!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    ensure!(answer.contains("HttpOnly") && answer.contains("SameSite=Strict"), "{answer}");
    let page = someone.get("/_gm").await?;
    ensure!(page.starts_with("HTTP/1.1 200"), "{page}");
    let policy =
        page.lines().find(|line| line.starts_with("content-security-policy: ")).context("no policy")?;
    ensure!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    ensure!(page.contains("cache-control: no-store"), "{page}");
    // A form that doesn't carry what only a page of this session knows.
    let forged = someone.post("/_gm/logout", server.url(), "form_key=guessed").await?;
    ensure!(forged.starts_with("HTTP/1.1 403"), "{forged}");
    // Nobody is believed about a header that was not set up.
    let mut by_header = browser(&server);
    by_header.extra = "X-Forwarded-Email: root@example.com\r\n".to_owned();
    ensure!(by_header.get("/_gm").await?.starts_with("HTTP/1.1 303"));
    Ok(())
}

/// P3: a proxy that is trusted says who somebody is.
#[tokio::test]
async fn p3_a_trusted_proxy_names_the_administrator() -> Result<()> {
    let started = |address: &str| {
        let launch = Launch::new()?.flag("--admin-proxy-header", "X-Forwarded-Email");
        launch.flag("--admin-proxy-address", address).start()
    };
    for (address, gets_in) in [("127.0.0.1", true), ("192.0.2.7", false)] {
        let server = started(address)?;
        let mut operator = browser(&server);
        operator.extra = "X-Forwarded-Email: root@example.com\r\n".to_owned();
        let answer = operator.get("/_gm").await?;
        ensure!(answer.starts_with("HTTP/1.1 200") == gets_in, "{address}: {answer}");
        ensure!(browser(&server).get("/_gm").await?.starts_with("HTTP/1.1 303"));
    }
    Ok(())
}

/// P2, P3: a game that goes on is shown live, and the look is written down; players see that afterwards.
#[tokio::test]
async fn p2_p3_looks_at_a_game_that_goes_on_are_written_down() -> Result<()> {
    let server = Server::start()?;
    let mut clients = [
        Client::guest(server.url(), "Ada", Wire::Json).await?.0,
        Client::guest(server.url(), "<b>Bo</b>", Wire::Json).await?.0,
    ];
    let [ada, bo] = &mut clients;
    let mut players = KalahPlayer::pair(ada, bo, 8).await?;
    let id = players[0].id().to_owned();
    let mut admin = browser(&server);
    admin.sign_in(&token(&server, "admin")?).await?;
    let page = admin.get(&format!("/_gm/games/{id}")).await?;
    ensure!(page.contains(r#"<strong id="live">live</strong>"#) && page.contains("revision 2"), "{page}");
    ensure!(page.contains("Round 1:") && page.contains(" leads</p>"), "{page}");
    ensure!(!page.contains("<b>Bo</b>"), "a name is taken for markup: {page}");
    let steps = admin.get(&format!("/_gm/games/{id}/steps?from=0&to=0")).await?;
    ensure!(steps.contains(r#""revision":2,"over":false"#), "{steps}");
    let list = admin.get("/_gm?state=playing&game=kalah").await?;
    ensure!(list.contains(&id) && !list.contains("<b>Bo</b>"), "{list}");
    ensure!(admin.get("/_gm?q=Ada").await?.contains(&id), "Ada's games are not found");
    ensure!(!admin.get("/_gm?state=over").await?.contains(&id), "the game is not over");

    play_both(&mut players, &mut clients).await?;
    let page = admin.get(&format!("/_gm/games/{id}?step=3")).await?;
    ensure!(!page.contains(r#"id="live""#) && page.contains(r#"href="?step=4""#), "{page}");
    let steps = admin.get(&format!("/_gm/games/{id}/steps?from=1&to=2")).await?;
    ensure!(steps.matches(r#""line""#).count() == 2, "{steps}");
    let looks = admin.get(&format!("/v1/tables/{id}/looks")).await?;
    ensure!(looks.matches("looker").count() == 1 && looks.contains(r#""revision":2"#), "{looks}");

    let key = page.split(r#"name="form_key" value=""#).nth(1).and_then(|rest| rest.split('"').next());
    let form = format!("form_key={}", key.context("no form")?);
    let verify = format!("/_gm/games/{id}/verify");
    ensure!(admin.post(&verify, server.url(), &form).await?.contains("It holds:"), "it does not hold");
    ensure!(admin.post(&verify, server.url(), "form_key=x").await?.starts_with("HTTP/1.1 403"));
    ensure!(admin.post(&verify, "https://evil.example", &form).await?.starts_with("HTTP/1.1 403"));
    let missing = admin.get("/_gm/games/0193e6a0-0000-7000-8000-000000000000").await?;
    ensure!(missing.starts_with("HTTP/1.1 404"), "{missing}");
    let account = page.split("/_gm/accounts/").nth(1).and_then(|rest| rest.split('"').next());
    let account = admin.get(&format!("/_gm/accounts/{}", account.context("no profile")?)).await?;
    ensure!(account.contains(&id), "{account}");
    Ok(())
}

/// P2, O1: nothing of a table that waits or never was goes to whoever isn't signed in.
#[tokio::test]
async fn p2_a_waiting_game_is_for_administrators_only() -> Result<()> {
    let server = Server::start()?;
    let mut ada = people::one(server.url(), Wire::Json).await?;
    let player = KalahPlayer::opener(&mut ada, astragal_tests::ask::new_game(), 1).await?;
    let mut admin = browser(&server);
    let address = format!("/_gm/games/{}", player.id());
    ensure!(admin.get(&address).await?.starts_with("HTTP/1.1 303"));
    ensure!(admin.get(&format!("{address}/steps?from=0")).await?.starts_with("HTTP/1.1 303"));
    admin.sign_in(&token(&server, "admin")?).await?;
    let page = admin.get(&address).await?;
    ensure!(page.starts_with("HTTP/1.1 200") && page.contains("nobody yet"), "{page}");
    Ok(())
}

/// P2, P3, L0: a game that could not go on is shown to administrators alone, as far as it came, with no file of it.
#[tokio::test]
async fn p2_p3_l0_a_game_that_broke_down_is_for_administrators() -> Result<()> {
    let mut server = Server::start()?;
    let mut clients = people::two(server.url(), Wire::Json).await?;
    let [ada, bo] = &mut clients;
    let mut players = KalahPlayer::pair(ada, bo, 8).await?;
    let mover = usize::from(!players[0].is_to_move());
    players[mover].make_move(&mut clients[mover]).await?;
    let id = players[0].id().to_owned();
    server.terminate()?;
    let options = SqliteConnectOptions::new().filename(server.data().join("engine.sqlite"));
    let mut database = options.connect().await?;
    sqlx::query("UPDATE journal SET state_hash = zeroblob(32) WHERE revision = 3")
        .execute(&mut database)
        .await?;
    database.close().await?;
    server.start_again()?;

    let mut http = Http::connect(server.url()).await?;
    let table = http.get(&format!("/v1/tables/{id}")).await?.text();
    ensure!(table.contains(r#""reason":"crashed""#), "{table}");
    for file in ["timeline", "log", "certificate", "gcg"] {
        let refused = http.get(&format!("/v1/tables/{id}/{file}")).await?;
        ensure!(
            refused.status == 409 && refused.code()? == "FAILED_PRECONDITION",
            "{file}: {}",
            refused.text()
        );
        ensure!(refused.text().contains("broke down"), "{}", refused.text());
    }
    let mut admin = browser(&server);
    let address = format!("/_gm/games/{id}");
    ensure!(admin.get(&address).await?.starts_with("HTTP/1.1 303"));
    admin.sign_in(&token(&server, "admin")?).await?;
    let page = admin.get(&format!("{address}?step=1")).await?;
    ensure!(page.starts_with("HTTP/1.1 200") && page.contains("over: crashed"), "{page}");
    ensure!(page.contains(r#"<span id="where">1 / 1</span>"#) && page.contains("1. "), "{page}");
    ensure!(!page.contains("verify") && !page.contains("/v1/tables/"), "files that there aren't: {page}");
    ensure!(page.contains("up to revision 4"), "the look is not written down: {page}");
    let steps = admin.get(&format!("{address}/steps?from=0")).await?;
    ensure!(steps.matches(r#""line""#).count() == 2, "{steps}");
    let beyond = admin.get(&format!("{address}?step=7")).await?;
    ensure!(beyond.contains(r#"<span id="where">1 / 1</span>"#), "{beyond}");
    let key = page.split(r#"name="form_key" value=""#).nth(1).and_then(|rest| rest.split('"').next());
    let form = format!("form_key={}", key.context("no form")?);
    let verified = admin.post(&format!("{address}/verify"), server.url(), &form).await?;
    ensure!(verified.starts_with("HTTP/1.1 409") && verified.contains("broke down"), "{verified}");
    Ok(())
}

/// P2, G8: no game is ever deleted; the games of accounts that are deleted stay, and name nobody.
#[tokio::test]
async fn p2_g8_games_of_deleted_accounts_stay_and_name_nobody() -> Result<()> {
    let server = Server::start()?;
    let (mut ada, gone) = Client::guest(server.url(), "Ada Gone", Wire::Json).await?;
    let mut bo = people::one(server.url(), Wire::Json).await?;
    let [_, mut player] = KalahPlayer::pair(&mut ada, &mut bo, 8).await?;
    let mut http = Http::connect(server.url()).await?;
    let deleted = http.send(Method::DELETE, Some(&gone.token), "/v1/me", &Value::Null).await?;
    ensure!(deleted.status == 204, "{}", deleted.text());
    player.wait_for_end(&mut bo).await?;
    let id = player.id();
    for file in ["timeline", "log", "certificate"] {
        let answer = http.get(&format!("/v1/tables/{id}/{file}")).await?;
        ensure!(answer.status == 200 && !answer.text().contains("Ada Gone"), "{}", answer.text());
    }
    let mut admin = browser(&server);
    admin.sign_in(&token(&server, "admin")?).await?;
    let profile = format!("/_gm/accounts/{}", gone.account_id);
    for page in [format!("/_gm/games/{id}?step=1"), profile, "/_gm?state=over".to_owned()] {
        let page = admin.get(&page).await?;
        ensure!(page.starts_with("HTTP/1.1 200") && page.contains("Former player"), "{page}");
        ensure!(page.contains(id) && !page.contains("Ada Gone"), "{page}");
    }
    ensure!(!admin.get("/_gm?q=Ada+Gone").await?.contains(id), "the name is known yet");
    Ok(())
}

/// P2: what there is not is not found: games, accounts, and steps of none.
#[tokio::test]
async fn p2_what_there_is_not_is_not_found() -> Result<()> {
    let server = Server::start()?;
    let mut admin = browser(&server);
    admin.sign_in(&token(&server, "admin")?).await?;
    let unknown = "0193e6a0-0000-7000-8000-000000000000";
    for id in [unknown, "nonsense", "%3Cb%3E"] {
        for page in
            [format!("/_gm/games/{id}"), format!("/_gm/games/{id}?step=3"), format!("/_gm/accounts/{id}")]
        {
            let answer = admin.get(&page).await?;
            ensure!(answer.starts_with("HTTP/1.1 404") && !answer.contains("<b>"), "{page}: {answer}");
        }
    }
    let steps = admin.get(&format!("/_gm/games/{unknown}/steps?from=0")).await?;
    ensure!(steps.starts_with("HTTP/1.1 404"), "{steps}");
    let odd = admin.get("/_gm/games/nonsense/steps?from=0").await?;
    ensure!(odd.starts_with("HTTP/1.1 400"), "{odd}");
    for file in ["timeline", "log", "certificate", "gcg", "looks"] {
        let answer = admin.get(&format!("/v1/tables/{unknown}/{file}")).await?;
        ensure!(answer.starts_with("HTTP/1.1 404"), "{file}: {answer}");
    }
    Ok(())
}
