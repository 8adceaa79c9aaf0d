//! What every back end of the store must do, checked over each of them.

use std::time::Duration;

use astragal_runtime::clock::{Clock, ManualClock, Timestamp};
use astragal_runtime::database::Location;
use astragal_runtime::entropy::ScriptedEntropy;
use astragal_runtime::id::{AccountId, RequestId, SeriesId, TableId};
use astragal_runtime::time_control::TimeControl;
use astragal_support::postgres::Postgres as Server;

use super::alone::Alone;
use super::sqlite::SqliteStore;
use super::{MatchmakingStore, OpenGames};
use super::{batches, names, postgres, rematches, searches, sheets, stands, tries};
use crate::account::{Account, robots};
use crate::error::LobbyError;
use crate::game::{Game, NewGame, Origin, Player, Status};
use crate::kind::Kind;
use crate::request::{Request, cancel_content, game_content, join_content};
use crate::seating::{DrawnPick, draw_seats};

#[tokio::test]
async fn a_file_keeps_the_lobby() {
    let directory = tempfile::tempdir().expect("a directory");
    let location = Location::File(directory.path().join("matchmaking.sqlite"));
    suite(SqliteStore::open(&location).await.expect("a store")).await;
}

#[tokio::test]
async fn memory_keeps_the_lobby() {
    suite(SqliteStore::open(&Location::Memory).await.expect("a store")).await;
}

#[tokio::test]
async fn postgresql_keeps_the_lobby() {
    let [store] = postgres::tests::replicas(Server::shared()).await;
    suite(store).await;
}

/// Every check in turn; each uses accounts and kinds of its own.
async fn suite<S: MatchmakingStore>(store: S) {
    let bench = Bench { store, clock: ManualClock::default() };
    bench.store.add_accounts(&robots(bench.clock.now())).await.expect("robots");
    accounts_are_added_once(&bench).await;
    a_game_is_read_back_as_it_was_created(&bench).await;
    whoever_looks_finds_the_oldest_game_of_somebody_else(&bench).await;
    placeholders_become_whoever_comes_in_the_order_of_asking(&bench).await;
    a_cancelled_game_stays_cancelled(&bench).await;
    searches_are_counted(&bench).await;
    a_request_is_known_for_a_day(&bench).await;
    changes_are_settled_once_and_forwards(&bench).await;
    robots_take_every_empty_seat(&bench).await;
    batches::suite(&bench).await;
    sheets::suite(&bench).await;
    stands::suite(&bench).await;
    searches::suite(&bench).await;
    names::suite(&bench).await;
    rematches::suite(&bench).await;
    tries::suite(&bench).await;
}

pub(super) struct Bench<S> {
    pub(super) store: S,
    pub(super) clock: ManualClock,
}

impl<S: MatchmakingStore> Bench<S> {
    pub(super) async fn person(&self) -> AccountId {
        let account = Account::person(AccountId::new(), "Ada".into(), self.clock.now());
        self.store.add_accounts(std::slice::from_ref(&account)).await.expect("an account");
        account.id
    }

    /// Games that wait and in which somebody sits, newest first.
    pub(super) async fn waiting_of(&self, account: AccountId) -> Vec<TableId> {
        let own = OpenGames { game: None, account: Some(account), limit: 100 };
        self.store.open_games(&own).await.expect("games").iter().map(|game| game.id).collect()
    }

    pub(super) fn request(&self, account: AccountId, hash: [u8; 32]) -> Request {
        Request { account, id: RequestId::new(), hash, at: self.clock.now() }
    }

    /// A game that `opener` would open, for as many others as `others` has.
    pub(super) fn game(
        &self,
        game: &str,
        origin: Origin,
        opener: AccountId,
        others: &[Option<Player>],
    ) -> NewGame {
        let kind = Kind {
            game: game.into(),
            version: 1,
            variant: "standard".into(),
            seats: others.len() as u8 + 1,
            options: "{}".into(),
            clock: Some(TimeControl::SuddenDeath { initial_ms: 300_000, increment_ms: 3_000 }),
            best_of: 3,
        };
        let mut circle = vec![Some(Player::person(opener))];
        circle.extend(others);
        let tiles = astragal_rules::tile_set::TileSet::named("english").expect("the set");
        let entropy = ScriptedEntropy::expanded(kind.hash());
        let (seats, picks) = draw_seats(&circle, tiles, &entropy).expect("a draw");
        let (id, series, at) = (TableId::new(), SeriesId::new(), self.clock.now());
        NewGame { id, kind, origin, opener, series, seats, picks, at }
    }

    pub(super) async fn find(&self, game: &str, account: AccountId) -> Result<Game, LobbyError> {
        let proposal = self.game(game, Origin::Auto, account, &[None]);
        let content = game_content(Origin::Auto, &proposal.kind, &[None]);
        self.store.find_or_open(&self.request(account, content), &proposal, 3).await
    }

    pub(super) async fn join(&self, game: TableId, account: AccountId) -> Result<Game, LobbyError> {
        self.store.join(&self.request(account, join_content(game)), game).await
    }

    pub(super) async fn cancel(&self, game: TableId, account: AccountId) -> Result<Game, LobbyError> {
        self.store.cancel(&self.request(account, cancel_content(game)), game).await
    }

    pub(super) async fn picks(&self, game: TableId) -> Vec<DrawnPick> {
        self.store.draw(game).await.expect("a draw").expect("a game").1
    }

    async fn unsettled(&self, changed_before: Timestamp) -> Vec<TableId> {
        let (mut all, mut last) = (Vec::new(), None);
        loop {
            let page = self.store.unsettled(changed_before, last, 2).await.expect("a page");
            last = page.last().copied();
            if page.is_empty() {
                return all;
            }
            all.extend(page);
        }
    }
}

async fn accounts_are_added_once<S: MatchmakingStore>(bench: &Bench<S>) {
    let person = bench.person().await;
    let again = Account::person(person, "Eve".into(), bench.clock.now());
    bench.store.add_accounts(&[again]).await.expect("no error");
    let robot = Player::robot(3).account;
    let mut found = bench.store.accounts(&[person, AccountId::new(), robot]).await.expect("accounts");
    found.sort_by_key(|account| account.robot_level);
    let found: Vec<_> = found.iter().map(|account| (account.name.as_str(), account.robot_level)).collect();
    assert_eq!(found, [("Ada", 0), ("Robot 3", 3)]);
    assert_eq!(bench.store.accounts(&[]).await.expect("none").len(), 0);
}

async fn a_game_is_read_back_as_it_was_created<S: MatchmakingStore>(bench: &Bench<S>) {
    let (opener, friend) = (bench.person().await, bench.person().await);
    let new = bench.game("read-back", Origin::Friends, opener, &[Some(Player::person(friend)), None]);
    let request = bench.request(opener, [1; 32]);
    let game = bench.store.create(&request, &new, 3).await.expect("a game");

    assert_eq!((game.id, &game.kind, game.series, game.opener), (new.id, &new.kind, new.series, opener));
    assert_eq!((game.change, game.settled, game.first_seat), (1, 0, 0));
    assert_eq!((game.status, game.created_at), (Status::Waiting, new.at));
    for planned in &new.seats {
        let seat = game.seats[usize::from(planned.seat)];
        assert_eq!((seat.seat, seat.participant), (planned.seat, planned.participant));
        assert_eq!(seat.taken, planned.player.map(|player| (player, 1)));
    }
    assert_eq!(bench.picks(new.id).await, new.picks);
    assert_eq!(bench.store.game(new.id).await.expect("a game").as_ref(), Some(&game));
    assert_eq!(bench.store.game(TableId::new()).await.expect("none"), None);
}

async fn whoever_looks_finds_the_oldest_game_of_somebody_else<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob, eve) = (bench.person().await, bench.person().await, bench.person().await);
    let first = bench.find("find", ada).await.expect("opened");
    let second = bench.find("find", ada).await.expect("nobody plays themselves, so opened");
    assert_ne!(first.id, second.id);
    let listed = OpenGames { game: Some("find".into()), account: None, limit: 10 };
    let open: Vec<_> = bench.store.open_games(&listed).await.expect("games").iter().map(|g| g.id).collect();
    assert_eq!(open, [second.id, first.id]);

    let joined = bench.find("find", bob).await.expect("joined");
    assert_eq!((joined.id, joined.status, joined.change), (first.id, Status::Full, 2));
    let third = bench.find("find", eve).await.expect("opened, as the second one is over");
    assert!(![first.id, second.id].contains(&third.id));
    let refused = bench.join(first.id, eve).await;
    assert!(matches!(refused, Err(LobbyError::SeatTaken)), "{refused:?}");
    assert_eq!(bench.store.open_games(&listed).await.expect("games"), [third]);
}

async fn placeholders_become_whoever_comes_in_the_order_of_asking<S: MatchmakingStore>(bench: &Bench<S>) {
    let (opener, second, third) = (bench.person().await, bench.person().await, bench.person().await);
    let new = bench.game("placeholders", Origin::Friends, opener, &[None, None]);
    bench.store.create(&bench.request(opener, [2; 32]), &new, 3).await.expect("a game");
    let refused = bench.join(new.id, opener).await;
    assert!(matches!(refused, Err(LobbyError::AlreadySeated)), "{refused:?}");

    for (participant, account) in [(1, second), (2, third)] {
        let game = bench.join(new.id, account).await.expect("joined");
        let seat = new.seats.iter().find(|seat| seat.participant == participant).expect("a seat").seat;
        assert_eq!(game.seat_of(account), Some(seat));
        let picks = bench.picks(new.id).await;
        for (pick, before) in picks.iter().zip(&new.picks) {
            let mut expected = before.clone();
            expected.player = game.seats[usize::from(pick.seat)].taken.map(|(player, _)| player);
            assert_eq!(*pick, expected, "only the account may change");
        }
    }
    let game = bench.store.game(new.id).await.expect("a game").expect("a game");
    assert_eq!((game.status, game.change), (Status::Full, 3));
}

async fn a_cancelled_game_stays_cancelled<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let game = bench.find("cancel", ada).await.expect("opened");
    assert!(matches!(bench.cancel(game.id, bob).await, Err(LobbyError::NotSeated)));
    assert!(matches!(bench.cancel(TableId::new(), bob).await, Err(LobbyError::UnknownGame)));
    assert_eq!(bench.cancel(game.id, ada).await.expect("cancelled").status, Status::Cancelled);
    assert_eq!(bench.cancel(game.id, ada).await.expect("no change").change, 2);
    assert!(matches!(bench.join(game.id, bob).await, Err(LobbyError::Cancelled)));

    let other = bench.find("cancel", bob).await.expect("opened, since nobody waits");
    bench.join(other.id, ada).await.expect("joined");
    assert!(matches!(bench.cancel(other.id, bob).await, Err(LobbyError::Full)));
}

async fn searches_are_counted<S: MatchmakingStore>(bench: &Bench<S>) {
    let ada = bench.person().await;
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(bench.find("count", ada).await.expect("opened").id);
    }
    assert!(matches!(bench.find("count", ada).await, Err(LobbyError::AlreadySearching(3))));
    bench.cancel(games[0], ada).await.expect("cancelled");
    bench.find("count", ada).await.expect("opened");
}

async fn a_request_is_known_for_a_day<S: MatchmakingStore>(bench: &Bench<S>) {
    let ada = bench.person().await;
    let new = bench.game("requests", Origin::Friends, ada, &[None]);
    let mut request = bench.request(ada, [3; 32]);
    bench.store.create(&request, &new, 3).await.expect("a game");

    let another = bench.game("requests", Origin::Friends, ada, &[None]);
    bench.clock.advance(chrono::Duration::hours(23));
    request.at = bench.clock.now();
    assert_eq!(bench.store.create(&request, &another, 3).await.expect("known").id, new.id);
    let changed = Request { hash: [4; 32], ..request };
    let refused = bench.store.create(&changed, &another, 3).await;
    assert!(matches!(refused, Err(LobbyError::RequestReused)), "{refused:?}");

    bench.clock.advance(chrono::Duration::hours(2));
    let forgotten = Request { at: bench.clock.now(), ..changed };
    assert_eq!(bench.store.create(&forgotten, &another, 3).await.expect("a new one").id, another.id);
    assert!(
        bench.store.forget_requests(bench.clock.now() - Duration::from_mins(1)).await.expect("a count") > 0
    );
    assert_eq!(bench.store.create(&forgotten, &new, 3).await.expect("known").id, another.id);
}

async fn changes_are_settled_once_and_forwards<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let game = bench.find("settle", ada).await.expect("opened").id;
    assert!(bench.unsettled(bench.clock.now()).await.contains(&game));
    assert!(!bench.unsettled(bench.clock.now() - Duration::from_secs(1)).await.contains(&game));

    bench.find("settle", bob).await.expect("joined");
    assert_eq!(bench.store.confirm(game, 2).await, 2);
    assert_eq!(bench.store.confirm(game, 1).await, 2, "too late");
    assert_eq!(bench.store.confirm(game, 2).await, 2, "again");
    assert!(!bench.unsettled(bench.clock.now()).await.contains(&game));

    let refused = bench.find("settle", ada).await.expect("opened").id;
    bench.store.abandon(refused, bench.clock.now()).await.expect("abandoned");
    assert!(!bench.unsettled(bench.clock.now()).await.contains(&refused));
    assert!(matches!(bench.join(refused, bob).await, Err(LobbyError::Cancelled)));
}

async fn robots_take_every_empty_seat<S: MatchmakingStore>(bench: &Bench<S>) {
    let ada = bench.person().await;
    let new = bench.game("lonely", Origin::Auto, ada, &[None, None]);
    bench.store.create(&bench.request(ada, [5; 32]), &new, 3).await.expect("a game");
    let lonely = bench.store.lonely(bench.clock.now(), 100).await.expect("games");
    assert!(lonely.iter().any(|game| game.id == new.id));
    let older = bench.store.lonely(new.at - Duration::from_secs(1), 100).await.expect("games");
    assert!(older.iter().all(|game| game.id != new.id));

    let robot = Player::robot(4);
    let game = bench.store.attach_robots(new.id, robot, bench.clock.now()).await.expect("attached");
    assert_eq!((game.status, game.change), (Status::Full, 3));
    assert_eq!(game.taken_after(1).filter(|(_, player)| *player == robot).count(), 2);
    let picks = bench.picks(new.id).await;
    assert!(picks.iter().all(|pick| pick.player == game.seats[usize::from(pick.seat)].taken.map(|(p, _)| p)));
    let again = bench.store.attach_robots(new.id, robot, bench.clock.now()).await.expect("no change");
    assert_eq!(again.change, 3);
}
