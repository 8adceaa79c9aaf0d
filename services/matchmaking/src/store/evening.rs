//! An evening in the lobby: whatever is done by batches, by those who ask and by those who sweep, and nothing that lists.
//! What a database reads for it must not grow with the games of others, which each back end counts in its own way.

use std::time::Duration;

use astragal_runtime::clock::Clock;
use astragal_runtime::id::{AccountId, SeriesId, TableId};
use chrono::{DateTime, TimeDelta};

use super::alone::{Alone, create, find};
use super::conformance::Bench;
use super::draws::DrawKey;
use super::names::naming;
use super::{MatchmakingStore, OpenGames, sheets};
use crate::attempts::Attempt;
use crate::game::{GameEnd, Origin, Player};
use crate::name::FORMER;
use crate::next_games::NextGame;
use crate::order::{Batch, Confirmation, Order, Wanted};
use crate::settings::Pace;
use crate::standing::Way;

/// Everything in turn.
pub(super) async fn evening<S: MatchmakingStore>(bench: &Bench<S>) {
    let store = &bench.store;
    let people = [bench.person().await, bench.person().await, bench.person().await, bench.person().await];
    let [ada, bob, eve, max] = people;
    let asked = |account, wanted| Order::Asked(bench.request(account, [1; 32]), wanted);
    let seek = |account| asked(account, find(&bench.game("growth", Origin::Auto, account, &[None]), 3));
    let open = |account, others: &[_]| bench.game("among friends", Origin::Friends, account, others);
    for seekers in [&[ada][..], &[bob, eve], &[max]] {
        let orders = seekers.iter().map(|seeker| seek(*seeker)).collect();
        store.change(Batch { orders, ..Batch::default() }.into()).await.expect("games");
    }
    let (joined, cancelled, taken) = (open(ada, &[None]), open(bob, &[None]), open(eve, &[None]));
    let orders = vec![
        asked(ada, create(&joined, 3)),
        asked(bob, create(&cancelled, 3)),
        asked(eve, create(&taken, 3)),
        asked(max, create(&open(max, &[Some(Player::person(bob))]), 9)),
        asked(max, Wanted::Join(joined.id)),
        asked(bob, Wanted::Cancel(cancelled.id)),
        Order::Attach { game: taken.id, robot: Player::robot(2), at: taken.at },
    ];
    let confirmed = vec![Confirmation { game: joined.id, change: 1 }];
    store.change(Batch { orders, confirmed }.into()).await.expect("outcomes");
    let waiting = bench.game("waits", Origin::Auto, ada, &[None]);
    store.create(&bench.request(ada, [2; 32]), &waiting, 3).await.expect("a game");
    look_back(bench, &people, joined.id).await;
    be_known(bench, max).await;
    sheets::d9_a_draw_is_read_back_as_it_was_written(bench).await;
    sweep(store).await;
}

async fn look_back<S: MatchmakingStore>(bench: &Bench<S>, people: &[AccountId; 4], game: TableId) {
    let (store, now) = (&bench.store, bench.clock.now());
    let (way, game_name) = (Way::Opened, "growth");
    let keys = people.map(|account| DrawKey { account, way, game: game_name, seats: 2, tile_set: "english" });
    store.newest_unended(&keys).await.expect("games");
    store.unended(people, "growth", 10).await.expect("games");
    store.seatings(people, "growth", "").await.expect("seatings");
    store.have_begun(people, now - TimeDelta::hours(1)).await.expect("an answer");
    store.note_away(people, true).await.expect("games");
    store.draw(game).await.expect("an answer").expect("a draw");
    let (id, series_id) = (TableId::new(), SeriesId::new());
    let next = NextGame { id, follows: game, first_seat: 1, series_id, series: "[]".into() };
    assert_eq!(store.create_next(&[next], now).await.expect("a game").len(), 1);
    let end = GameEnd { reason: "finished".into(), at: now };
    store.note_end(game, &end).await.expect("noted");
    let mine = OpenGames { game: None, account: Some(people[0]), limit: 10 };
    assert_eq!(store.open_games(&mine).await.expect("games").len(), 1);
}

/// Takes a name, signs in by it, and goes for good.
async fn be_known<S: MatchmakingStore>(bench: &Bench<S>, account: AccountId) {
    let (store, named) = (&bench.store, naming(account, &format!("Max {}", account.0.simple())[..24]));
    assert!(!store.is_name_taken(&named.name.keys).await.expect("an answer"));
    store.name_account(&named).await.expect("named");
    let attempt =
        Attempt::under(&named.name.shown, Pace { burst: 1, every: Duration::ZERO }, bench.clock.now());
    store.attempt(&attempt).await.expect("an answer");
    store.credentials(&named.name.keys.folded).await.expect("an answer").expect("theirs");
    store
        .change_password(account, &named.password_hash, "another")
        .await
        .expect("an answer")
        .expect("changed");
    store.end_sessions(account).await.expect("an answer").expect("ended");
    store.delete_account(account, FORMER, bench.clock.now()).await.expect("an answer").expect("deleted");
    assert_eq!(store.accounts(&[account, AccountId::new()]).await.expect("accounts").len(), 1);
}

/// Looks for what is older than everything.
async fn sweep<S: MatchmakingStore>(store: &S) {
    let before = DateTime::UNIX_EPOCH;
    assert_eq!(store.unsettled(before, None, 10).await.expect("games"), []);
    assert_eq!(store.forget_requests(before).await.expect("a count"), 0);
    assert_eq!(store.forget_draw_requests(before).await.expect("a count"), 0);
}
