//! What becomes of rematches: each change is read, decided by the machine, and compared and set; whoever
//! was slower decides anew. Any replica may do any of it.

use crate::entry::{Entry, State, may_follow};
use crate::machine::{self, Answer, Effect, Event, Step};
use crate::next_game::{ATTEMPTS_MAX, attempt_of, next_id};
use crate::peers::{Peers, ending_if_any};
use crate::reason::Reason;
use crate::store::{Change, Committed, Message, OfferStore, Stored};
use crate::teller::Teller;
use astragal_proto::engine::v1::Ending;
use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::fault::{self, Point};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use astragal_runtime::presence::PresenceDesk;
use std::sync::Arc;
use std::time::Duration;

/// How often a change is tried against others who change the same entry.
const TRIES_MAX: usize = 32;

/// Knows who is there.
pub trait Present: Send + Sync + 'static {
    /// Whether an account has a connection anywhere, or had one a moment ago, or nobody can know.
    fn is_online(&self, account: AccountId) -> bool;
}

impl Present for PresenceDesk {
    fn is_online(&self, account: AccountId) -> bool {
        PresenceDesk::is_online(self, account)
    }
}

/// Everybody, where nobody knows who is there.
#[derive(Clone, Copy, Debug)]
pub struct Everyone;

impl Present for Everyone {
    fn is_online(&self, _: AccountId) -> bool {
        true
    }
}

/// What whoever asked is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The others were asked, and may answer until then.
    Asked(Timestamp),
    /// All agree, and this is the next game.
    Started(TableId),
    /// It can't be.
    Ended(Reason),
}

/// How it stands with one rematch, for one viewer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// available, waiting, requested, or empty.
    pub word: &'static str,
    /// Until when.
    pub until: Option<Timestamp>,
    /// Who asked first.
    pub from_seat: Option<u8>,
    /// The next game, once it is there.
    pub next: Option<TableId>,
}

/// A request that stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The game that has ended.
    pub game: TableId,
    /// Who asked first.
    pub from_seat: u8,
    /// Until when it can be answered.
    pub expires_at: Timestamp,
}

/// The rematches; cheap to clone.
#[derive(Clone)]
pub struct Offers {
    pub(crate) store: Arc<dyn OfferStore>,
    pub(crate) teller: Arc<Teller>,
    pub(crate) peers: Arc<dyn Peers>,
    pub(crate) present: Arc<dyn Present>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Offers {
    /// A game has ended: its players may play on. Safe to repeat.
    pub async fn game_ended(&self, ending: &Ending) -> Result<()> {
        let reason = ending.outcome.as_ref().map_or("", |outcome| &*outcome.reason);
        if reason == "aborted" && !ending.follows_table_id.is_empty() {
            return self.next_aborted(ending).await;
        }
        let entry = Entry::open(ending)?;
        let entry = if may_follow(reason) { entry } else { entry.closed() };
        if self.store.load(entry.game).await?.is_some() {
            return Ok(());
        }
        // Nothing was asked for yet, so this one is not missed if somebody was faster.
        self.open(entry, None).await.map(drop)
    }

    /// The next game was aborted before anyone moved: the one before it is open again.
    async fn next_aborted(&self, aborted: &Ending) -> Result<()> {
        let game = TableId::parse("follows_table_id", &aborted.follows_table_id)?;
        let next = TableId::parse("table_id", &aborted.table_id)?;
        let Some(attempt) = attempt_of(game, next) else { return Ok(()) };
        let reopened = Entry::reopen(aborted, game, attempt + 1)?;
        for _ in 0..TRIES_MAX {
            let Some(stored) = self.store.load(game).await? else {
                if self.open(reopened.clone(), None).await? {
                    return Ok(());
                }
                continue;
            };
            let event = Event::Aborted { next, at: reopened.ended_at };
            let step = machine::step(&stored.entry, event, self.clock.now());
            let reopens = step.entry.state == State::Open && step.entry != stored.entry;
            if !reopens || self.open(step.entry, Some(stored.version)).await? {
                return Ok(());
            }
        }
        Err(busy())
    }

    /// Opens an entry as the last game of its players; their older ones end. False if somebody was faster.
    async fn open(&self, entry: Entry, from: Option<u64>) -> Result<bool> {
        let mut opens = true;
        for (_, account) in entry.people() {
            let Some(other) = self.store.game_of(account).await?.filter(|other| *other != entry.game) else {
                continue;
            };
            match self.store.load(other).await? {
                Some(stored) if stored.entry.ended_at > entry.ended_at => opens = false,
                Some(_) => _ = self.change(other, |_| Some(Event::Left)).await?,
                None => {}
            }
        }
        let entry = if opens { entry } else { entry.closed() };
        let now = self.clock.now();
        let mut change = Change { from, entry, opens, messages: Vec::new(), now };
        let mut committed = self.store.commit(&change).await?;
        if committed == Committed::Left {
            change = Change { entry: change.entry.closed(), opens: false, ..change };
            committed = self.store.commit(&change).await?;
        }
        let Committed::Yes { before, .. } = committed else { return Ok(false) };
        for other in before {
            self.change(other, |_| Some(Event::Left)).await?;
        }
        Ok(true)
    }

    /// Somebody who sits there asks for a rematch, or accepts it.
    pub async fn ask(&self, account: AccountId, request: RequestId, game: TableId) -> Result<Outcome> {
        if self.store.load(game).await?.is_none() && !self.rebuild(game, account).await? {
            return Ok(Outcome::Ended(Reason::Closed));
        }
        let entry = self.entry(game).await?;
        let seat = entry.seat_of(account).ok_or_else(no_such_game)?;
        let online = self.online(&entry);
        let event = Event::Ask { seat, request, online: &online };
        let Some(step) = self.change(game, |_| Some(event)).await? else {
            return Ok(Outcome::Ended(Reason::Closed));
        };
        if step.entry.is_asked() && matches!(step.answer, Answer::Asked(_)) {
            // Somebody may have gone since the look at who is there.
            self.end_if_offline(&step.entry).await?;
        }
        match step.answer {
            Answer::Asked(expires_at) => Ok(Outcome::Asked(expires_at)),
            Answer::Ended(reason) => Ok(Outcome::Ended(reason)),
            Answer::Started => Ok(Outcome::Started(step.entry.next.id)),
            Answer::Starting => self.start(game).await,
            Answer::TooOften => {
                let why = "you have asked five times within a minute; wait a while";
                Err(Problem::new(Code::RateLimited, why))
            }
            Answer::Nothing => {
                Err(Problem::invalid_argument("this id was used for another request; send a new one"))
            }
        }
    }

    /// Somebody who sits there says no, or takes back what they asked.
    pub async fn decline(&self, account: AccountId, request: RequestId, game: TableId) -> Result<()> {
        let Some(Stored { entry, .. }) = self.store.load(game).await? else {
            return self.peers.ending(game, Some(account)).await.map(drop);
        };
        let seat = entry.seat_of(account).ok_or_else(no_such_game)?;
        self.change(game, |_| Some(Event::Decline { seat, request })).await.map(drop)
    }

    /// An account turns to another game, or has done so some time ago.
    pub async fn left(&self, account: AccountId, since: Option<Timestamp>) -> Result<()> {
        let now = self.clock.now();
        let at = since.unwrap_or(now).min(now);
        self.store.note_left(account, at).await?;
        if let Some(game) = self.store.game_of(account).await? {
            self.change(game, |entry| (entry.ended_at <= at).then_some(Event::Left)).await?;
        }
        Ok(())
    }

    /// An account has been away for longer than a reload takes.
    pub async fn went_offline(&self, account: AccountId) -> Result<()> {
        if let Some(game) = self.store.game_of(account).await? {
            let seat = |entry: &Entry| entry.seat_of(account);
            self.change(game, |entry| Some(Event::WentOffline { seat: seat(entry)? })).await?;
        }
        Ok(())
    }

    /// An account is there, perhaps again: what stands, and how what it missed has ended.
    pub async fn came_back(&self, account: AccountId) -> Result<(Vec<Offer>, Vec<(TableId, Reason)>)> {
        let (mut offers, mut missed) = (Vec::new(), Vec::new());
        let Some(game) = self.store.game_of(account).await? else { return Ok((offers, missed)) };
        let Some(Stored { entry, .. }) = self.store.load(game).await? else { return Ok((offers, missed)) };
        let Some(seat) = entry.seat_of(account) else { return Ok((offers, missed)) };
        let seen = entry.memory.get(usize::from(seat)).and_then(|memory| memory.missed);
        missed.extend(seen.map(|reason| (game, reason)));
        let step = self.change(game, |_| Some(Event::CameBack { seat })).await?;
        if let Some(Step { entry: Entry { state: State::Asked { by, expires_at, .. }, .. }, .. }) = step {
            offers.push(Offer { game, from_seat: by, expires_at });
        }
        Ok((offers, missed))
    }

    /// How it stands with the rematch of a game, for somebody who sat there or for a stranger.
    pub async fn standing(&self, game: TableId, account: Option<AccountId>) -> Result<Standing> {
        let stored = self.store.load(game).await?.map(|stored| stored.entry);
        let entry = match (stored, account) {
            (Some(entry), _) => entry,
            (None, Some(account)) => match self.lost(game, account).await {
                Ok(Some(entry)) => entry,
                Ok(None) => return Ok(Standing::default()),
                Err(problem) if problem.is_final() => return Ok(Standing::default()),
                Err(problem) => return Err(problem),
            },
            (None, None) => return Ok(Standing::default()),
        };
        let entry = machine::step(&entry, Event::Time, self.clock.now()).entry;
        let next = (entry.state == State::Started).then_some(entry.next.id);
        let Some(seat) = account.and_then(|account| entry.seat_of(account)) else {
            // Until then it is worth waiting for the next game.
            let until = entry.deadline().map(|_| entry.until());
            return Ok(Standing { until, next, ..Standing::default() });
        };
        Ok(match &entry.state {
            State::Open => Standing { word: "available", until: Some(entry.until()), ..Standing::default() },
            State::Asked { by, agreed, expires_at } => Standing {
                word: if agreed.contains(&seat) { "waiting" } else { "requested" },
                until: Some(*expires_at),
                from_seat: Some(*by),
                next: None,
            },
            State::Starting { .. } | State::Started | State::Over => Standing { next, ..Standing::default() },
        })
    }

    /// Does what is due, for some of the games.
    pub async fn sweep(&self, limit: u32) -> Result<()> {
        for game in self.store.due(self.clock.now(), limit).await? {
            match self.change(game, |_| Some(Event::Time)).await? {
                None => self.store.forget(game).await?,
                Some(step) if step.effects.contains(&Effect::Start) => {
                    if let Err(problem) = self.start(game).await {
                        tracing::warn!(%game, %problem, "the next game can't be made now");
                    }
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Looks again who is there, for all requests that stand: news of it may have been lost.
    pub async fn recheck(&self) -> Result<()> {
        let within = machine::ASKED_FOR.to_std().unwrap_or(Duration::from_mins(1));
        for game in self.store.soon(self.clock.now(), within).await? {
            if let Some(Stored { entry, .. }) = self.store.load(game).await?.filter(|it| it.entry.is_asked())
            {
                self.end_if_offline(&entry).await?;
            }
        }
        Ok(())
    }

    async fn end_if_offline(&self, entry: &Entry) -> Result<()> {
        let gone = entry.people().find(|(_, account)| !self.present.is_online(*account));
        if let Some((seat, _)) = gone {
            self.change(entry.game, |_| Some(Event::WentOffline { seat })).await?;
        }
        Ok(())
    }

    /// Makes the next game of an entry whose players all agree. Safe to repeat, by anyone.
    async fn start(&self, game: TableId) -> Result<Outcome> {
        let offers = self.clone();
        // To the end, even if whoever asked goes away.
        let started = tokio::spawn(async move { offers.make(game).await });
        started.await.unwrap_or_else(|error| Err(Problem::internal(&error)))
    }

    async fn make(&self, game: TableId) -> Result<Outcome> {
        let entry = self.entry(game).await?;
        match entry.state {
            State::Starting { .. } => {}
            State::Started => return Ok(Outcome::Started(entry.next.id)),
            _ => return Ok(Outcome::Ended(Reason::Closed)),
        }
        let created = match self.create(&entry).await {
            Ok(created) => created,
            Err(problem) if problem.is_final() => {
                tracing::error!(%game, %problem, "the next game is refused for good");
                false
            }
            Err(problem) => return Err(problem),
        };
        fault::reach(Point::RematchStarted);
        let event = if created { Event::Created } else { Event::Refused };
        let after = self.change(game, |_| Some(event)).await?.map(|step| step.entry);
        match after {
            Some(Entry { state: State::Started, next, .. }) => Ok(Outcome::Started(next.id)),
            _ => Ok(Outcome::Ended(Reason::Closed)),
        }
    }

    /// False if a player has no time for it.
    async fn create(&self, entry: &Entry) -> Result<bool> {
        if self.peers.is_busy(entry).await? && !self.exists(entry.next.id).await? {
            return Ok(false);
        }
        self.peers.create(entry).await?;
        Ok(true)
    }

    async fn exists(&self, game: TableId) -> Result<bool> {
        match ending_if_any(&*self.peers, game).await {
            Ok(ending) => Ok(ending.is_some()),
            Err(Problem { code: Code::GameInProgress, .. }) => Ok(true),
            Err(problem) => Err(problem),
        }
    }

    /// An entry that the store has lost, opened anew; false if there is nothing to ask for.
    async fn rebuild(&self, game: TableId, account: AccountId) -> Result<bool> {
        let Some(entry) = self.lost(game, account).await? else { return Ok(false) };
        // Whoever was faster has opened it too.
        self.open(entry, None).await?;
        Ok(self.store.load(game).await?.is_some())
    }

    /// The entry that a game would have, for somebody who sits there.
    async fn lost(&self, game: TableId, account: AccountId) -> Result<Option<Entry>> {
        let ending = self.peers.ending(game, Some(account)).await?;
        let reason = ending.outcome.as_ref().map_or("", |outcome| &*outcome.reason);
        let mut entry = Entry::open(&ending)?;
        if !may_follow(reason) {
            return Ok(None);
        }
        for attempt in 1..ATTEMPTS_MAX {
            match ending_if_any(&*self.peers, next_id(game, attempt)).await {
                Ok(None) => break,
                Ok(Some(next)) if next.outcome.as_ref().is_some_and(|end| end.reason == "aborted") => {
                    entry = Entry::reopen(&next, game, attempt + 1)?;
                }
                Ok(Some(_)) | Err(Problem { code: Code::GameInProgress, .. }) => return Ok(None),
                Err(problem) => return Err(problem),
            }
        }
        let people: Vec<_> = entry.people().map(|(_, account)| account).collect();
        if self.clock.now() >= entry.until() || self.peers.have_begun(&people, entry.ended_at).await? {
            return Ok(None);
        }
        Ok(Some(entry))
    }

    /// Lets something happen to an entry; none if there is no such entry. `event` may look at it first.
    async fn change<'e>(
        &self,
        game: TableId,
        event: impl Fn(&Entry) -> Option<Event<'e>>,
    ) -> Result<Option<Step>> {
        for _ in 0..TRIES_MAX {
            let Some(Stored { version, entry }) = self.store.load(game).await? else { return Ok(None) };
            let Some(event) = event(&entry) else { return Ok(None) };
            let now = self.clock.now();
            let step = machine::step(&entry, event, now);
            if step.entry == entry {
                return Ok(Some(step));
            }
            let messages = messages(&step);
            let change =
                Change { from: Some(version), entry: step.entry.clone(), opens: false, messages, now };
            if let Committed::Yes { letters, .. } = self.store.commit(&change).await? {
                fault::reach(Point::RematchWritten);
                self.teller.tell(letters);
                return Ok(Some(step));
            }
        }
        Err(busy())
    }

    async fn entry(&self, game: TableId) -> Result<Entry> {
        let stored = self.store.load(game).await?;
        stored.map(|stored| stored.entry).ok_or_else(busy)
    }

    fn online(&self, entry: &Entry) -> Vec<bool> {
        let there =
            |player: &crate::entry::Player| player.robot_level > 0 || self.present.is_online(player.account);
        entry.players.iter().map(there).collect()
    }
}

fn messages(step: &Step) -> Vec<Message> {
    let game = step.entry.game;
    let message = |effect: &Effect| match effect {
        Effect::Tell(seat, notice) => {
            let account = step.entry.players.get(usize::from(*seat))?.account;
            Some(Message::ToPlayer { account, game, notice: *notice })
        }
        Effect::Lead => Some(Message::ToViewers { game, next: step.entry.next.id }),
        Effect::Start => None,
    };
    step.effects.iter().filter_map(message).collect()
}

fn no_such_game() -> Problem {
    Problem::not_found("you have no seat in such a game")
}

fn busy() -> Problem {
    Problem::unavailable("others keep changing this rematch; send the request again")
}
