//! Draws tile by tile, as a tournament system calls for them: on several replicas, with what they refuse, and watched.

use std::collections::BTreeMap;

use astragal_matchmaking::settings::Settings;
use astragal_proto::seeding::v1::watch_draw_response::News;
use astragal_proto::seeding::v1::{
    CancelDrawRequest, Draw, DrawTileRequest, DrawTileResponse, FallenPick, OpenDrawRequest,
    RecordTileRequest, WatchDrawRequest, WatchDrawResponse,
};
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::{AccountId, RequestId, TableId, robot_account};
use tonic::Streaming;

use crate::recompute;
use crate::world::{Answer, World};

pub(crate) fn fresh() -> String {
    RequestId::new().to_string()
}

pub(crate) async fn guests(world: &World, count: usize) -> Vec<String> {
    let mut guests = Vec::new();
    for number in 0..count {
        guests.push(world.guest(&format!("Guest {number}")).await);
    }
    guests
}

/// A draw from the English set among these.
pub(crate) fn among(accounts: &[String]) -> OpenDrawRequest {
    OpenDrawRequest {
        request_id: fresh(),
        account_ids: accounts.to_vec(),
        tile_set: "english".into(),
        ..OpenDrawRequest::default()
    }
}

pub(crate) async fn open(world: &World, request: OpenDrawRequest) -> Answer<(String, Draw)> {
    let opened = world.seeding().open_draw(request).await.map_err(Problem::from)?.into_inner();
    Ok((opened.game_id, opened.draw.expect("a draw")))
}

pub(crate) async fn draw(world: &World, game: &str, participant: u32) -> Answer<DrawTileResponse> {
    draw_again(world, game, participant, &fresh()).await
}

async fn draw_again(world: &World, game: &str, participant: u32, id: &str) -> Answer<DrawTileResponse> {
    let request = DrawTileRequest { request_id: id.into(), game_id: game.into(), participant };
    Ok(world.seeding().draw_tile(request).await.map_err(Problem::from)?.into_inner())
}

pub(crate) async fn record(world: &World, game: &str, participant: u32, letter: &str) -> Answer<u32> {
    let recorded_by = robot_account(1).to_string();
    let (game_id, letter) = (game.into(), letter.into());
    let request = RecordTileRequest { request_id: fresh(), game_id, participant, letter, recorded_by };
    Ok(world.seeding().record_tile(request).await.map_err(Problem::from)?.into_inner().round)
}

pub(crate) async fn cancel(world: &World, game: &str) -> Answer<()> {
    let request = CancelDrawRequest { request_id: fresh(), game_id: game.into() };
    world.seeding().cancel_draw(request).await.map(drop).map_err(Problem::from)
}

pub(crate) async fn seen(world: &World, game: &str) -> Draw {
    world.draw(game).await.expect("an answer").draw.expect("a draw")
}

/// Who may draw next, by what lies ready.
fn waiting(draw: &Draw) -> Vec<u32> {
    draw.allotted.iter().map(|allotment| allotment.participant).collect()
}

#[tokio::test]
async fn d9_four_draw_by_hand_through_two_ties_while_replicas_come_and_go() {
    let first = World::new().await;
    let (game, opened) = open(&first, among(&guests(&first, 4).await)).await.expect("a draw");
    assert_eq!((opened.state.as_str(), opened.winner, waiting(&opened)), ("drawing", None, vec![0, 1, 2, 3]));
    let mut replica = first;
    let noted = [(2, "D", 1), (0, "E", 1), (3, "D", 1), (1, "D", 1), (3, "A", 2), (1, "A", 2), (2, "B", 2)];
    for (step, (participant, letter, round)) in noted.into_iter().enumerate() {
        // Each pick is taken by a process that has never heard of the draw; the one before is gone.
        replica = replica.again(step as u8 + 20).await;
        assert_eq!(record(&replica, &game, participant, letter).await, Ok(round));
    }
    let draw_now = seen(&replica, &game).await;
    assert_eq!(waiting(&draw_now), [1, 3], "two share the A of the second round");
    assert_eq!(draw_now.rounds.iter().map(|round| round.picks.len()).collect::<Vec<_>>(), [4, 3]);
    let shown: BTreeMap<_, _> = draw_now
        .allotted
        .iter()
        .map(|allotment| (allotment.participant, allotment.entropy_sha256.clone()))
        .collect();
    for participant in [3, 1] {
        replica = replica.again(participant as u8 + 40).await;
        let drawn = draw(&replica, &game, participant).await.expect("a pick");
        let pick = drawn.pick.expect("a pick");
        assert_eq!((drawn.round, &pick.entropy_sha256), (3, &shown[&participant]), "as it was shown before");
    }
    let over = seen(&replica.again(60).await, &game).await;
    assert_eq!(over.state, "over");
    assert_eq!(recompute::check(&over), Ok(()));
    let by_hand: Vec<_> =
        over.rounds.iter().flat_map(|round| &round.picks).map(|pick| pick.recorded).collect();
    assert_eq!(by_hand, [true, true, true, true, true, true, true, false, false]);
    let winner = over.winner.expect("a leader");
    for (participant, who) in (0..).zip(&over.participants) {
        assert_eq!(who.seat, Some((participant + 4 - winner) % 4), "the circle is turned");
    }
}

#[tokio::test]
async fn d13_each_digest_is_shown_before_the_pick_and_the_entropy_when_the_draw_is_over() {
    let mut refused = 0;
    for seed in 0..12 {
        let world = World::with([seed; 32], Settings::default()).await;
        let people = guests(&world, 2 + usize::from(seed % 3)).await;
        let request = OpenDrawRequest {
            tile_set: ["russian", "turkish"][usize::from(seed % 2)].into(),
            ..among(&people)
        };
        let (game, mut now) = open(&world, request).await.expect("a draw");
        while now.state == "drawing" {
            let shown = now.allotted[usize::from(seed) % now.allotted.len()].clone();
            assert!(now.rounds.iter().flat_map(|round| &round.picks).all(|pick| pick.entropy.is_empty()));
            let pick = draw(&world, &game, shown.participant).await.expect("a pick").pick.expect("a pick");
            assert_eq!(pick.entropy_sha256, shown.entropy_sha256);
            now = seen(&world, &game).await;
        }
        assert_eq!(recompute::check(&now), Ok(()));
        // A changed entropy is refused, and so is one that has the digest that fits it.
        let mut changed = now.clone();
        let pick = &mut changed.rounds[0].picks[0];
        let mut entropy = hex::decode(&pick.entropy).expect("hex");
        entropy[0] ^= 1;
        pick.entropy = hex::encode(&entropy);
        assert!(recompute::check(&changed).expect_err("a lie").contains("shown before"));
        let pick = &mut changed.rounds[0].picks[0];
        pick.entropy_sha256 = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(&entropy));
        // Seldom another entropy gives the same tile, and then it can't be told from the true one.
        refused += u32::from(recompute::check(&changed).is_err());
    }
    assert!(refused >= 8, "only {refused} of 12 were refused");
}

#[tokio::test]
async fn d4_an_automatic_draw_is_over_at_once() {
    let world = World::new().await;
    let people = guests(&world, 3).await;
    let request = OpenDrawRequest { automatic: true, ..among(&people) };
    let (game, opened) = open(&world, request.clone()).await.expect("a draw");
    assert_eq!((opened.state.as_str(), opened.allotted.len()), ("over", 0));
    assert_eq!(recompute::check(&opened), Ok(()));
    let accounts: Vec<_> = opened.participants.iter().map(|who| who.account_id.clone()).collect();
    assert_eq!(accounts, people);
    assert_eq!(open(&world.again(3).await, request).await, Ok((game, opened)), "asked again, the same");
}

#[tokio::test]
async fn l14_each_request_is_done_once_and_answered_the_same() {
    let world = World::new().await;
    let people = guests(&world, 2).await;
    let opening = among(&people);
    let (game, opened) = open(&world, opening.clone()).await.expect("a draw");
    let replica = world.again(5).await;
    assert_eq!(open(&replica, opening.clone()).await, Ok((game.clone(), opened)));
    let other = OpenDrawRequest { tile_set: "turkish".into(), ..opening.clone() };
    assert_eq!(open(&replica, other).await.map_err(|problem| problem.code), Err(Code::InvalidArgument));

    let id = fresh();
    let drawn = draw_again(&world, &game, 1, &id).await.expect("a pick");
    draw(&world, &game, 0).await.expect("a pick");
    assert_eq!(draw_again(&replica, &game, 1, &id).await, Ok(drawn), "also when others have drawn since");
    for (participant, id) in [(0, &id), (1, &opening.request_id)] {
        let refused = draw_again(&replica, &game, participant, id).await.map_err(|problem| problem.code);
        assert_eq!(refused, Err(Code::InvalidArgument), "the id of another request");
    }
    let (doomed, _) = open(&world, among(&people)).await.expect("a draw");
    let request = CancelDrawRequest { request_id: fresh(), game_id: doomed.clone() };
    for world in [&world, &replica, &world] {
        world.seeding().cancel_draw(request.clone()).await.expect("cancelled");
    }
    cancel(&replica, &doomed).await.expect("it is cancelled already");
    assert_eq!(seen(&world, &doomed).await.state, "cancelled");
}

/// The twin of a request found nothing to answer, and then its own pick, which refused it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn l14_the_same_pick_at_two_replicas_at_once_is_one_and_answered_the_same() {
    let world = World::new().await;
    let (other, people) = (world.again(77).await, guests(&world, 2).await);
    for _ in 0..100 {
        let (game, _) = open(&world, among(&people)).await.expect("a draw");
        let id = fresh();
        let twin = |world: &World| {
            let (world, game, id) = (world.clone(), game.clone(), id.clone());
            tokio::spawn(async move { draw_again(&world, &game, 0, &id).await })
        };
        let twins = [twin(&world), twin(&other), twin(&world), twin(&other)];
        let mut answers = Vec::new();
        for answer in twins {
            answers.push(answer.await.expect("an answer").expect("a pick"));
        }
        answers.dedup();
        assert_eq!(answers.len(), 1);
        assert_eq!(seen(&world, &game).await.rounds[0].picks.len(), 1);
    }
}

#[tokio::test]
async fn d9_two_replicas_at_once_add_one_pick() {
    for world in [World::new().await, World::on_postgres(Settings::default()).await] {
        let people = guests(&world, 4).await;
        let other = world.again(77).await;
        for _ in 0..8 {
            let (game, opened) = open(&world, among(&people)).await.expect("a draw");
            // Everyone draws at once, each of them twice and at both replicas, one request of them three times.
            let id = fresh();
            let mut picks = tokio::task::JoinSet::new();
            for attempt in 0..19_u32 {
                let world = if attempt % 2 == 0 { world.clone() } else { other.clone() };
                let (game, id) = (game.clone(), if attempt > 15 { id.clone() } else { fresh() });
                let participant = if attempt > 15 { 0 } else { attempt / 4 };
                picks.spawn(async move { (participant, draw_again(&world, &game, participant, &id).await) });
            }
            let mut drawn: BTreeMap<u32, Vec<DrawTileResponse>> = BTreeMap::new();
            for (participant, answer) in picks.join_all().await {
                match answer {
                    Ok(pick) => drawn.entry(participant).or_default().push(pick),
                    Err(problem) => assert_eq!(problem.code, Code::FailedPrecondition, "{problem}"),
                }
            }
            let now = seen(&world, &game).await;
            let first: Vec<_> = now.rounds[0].picks.iter().map(|pick| pick.participant).collect();
            assert_eq!(first.len(), 4, "one pick each: {first:?}");
            for pick in &now.rounds[0].picks {
                let shown = opened.allotted.iter().find(|one| one.participant == pick.participant);
                assert_eq!(shown.map(|one| &one.entropy_sha256), Some(&pick.entropy_sha256));
                let answered = &drawn[&pick.participant];
                let told = answered.iter().filter(|answer| answer.round == 1);
                assert!(told.clone().count() >= 1, "whoever drew was told");
                assert!(
                    told.filter_map(|answer| answer.pick.as_ref()).all(|told| told.letter == pick.letter)
                );
            }
        }
    }
}

#[tokio::test]
async fn d9_what_can_t_be_opened_says_why() {
    let world = World::new().await;
    let people = guests(&world, 5).await;
    let (two, nobody) = (among(&people[..2]), AccountId::new().to_string());
    let with = |account_ids: Vec<String>| OpenDrawRequest { account_ids, ..two.clone() };
    for (request, code, word) in [
        (with(people.clone()), Code::InvalidArgument, "two to four"),
        (with(people[..1].to_vec()), Code::InvalidArgument, "two to four"),
        (with(vec![]), Code::InvalidArgument, "two to four"),
        (with(vec![people[0].clone(), people[0].clone()]), Code::InvalidArgument, "twice"),
        (with(vec![people[0].clone(), nobody]), Code::NotFound, "no account"),
        (with(vec![people[0].clone(), "ada".into()]), Code::InvalidArgument, "accountIds"),
        (
            OpenDrawRequest { tile_set: "klingon".into(), ..two.clone() },
            Code::InvalidArgument,
            "there is english",
        ),
        (OpenDrawRequest { tile_set: String::new(), ..two.clone() }, Code::InvalidArgument, "name the game"),
        (OpenDrawRequest { balance: true, ..two.clone() }, Code::InvalidArgument, "ledger"),
        (OpenDrawRequest { game: "chess".into(), ..two.clone() }, Code::InvalidArgument, "there is"),
        (
            OpenDrawRequest { game: "kalah".into(), ..among(&people[..3]) },
            Code::InvalidArgument,
            "2 to 2 seats, not 3",
        ),
        (OpenDrawRequest { request_id: "7".into(), ..two.clone() }, Code::InvalidArgument, "requestId"),
    ] {
        let problem = open(&world, request).await.expect_err(word);
        assert_eq!(problem.code, code, "{problem}");
        assert!(problem.message.contains(word), "{problem} lacks {word}");
    }
    let unknown = TableId::new().to_string();
    for refused in [
        draw(&world, &unknown, 0).await.map(drop),
        record(&world, &unknown, 0, "A").await.map(drop),
        cancel(&world, &unknown).await,
    ] {
        assert_eq!(refused.map_err(|problem| problem.code), Err(Code::NotFound));
    }
    let (game, _) = open(&world, two).await.expect("a draw");
    let request = RecordTileRequest {
        request_id: fresh(),
        game_id: game.clone(),
        participant: 0,
        letter: "A".into(),
        recorded_by: AccountId::new().to_string(),
    };
    let refused = world.seeding().record_tile(request).await.map_err(Problem::from).expect_err("nobody");
    assert!(refused.message.contains("recordedBy"), "{refused}");
    for (participant, letter, code) in [(0, "Ж", Code::InvalidArgument), (9, "A", Code::InvalidArgument)] {
        let refused = record(&world, &game, participant, letter).await.map_err(|problem| problem.code);
        assert_eq!(refused, Err(code));
    }
    for participant in [9, 255, 256, u32::MAX] {
        let refused = draw(&world, &game, participant).await.expect_err("nobody");
        let named = format!("no participant {participant} ");
        assert_eq!(
            (refused.code, refused.message.contains(&named)),
            (Code::InvalidArgument, true),
            "{refused}"
        );
    }
    record(&world, &game, 0, "Q").await.expect("noted");
    let used_up = record(&world, &game, 1, "Q").await.expect_err("there is one Q");
    assert_eq!((used_up.code, used_up.message.contains("used up")), (Code::FailedPrecondition, true));
}

async fn watch(world: &World, game: &str) -> Streaming<WatchDrawResponse> {
    let request = WatchDrawRequest { game_id: game.into() };
    world.seeding().watch_draw(request).await.expect("a watch").into_inner()
}

async fn next(watched: &mut Streaming<WatchDrawResponse>) -> Option<News> {
    watched.message().await.expect("news").map(|response| response.news.expect("news"))
}

/// The picks that come until the draw is over, and the draw at its end.
async fn to_the_end(watched: &mut Streaming<WatchDrawResponse>) -> (Vec<FallenPick>, Draw) {
    let mut fallen = Vec::new();
    loop {
        match next(watched).await.expect("the draw goes on") {
            News::Fallen(pick) => fallen.push(pick),
            News::Draw(draw) => {
                assert!(next(watched).await.is_none(), "the watch ends with the draw");
                return (fallen, draw);
            }
        }
    }
}

#[tokio::test]
async fn d9_those_who_watch_see_each_pick_also_where_the_bus_brings_nothing() {
    let world = World::new().await;
    let (near, deaf) = (world.again(3).await, world.again_deaf(4).await);
    let (game, opened) = open(&world, among(&guests(&world, 3).await)).await.expect("a draw");
    let mut watches = [watch(&near, &game).await, watch(&deaf, &game).await];
    for watched in &mut watches {
        assert_eq!(next(watched).await, Some(News::Draw(opened.clone())));
    }
    let mut ready = opened.allotted.clone();
    let mut expected = Vec::new();
    while let Some(allotment) = ready.first().cloned() {
        draw(&world, &game, allotment.participant).await.expect("a pick");
        expected.push((allotment.participant, allotment.entropy_sha256));
        ready = seen(&world, &game).await.allotted;
    }
    let over = seen(&world, &game).await;
    for watched in &mut watches {
        let (fallen, end) = to_the_end(watched).await;
        assert_eq!(end, over);
        let picks: Vec<_> = fallen.iter().filter_map(|fallen| fallen.pick.clone()).collect();
        let seen: Vec<_> = picks.iter().map(|pick| (pick.participant, pick.entropy_sha256.clone())).collect();
        assert_eq!(seen, expected, "each pick, in its order, none left out");
        // What is shown next was shown before it fell.
        for (place, fallen) in fallen.iter().enumerate().take(expected.len() - 1) {
            let shown = fallen.allotted.iter().map(|one| (one.participant, one.entropy_sha256.clone()));
            assert!(shown.collect::<Vec<_>>().contains(&expected[place + 1]));
        }
        assert!(picks[..picks.len() - 1].iter().all(|pick| pick.entropy.is_empty()));
    }
    let mut late = watch(&deaf, &game).await;
    assert_eq!(next(&mut late).await, Some(News::Draw(over)));
    assert_eq!(next(&mut late).await, None);
}

#[tokio::test]
async fn d9_a_watch_ends_when_the_draw_is_given_up() {
    let world = World::new().await;
    let (game, _) = open(&world, among(&guests(&world, 2).await)).await.expect("a draw");
    let mut watched = watch(&world, &game).await;
    assert!(matches!(next(&mut watched).await, Some(News::Draw(_))));
    cancel(&world, &game).await.expect("cancelled");
    let (fallen, end) = to_the_end(&mut watched).await;
    assert_eq!((fallen.len(), end.state.as_str()), (0, "cancelled"));
    let unknown = WatchDrawRequest { game_id: TableId::new().to_string() };
    let refused = world.seeding().watch_draw(unknown).await.map(drop).map_err(Problem::from);
    assert_eq!(refused.map_err(|problem| problem.code), Err(Code::NotFound));
}
