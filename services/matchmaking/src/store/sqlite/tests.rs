//! The scripts: when they give up, and that they leave nothing behind when they do.

use astragal_runtime::clock::{Clock, ManualClock};
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::{RequestId, SeriesId};
use sqlx::query_scalar;

use super::*;
use crate::game::Origin;
use crate::kind::Kind;
use crate::request::{game_content, join_content};
use crate::seating::draw_seats;

const UNHINDERED: Conditions = Conditions { searches_max: 3, if_alone: false };

struct Bench {
    store: SqliteStore,
    clock: ManualClock,
}

impl Bench {
    async fn new() -> Self {
        let store = SqliteStore::open(&Location::Memory).await.expect("a store");
        Self { store, clock: ManualClock::default() }
    }

    async fn person(&self) -> AccountId {
        let (id, created_at) = (AccountId::new(), self.clock.now());
        let account = Account { id, name: "Ada".into(), robot_level: 0, created_at };
        self.store.add_accounts(&[account]).await.expect("an account");
        id
    }

    fn request(&self, account: AccountId) -> Request {
        Request { account, id: RequestId::new(), hash: [1; 32], at: self.clock.now() }
    }

    /// A listed game for `opener` and so many others.
    fn game(&self, opener: AccountId, others: usize) -> NewGame {
        let kind = Kind {
            game: "kalah".into(),
            version: 1,
            variant: "standard".into(),
            seats: others as u8 + 1,
            options: "{}".into(),
        };
        let mut circle = vec![Some(Player::person(opener))];
        circle.resize(others + 1, None);
        let tiles = astragal_rules::tile_set::TileSet::named("english").expect("the set");
        let entropy = ScriptedEntropy::expanded(kind.hash());
        let (seats, picks) = draw_seats(&circle, tiles, &entropy).expect("a draw");
        let (id, series, at) = (TableId::new(), SeriesId::new(), self.clock.now());
        NewGame { id, kind, origin: Origin::Auto, opener, series, seats, picks, at }
    }

    async fn try_create(&self, request: &Request, game: &NewGame, conditions: Conditions) -> bool {
        creation::try_create(&self.store.0, request, game, conditions).await.expect("an answer").is_some()
    }

    async fn try_claim(&self, account: AccountId, game: &Game) -> bool {
        let request = self.request(account);
        claims::try_claim(&self.store.0, &request, game).await.expect("an answer").is_some()
    }

    /// How many rows of each kind there are; asked in a new transaction, which another that is still
    /// open would not allow.
    async fn rows(&self) -> [u32; 4] {
        let mut transaction = self.store.0.begin().await.expect("no transaction is open");
        let count = "SELECT count(*) FROM ";
        let mut rows = [0; 4];
        for (rows, table) in rows.iter_mut().zip(["games", "game_players", "game_setup_draws", "requests"]) {
            let query = sqlx::AssertSqlSafe(format!("{count}{table}"));
            *rows = query_scalar(query).fetch_one(&mut *transaction).await.expect("a count");
        }
        rows
    }

    async fn stored(&self, game: TableId) -> Game {
        self.store.game(game).await.expect("a game").expect("a game")
    }
}

#[tokio::test]
async fn what_a_script_writes_is_what_it_answers() {
    let bench = Bench::new().await;
    let (ada, bob) = (bench.person().await, bench.person().await);
    let new = bench.game(ada, 2);
    let created = creation::try_create(&bench.store.0, &bench.request(ada), &new, UNHINDERED).await;
    let created = created.expect("an answer").expect("a game");
    assert_eq!(created, bench.stored(new.id).await);
    let claimed = claims::try_claim(&bench.store.0, &bench.request(bob), &created).await;
    assert_eq!(claimed.expect("an answer").expect("a seat"), bench.stored(new.id).await);
}

#[tokio::test]
async fn a_creation_that_fails_at_its_last_statement_leaves_nothing() {
    let bench = Bench::new().await;
    let ada = bench.person().await;
    let (request, first) = (bench.request(ada), bench.game(ada, 1));
    assert!(bench.try_create(&request, &first, UNHINDERED).await);
    let rows = bench.rows().await;
    let second = bench.game(ada, 1);
    assert!(!bench.try_create(&request, &second, UNHINDERED).await, "the request is known");
    assert_eq!(bench.rows().await, rows);
    assert_eq!(bench.store.create(&request, &second, 3).await.expect("known").id, first.id);
    assert!(bench.try_create(&bench.request(ada), &second, UNHINDERED).await, "the next is not hindered");
}

#[tokio::test]
async fn each_condition_of_a_creation_is_kept() {
    let bench = Bench::new().await;
    let (ada, bob, nobody) = (bench.person().await, bench.person().await, AccountId::new());
    let alone = Conditions { if_alone: true, ..UNHINDERED };
    assert!(bench.try_create(&bench.request(ada), &bench.game(ada, 1), alone).await);
    let rows = bench.rows().await;

    let one = Conditions { searches_max: 1, ..UNHINDERED };
    assert!(!bench.try_create(&bench.request(ada), &bench.game(ada, 1), one).await, "ada waits already");
    assert!(!bench.try_create(&bench.request(bob), &bench.game(bob, 1), alone).await, "ada waits for bob");
    assert!(!bench.try_create(&bench.request(nobody), &bench.game(nobody, 1), UNHINDERED).await);
    assert_eq!(bench.rows().await, rows);

    let refused = bench.store.create(&bench.request(ada), &bench.game(ada, 1), 1).await;
    assert!(matches!(refused, Err(LobbyError::AlreadySearching(1))), "{refused:?}");
    let refused = bench.store.create(&bench.request(nobody), &bench.game(nobody, 1), 3).await;
    assert!(matches!(refused, Err(LobbyError::UnknownAccount)), "{refused:?}");
    assert!(bench.try_create(&bench.request(ada), &bench.game(ada, 1), alone).await, "nobody else waits");
    assert!(bench.try_create(&bench.request(bob), &bench.game(bob, 2), alone).await, "another kind");
}

#[tokio::test]
async fn a_claim_of_a_game_that_has_changed_leaves_nothing() {
    let bench = Bench::new().await;
    let (ada, bob, eve) = (bench.person().await, bench.person().await, bench.person().await);
    let new = bench.game(ada, 2);
    let read = bench.store.create(&bench.request(ada), &new, 3).await.expect("a game");
    assert!(bench.try_claim(bob, &read).await);
    let (rows, stored) = (bench.rows().await, bench.stored(new.id).await);

    assert!(!bench.try_claim(eve, &read).await, "bob was quicker");
    assert!(!bench.try_claim(AccountId::new(), &stored).await, "there is no such account");
    assert!(!bench.try_claim(bob, &stored).await, "bob sits there");
    assert_eq!((bench.rows().await, bench.stored(new.id).await), (rows, stored));

    let request = Request { hash: join_content(new.id), ..bench.request(eve) };
    let joined = bench.store.join(&request, new.id).await.expect("there is another seat");
    assert_eq!((joined.status, joined.change), (Status::Full, 3));
}

#[tokio::test]
async fn a_claim_by_a_request_that_is_known_takes_back_the_seat() {
    let bench = Bench::new().await;
    let (ada, bob) = (bench.person().await, bench.person().await);
    let first = bench.store.create(&bench.request(ada), &bench.game(ada, 2), 3).await.expect("a game");
    let other = bench.store.create(&bench.request(ada), &bench.game(ada, 2), 3).await.expect("a game");
    let request = bench.request(bob);
    assert!(claims::try_claim(&bench.store.0, &request, &first).await.expect("an answer").is_some());
    let claimed = claims::try_claim(&bench.store.0, &request, &other).await.expect("an answer");
    assert_eq!(claimed, None);
    assert_eq!(bench.stored(other.id).await, other);
    let _ = bench.rows().await;
}

#[tokio::test]
async fn a_cancelled_game_is_not_claimed_by_who_has_read_it_before() {
    let bench = Bench::new().await;
    let (ada, bob) = (bench.person().await, bench.person().await);
    let read = bench.store.create(&bench.request(ada), &bench.game(ada, 1), 3).await.expect("a game");
    let cancelled = bench.store.cancel(&bench.request(ada), read.id).await.expect("cancelled");
    assert!(!bench.try_claim(bob, &read).await);
    assert_eq!(bench.stored(read.id).await, cancelled);
}

#[tokio::test]
async fn what_is_expected_is_settled_together() {
    let bench = Bench::new().await;
    let ada = bench.person().await;
    let mut notes = Vec::new();
    for _ in 0..3 {
        let content = game_content(Origin::Auto, &bench.game(ada, 1).kind, &[None]);
        let request = Request { hash: content, ..bench.request(ada) };
        let game = bench.store.create(&request, &bench.game(ada, 1), 3).await.expect("a game").id;
        notes.push(Confirmation { game, before: 0, change: 1 });
    }
    bench.store.settle(notes[1].game, 1).await.expect("somebody else was quicker");
    // One is there twice, as when two confirm the same.
    notes.push(notes[0]);
    let mut settled: Vec<_> = bench.store.settle_expected(&notes).await.expect("noted").into_iter().collect();
    settled.sort();
    let mut expected = [(notes[0].game, 1), (notes[2].game, 1)];
    expected.sort();
    assert_eq!(settled, expected);
    assert_eq!(bench.store.settle(notes[0].game, 1).await.expect("nothing is left"), None);
}
