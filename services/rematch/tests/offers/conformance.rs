//! What every store must do, whatever is behind it.

use crate::house::{Kind, store};
use astragal_proto::engine::v1::{Ending, Occupant};
use astragal_proto::gateway::v1::SeriesGame;
use astragal_rematch::entry::{Entry, State};
use astragal_rematch::machine::Notice;
use astragal_rematch::reason::Reason;
use astragal_rematch::store::redis::RedisOffers;
use astragal_rematch::store::{Change, Committed, Due, Message, OfferStore};
use astragal_runtime::clock::{Clock, ManualClock, Timestamp};
use astragal_runtime::id::{AccountId, SeriesId, TableId};
use astragal_runtime::redis_link::RedisSettings;
use astragal_support::redis::Redis;
use chrono::TimeDelta;
use futures::StreamExt;
use std::time::Duration;

macro_rules! conformance {
    ($($name:ident)*) => {
        mod memory {
            $(#[tokio::test]
            async fn $name() {
                super::$name(&*super::store(super::Kind::Memory)).await;
            })*
        }

        mod redis {
            $(#[tokio::test]
            async fn $name() {
                super::$name(&*super::store(super::Kind::Redis)).await;
            })*
        }
    };
}

conformance! {
    a_change_is_read_back_and_an_older_one_conflicts
    an_opening_makes_it_the_last_game_of_its_players
    r1_who_has_turned_away_since_the_end_opens_nothing
    r1_what_is_told_late_hides_nothing_that_was_told_before
    r8_what_is_due_is_given_once_for_a_while
    what_is_to_be_told_waits_until_it_was_told
    of_many_changes_at_once_one_is_made
}

fn now() -> Timestamp {
    ManualClock::default().now()
}

fn entry(people: &[AccountId]) -> Entry {
    let occupant = |(seat, account): (u32, &AccountId)| Occupant {
        seat,
        account_id: account.to_string(),
        robot_level: 0,
    };
    let ending = Ending {
        table_id: TableId::new().to_string(),
        occupants: (0..).zip(people).map(occupant).collect(),
        ended_at: Some(now().into()),
        series_id: SeriesId::new().to_string(),
        series: "[]".into(),
        ..Ending::default()
    };
    Entry::open(&ending).expect("an entry")
}

fn change(from: Option<u64>, entry: &Entry) -> Change {
    Change { from, entry: entry.clone(), opens: from.is_none(), messages: Vec::new(), now: now() }
}

async fn commit(store: &dyn OfferStore, from: Option<u64>, entry: &Entry) -> Committed {
    store.commit(&change(from, entry)).await.expect("an answer")
}

fn made(committed: &Committed) -> bool {
    matches!(committed, Committed::Yes { .. })
}

async fn a_change_is_read_back_and_an_older_one_conflicts(store: &dyn OfferStore) {
    let open = entry(&[AccountId::new(), AccountId::new()]);
    assert_eq!(store.load(open.game).await, Ok(None));
    assert!(made(&commit(store, None, &open).await));
    let stored = store.load(open.game).await.expect("an answer").expect("an entry");
    assert_eq!(stored.entry, open);
    assert_eq!(commit(store, None, &open).await, Committed::Conflict);
    let expires_at = now() + TimeDelta::microseconds(60_000_001);
    let asked = Entry { state: State::Asked { by: 1, agreed: vec![1], expires_at }, ..open.clone() };
    assert!(made(&commit(store, Some(stored.version), &asked).await));
    assert_eq!(commit(store, Some(stored.version), &open).await, Committed::Conflict);
    let stored = store.load(open.game).await.expect("an answer").expect("an entry");
    assert_eq!(stored.entry, asked);
}

async fn an_opening_makes_it_the_last_game_of_its_players(store: &dyn OfferStore) {
    let [ada, bob, eve] = [(); 3].map(|()| AccountId::new());
    let (first, second) = (entry(&[ada, bob]), entry(&[ada, eve]));
    assert_eq!(store.game_of(ada).await, Ok(None));
    commit(store, None, &first).await;
    assert_eq!(store.game_of(ada).await, Ok(Some(first.game)));
    let Committed::Yes { before, .. } = commit(store, None, &second).await else { panic!("not opened") };
    assert_eq!(before, [first.game]);
    for (account, game) in [(ada, second.game), (bob, first.game), (eve, second.game)] {
        assert_eq!(store.game_of(account).await, Ok(Some(game)));
    }
    // A change that opens nothing leaves that as it is.
    let changed = Change { opens: false, ..change(Some(1), &first) };
    assert!(made(&store.commit(&changed).await.expect("an answer")));
    assert_eq!(store.game_of(ada).await, Ok(Some(second.game)));
}

async fn r1_what_is_told_late_hides_nothing_that_was_told_before(store: &dyn OfferStore) {
    let [ada, bob] = [(); 2].map(|()| AccountId::new());
    for at in [now() + TimeDelta::seconds(1), now() - TimeDelta::seconds(60)] {
        store.note_left(ada, at).await.expect("noted");
    }
    assert_eq!(commit(store, None, &entry(&[ada, bob])).await, Committed::Left);
}

async fn r1_who_has_turned_away_since_the_end_opens_nothing(store: &dyn OfferStore) {
    let [ada, bob] = [(); 2].map(|()| AccountId::new());
    let open = entry(&[ada, bob]);
    store.note_left(bob, now() - TimeDelta::seconds(1)).await.expect("noted");
    assert!(made(&commit(store, None, &open).await), "before the end");
    let other = entry(&[ada, bob]);
    store.note_left(bob, now() + TimeDelta::seconds(1)).await.expect("noted");
    assert_eq!(commit(store, None, &other).await, Committed::Left);
    assert_eq!(store.load(other.game).await, Ok(None));
    let closed = Change { opens: false, ..change(None, &other.closed()) };
    assert!(made(&store.commit(&closed).await.expect("an answer")));
}

async fn r8_what_is_due_is_given_once_for_a_while(store: &dyn OfferStore) {
    let (first, second) = (entry(&[AccountId::new()]), entry(&[AccountId::new()]));
    commit(store, None, &first).await;
    commit(store, None, &second).await;
    let until = first.until();
    let due = async |at| store.due(at, 10).await.expect("an answer").games;
    let none_yet = Due { games: Vec::new(), next: Some(until) };
    assert_eq!(store.due(until - TimeDelta::milliseconds(1), 10).await, Ok(none_yet));
    let soon = store.soon(now(), Duration::from_secs(599)).await;
    assert_eq!(soon, Ok(Vec::new()));
    assert_eq!(store.soon(now(), Duration::from_mins(10)).await.expect("an answer").len(), 2);
    assert_eq!(store.due(until, 1).await.expect("an answer").games.len(), 1, "as many as are asked for");
    assert_eq!(due(until).await.len(), 1, "the other one");
    assert_eq!(due(until + TimeDelta::seconds(1)).await, [], "both are being done");
    assert_eq!(due(until + TimeDelta::seconds(2)).await.len(), 2, "and were not");
    commit(store, Some(1), &first.clone().closed()).await;
    store.forget(second.game).await.expect("forgotten");
    let nothing = Due { games: Vec::new(), next: None };
    assert_eq!(store.due(until + TimeDelta::minutes(1), 10).await, Ok(nothing));
}

async fn what_is_to_be_told_waits_until_it_was_told(store: &dyn OfferStore) {
    let account = AccountId::new();
    let open = entry(&[account]);
    let message = |notice| Message::ToPlayer { account, game: open.game, notice };
    let messages = vec![
        message(Notice::Requested { from_seat: 1, expires_at: now() }),
        message(Notice::Ended(Reason::Withdrawn)),
        Message::ToViewers { game: open.game, next: TableId::new() },
    ];
    let told = Change { messages: messages.clone(), ..change(None, &open) };
    let Committed::Yes { letters, .. } = store.commit(&told).await.expect("an answer") else { panic!() };
    assert_eq!(letters.iter().map(|letter| letter.message.clone()).collect::<Vec<_>>(), messages);
    assert_eq!(store.untold(Duration::from_mins(1), 10).await, Ok(Vec::new()), "too young");
    assert_eq!(store.untold(Duration::ZERO, 10).await.expect("an answer"), letters, "the same names");
    store.told(&[letters[1].id.clone()]).await.expect("told");
    let left = store.untold(Duration::ZERO, 10).await.expect("an answer");
    assert_eq!(left, [letters[0].clone(), letters[2].clone()]);
    assert_eq!(store.untold(Duration::ZERO, 1).await.expect("an answer").len(), 1);
}

async fn of_many_changes_at_once_one_is_made(store: &dyn OfferStore) {
    let open = entry(&[AccountId::new(), AccountId::new()]);
    commit(store, None, &open).await;
    let asked =
        |by: u8| Entry { state: State::Asked { by, agreed: vec![by], expires_at: now() }, ..open.clone() };
    let entries: Vec<Entry> = (0..20).map(asked).collect();
    let changes = entries.iter().map(|entry| commit(store, Some(1), entry));
    let done = futures::future::join_all(changes).await;
    assert_eq!(done.iter().filter(|committed| made(committed)).count(), 1);
}

/// What entries after the first game of a series cost, with all their keys, by what Redis says it uses.
#[tokio::test]
async fn o2_a_hundred_thousand_open_entries_cost_redis_under_eighty_megabytes() {
    const ENTRIES: u64 = 100_000;
    const AT_ONCE: usize = 100;
    const BYTES_MAX: u64 = 800;
    let server = Redis::start();
    let offers = RedisOffers::open(&RedisSettings::new(server.url())).expect("settings");
    let client = ::redis::Client::open(server.url()).expect("an address");
    let mut commands = client.get_multiplexed_async_connection().await.expect("a connection");
    let mut used = async || {
        let memory: String =
            ::redis::cmd("INFO").arg("memory").query_async(&mut commands).await.expect("an answer");
        let line = memory.lines().find_map(|line| line.strip_prefix("used_memory:")).expect("a figure");
        line.trim().parse::<u64>().expect("a number")
    };
    let game = SeriesGame {
        game_id: TableId::new().to_string(),
        reason: "finished".into(),
        winner: Some(0),
        scores: vec![30, 18],
        ..SeriesGame::default()
    };
    let series = serde_json::to_string(&[game]).expect("JSON");
    let open = async |_| {
        let mut open = entry(&[AccountId::new(), AccountId::new()]);
        open.next.series.clone_from(&series);
        assert!(made(&commit(&offers, None, &open).await));
    };
    open(0).await;
    let (before, mut opened) = (used().await, 0);
    for entries in [ENTRIES / 10, ENTRIES] {
        futures::stream::iter(opened..entries).map(open).buffer_unordered(AT_ONCE).collect::<()>().await;
        let each = (used().await - before) / entries;
        assert!(each <= BYTES_MAX, "{each} bytes each of {entries}");
        opened = entries;
    }
}
