//! The ledger of firsts, and draws that it balances.

use astragal_proto::seeding::v1::{Draw, GetLedgerRequest, LedgerLine, OpenDrawRequest};
use astragal_runtime::clock::Clock;
use astragal_runtime::error::{Code, Problem};

use crate::by_hand::{among, guests, open, seen};
use crate::recompute;
use crate::tournaments::create;
use crate::world::{KALAH, World};

async fn ledger(world: &World, accounts: &[String], game: &str) -> Vec<LedgerLine> {
    let request =
        GetLedgerRequest { account_ids: accounts.to_vec(), game: game.into(), variant: String::new() };
    world.seeding().get_ledger(request).await.map_err(Problem::from).expect("a ledger").into_inner().lines
}

fn counts(lines: &[LedgerLine]) -> Vec<(u32, u32, u32)> {
    lines.iter().map(|line| (line.firsts, line.seconds, line.longest_run)).collect()
}

/// A balanced draw for kalah that is over at once.
async fn balanced(world: &World, accounts: &[String]) -> (String, Draw) {
    balanced_at(world, "kalah", accounts).await
}

async fn balanced_at(world: &World, game: &str, accounts: &[String]) -> (String, Draw) {
    let request = OpenDrawRequest {
        tile_set: String::new(),
        game: game.into(),
        automatic: true,
        balance: true,
        ..among(accounts)
    };
    open(world, request).await.expect("a draw")
}

#[tokio::test]
async fn d14_the_ledger_counts_games_that_began() {
    let world = World::new().await;
    let people = guests(&world, 2).await;
    let (ada, bob) = (&people[0], &people[1]);
    assert_eq!(counts(&ledger(&world, &people, "kalah").await), [(0, 0, 0), (0, 0, 0)]);

    let mut firsts = Vec::new();
    for _ in 0..6 {
        let game = world.friends(ada, &[bob], KALAH).await.expect("a game");
        firsts.push(seen(&world, &game).await.winner == Some(0));
    }
    // None of these began: one waits, one is cancelled, one is aborted.
    world.friends(ada, &[], KALAH).await.expect("a game");
    let cancelled = world.friends(bob, &[], KALAH).await.expect("a game");
    world.cancel(bob, &cancelled).await.expect("cancelled");
    let aborted = world.friends(ada, &[bob], KALAH).await.expect("a game");
    world.engine.end(&aborted, "aborted", world.clock.now());

    let first = firsts.iter().filter(|first| **first).count() as u32;
    let run = firsts.chunk_by(|one, next| one == next).map(<[_]>::len).max().unwrap_or(0) as u32;
    let lines = ledger(&world, &people, "kalah").await;
    assert_eq!(counts(&lines), [(first, 6 - first, run), (6 - first, first, run)]);
    assert_eq!((&lines[0].account_id, &lines[1].account_id), (ada, bob));
    assert_eq!(counts(&ledger(&world, &people, "parlour").await), [(0, 0, 0); 2], "each game has its own");
    let asked = |count, game: &str, variant: &str| GetLedgerRequest {
        account_ids: vec![ada.clone(); count],
        game: game.into(),
        variant: variant.into(),
    };
    for (request, word) in [
        (asked(101, "kalah", ""), "at most 100"),
        (asked(1, "chess", ""), "there is no game"),
        (asked(1, "", ""), "there is no game"),
        (asked(1, "kalah", "blitz"), "variant"),
    ] {
        let refused = world.seeding().get_ledger(request).await.map_err(Problem::from).expect_err(word);
        assert_eq!(
            (refused.code, refused.message.contains(word)),
            (Code::InvalidArgument, true),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn d12_whoever_moved_first_least_often_leads_and_equals_draw() {
    let world = World::new().await;
    let people = guests(&world, 3).await;
    let (_, drawn) = balanced_at(&world, "parlour", &people).await;
    assert!(drawn.balanced);
    assert_eq!(recompute::check(&drawn), Ok(()), "all are equal, so all draw");
    let leads = |draw: &Draw| draw.winner.expect("a leader") as usize;
    let first = leads(&drawn);

    // The same three, two by two, so that the counts differ.
    let pair = |one: usize, other: usize| vec![people[one].clone(), people[other].clone()];
    let (game, _) = balanced_at(&world, "parlour", &pair(first, (first + 1) % 3)).await;
    create(&world, &game, "kalah").await.expect_err("the draw was for another game");
    create(&world, &game, "parlour").await.expect("a game");
    let leader = leads(&seen(&world, &game).await);
    let (ahead, behind) = if leader == 0 { (first, (first + 1) % 3) } else { ((first + 1) % 3, first) };
    let (game, drawn) = balanced_at(&world, "parlour", &pair(ahead, behind)).await;
    assert_eq!((leads(&drawn), drawn.rounds.len()), (1, 0), "nothing is drawn: the ledger decides");
    let firsts: Vec<_> = drawn.participants.iter().map(|one| one.firsts).collect();
    assert_eq!(firsts, [Some(1), Some(0)], "recorded with the counts");
    assert_eq!(drawn.participants.iter().map(|one| one.seat).collect::<Vec<_>>(), [Some(1), Some(0)]);
    create(&world, &game, "parlour").await.expect("a game");
    assert_eq!(world.engine.table(&game).occupants[&0].account_id, people[behind]);

    // Of three, the one who is ahead doesn't draw.
    let (game, _) = balanced_at(&world, "parlour", &pair(ahead, behind)).await;
    create(&world, &game, "parlour").await.expect("a game");
    let (_, drawn) = balanced_at(&world, "parlour", &people).await;
    let counts: Vec<_> = drawn.participants.iter().map(|one| one.firsts.expect("a count")).collect();
    let fewest = counts.iter().min().expect("counts");
    assert_eq!(counts[leads(&drawn)], *fewest);
    for pick in drawn.rounds.iter().flat_map(|round| &round.picks) {
        assert_eq!(counts[pick.participant as usize], *fewest);
    }
}

/// Ten seconds in a row (liwords #1846): with balance nobody is second twice running against an equal.
#[tokio::test]
async fn d12_with_balance_nobody_is_second_ten_times_in_a_row() {
    let world = World::new().await;
    let people = guests(&world, 2).await;
    for _ in 0..20 {
        let (game, _) = balanced(&world, &people).await;
        create(&world, &game, "kalah").await.expect("a game");
    }
    for line in ledger(&world, &people, "kalah").await {
        assert_eq!((line.firsts, line.seconds), (10, 10));
        assert!(line.longest_run <= 2, "{line:?}");
    }
}
