//! What becomes of rematches: each change is read, decided by the machine, and compared and set; whoever
//! was slower decides anew. Any replica may do any of it.

use crate::entry::{Entry, State};
use crate::machine::{self, Answer, Effect, Event, Step};
use crate::peers::Peers;
use crate::present::Present;
use crate::reason::Reason;
use crate::store::{Change, Committed, Message, OfferStore, Stored};
use crate::teller::Teller;
use astragal_runtime::clock::{Clock, Timestamp};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::fault::{self, Point};
use astragal_runtime::id::{AccountId, RequestId, TableId};
use std::sync::Arc;
use tokio::task::JoinSet;

/// How often a change is tried against others who change the same entry.
pub(crate) const TRIES_MAX: usize = 32;

/// Next games that a sweep makes at once.
const STARTS_MAX: usize = 16;

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

/// What an event has come to.
pub(crate) struct Changed {
    /// The step.
    pub(crate) step: Step,
    /// Of the entry after it.
    version: u64,
}

impl Changed {
    /// The entry as it lies in the store, unless somebody has changed it since.
    pub(crate) fn into_stored(self) -> Stored {
        Stored { version: self.version, entry: self.step.entry }
    }
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
    /// Somebody who sits there asks for a rematch, or accepts it.
    pub async fn ask(&self, account: AccountId, request: RequestId, game: TableId) -> Result<Outcome> {
        let Some(stored) = self.found(game, account).await? else {
            return Ok(Outcome::Ended(Reason::Closed));
        };
        let seat = stored.entry.seat_of(account).ok_or_else(no_such_game)?;
        let online = self.online(&stored.entry);
        let event = Event::Ask { seat, request, online: &online };
        let Some(changed) = self.change_from(Some(stored), |_| Some(event)).await? else {
            return Ok(Outcome::Ended(Reason::Closed));
        };
        let step = &changed.step;
        if step.entry.is_asked() && matches!(step.answer, Answer::Asked(_)) {
            // Somebody may have gone since the look at who is there.
            self.end_if_offline(&step.entry).await?;
        }
        match step.answer {
            Answer::Asked(expires_at) => Ok(Outcome::Asked(expires_at)),
            Answer::Ended(reason) => Ok(Outcome::Ended(reason)),
            Answer::Started => Ok(Outcome::Started(step.entry.next.id)),
            Answer::Starting => self.start(changed.into_stored()).await,
            Answer::TooOften => {
                let why = "you have asked five times within a minute; wait a while";
                Err(Problem::new(Code::RateLimited, why))
            }
            Answer::Nothing | Answer::Missed(_) | Answer::Reused => Err(reused()),
        }
    }

    /// Somebody who sits there says no, or takes back what they asked.
    pub async fn decline(&self, account: AccountId, request: RequestId, game: TableId) -> Result<()> {
        let Some(stored) = self.store.load(game).await? else {
            return self.peers.ending(game, Some(account)).await.map(drop);
        };
        let seat = stored.entry.seat_of(account).ok_or_else(no_such_game)?;
        let declined = self.change_from(Some(stored), |_| Some(Event::Decline { seat, request })).await?;
        match declined {
            Some(Changed { step: Step { answer: Answer::Reused, .. }, .. }) => Err(reused()),
            _ => Ok(()),
        }
    }

    /// An account turns to another game, or has done so some time ago. Who says of the game that has ended itself that
    /// they had found it does not turn away from it.
    pub async fn left(
        &self,
        account: AccountId,
        since: Option<Timestamp>,
        found: Option<TableId>,
    ) -> Result<()> {
        let now = self.clock.now();
        let at = since.unwrap_or(now).min(now);
        self.store.note_left(account, at).await?;
        if let Some(game) = self.store.game_of(account).await?.filter(|game| Some(*game) != found) {
            self.change(game, |entry| (entry.ended_at <= at).then_some(Event::Left)).await?;
        }
        Ok(())
    }

    /// An account is there, perhaps again: what stands, and how what it missed has ended.
    pub async fn came_back(&self, account: AccountId) -> Result<(Vec<Offer>, Vec<(TableId, Reason)>)> {
        let (mut offers, mut missed) = (Vec::new(), Vec::new());
        if let Some(game) = self.store.game_of(account).await? {
            let back = |entry: &Entry| Some(Event::CameBack { seat: entry.seat_of(account)? });
            if let Some(Changed { step, .. }) = self.change(game, back).await? {
                if let Answer::Missed(reason) = step.answer {
                    missed.push((game, reason));
                }
                if let State::Asked { by, expires_at, .. } = step.entry.state {
                    offers.push(Offer { game, from_seat: by, expires_at });
                }
            }
        }
        Ok((offers, missed))
    }

    /// Does what is due, for some of the games, and says when something is due next.
    pub async fn sweep(&self, limit: u32) -> Result<Option<Timestamp>> {
        let due = self.store.due(self.clock.now(), limit).await?;
        let mut starts = JoinSet::new();
        for game in due.games {
            match self.change(game, |_| Some(Event::Time)).await? {
                None => self.store.forget(game).await?,
                Some(changed) if changed.step.effects.contains(&Effect::Start) => {
                    if starts.len() >= STARTS_MAX {
                        starts.join_next().await;
                    }
                    let offers = self.clone();
                    starts.spawn(async move {
                        if let Err(problem) = offers.start(changed.into_stored()).await {
                            tracing::warn!(%game, %problem, "the next game can't be made now");
                        }
                    });
                }
                Some(_) => {}
            }
        }
        starts.join_all().await;
        Ok(due.next)
    }

    /// Lets something happen to an entry; none if there is no such entry. `event` may look at it first.
    pub(crate) async fn change<'e>(
        &self,
        game: TableId,
        event: impl Fn(&Entry) -> Option<Event<'e>>,
    ) -> Result<Option<Changed>> {
        self.change_from(self.store.load(game).await?, event).await
    }

    /// The same, of an entry that was just read.
    pub(crate) async fn change_from<'e>(
        &self,
        mut read: Option<Stored>,
        event: impl Fn(&Entry) -> Option<Event<'e>>,
    ) -> Result<Option<Changed>> {
        for _ in 0..TRIES_MAX {
            let Some(Stored { version, entry }) = read else { return Ok(None) };
            let Some(event) = event(&entry) else { return Ok(None) };
            let now = self.clock.now();
            let step = machine::step(&entry, event, now);
            if step.entry == entry {
                return Ok(Some(Changed { step, version }));
            }
            let messages = messages(&step);
            let change =
                Change { from: Some(version), entry: step.entry.clone(), opens: false, messages, now };
            if let Committed::Yes { letters, .. } = self.store.commit(&change).await? {
                fault::reach(Point::RematchWritten);
                self.teller.tell(letters);
                return Ok(Some(Changed { step, version: version + 1 }));
            }
            read = self.store.load(entry.game).await?;
        }
        Err(busy())
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

fn reused() -> Problem {
    Problem::invalid_argument("this id was used for another request; send a new one")
}

fn no_such_game() -> Problem {
    Problem::not_found("you have no seat in such a game")
}

pub(crate) fn busy() -> Problem {
    Problem::unavailable("others keep changing this rematch; send the request again")
}
