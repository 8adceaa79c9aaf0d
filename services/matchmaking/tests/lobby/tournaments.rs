//! Games of tournaments: created from draws that are over, once, and followed to their end.

use std::collections::BTreeSet;

use astragal_matchmaking::settings::Settings;
use astragal_proto::matchmaking::v1::create_game_request::Kind;
use astragal_proto::matchmaking::v1::{
    CreateGameRequest, GameRequest, GameStatus, GetGameRequest, Tournament, WatchGameRequest,
};
use astragal_proto::seeding::v1::{
    CreateRobotRequest, CreateRobotResponse, OpenDrawRequest, WatchDrawRequest,
};
use astragal_runtime::clock::Clock;
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::{RequestId, TableId};
use tokio_util::sync::CancellationToken;
use tonic::Response;

use crate::by_hand::{among, cancel, draw, guests, open, record, seen};
use crate::engine::Fault;
use crate::world::{Answer, World};

fn asked(game: &str, name: &str) -> CreateGameRequest {
    let kind = Some(Kind::Tournament(Tournament { game_id: game.into() }));
    CreateGameRequest { game: Some(GameRequest { game: name.into(), ..GameRequest::default() }), kind }
}

pub(crate) async fn create(world: &World, game: &str, name: &str) -> Answer<String> {
    ask(world, asked(game, name)).await
}

async fn ask(world: &World, request: CreateGameRequest) -> Answer<String> {
    Ok(world.lobby().create_game(request).await.map_err(Problem::from)?.into_inner().game_id)
}

fn automatic(accounts: &[String]) -> OpenDrawRequest {
    OpenDrawRequest { automatic: true, ..among(accounts) }
}

async fn robot(world: &World, name: &str) -> String {
    let request = robot_request(&RequestId::new().to_string(), name, 2);
    created(world, request).await.expect("a robot").account_id
}

fn robot_request(request_id: &str, name: &str, level: u32) -> CreateRobotRequest {
    CreateRobotRequest { name: name.into(), level, request_id: request_id.into() }
}

async fn created(world: &World, request: CreateRobotRequest) -> Answer<CreateRobotResponse> {
    world.seeding().create_robot(request).await.map(Response::into_inner).map_err(Problem::from)
}

#[tokio::test]
async fn d9_l14_a_robot_that_is_asked_for_twice_is_one() {
    let world = World::new().await;
    let other = world.again(2).await;
    let code = |answer: Answer<CreateRobotResponse>| answer.err().map(|problem| problem.code);
    for name in ["Rook", ""] {
        let id = RequestId::new().to_string();
        let first = created(&world, robot_request(&id, name, 2)).await.expect("a robot");
        assert_eq!(created(&other, robot_request(&id, name, 2)).await.as_ref(), Ok(&first), "at any replica");
        for (another_name, level) in [(name, 3), ("Pawn", 2)] {
            let reused = created(&other, robot_request(&id, another_name, level)).await;
            assert_eq!(code(reused), Some(Code::InvalidArgument), "{another_name} {level}");
        }
        let next =
            created(&world, robot_request(&RequestId::new().to_string(), name, 2)).await.expect("a robot");
        assert_ne!(next.account_id, first.account_id, "another request is another robot");
    }
    assert_eq!(code(created(&world, robot_request("", "Rook", 2)).await), Some(Code::InvalidArgument));
}

#[tokio::test]
async fn d9_d3_a_game_from_a_draw_seats_everyone_as_it_decided() {
    let world = World::new().await;
    for count in [2, 3, 4] {
        let mut people = guests(&world, count).await;
        people[count - 1] = robot(&world, "Rook").await;
        let (game, drawn) = open(&world, automatic(&people)).await.expect("a draw");
        assert_eq!(
            create(&world, &game, "parlour").await,
            Ok(game.clone()),
            "under the id that was allotted"
        );
        let table = world.engine.table(&game);
        let winner = drawn.winner.expect("a leader") as usize;
        assert_eq!((table.opened.seats as usize, table.opened.first_seat), (count, 0));
        for (seat, occupant) in &table.occupants {
            let participant = (winner + *seat as usize) % count;
            assert_eq!(occupant.account_id, people[participant], "seat {seat} of {count}");
            assert_eq!(occupant.robot_level, if participant == count - 1 { 2 } else { 0 });
        }
        assert_eq!(table.occupants.len(), count);
        let shown = world.draw(&game).await.expect("a draw");
        assert_eq!((shown.full, shown.draw), (true, Some(drawn)), "the draw stays as it was");
    }
}

#[tokio::test]
async fn d6_no_game_from_a_draw_that_is_not_over() {
    let world = World::new().await;
    let people = guests(&world, 2).await;
    let (game, _) = open(&world, among(&people)).await.expect("a draw");
    let refused = |problem: Problem| (problem.code, problem.message);
    let (code, why) = create(&world, &game, "kalah").await.map_err(refused).expect_err("nobody has drawn");
    assert!(code == Code::FailedPrecondition && why.contains("not over"), "{why}");
    record(&world, &game, 0, "C").await.expect("a tile");
    assert_eq!(
        create(&world, &game, "kalah").await.map_err(|problem| problem.code),
        Err(Code::FailedPrecondition)
    );
    record(&world, &game, 1, "B").await.expect("a tile");
    create(&world, &game, "kalah").await.expect("a game");
    assert_eq!(world.engine.table(&game).occupants[&0].account_id, people[1]);
    assert!(seen(&world, &game).await.rounds[0].picks.iter().all(|pick| pick.recorded));

    let (_, why) = cancel(&world, &game).await.map_err(refused).expect_err("it is played");
    assert!(why.contains("a game was created"), "{why}");
    let (doomed, _) = open(&world, automatic(&people)).await.expect("a draw");
    cancel(&world, &doomed).await.expect("cancelled");
    let (code, why) = create(&world, &doomed, "kalah").await.map_err(refused).expect_err("it was cancelled");
    assert!(code == Code::FailedPrecondition && why.contains("cancelled"), "{why}");
    let (_, why) = draw(&world, &doomed, 0).await.map_err(refused).expect_err("it was cancelled");
    assert!(why.contains("cancelled"), "{why}");
    let unknown = create(&world, &TableId::new().to_string(), "kalah").await;
    assert_eq!(unknown.map_err(|problem| problem.code), Err(Code::NotFound));
}

#[tokio::test]
async fn d10_a_draw_makes_one_game_however_often_and_wherever_it_is_asked_for() {
    for world in [World::new().await, World::on_postgres(Settings::default()).await] {
        let other = world.again(9).await;
        for _ in 0..6 {
            let people = guests(&world, 2).await;
            let (game, _) = open(&world, automatic(&people)).await.expect("a draw");
            let mut created = tokio::task::JoinSet::new();
            for attempt in 0..8 {
                let (world, game) =
                    (if attempt % 2 == 0 { world.clone() } else { other.clone() }, game.clone());
                created.spawn(async move { create(&world, &game, "kalah").await });
            }
            let created: BTreeSet<_> =
                created.join_all().await.into_iter().map(|game| game.expect("a game")).collect();
            assert_eq!(created, BTreeSet::from([game.clone()]));
            let mut with_options = asked(&game, "kalah");
            if let Some(game) = &mut with_options.game {
                game.options = br#"{"seeds":5}"#.to_vec().into();
            }
            let refused = ask(&other, with_options).await.expect_err("another game");
            assert!(refused.message.contains("another game was created"), "{refused}");
        }
    }
}

#[tokio::test]
async fn d10_a_game_that_was_written_but_not_opened_is_opened_on_restart() {
    let world = World::new().await;
    let people = guests(&world, 2).await;
    let (game, _) = open(&world, automatic(&people)).await.expect("a draw");
    world.engine.fail_next([Fault::Before(Problem::unavailable("away"))]);
    assert_eq!(create(&world, &game, "kalah").await.map_err(|problem| problem.code), Err(Code::Unavailable));
    assert!(world.engine.notes().tables.is_empty());
    let replica = world.again(7).await;
    replica.sweep().await.expect("swept");
    assert_eq!(world.engine.table(&game).occupants.len(), 2);
    assert_eq!(create(&replica, &game, "kalah").await, Ok(game));
}

#[tokio::test]
async fn d9_a_game_must_fit_its_draw() {
    let world = World::new().await;
    let people = guests(&world, 3).await;
    let (three, _) = open(&world, automatic(&people)).await.expect("a draw");
    let (two, _) = open(&world, automatic(&people[..2])).await.expect("a draw");
    let mut more = asked(&two, "parlour");
    if let Some(game) = &mut more.game {
        game.seats = 3;
    }
    let mut somebodys = asked(&two, "kalah");
    if let Some(game) = &mut somebodys.game {
        game.account_id.clone_from(&people[2]);
    }
    for (request, word) in [
        (asked(&three, "kalah"), "seats"),
        (more, "seats"),
        (asked(&two, "chess"), "chess"),
        (somebodys, "accountId"),
    ] {
        let problem = ask(&world, request).await.expect_err(word);
        assert_eq!(
            (problem.code, problem.message.contains(word)),
            (Code::InvalidArgument, true),
            "{problem}"
        );
    }
    cancel(&world, &two).await.expect("a refusal reserves nothing");
}

async fn status(world: &World, game: &str) -> Answer<GameStatus> {
    let request = GetGameRequest { game_id: game.into() };
    let answer = world.lobby().get_game(request).await.map_err(Problem::from)?.into_inner();
    Ok(answer.game.expect("a status"))
}

#[tokio::test]
async fn a_game_is_followed_without_a_gateway() {
    let world = World::new().await;
    let people = guests(&world, 2).await;
    let (game, _) = open(&world, automatic(&people)).await.expect("a draw");
    assert_eq!(status(&world, &game).await.map_err(|problem| problem.code), Err(Code::NotFound));
    create(&world, &game, "kalah").await.expect("a game");
    let now = status(&world, &game).await.expect("a status");
    assert_eq!((now.phase.as_str(), now.occupants.len(), now.outcome.clone()), ("playing", 2, None));
    let request = WatchGameRequest { game_id: game.clone() };
    let mut watched = world.lobby().watch_game(request).await.expect("a watch").into_inner();
    let mut next =
        async || watched.message().await.expect("no error").map(|told| told.game.expect("a status"));
    assert_eq!(next().await, Some(now));
    // The bus brings nothing here: it is asked for all the same.
    world.engine.end(&game, "resigned", world.clock.now());
    let over = next().await.expect("the end");
    assert_eq!(
        (over.phase.as_str(), over.outcome.expect("an outcome").reason.as_str()),
        ("over", "resigned")
    );
    assert_eq!(next().await, None, "nothing comes after the end");

    let ada = &people[0];
    let waiting = world.friends(ada, &[], crate::world::KALAH).await.expect("a game");
    assert_eq!(status(&world, &waiting).await.expect("a status").phase, "waiting");
    world.cancel(ada, &waiting).await.expect("cancelled");
    assert_eq!(status(&world, &waiting).await.expect("a status").phase, "cancelled");
}

/// A process that stops is neither the end of a game nor of a draw.
#[tokio::test]
async fn g7_whoever_watches_is_told_that_the_process_stops() {
    let world = World::new().await;
    let people = guests(&world, 2).await;
    let (game, _) = open(&world, automatic(&people)).await.expect("a draw");
    create(&world, &game, "kalah").await.expect("a game");
    let (other, _) = open(&world, among(&people)).await.expect("a draw");
    let request = WatchGameRequest { game_id: game };
    let mut games = world.lobby().watch_game(request).await.expect("a watch").into_inner();
    let request = WatchDrawRequest { game_id: other };
    let mut draws = world.seeding().watch_draw(request).await.expect("a watch").into_inner();
    games.message().await.expect("news").expect("how it stands");
    draws.message().await.expect("news").expect("how it stands");
    let stop = CancellationToken::new();
    stop.cancel();
    world.role.run(stop).await;
    let told = [games.message().await.map(drop), draws.message().await.map(drop)];
    for told in told.map(|told| told.map_err(Problem::from)) {
        let refused = told.expect_err("no end");
        assert_eq!((refused.code, refused.message.contains("watch again")), (Code::Unavailable, true));
    }
}

/// A message that quotes all of it would not fit in an answer.
#[tokio::test]
async fn g6_what_somebody_has_sent_is_quoted_in_part() {
    let world = World::new().await;
    let two = among(&guests(&world, 2).await);
    let long = "v".repeat(100_000);
    for request in [
        OpenDrawRequest { game: "kalah".into(), variant: long.clone(), ..two.clone() },
        OpenDrawRequest { game: long.clone(), ..two.clone() },
        OpenDrawRequest { tile_set: long, ..two },
    ] {
        let refused = open(&world, request).await.expect_err("no such thing");
        assert_eq!(refused.code, Code::InvalidArgument, "{refused}");
        assert!(refused.message.len() < 500 && refused.message.contains("vvv"), "{refused}");
    }
}
