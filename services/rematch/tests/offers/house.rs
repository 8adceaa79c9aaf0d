//! Two replicas of the role on one store, and everyone around them: an engine and a matchmaking that keep
//! games in a list, people who come and go, and whoever listens.

use astragal_proto::engine::v1::table_event::Kind as TableKind;
use astragal_proto::engine::v1::{Ending, Occupant, Outcome as WireOutcome};
use astragal_proto::gateway::v1::SeriesGame;
use astragal_proto::matchmaking::v1::account_event::Kind as AccountKind;
use astragal_rematch::Rematch;
use astragal_rematch::entry::Entry;
use astragal_rematch::offers::Offers;
use astragal_rematch::peers::Peers;
use astragal_rematch::present::Present;
use astragal_rematch::store::OfferStore;
use astragal_rematch::store::memory::MemoryOffers;
use astragal_rematch::store::redis::RedisOffers;
use astragal_runtime::bus::{Bus, BusReceiver, BusSubscriber, Delivery, Message, Topic};
use astragal_runtime::clock::{Clock, ManualClock, Timestamp};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::{AccountId, SeriesId, TableId, robot_account};
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis::Redis;
use async_trait::async_trait;
use chrono::{DateTime, TimeDelta};
use futures::FutureExt;
use std::collections::HashSet;
use std::sync::{Arc, LazyLock, Mutex};

/// One Redis for all tests; each has a prefix of its own.
pub(crate) static REDIS: LazyLock<Redis> = LazyLock::new(Redis::start);

/// Where the entries are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Memory,
    Redis,
}

/// A store of its own.
pub(crate) fn store(kind: Kind) -> Arc<dyn OfferStore> {
    match kind {
        Kind::Memory => Arc::new(MemoryOffers::default()),
        Kind::Redis => store_of(TableId::new().to_string()),
    }
}

/// The store of an installation in that Redis.
pub(crate) fn store_of(prefix: String) -> Arc<dyn OfferStore> {
    let settings = RedisSettings { prefix, ..RedisSettings::new(REDIS.url()) };
    Arc::new(RedisOffers::open(&settings).expect("settings"))
}

/// A game, as the engine keeps it.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) id: TableId,
    pub(crate) follows: Option<TableId>,
    pub(crate) first_seat: u32,
    pub(crate) series_id: SeriesId,
    pub(crate) series: Vec<SeriesGame>,
    pub(crate) ended: Option<(&'static str, Option<u32>, Timestamp)>,
}

/// Everyone around the role.
pub(crate) struct Town {
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) players: Vec<Occupant>,
    pub(crate) games: Mutex<Vec<Game>>,
    away: Mutex<HashSet<AccountId>>,
    /// Since when accounts have begun something else.
    begun: Mutex<Vec<(AccountId, Timestamp)>>,
    busy: Mutex<HashSet<AccountId>>,
    /// Seats that have left.
    pub(crate) gone: Mutex<Vec<u32>>,
    best_of: u32,
    bus: Bus,
}

impl Town {
    fn ending_of(&self, game: &Game) -> Result<Ending> {
        let Some((reason, winner, at)) = game.ended else {
            return Err(Problem::new(Code::GameInProgress, "the game is not over yet"));
        };
        let mut series = game.series.clone();
        series.push(SeriesGame {
            game_id: game.id.to_string(),
            first_seat: game.first_seat,
            reason: reason.to_owned(),
            winner,
            scores: vec![0; self.players.len()],
        });
        Ok(Ending {
            table_id: game.id.to_string(),
            occupants: self.players.clone(),
            first_seat: game.first_seat,
            outcome: Some(WireOutcome { reason: reason.to_owned(), winner, ..WireOutcome::default() }),
            ended_at: Some(at.into()),
            series_id: game.series_id.to_string(),
            series: serde_json::to_vec(&series).expect("JSON").into(),
            time_control: None,
            best_of: self.best_of,
            follows_table_id: game.follows.map(|id| id.to_string()).unwrap_or_default(),
            left_seats: self.gone.lock().unwrap().clone(),
        })
    }
}

#[async_trait]
impl Peers for Town {
    async fn ending(&self, game: TableId, account: Option<AccountId>) -> Result<Ending> {
        let games = self.games.lock().unwrap();
        let found = games.iter().find(|known| known.id == game);
        let sits = |account: AccountId| self.players.iter().any(|who| who.account_id == account.to_string());
        if account.is_some_and(|account| !sits(account)) {
            return Err(Problem::not_found("you have no seat in such a game"));
        }
        self.ending_of(found.ok_or_else(|| Problem::not_found("there is no such game"))?)
    }

    async fn have_begun(&self, accounts: &[AccountId], since: Timestamp) -> Result<bool> {
        let begun = self.begun.lock().unwrap();
        Ok(begun.iter().any(|(account, at)| accounts.contains(account) && *at >= since))
    }

    async fn is_busy(&self, entry: &Entry) -> Result<bool> {
        let busy = self.busy.lock().unwrap();
        Ok(entry.people().any(|(_, account)| busy.contains(&account)))
    }

    async fn create(&self, entry: &Entry) -> Result<()> {
        // As a network would, so that others come in between.
        tokio::task::yield_now().await;
        let mut games = self.games.lock().unwrap();
        if games.iter().any(|game| game.id == entry.next.id) {
            return Ok(());
        }
        games.push(Game {
            id: entry.next.id,
            follows: Some(entry.game),
            first_seat: entry.next.first_seat.into(),
            series_id: entry.next.series_id,
            series: serde_json::from_str(&entry.next.series).expect("a series"),
            ended: None,
        });
        for (_, account) in entry.people() {
            let started = astragal_proto::matchmaking::v1::GameStarted { game_id: entry.next.id.to_string() };
            let event = astragal_proto::matchmaking::v1::AccountEvent {
                account_id: account.to_string(),
                kind: Some(AccountKind::GameStarted(started)),
                ..Default::default()
            };
            self.bus.publish(Topic::Account(account), &Message::Account(Arc::new(event)));
        }
        Ok(())
    }
}

impl Present for Town {
    fn is_online(&self, account: AccountId) -> bool {
        !self.away.lock().unwrap().contains(&account)
    }
}

/// Two replicas, and who listens.
pub(crate) struct House {
    pub(crate) kind: Kind,
    pub(crate) town: Arc<Town>,
    pub(crate) replicas: [Rematch; 2],
    /// Somebody without a seat.
    pub(crate) stranger: AccountId,
    store: Arc<dyn OfferStore>,
    subscriber: BusSubscriber,
    receiver: BusReceiver,
}

impl House {
    /// A game has just been opened at a table with robots of these levels; 0 is a person.
    pub(crate) async fn open(kind: Kind, levels: &[u8], best_of: u32) -> Self {
        let occupant = |(seat, level): (u32, &u8)| {
            let account = if *level > 0 { robot_account(*level) } else { AccountId::new() };
            Occupant { seat, account_id: account.to_string(), robot_level: (*level).into() }
        };
        let bus = Bus::new();
        let town = Arc::new(Town {
            clock: Arc::default(),
            players: (0..).zip(levels).map(occupant).collect(),
            games: Mutex::new(vec![new_game()]),
            away: Mutex::default(),
            begun: Mutex::default(),
            busy: Mutex::default(),
            gone: Mutex::default(),
            best_of,
            bus: bus.clone(),
        });
        let (subscriber, receiver) = bus.connect(1_000);
        for player in &town.players {
            subscriber.subscribe(Topic::Account(player.account_id.parse().expect("an id"))).await;
        }
        let store = store(kind);
        let replicas = replicas(&town, &store);
        let house = Self { kind, town, replicas, stranger: AccountId::new(), store, subscriber, receiver };
        house.watch(0).await;
        house
    }

    /// Listens as a spectator of a game does.
    pub(crate) async fn watch(&self, game: usize) {
        self.subscriber.subscribe(Topic::Table(self.id(game))).await;
    }

    /// The processes start again. In memory all is lost.
    pub(crate) fn restart(&mut self, emptied: bool) {
        let lost = emptied || self.kind == Kind::Memory;
        self.restart_on(if lost { store(self.kind) } else { self.store.clone() });
    }

    /// The same, on a store of the test's own.
    pub(crate) fn restart_on(&mut self, store: Arc<dyn OfferStore>) {
        self.store = store;
        self.replicas = replicas(&self.town, &self.store);
    }

    /// The same people begin a game that is no rematch.
    pub(crate) fn another(&self) {
        self.town.games.lock().unwrap().push(new_game());
    }

    pub(crate) fn id(&self, game: usize) -> TableId {
        self.town.games.lock().unwrap()[game].id
    }

    pub(crate) fn offers(&self, replica: usize) -> Offers {
        self.replicas[replica % 2].offers().clone()
    }

    pub(crate) fn account(&self, seat: usize) -> AccountId {
        self.town.players.get(seat).map_or(self.stranger, |who| who.account_id.parse().expect("an id"))
    }

    pub(crate) fn set_away(&self, account: AccountId, away: bool) {
        let mut all = self.town.away.lock().unwrap();
        if away {
            all.insert(account)
        } else {
            all.remove(&account)
        };
    }

    pub(crate) fn set_busy(&self, account: AccountId) {
        self.town.busy.lock().unwrap().insert(account);
    }

    pub(crate) fn note_begun(&self, account: AccountId) {
        self.town.begun.lock().unwrap().push((account, self.town.clock.now()));
    }

    /// A game ends, and both replicas are told: at least once is not once.
    pub(crate) async fn end(&self, game: usize, reason: &'static str, winner: Option<u32>) {
        let ending = {
            let mut games = self.town.games.lock().unwrap();
            games[game].ended = Some((reason, winner, self.town.clock.now()));
            self.town.ending_of(&games[game]).expect("an ending")
        };
        for replica in [0, 1] {
            self.offers(replica).game_ended(&ending).await.expect("told");
        }
    }

    /// Seconds since the start.
    pub(crate) fn seconds(at: Timestamp) -> i64 {
        (at - ManualClock::default().now()).num_seconds()
    }

    /// So many seconds after the start.
    pub(crate) fn instant(second: i64) -> Timestamp {
        ManualClock::default().now() + TimeDelta::seconds(second)
    }

    pub(crate) fn move_clock(&self, second: i64) {
        let now = Self::seconds(self.town.clock.now());
        self.town.clock.advance(TimeDelta::seconds(second - now));
    }

    /// Everything that was told since the last look, in short: recipient, event, payload.
    pub(crate) fn heard(&mut self) -> Vec<String> {
        let mut heard = Vec::new();
        while let Some(delivery) = self.receiver.recv().now_or_never().flatten() {
            heard.push(match delivery {
                Delivery::Message(Topic::Account(account), Message::Account(event)) => {
                    let seat = (0..4).find(|seat| self.account(*seat) == account).expect("a player");
                    format!("{}: {}", letter(seat), self.told(event.kind.as_ref().expect("an event")))
                }
                Delivery::Message(Topic::Table(_), Message::Table(event)) => match &event.kind {
                    Some(TableKind::NextGame(next)) => {
                        format!("viewers: next {}", self.label(&next.table_id))
                    }
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            });
        }
        heard.sort();
        heard
    }

    fn told(&self, kind: &AccountKind) -> String {
        match kind {
            AccountKind::GameStarted(started) => format!("start {}", self.label(&started.game_id)),
            AccountKind::RematchRequested(asked) => {
                let until = asked.expires_at.and_then(|at| DateTime::try_from(at).ok()).expect("an instant");
                let game = self.label(&asked.game_id);
                format!(
                    "request {game} from {} until {}",
                    letter(asked.from_seat as usize),
                    Self::seconds(until)
                )
            }
            AccountKind::RematchEnded(ended) => {
                format!("ended {} {}", self.label(&ended.game_id), ended.reason)
            }
            other @ AccountKind::Changed(_) => panic!("{other:?}"),
        }
    }

    /// G1, G2, ... in the order in which they were created.
    pub(crate) fn label(&self, id: &str) -> String {
        let games = self.town.games.lock().unwrap();
        let place = games.iter().position(|game| game.id.to_string() == id);
        place.map_or_else(|| id.to_owned(), |place| format!("G{}", place + 1))
    }
}

fn new_game() -> Game {
    Game {
        id: TableId::new(),
        follows: None,
        first_seat: 0,
        series_id: SeriesId::new(),
        series: Vec::new(),
        ended: None,
    }
}

fn replicas(town: &Arc<Town>, store: &Arc<dyn OfferStore>) -> [Rematch; 2] {
    [0, 1].map(|_| {
        Rematch::among(town.clone(), store.clone(), town.bus.clone(), town.clone(), town.clock.clone())
    })
}

/// The name of a seat.
pub(crate) fn letter(seat: usize) -> char {
    char::from(b'A' + seat as u8)
}
