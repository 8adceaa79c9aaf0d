//! Orders at the desk, over a store that waits to be let go.

use std::sync::Mutex;

use astragal_runtime::channel::{Credentials, RoleChannel};
use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::database::Location;
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::error::Code;
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use async_trait::async_trait;
use tokio::sync::Semaphore;

use super::*;
use crate::account::Account;
use crate::game::{Game, NewGame, Origin, Player};
use crate::kind::Kind;
use crate::order::Wanted;
use crate::request::Request;
use crate::seating::draw_seats;
use crate::store::MatchmakingStore;
use crate::store::sqlite::SqliteStore;

/// A store each of whose transactions waits for a permit.
struct Gated {
    store: SqliteStore,
    permits: Semaphore,
    sizes: Mutex<Vec<usize>>,
}

#[async_trait]
impl Orders for Gated {
    async fn change(&self, batch: Arc<Batch>) -> crate::error::Result<Vec<crate::error::Result<Done>>> {
        self.permits.acquire().await.expect("a permit").forget();
        self.sizes.lock().expect("sizes").push(batch.orders.len() + batch.confirmed.len());
        self.store.change(batch).await
    }
}

async fn gated() -> (Arc<Gated>, Desk) {
    let store = SqliteStore::open(&Location::Memory).await.expect("a store");
    let gated = Arc::new(Gated { store, permits: Semaphore::new(0), sizes: Mutex::default() });
    // Nobody has played yet, so no engine is asked.
    let nobody = RoleChannel::remote(&["http://127.0.0.1:1".to_owned()], Credentials::default());
    let (draws, clock) = (Arc::new(gated.store.clone()), Arc::new(ManualClock::default()));
    let desk = Desk::open(gated.clone(), Ends { draws, engine: nobody.expect("a channel"), clock });
    (gated, desk)
}

async fn person(gated: &Gated) -> AccountId {
    let (id, created_at) = (AccountId::new(), ManualClock::default().now());
    gated.store.add_accounts(&[Account::person(id, "Ada".into(), created_at)]).await.expect("added");
    id
}

/// An order for a game against a friend, or for whoever comes.
fn order(opener: AccountId, friend: Option<AccountId>) -> Order {
    let kind = Kind::kalah();
    let circle = [Some(Player::person(opener)), friend.map(Player::person)];
    let tiles = astragal_rules::tile_set::TileSet::named("english").expect("the set");
    let (seats, picks) = draw_seats(&circle, tiles, &ScriptedEntropy::expanded([7; 32])).expect("a draw");
    let (id, series, at) = (TableId::new(), SeriesId::new(), ManualClock::default().now());
    let game = NewGame { id, kind, origin: Origin::Friends, opener, series, seats, picks, at };
    let request = Request { account: opener, id: RequestId::new(), hash: [1; 32], at };
    Order::Asked(request, Wanted::Create { game: Box::new(game), at_most: 9 })
}

fn ask(desk: &Desk, order: Order) -> tokio::task::JoinHandle<Result<Game>> {
    let desk = desk.clone();
    tokio::spawn(async move { desk.order(order).await.map(|done| done.game) })
}

#[tokio::test]
async fn orders_gather_while_others_are_written_and_nobody_waits_for_company() {
    let (gated, desk) = gated().await;
    let ada = person(&gated).await;
    let first = ask(&desk, order(ada, None));
    while gated.permits.available_permits() == 0 && gated.sizes.lock().expect("sizes").is_empty() {
        gated.permits.add_permits(1);
        tokio::task::yield_now().await;
    }
    let game = first.await.expect("a task").expect("alone, at once");
    let held = ask(&desk, order(ada, None));
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
    let others: Vec<_> = (0..3).map(|_| ask(&desk, order(ada, None))).collect();
    let noted = desk.note(Confirmation { game: game.id, change: 1 }).expect("there is room");
    for _ in 0..4 {
        tokio::task::yield_now().await;
    }
    gated.permits.add_permits(8);
    held.await.expect("a task").expect("a game");
    for other in others {
        other.await.expect("a task").expect("a game");
    }
    noted.await.expect("an answer").expect("noted");
    let sizes = gated.sizes.lock().expect("sizes").clone();
    assert_eq!(sizes.iter().sum::<usize>(), 6);
    assert!(sizes.len() < 6, "some were written together: {sizes:?}");
    assert_eq!(gated.store.game(game.id).await.expect("an answer").expect("a game").settled, 1);
}

#[tokio::test]
async fn an_order_that_the_database_refuses_takes_only_itself_along() {
    let (gated, desk) = gated().await;
    let ada = person(&gated).await;
    let good = [ask(&desk, order(ada, None)), ask(&desk, order(ada, None))];
    // Nobody of that name is there, which only the database finds out.
    let broken = ask(&desk, order(ada, Some(AccountId::new())));
    gated.permits.add_permits(100);
    for good in good {
        good.await.expect("a task").expect("a game");
    }
    let refused = broken.await.expect("a task").map_err(|problem| problem.code);
    assert!(matches!(refused, Err(Code::Internal | Code::Unavailable)), "{refused:?}");
    ask(&desk, order(ada, None)).await.expect("a task").expect("the desk goes on");
}
