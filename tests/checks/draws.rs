//! Draws from outside: the tournament system's door, a draw that outlives its process, the example tournament to its
//! end, and a draw that stands after its game was aborted.

#[expect(dead_code, reason = "its main is for those who run it by hand")]
#[path = "../examples/tournament.rs"]
mod tournament;

use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::Draw as ShownDraw;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::matchmaking::v1::create_game_request::Kind;
use astragal_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use astragal_proto::matchmaking::v1::{CreateGameRequest, Friends, GameRequest, Tournament};
use astragal_proto::seeding::v1::seeding_service_client::SeedingServiceClient;
use astragal_proto::seeding::v1::watch_draw_response::News;
use astragal_proto::seeding::v1::{
    CreateRobotRequest, Draw, DrawTileRequest, GetDrawRequest, OpenDrawRequest, RecordTileRequest,
    WatchDrawRequest,
};
use astragal_runtime::id::{AccountId, RequestId};
use astragal_support::postgres::Postgres;
use astragal_support::redis::Redis;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::program;
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::server::Server;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::time::Duration;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

/// Puts a token before each call.
#[derive(Clone)]
struct Bearer(String);

impl tonic::service::Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let header = format!("Bearer {}", self.0).parse().map_err(|_| Status::internal("a token"))?;
        request.metadata_mut().insert("authorization", header);
        Ok(request)
    }
}

type Seeding = SeedingServiceClient<InterceptedService<Channel, Bearer>>;

async fn channel(roles: &Roles, replica: usize) -> Result<Channel> {
    Ok(Channel::from_shared(roles.matchmakings[replica].url().to_owned())?.connect().await?)
}

async fn seeding(roles: &Roles, replica: usize) -> Result<Seeding> {
    let token = Bearer(tournament::tournament_token(roles)?);
    Ok(SeedingServiceClient::with_interceptor(channel(roles, replica).await?, token))
}

fn fresh() -> String {
    RequestId::new().to_string()
}

async fn robots(seeding: &mut Seeding, count: u32) -> Result<Vec<String>> {
    let mut robots = Vec::new();
    for level in 1..=count {
        let request_id = RequestId::new().to_string();
        let request = CreateRobotRequest { name: format!("Number {level}"), level, request_id };
        robots.push(seeding.create_robot(request).await?.into_inner().account_id);
    }
    Ok(robots)
}

async fn seen(seeding: &mut Seeding, game_id: &str) -> Result<Draw> {
    let answer = seeding.get_draw(GetDrawRequest { game_id: game_id.into() }).await?.into_inner();
    answer.draw.context("a draw")
}

#[tokio::test]
async fn d9_d12_d14_a_tournament_of_robots_is_played_without_a_gateway() -> Result<()> {
    let roles = tournament::own_roles()?;
    let token = tournament::tournament_token(&roles)?;
    let played = tournament::play(roles.matchmakings[0].url(), roles.engines[0].url(), &token).await?;
    ensure!(played.games == 15, "{} games", played.games);
    ensure!(played.half_points.iter().sum::<u32>() == 30, "{:?}", played.half_points);
    for line in &played.ledger {
        ensure!(line.firsts + line.seconds == 5, "each plays five games: {line:?}");
        // Whoever is ahead leads only among equals, so nobody of six gets further than this in five rounds.
        ensure!((1..=4).contains(&line.firsts), "the ledger is out of balance: {:?}", played.ledger);
    }
    ensure!(played.ledger.iter().map(|line| line.firsts).sum::<u32>() == 15, "one first a game");
    Ok(())
}

#[tokio::test]
async fn d9_a_draw_goes_on_after_its_process_was_killed_between_two_picks() -> Result<()> {
    let mut roles = tournament::own_roles()?;
    let mut calls = seeding(&roles, 0).await?;
    let account_ids = robots(&mut calls, 4).await?;
    let request = OpenDrawRequest {
        request_id: fresh(),
        account_ids: account_ids.clone(),
        tile_set: "erudit".into(),
        ..OpenDrawRequest::default()
    };
    let game_id = calls.open_draw(request).await?.into_inner().game_id;
    for (participant, letter) in [(3, "Б"), (0, "Б")] {
        let (request_id, letter, game_id) = (fresh(), letter.to_owned(), game_id.clone());
        let recorded_by = account_ids[1].clone();
        calls
            .record_tile(RecordTileRequest { request_id, game_id, participant, letter, recorded_by })
            .await?;
    }
    let mut before = seen(&mut calls, &game_id).await?;
    while before.state == "drawing" {
        roles.matchmakings[0].kill()?;
        roles.matchmakings[0].start_again()?;
        calls = seeding(&roles, 0).await?;
        let now = seen(&mut calls, &game_id).await?;
        ensure!(now == before, "the draw is another one after the fall:\n{before:?}\n{now:?}");
        let ready = now.allotted.first().context("nothing lies ready")?.clone();
        let (request_id, participant) = (fresh(), ready.participant);
        let request = DrawTileRequest { request_id, game_id: game_id.clone(), participant };
        let drawn = calls.draw_tile(request.clone()).await?.into_inner();
        let pick = drawn.pick.clone().context("a pick")?;
        ensure!(pick.entropy_sha256 == ready.entropy_sha256, "another entropy than the one shown");
        ensure!(calls.draw_tile(request).await?.into_inner() == drawn, "asked again, another answer");
        before = seen(&mut calls, &game_id).await?;
    }
    ensure!(before.state == "over" && before.winner.is_some(), "{before:?}");
    Ok(())
}

/// On two replicas over PostgreSQL and Redis: each pick at the one that still lives, watched at the other from the
/// beginning to the end.
#[tokio::test]
async fn d9_a_draw_is_drawn_at_one_replica_and_watched_at_another() -> Result<()> {
    let (redis, database_url) = (Redis::start(), Postgres::shared().database());
    let migrated = program::run(&["migrate", "--database-url", &database_url])?;
    ensure!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    let mut roles = Roles::start(&Plan {
        engines: 1,
        matchmakings: 3,
        rematches: 0,
        gateways: 0,
        heads_interval: Duration::from_secs(2),
        database_url: Some(database_url),
        redis_url: Some(redis.url()),
    })?;
    let (mut drawing, mut watching) = (seeding(&roles, 0).await?, seeding(&roles, 2).await?);
    let account_ids = robots(&mut drawing, 4).await?;
    let tile_set = "russian".to_owned();
    let request =
        OpenDrawRequest { request_id: fresh(), account_ids, tile_set, ..OpenDrawRequest::default() };
    let game_id = drawing.open_draw(request).await?.into_inner().game_id;
    let watch = WatchDrawRequest { game_id: game_id.clone() };
    let mut watched = watching.watch_draw(watch).await?.into_inner();
    let mut next = async || {
        let told = watched.message().await?.and_then(|told| told.news);
        told.context("the watch ended early")
    };
    let News::Draw(opened) = next().await? else { anyhow::bail!("the whole draw comes first") };
    let (mut ready, mut picks, mut replica) = (opened.allotted, Vec::new(), 0);
    let over = loop {
        if let Some(allotment) = ready.first() {
            let (request_id, participant) = (fresh(), allotment.participant);
            let request = DrawTileRequest { request_id, game_id: game_id.clone(), participant };
            let drawn = drawing.draw_tile(request).await?.into_inner();
            picks.push((drawn.round, drawn.pick.context("a pick")?.letter));
        }
        match next().await? {
            News::Fallen(fallen) => {
                let letter = fallen.pick.context("a pick")?.letter;
                ensure!(picks.last() == Some(&(fallen.round, letter)), "another pick than was drawn");
                ready = fallen.allotted;
            }
            News::Draw(draw) => break draw,
        }
        // The one that has just drawn is gone; the next pick is another one's.
        if replica == 0 {
            roles.matchmakings[0].kill()?;
            (replica, drawing) = (1, seeding(&roles, 1).await?);
        }
    };
    let shown = over.rounds.iter().map(|round| round.picks.len()).sum::<usize>();
    ensure!(over.state == "over" && shown == picks.len(), "{over:?}");
    ensure!(over == seen(&mut drawing, &game_id).await?, "both replicas show the same");
    Ok(())
}

#[tokio::test]
async fn g2_a_tournament_system_creates_games_of_tournaments_alone() -> Result<()> {
    let roles = tournament::own_roles()?;
    let token = Bearer(tournament::tournament_token(&roles)?);
    let mut lobby = MatchmakingServiceClient::with_interceptor(channel(&roles, 0).await?, token);
    let request = |kind| {
        // Who plays a game of a tournament its draw says.
        let account_id = match kind {
            Kind::Tournament(_) => String::new(),
            _ => AccountId::new().to_string(),
        };
        let request_id = fresh();
        let game = GameRequest { account_id, request_id, game: "kalah".into(), ..GameRequest::default() };
        CreateGameRequest { game: Some(game), kind: Some(kind) }
    };
    let friends = lobby.create_game(request(Kind::Friends(Friends::default()))).await;
    ensure!(friends.as_ref().is_err_and(|status| status.code() == Code::PermissionDenied), "{friends:?}");
    let unknown = Kind::Tournament(Tournament { game_id: fresh() });
    let unknown = lobby.create_game(request(unknown)).await;
    ensure!(unknown.as_ref().is_err_and(|status| status.code() == Code::NotFound), "{unknown:?}");
    Ok(())
}

/// The draw of a game as it is shown to somebody who sits there, with what proves it.
async fn shown(server: &Server, token: &str, game_id: &str) -> Result<ShownDraw> {
    let answer =
        Http::connect(server.url()).await?.get_as(token, &format!("/v1/tables/{game_id}/draw")).await?;
    ensure!(answer.status.is_success(), "{}", answer.text());
    let draw: ShownDraw = answer.json()?;
    for pick in draw.rounds.iter().flat_map(|round| &round.picks) {
        let entropy = hex::decode(pick.entropy.as_deref().context("no entropy")?)?;
        let digest = hex::encode(Sha256::digest(&entropy));
        ensure!(entropy.len() == 32 && pick.entropy_sha256.as_ref() == Some(&digest), "{pick:?}");
    }
    Ok(draw)
}

/// Cancel and reopen until one starts first (lila #13192, online-go #2390), with a table that was opened and aborted.
#[tokio::test]
async fn d11_d13_an_abort_gives_no_other_draw_and_the_draw_is_shown_with_its_proof() -> Result<()> {
    let server = Server::start()?;
    let (mut ada, guest) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let (_blaise, friend) = Client::guest(server.url(), "Blaise", Wire::Json).await?;
    let Event::Searching(opened) = ada.done(ask::new_game_with_friends(&[&friend.account_id])).await? else {
        anyhow::bail!("no game")
    };
    let first = shown(&server, &guest.token, &opened.game_id).await?;
    ensure!(first.reused_from.is_none(), "{first:?}");
    ada.done(ask::abort(&opened.game_id)).await?;
    let mut last = String::new();
    for seeds in [3, 4, 5] {
        if !last.is_empty() {
            ada.done(ask::cancel(&last)).await?;
        }
        let Event::Searching(again) = ada.done(ask::new_game_with(&json!({ "seeds": seeds }))).await? else {
            anyhow::bail!("no game")
        };
        let draw = shown(&server, &guest.token, &again.game_id).await?;
        ensure!(draw.reused_from.as_ref() == Some(&opened.game_id), "{draw:?}");
        ensure!((&draw.rounds, draw.winner) == (&first.rounds, first.winner), "{first:?}\n{draw:?}");
        last = again.game_id;
    }
    Ok(())
}
