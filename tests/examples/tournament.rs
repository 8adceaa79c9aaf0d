//! A tournament system: six robots, everyone against everyone at kalah, over gRPC and without any gateway:
//! `cargo run -p astragal-tests --example tournament`.
//!
//! For each game it opens a balanced draw, shows the digests that lie ready, draws tile by tile while it watches the
//! draw as any onlooker may, checks the draw, creates the game, follows it to its end, and verifies its log. It starts
//! roles of its own unless it is told where others run. What it checks trusts nothing that the system says.

#![expect(clippy::print_stdout, reason = "an example is there to be read")]

use anyhow::{Context, Result, ensure};
use astragal_proto::engine::v1::engine_service_client::EngineServiceClient;
use astragal_proto::engine::v1::{GetFinishedLogRequest, Outcome};
use astragal_proto::matchmaking::v1::create_game_request::Kind;
use astragal_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use astragal_proto::matchmaking::v1::{CreateGameRequest, GameRequest, Tournament, WatchGameRequest};
use astragal_proto::seeding::v1::seeding_service_client::SeedingServiceClient;
use astragal_proto::seeding::v1::watch_draw_response::News;
use astragal_proto::seeding::v1::{
    CreateRobotRequest, Draw, DrawTileRequest, GetLedgerRequest, LedgerLine, OpenDrawRequest, Pick,
    WatchDrawRequest,
};
use astragal_rules::draw::Draw as Machine;
use astragal_rules::draw::round::entropy_sha256;
use astragal_rules::finished_log::FinishedLog;
use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;
use astragal_rules::tile_set::TileSet;
use astragal_runtime::auth::Role;
use astragal_runtime::clock::{Clock, SystemClock};
use astragal_runtime::id::{AccountId, RequestId};
use astragal_tests::roles::{Plan, Roles};
use clap::Parser;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Status};

const GAME: &str = "kalah";
/// Name and strength of those who play.
const ROBOTS: [(&str, u32); 6] =
    [("Acorn", 1), ("Birch", 2), ("Cedar", 3), ("Drift", 1), ("Ember", 2), ("Fjord", 3)];

#[derive(Parser)]
struct Options {
    /// A matchmaking that runs; without it, roles of this program's own
    #[arg(long, requires_all = ["engine", "token"])]
    matchmaking: Option<String>,
    /// An engine of it
    #[arg(long)]
    engine: Option<String>,
    /// A file with a token: `astragal token --role tournament`
    #[arg(long)]
    token: Option<PathBuf>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = Options::parse();
    let (Some(matchmaking), Some(engine), Some(token)) = (options.matchmaking, options.engine, options.token)
    else {
        let roles = own_roles()?;
        let token = tournament_token(&roles)?;
        show(&play(roles.matchmakings[0].url(), roles.engines[0].url(), &token).await?);
        return Ok(());
    };
    show(&play(&matchmaking, &engine, std::fs::read_to_string(token)?.trim()).await?);
    Ok(())
}

/// An engine and a matchmaking, and nothing that a browser could talk to.
pub(crate) fn own_roles() -> Result<Roles> {
    let heads_interval = Duration::from_secs(2);
    Roles::start(&Plan {
        engines: 1,
        matchmakings: 1,
        rematches: 0,
        gateways: 0,
        heads_interval,
        database_url: None,
        redis_url: None,
    })
}

/// What an operator signs for a tournament system.
pub(crate) fn tournament_token(roles: &Roles) -> Result<String> {
    let lifetime = chrono::Duration::hours(1);
    Ok(roles.key().signer()?.sign(AccountId::SYSTEM, Role::Tournament, SystemClock.now(), lifetime)?)
}

/// What became of the tournament.
pub(crate) struct Results {
    /// How many games were played, all of them with a draw and a log that were verified.
    pub(crate) games: usize,
    /// Half points by robot, in the order of [`ROBOTS`].
    pub(crate) half_points: Vec<u32>,
    /// What the ledger says of each.
    pub(crate) ledger: Vec<LedgerLine>,
}

/// Puts the token before each call.
#[derive(Clone)]
struct WithToken(MetadataValue<Ascii>);

impl tonic::service::Interceptor for WithToken {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

type Connection = InterceptedService<Channel, WithToken>;

/// The connections of the tournament system; cheap to clone.
#[derive(Clone)]
struct Desk {
    seeding: SeedingServiceClient<Connection>,
    matchmaking: MatchmakingServiceClient<Connection>,
    engine: EngineServiceClient<Connection>,
}

/// One who plays: the account, and the place in the order of [`ROBOTS`].
#[derive(Clone, Debug)]
struct Robot {
    account: String,
    place: usize,
}

impl Robot {
    fn name(&self) -> &'static str {
        ROBOTS[self.place].0
    }
}

/// Plays the whole tournament.
pub(crate) async fn play(matchmaking: &str, engine: &str, token: &str) -> Result<Results> {
    let mut desk = Desk::connect(matchmaking, engine, token).await?;
    println!("Six robots, everyone against everyone at {GAME}.\n");
    let robots = desk.robots().await?;
    let mut half_points = vec![0; robots.len()];
    let mut games = 0;
    for (round, pairs) in (1..).zip(rounds(robots.len())) {
        println!("Round {round}\n");
        let mut playing = Vec::new();
        for (one, other) in pairs {
            // The draws follow each other, so that their tiles can be read; the games are played side by side.
            let pair = [robots[one].clone(), robots[other].clone()];
            let (game, draw) = desk.draw(&pair).await?;
            let created = CreateGameRequest {
                game: Some(GameRequest { game: GAME.into(), ..GameRequest::default() }),
                kind: Some(Kind::Tournament(Tournament { game_id: game.clone() })),
            };
            desk.matchmaking.create_game(created).await?;
            playing.push((tokio::spawn(desk.clone().follow(game)), pair, draw));
        }
        println!();
        for (followed, pair, draw) in playing {
            let outcome = followed.await??;
            let seated = |seat: u32| {
                let sits = draw.participants.iter().position(|one| one.seat == Some(seat));
                sits.and_then(|place| pair.get(place)).context("a seat of nobody's")
            };
            let (first, second) = (seated(0)?, seated(1)?);
            let scores: Vec<_> = outcome.scores.iter().map(ToString::to_string).collect();
            println!("  {:<6} {} {}", first.name(), scores.join(":"), second.name());
            match outcome.winner {
                Some(winner) => half_points[seated(winner)?.place] += 2,
                None => pair.iter().for_each(|robot| half_points[robot.place] += 1),
            }
            games += 1;
        }
        println!();
    }
    let ledger = desk.ledger(&robots).await?;
    Ok(Results { games, half_points, ledger })
}

/// The pairs of each round: one stays, the others go around the table.
fn rounds(count: usize) -> Vec<Vec<(usize, usize)>> {
    let mut circle: Vec<usize> = (0..count).collect();
    let mut rounds = Vec::new();
    for _ in 1..count {
        rounds.push((0..count / 2).map(|place| (circle[place], circle[count - 1 - place])).collect());
        circle[1..].rotate_right(1);
    }
    rounds
}

fn show(Results { games, half_points, ledger }: &Results) {
    let mut table: Vec<_> = half_points.iter().zip(ledger).zip(ROBOTS).collect();
    table.sort_by_key(|((points, _), _)| std::cmp::Reverse(**points));
    println!("                  points  first  second");
    for ((points, line), (name, level)) in table {
        let whole = if *points == 1 { String::new() } else { (points / 2).to_string() };
        let half = if points % 2 == 1 { "½" } else { " " };
        println!("{name:<6} (level {level})  {whole:>4}{half}  {:>5}  {:>6}", line.firsts, line.seconds);
    }
    println!("\n{games} games: every draw and every log was verified.");
}

impl Desk {
    async fn connect(matchmaking: &str, engine: &str, token: &str) -> Result<Self> {
        let token = WithToken(format!("Bearer {token}").parse().context("the token is not one")?);
        let lobby = Channel::from_shared(matchmaking.to_owned())?.connect().await?;
        let tables = Channel::from_shared(engine.to_owned())?.connect().await?;
        Ok(Self {
            seeding: SeedingServiceClient::with_interceptor(lobby.clone(), token.clone()),
            matchmaking: MatchmakingServiceClient::with_interceptor(lobby, token.clone()),
            engine: EngineServiceClient::with_interceptor(tables, token),
        })
    }

    async fn robots(&mut self) -> Result<Vec<Robot>> {
        let mut robots = Vec::new();
        for (place, (name, level)) in ROBOTS.into_iter().enumerate() {
            let request = CreateRobotRequest { name: name.into(), level, request_id: fresh() };
            let account = self.seeding.create_robot(request).await?.into_inner().account_id;
            robots.push(Robot { account, place });
        }
        Ok(robots)
    }

    /// Draws who goes first, tile by tile, and checks what was shown. Gives the game's id and the draw.
    async fn draw(&mut self, pair: &[Robot; 2]) -> Result<(String, Draw)> {
        let opening = OpenDrawRequest {
            request_id: fresh(),
            account_ids: pair.iter().map(|robot| robot.account.clone()).collect(),
            game: GAME.into(),
            balance: true,
            ..OpenDrawRequest::default()
        };
        let game_id = self.seeding.open_draw(opening).await?.into_inner().game_id;
        let watched = self.seeding.watch_draw(WatchDrawRequest { game_id: game_id.clone() }).await?;
        let mut watched = watched.into_inner();
        // The digest that was shown for each round and participant before the pick.
        let mut shown = BTreeMap::new();
        let mut round = 1;
        loop {
            let news =
                watched.message().await?.and_then(|told| told.news).context("the watch ended early")?;
            let ready = match news {
                News::Draw(draw) if draw.state == "over" => {
                    check(&draw, &shown)?;
                    let winner = draw.winner.context("a draw without a leader")? as usize;
                    let why = if draw.rounds.is_empty() { " (moved first less often)" } else { "" };
                    println!("  {} leads{why}", pair[winner].name());
                    return Ok((game_id, draw));
                }
                News::Draw(draw) => draw.allotted,
                News::Fallen(fallen) => {
                    let pick = fallen.pick.context("a pick without a tile")?;
                    println!("  {:<6} draws {}", pair[pick.participant as usize].name(), tile(&pick));
                    // Whoever draws next draws in this round, or all of them do in the next one.
                    round = fallen.round + u32::from(fallen.allotted.len() == pair.len());
                    fallen.allotted
                }
            };
            for allotment in &ready {
                shown.entry((round, allotment.participant)).or_insert(allotment.entropy_sha256.clone());
            }
            if let Some(next) = ready.first() {
                let participant = next.participant;
                let request = DrawTileRequest { request_id: fresh(), game_id: game_id.clone(), participant };
                self.seeding.draw_tile(request).await?;
            }
        }
    }

    /// Follows a game to its end, and verifies its log against the commitment that was shown while it went on.
    async fn follow(mut self, game_id: String) -> Result<Outcome> {
        let request = WatchGameRequest { game_id: game_id.clone() };
        let mut watched = self.matchmaking.watch_game(request).await?.into_inner();
        let mut commitment = None;
        let outcome = loop {
            let status =
                watched.message().await?.and_then(|told| told.game).context("the watch ended early")?;
            ensure!(status.phase != "cancelled", "the game was cancelled");
            if !status.commitment.is_empty() {
                let first = commitment.get_or_insert(status.commitment.clone());
                ensure!(*first == status.commitment, "the commitment has changed");
            }
            if let Some(outcome) = status.outcome {
                break outcome;
            }
        };
        let request = GetFinishedLogRequest { table_id: game_id.clone() };
        let log = self.engine.get_finished_log(request).await?.into_inner().log;
        let log = FinishedLog::from_json(std::str::from_utf8(&log)?)?;
        let commitment = commitment.context("no commitment was shown")?;
        let commitment = commitment.parse().ok().context("a commitment is 64 lower-case hex digits")?;
        Registry::new().with(Kalah).verify(&log, &commitment)?;
        Ok(outcome)
    }

    async fn ledger(&mut self, robots: &[Robot]) -> Result<Vec<LedgerLine>> {
        let account_ids = robots.iter().map(|robot| robot.account.clone()).collect();
        let request = GetLedgerRequest { account_ids, game: GAME.into(), variant: String::new() };
        Ok(self.seeding.get_ledger(request).await?.into_inner().lines)
    }
}

fn fresh() -> String {
    RequestId::new().to_string()
}

fn tile(pick: &Pick) -> String {
    let tile = if pick.blank { "a blank" } else { &pick.letter };
    format!("{tile:<8} (its digest was {}…)", &pick.entropy_sha256[..16])
}

/// Computes every tile again, from entropy that fits the digest that was shown before the pick.
fn check(draw: &Draw, shown: &BTreeMap<(u32, u32), String>) -> Result<()> {
    let set = TileSet::named(&draw.tile_set).context("an unknown tile set")?;
    let firsts: Vec<_> = draw.participants.iter().map(|one| one.firsts).collect();
    let fewest = firsts.iter().flatten().min();
    let contenders =
        || (0_u8..).zip(&firsts).filter(|(_, firsts)| firsts.as_ref() == fewest).map(|(who, _)| who);
    if let Some(alone) = contenders().next().filter(|_| contenders().count() == 1) {
        ensure!(draw.winner == Some(alone.into()) && draw.rounds.is_empty(), "the ledger says who leads");
        return Ok(());
    }
    let mut machine = Machine::among(set, draw.participants.len() as u8, contenders())?;
    for (number, round) in (1..).zip(&draw.rounds) {
        for pick in &round.picks {
            let entropy: [u8; 32] =
                hex::decode(&pick.entropy)?.try_into().ok().context("entropy of another length")?;
            let digest =
                shown.get(&(number, pick.participant)).context("nothing was shown before the pick")?;
            ensure!(entropy_sha256(&entropy) == *digest, "another entropy than the one shown");
            let again = machine.draw(pick.participant as u8, &entropy)?;
            ensure!(again.letter == pick.letter, "another tile than the entropy gives");
        }
    }
    ensure!(machine.winner().map(u32::from) == draw.winner, "another leader than the tiles say");
    Ok(())
}
