//! Orders that are carried out together: each sees what those before it did, and one that is refused
//! changes nothing for the others. Part of [`super::conformance`].

use std::sync::Arc;

use super::MatchmakingStore;
use super::alone::{Alone, create, find};
use super::conformance::Bench;
use crate::error::{LobbyError, Result};
use crate::game::{Game, Origin, Player, Status};
use crate::order::{Batch, Confirmation, Order, Wanted};

/// Every check in turn.
pub(super) async fn suite<S: MatchmakingStore>(bench: &Bench<S>) {
    d10_two_take_the_last_seat_in_one_batch(bench).await;
    those_who_look_together_are_paired(bench).await;
    games_of_those_who_look_hide_none_of_others(bench).await;
    a_game_that_is_created_and_changed_at_once_is_written_as_it_became(bench).await;
    l14_a_request_that_is_there_twice_is_done_once(bench).await;
    what_is_refused_harms_nobody(bench).await;
    searches_are_counted_within_a_batch(bench).await;
    g6_invitations_are_counted_for_ten_minutes(bench).await;
    what_is_confirmed_is_noted_along_with_changes(bench).await;
    a_batch_that_the_database_refuses_leaves_nothing(bench).await;
}

async fn together<S: MatchmakingStore>(bench: &Bench<S>, orders: Vec<Order>) -> Vec<Result<Game>> {
    let batch = Batch { orders, ..Batch::default() };
    let outcomes = bench.store.change(Arc::new(batch)).await.expect("outcomes");
    outcomes.into_iter().map(|outcome| outcome.map(|done| done.game)).collect()
}

async fn stored<S: MatchmakingStore>(bench: &Bench<S>, game: &Game) -> Game {
    bench.store.game(game.id).await.expect("an answer").expect("a game")
}

async fn d10_two_take_the_last_seat_in_one_batch<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob, eve) = (bench.person().await, bench.person().await, bench.person().await);
    let game = bench.find("last seat", ada).await.expect("opened");
    let join = |account| Order::Asked(bench.request(account, [1; 32]), Wanted::Join(game.id));
    let outcomes = together(bench, vec![join(bob), join(eve), join(bob)]).await;
    let [Ok(won), Err(LobbyError::SeatTaken), Err(LobbyError::AlreadySeated)] = &outcomes[..] else {
        panic!("{outcomes:?}")
    };
    assert_eq!((won.status, won.change, won.seat_of(eve)), (Status::Full, 2, None));
    assert_eq!(stored(bench, won).await, *won);
}

async fn those_who_look_together_are_paired<S: MatchmakingStore>(bench: &Bench<S>) {
    let mut orders = Vec::new();
    for _ in 0..5 {
        let person = bench.person().await;
        let proposal = bench.game("together", Origin::Auto, person, &[None]);
        orders.push(Order::Asked(bench.request(person, [2; 32]), find(&proposal, 3)));
    }
    let outcomes = together(bench, orders).await;
    let games: Vec<_> = outcomes.into_iter().map(|outcome| outcome.expect("a game")).collect();
    assert_eq!((games[0].id, games[2].id), (games[1].id, games[3].id));
    assert_eq!(games[4].status, Status::Waiting);
    for game in [&games[1], &games[3], &games[4]] {
        assert_eq!(stored(bench, game).await, *game);
    }
    // Many wait, and as many look: each finds another's, the oldest first.
    let found = bench.find("together", bench.person().await).await.expect("joined");
    assert_eq!(found.id, games[4].id);
}

/// However many games of the kind they opened before.
async fn games_of_those_who_look_hide_none_of_others<S: MatchmakingStore>(bench: &Bench<S>) {
    let people = [bench.person().await, bench.person().await, bench.person().await, bench.person().await];
    let [ada, bob, eve, max] = people;
    let untimed = |name: &str, opener| {
        let mut game = bench.game(name, Origin::Auto, opener, &[None]);
        game.kind.clock = None;
        game
    };
    let waits = async |name: &str, opener| {
        let game = untimed(name, opener);
        bench.store.create(&bench.request(opener, [10; 32]), &game, 9).await.expect("a game").id
    };
    let found = async |name: &str, seekers: &[_]| {
        let look = |seeker| Order::Asked(bench.request(seeker, [11; 32]), find(&untimed(name, seeker), 9));
        let outcomes = together(bench, seekers.iter().copied().map(look).collect()).await;
        outcomes.into_iter().map(|outcome| outcome.expect("a game").id).collect::<Vec<_>>()
    };
    let games = [waits("own", ada).await, waits("own", ada).await, waits("own", bob).await];
    assert_eq!(found("own", &[ada, bob, eve]).await, [games[2], games[0], games[1]]);
    waits("behind", ada).await;
    waits("behind", ada).await;
    let behind = waits("behind", max).await;
    assert_eq!(found("behind", &[ada]).await, [behind]);
}

async fn a_game_that_is_created_and_changed_at_once_is_written_as_it_became<S: MatchmakingStore>(
    bench: &Bench<S>,
) {
    let (ada, bob, eve) = (bench.person().await, bench.person().await, bench.person().await);
    let new = bench.game("at once", Origin::Friends, ada, &[None, None]);
    let cancelled = bench.game("at once", Origin::Friends, eve, &[None]);
    let asked = |account, wanted| Order::Asked(bench.request(account, [3; 32]), wanted);
    let outcomes = together(
        bench,
        vec![
            asked(ada, create(&new, 3)),
            asked(eve, create(&cancelled, 3)),
            asked(bob, Wanted::Join(new.id)),
            asked(eve, Wanted::Cancel(cancelled.id)),
            Order::Attach { game: new.id, robot: Player::robot(2), at: new.at },
        ],
    )
    .await;
    let games: Vec<_> = outcomes.into_iter().map(|outcome| outcome.expect("a game")).collect();
    let became = stored(bench, &games[0]).await;
    assert_eq!((&became, became.status, became.change), (&games[4], Status::Full, 3));
    let sitting = |seat: u8| became.seats[usize::from(seat)].taken.map(|(player, _)| player);
    assert!(bench.picks(new.id).await.iter().all(|pick| pick.player == sitting(pick.seat)));
    let ended = stored(bench, &games[1]).await;
    assert_eq!((&ended, ended.status, ended.change), (&games[3], Status::Cancelled, 2));
}

async fn l14_a_request_that_is_there_twice_is_done_once<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let (one, other) =
        (bench.game("twice", Origin::Auto, ada, &[None]), bench.game("twice", Origin::Auto, ada, &[None]));
    let request = bench.request(ada, [4; 32]);
    let changed = crate::request::Request { hash: [5; 32], ..request };
    let outcomes = together(
        bench,
        vec![
            Order::Asked(request, create(&one, 3)),
            Order::Asked(bench.request(bob, [4; 32]), Wanted::Join(one.id)),
            Order::Asked(request, create(&other, 3)),
            Order::Asked(changed, create(&other, 3)),
        ],
    )
    .await;
    let [Ok(first), Ok(joined), Ok(again), Err(LobbyError::RequestReused)] = &outcomes[..] else {
        panic!("{outcomes:?}")
    };
    assert_eq!((first.id, again), (joined.id, joined), "the game as it is by then");
    assert_eq!(bench.store.game(other.id).await.expect("an answer"), None);
}

async fn what_is_refused_harms_nobody<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob, nobody) =
        (bench.person().await, bench.person().await, astragal_runtime::id::AccountId::new());
    let waiting = bench.find("harmless", ada).await.expect("opened");
    let unknown = bench.game("harmless", Origin::Auto, nobody, &[None]);
    let asked = |account, wanted| Order::Asked(bench.request(account, [6; 32]), wanted);
    let outcomes = together(
        bench,
        vec![
            asked(nobody, create(&unknown, 3)),
            asked(bob, Wanted::Join(unknown.id)),
            asked(bob, Wanted::Cancel(waiting.id)),
            asked(ada, Wanted::Join(waiting.id)),
            asked(bob, Wanted::Join(waiting.id)),
            asked(ada, Wanted::Cancel(waiting.id)),
        ],
    )
    .await;
    let [
        Err(LobbyError::UnknownAccount),
        Err(LobbyError::UnknownGame),
        Err(LobbyError::NotSeated),
        Err(LobbyError::AlreadySeated),
        Ok(joined),
        Err(LobbyError::Full),
    ] = &outcomes[..]
    else {
        panic!("{outcomes:?}")
    };
    assert_eq!(stored(bench, joined).await, *joined);
}

async fn searches_are_counted_within_a_batch<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let first = bench.game("counted", Origin::Friends, ada, &[None]);
    let second = bench.game("counted", Origin::Friends, ada, &[None]);
    let third = bench.game("counted", Origin::Friends, ada, &[None]);
    let asked = |account, wanted| Order::Asked(bench.request(account, [7; 32]), wanted);
    let outcomes = together(
        bench,
        vec![
            asked(ada, create(&first, 1)),
            asked(ada, create(&second, 1)),
            asked(bob, Wanted::Join(first.id)),
            asked(ada, create(&third, 1)),
        ],
    )
    .await;
    let [Ok(_), Err(LobbyError::AlreadySearching(1)), Ok(_), Ok(third)] = &outcomes[..] else {
        panic!("{outcomes:?}")
    };
    assert_eq!(stored(bench, third).await, *third);
}

async fn g6_invitations_are_counted_for_ten_minutes<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob, eve) = (bench.person().await, bench.person().await, bench.person().await);
    let invite = |opener, friend| {
        let friend = Some(Player::person(friend));
        create(&bench.game("invited", Origin::Friends, opener, &[friend]), 3)
    };
    let asked = |account, wanted| Order::Asked(bench.request(account, [12; 32]), wanted);
    let known = bench.request(ada, [12; 32]);
    let first = together(bench, vec![Order::Asked(known, invite(ada, bob))]).await;
    let orders = (0..3).map(|_| asked(ada, invite(ada, bob))).chain([asked(eve, invite(eve, bob))]).collect();
    let outcomes = together(bench, orders).await;
    let [Ok(_), Ok(_), Err(LobbyError::TooManyInvitations(3)), Ok(_)] = &outcomes[..] else {
        panic!("{outcomes:?}")
    };
    let again =
        together(bench, vec![Order::Asked(known, invite(ada, bob)), asked(ada, invite(ada, eve))]).await;
    let ([Ok(first)], [Ok(again), Err(LobbyError::TooManyInvitations(3))]) = (&first[..], &again[..]) else {
        panic!("{first:?} {again:?}")
    };
    assert_eq!(first, again, "what is known is no new one");
    // Whoever joins by a link is invited by nobody, and neither does a robot mind.
    let robots = bench.game("invited", Origin::Robots, ada, &[Some(Player::robot(1))]);
    let link = bench.game("invited", Origin::Friends, ada, &[None]);
    for new in [robots, link] {
        together(bench, vec![asked(ada, create(&new, 3))]).await.pop().expect("an outcome").expect("a game");
    }
    bench.clock.advance(chrono::Duration::minutes(10));
    let later = together(bench, vec![asked(ada, invite(ada, bob))]).await;
    assert!(later[0].is_ok(), "{later:?}");
}

async fn what_is_confirmed_is_noted_along_with_changes<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let game = bench.find("confirmed", ada).await.expect("opened");
    let other = bench.find("confirmed", ada).await.expect("opened");
    let confirmed = |game: &Game, change| Confirmation { game: game.id, change };
    let batch = Batch {
        orders: vec![Order::Asked(bench.request(bob, [8; 32]), Wanted::Join(game.id))],
        confirmed: vec![confirmed(&game, 1), confirmed(&other, 1), confirmed(&game, 1)],
    };
    let outcomes = bench.store.change(Arc::new(batch)).await.expect("outcomes");
    let joined = &outcomes[0].as_ref().expect("joined").game;
    assert_eq!((joined.change, joined.settled), (2, 1));
    assert_eq!(stored(bench, joined).await, *joined);
    assert_eq!(stored(bench, &other).await.settled, 1);
}

async fn a_batch_that_the_database_refuses_leaves_nothing<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    // Somebody who is gone is among the friends, which is found out only by the database.
    let gone = Player::person(astragal_runtime::id::AccountId::new());
    let broken = bench.game("refused", Origin::Friends, ada, &[Some(gone)]);
    let good = bench.game("refused", Origin::Friends, bob, &[None]);
    let orders = vec![
        Order::Asked(bench.request(bob, [9; 32]), create(&good, 3)),
        Order::Asked(bench.request(ada, [9; 32]), create(&broken, 3)),
    ];
    let refused = bench.store.change(Arc::new(Batch { orders, ..Batch::default() })).await;
    assert!(matches!(refused, Err(LobbyError::Store(_))), "{refused:?}");
    assert_eq!(bench.store.game(good.id).await.expect("an answer"), None);
    bench.store.create(&bench.request(bob, [9; 32]), &good, 3).await.expect("nothing hinders the next one");
}
