//! Draws that stand, of which account and on which way, as every back end must find them. Part of
//! [`super::conformance`].

use astragal_rules::tile_set::TileSet;
use astragal_runtime::clock::Clock;
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::{AccountId, TableId};
use chrono::Duration;

use super::MatchmakingStore;
use super::alone::Alone;
use super::conformance::Bench;
use super::draws::DrawKey;
use crate::game::{Game, GameEnd, Origin, Player};
use crate::seating::draw_seats;
use crate::standing::Way;

/// Every check in turn.
pub(super) async fn suite<S: MatchmakingStore>(bench: &Bench<S>) {
    d11_a_draw_stands_while_its_game_waits_or_was_given_up(bench).await;
    d11_a_draw_stands_for_whoever_sat_in_the_game(bench).await;
    d11_games_against_robots_and_of_others_replace_no_draw(bench).await;
    d11_a_draw_is_found_behind_any_number_of_other_games(bench).await;
}

type Drawn = (Vec<(String, u8)>, Option<TableId>);

async fn drawn<S: MatchmakingStore>(bench: &Bench<S>, game: &Game) -> Drawn {
    let picks = bench.picks(game.id).await;
    let tiles = picks.iter().map(|pick| (hex::encode(pick.source.entropy().expect("entropy")), pick.seat));
    (tiles.collect(), picks[0].reused_from)
}

/// Opens a game with a draw of its own, if it is drawn.
async fn open<S: MatchmakingStore>(bench: &Bench<S>, account: AccountId, seed: u8) -> Game {
    open_with(bench, account, None, seed).await
}

/// As [`open`], with somebody in the other seat.
async fn open_with<S: MatchmakingStore>(
    bench: &Bench<S>,
    account: AccountId,
    other: Option<Player>,
    seed: u8,
) -> Game {
    let robots = other.is_some_and(Player::is_robot);
    let origin = if robots { Origin::Robots } else { Origin::Friends };
    let mut new = bench.game("standing", origin, account, &[other]);
    let tiles = TileSet::named("english").expect("the set");
    let entropy = ScriptedEntropy::expanded([seed; 32]);
    let circle = [Some(Player::person(account)), other];
    (new.seats, new.picks) = draw_seats(&circle, tiles, &entropy).expect("a draw");
    bench.store.create(&bench.request(account, [seed; 32]), &new, 99).await.expect("a game")
}

async fn end<S: MatchmakingStore>(bench: &Bench<S>, game: &Game, reason: &str) {
    let end = GameEnd { reason: reason.into(), at: bench.clock.now() };
    bench.store.note_end(game.id, &end).await.expect("noted");
}

async fn d11_a_draw_stands_while_its_game_waits_or_was_given_up<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let first = open(bench, ada, 1).await;
    let (tiles, fresh) = drawn(bench, &first).await;
    assert_eq!(fresh, None);
    let (others, fresh) = drawn(bench, &open(bench, bob, 2).await).await;
    assert!(others != tiles && fresh.is_none(), "another account has its own");

    assert_eq!(drawn(bench, &open(bench, ada, 3).await).await, (tiles.clone(), Some(first.id)), "it waits");
    for game in bench.waiting_of(ada).await {
        bench.cancel(game, ada).await.expect("cancelled");
    }
    bench.clock.advance(Duration::minutes(10));
    let third = open(bench, ada, 4).await;
    assert_eq!(drawn(bench, &third).await, (tiles.clone(), Some(first.id)), "ten minutes");
    bench.cancel(third.id, ada).await.expect("cancelled");
    bench.clock.advance(Duration::minutes(10) + Duration::seconds(1));
    let fourth = open(bench, ada, 5).await;
    let (tiles, fresh) = drawn(bench, &fourth).await;
    assert_eq!(fresh, None, "more than ten minutes");

    // Played: the next one is drawn anew, unless it turns out that nobody moved.
    bench.join(fourth.id, bob).await.expect("joined");
    let key = DrawKey { account: ada, way: Way::Opened, game: "standing", seats: 2, tile_set: "english" };
    let unended = async |keys: &[DrawKey<'_>]| bench.store.newest_unended(keys).await.expect("games");
    assert_eq!(unended(&[key]).await, [fourth.id]);
    let other = DrawKey { tile_set: "turkish", ..key };
    assert_eq!(unended(&[other, key]).await, [fourth.id]);
    for other in [other, DrawKey { game: "stand", ..key }, DrawKey { seats: 3, ..key }] {
        assert_eq!(unended(&[other]).await, []);
    }
    end(bench, &fourth, "aborted").await;
    end(bench, &fourth, "finished").await;
    assert_eq!(unended(&[key]).await, [], "an end is noted once");
    let fifth = open(bench, ada, 6).await;
    assert_eq!(drawn(bench, &fifth).await, (tiles, Some(fourth.id)), "aborted");
    bench.join(fifth.id, bob).await.expect("joined");
    end(bench, &fifth, "finished").await;
    let sixth = open(bench, ada, 7).await;
    assert_eq!(drawn(bench, &sixth).await.1, None, "played");
    bench.join(sixth.id, bob).await.expect("joined");
    end(bench, &sixth, "resigned").await;
    assert_eq!(drawn(bench, &open(bench, ada, 8).await).await.1, None, "resigned");
}

async fn d11_a_draw_stands_for_whoever_sat_in_the_game<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let game = open(bench, ada, 11).await;
    let joined = bench.join(game.id, bob).await.expect("joined");
    end(bench, &game, "aborted").await;
    let own = open(bench, bob, 12).await;
    assert_eq!(own.seat_of(bob), joined.seat_of(bob), "in the seat that was theirs");
    assert_eq!(drawn(bench, &own).await.1, Some(game.id));
}

async fn d11_games_against_robots_and_of_others_replace_no_draw<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, eve) = (bench.person().await, bench.person().await);
    let robot = Some(Player::robot(1));
    // Whoever tries their luck against robots has another draw against people.
    let luck = open_with(bench, ada, robot, 39).await;
    end(bench, &luck, "aborted").await;
    assert_eq!(drawn(bench, &open_with(bench, ada, robot, 40).await).await.1, Some(luck.id));
    let first = open(bench, ada, 41).await;
    let (tiles, fresh) = drawn(bench, &first).await;
    assert_eq!(fresh, None, "that of a game against robots stands for these alone");
    bench.cancel(first.id, ada).await.expect("cancelled");
    for (number, reason) in (42..).zip(["resigned", "finished", "aborted", ""]) {
        let game = open_with(bench, ada, robot, number).await;
        assert_eq!(drawn(bench, &game).await, (tiles.clone(), Some(first.id)), "against robots too");
        if !reason.is_empty() {
            end(bench, &game, reason).await;
        }
    }
    // Somebody else names her in their games until she likes the draw.
    for number in 50..53 {
        let game = open_with(bench, eve, Some(Player::person(ada)), number).await;
        end(bench, &game, if number == 51 { "finished" } else { "aborted" }).await;
    }
    let again = open(bench, ada, 60).await;
    assert_eq!(drawn(bench, &again).await, (tiles, Some(first.id)));
    bench.cancel(again.id, ada).await.expect("cancelled");
    bench.clock.advance(Duration::minutes(10) + Duration::seconds(1));
    assert_eq!(drawn(bench, &open(bench, ada, 61).await).await.1, None, "after ten minutes");
}

async fn d11_a_draw_is_found_behind_any_number_of_other_games<S: MatchmakingStore>(bench: &Bench<S>) {
    let ada = bench.person().await;
    let first = open(bench, ada, 70).await;
    bench.cancel(first.id, ada).await.expect("cancelled");
    for _ in 0..100 {
        let other = bench.game("another", Origin::Robots, ada, &[Some(Player::robot(1))]);
        bench.store.create(&bench.request(ada, [71; 32]), &other, 3).await.expect("a game");
    }
    assert_eq!(drawn(bench, &open(bench, ada, 72).await).await.1, Some(first.id));
}
