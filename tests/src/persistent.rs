//! A person who doesn't give up. When their socket breaks, or their gateway drains or hangs, they come back at another
//! gateway, resume their table by `watch` since the revision they know, and send what is unanswered again under its id.
//!
//! Everything that they are told is kept in a [`Record`]. A gap, a twin, or a refusal that is not `UNAVAILABLE` is an
//! error: what may fail for a while must say so, and nothing else may fail.

use crate::ask;
use crate::client::{Answer, Client, Refusal, Wire};
use crate::http::{Guest, Http};
use crate::kalah_player::KalahPlayer;
use crate::record::Record;
use crate::tally::Tally;
use anyhow::{Context, Result, anyhow, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, Interval, MissedTickBehavior};

/// How long anything may be unavailable before that counts as for ever; a busy machine is slow.
const PATIENCE: Duration = Duration::from_mins(2);
/// How long a connection may be still until a ping is sent.
const STILL_MAX: Duration = Duration::from_secs(3);
/// How long that may go unanswered, and how long a gateway may take to let somebody in.
const ANSWER_MAX: Duration = Duration::from_secs(15);
/// How long nothing of interest may come from a gateway that answers pings.
const STUCK_MAX: Duration = Duration::from_mins(1);
/// Nobody moves, or asks again, more often than this: many tables are to be open, not many moves to be made.
const PACE: Duration = Duration::from_millis(200);

/// Somebody with an account, and at most one table at a time.
pub struct Persistent {
    guest: Guest,
    /// The one they prefer first.
    gateways: Vec<String>,
    /// Which gateway is next.
    turn: usize,
    wire: Wire,
    client: Option<Client>,
    draining: bool,
    pace: Interval,
    seat: Option<Seat>,
    tally: Arc<Tally>,
}

struct Seat {
    player: KalahPlayer,
    record: Record,
}

impl Persistent {
    /// Signs up at the gateway they prefer, which must be there.
    pub async fn arrive(name: &str, gateways: Vec<String>, wire: Wire, tally: Arc<Tally>) -> Result<Self> {
        let preferred = gateways.first().context("no gateway")?;
        let guest = Http::connect(preferred).await?.sign_up(name).await?;
        let mut pace = tokio::time::interval(PACE);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (client, draining, seat) = (None, false, None);
        let mut person = Self { guest, gateways, turn: 0, wire, client, draining, pace, seat, tally };
        person.come_back().await?;
        Ok(person)
    }

    /// Opens a game for whoever knows its id, which is returned.
    pub async fn open(&mut self, state: u64) -> Result<String> {
        match self.insist(ask::new_friend_game()).await?.0 {
            Event::Searching(searching) => {
                self.sit_down(&searching.game_id, state).await?;
                Ok(searching.game_id)
            }
            other => bail!("newFriendGame was answered by {other:?}"),
        }
    }

    /// Takes the other seat of a game.
    pub async fn join(&mut self, game_id: &str, state: u64) -> Result<()> {
        match self.insist(ask::join(game_id)).await?.0 {
            Event::OnGameStart(_) => self.sit_down(game_id, state).await,
            other => bail!("joinGame was answered by {other:?}"),
        }
    }

    async fn sit_down(&mut self, game_id: &str, state: u64) -> Result<()> {
        match self.insist(ask::watch(game_id, None)).await?.0 {
            Event::Table(table) => {
                let player = KalahPlayer::new(table, state)?;
                let record = Record::new(&player.table, player.seat);
                self.seat = Some(Seat { player, record });
                Ok(())
            }
            other => bail!("watch was answered by {other:?}"),
        }
    }

    /// Plays until the game is over, and gives what was told of it.
    pub async fn play(&mut self) -> Result<Record> {
        loop {
            self.read()?;
            if self.draining {
                // As clients do, they go before they are cut off.
                self.client = None;
                self.come_back().await?;
                continue;
            }
            let player = &mut self.seat.as_mut().context("no seat")?.player;
            if player.outcome.is_some() {
                break;
            }
            if player.is_to_move() {
                let operation = player.next_move()?;
                self.pace.tick().await;
                self.make_move(operation).await?;
            } else {
                self.wait().await?;
            }
        }
        Ok(self.seat.take().context("no seat")?.record)
    }

    async fn make_move(&mut self, operation: Operation) -> Result<()> {
        let begin = Instant::now();
        let (answer, sends) = self.insist(operation.clone()).await?;
        self.tally.moved(sends, begin.elapsed());
        let Event::Ack(ack) = answer else { bail!("move was answered by {answer:?}") };
        let revision = ack.revision.context("an acknowledged move without a revision")?;
        self.tally.told(&ack.game_id, revision);
        let seat = self.seat.as_mut().context("no seat")?;
        seat.record.acknowledge(revision, &operation)?;
        seat.player.told = seat.player.told.max(revision);
        while self.seat.as_ref().is_some_and(|seat| seat.player.revision < revision) {
            self.wait().await?;
        }
        Ok(())
    }

    /// Sends an operation under one id until it is answered; the answer, and how often it was sent.
    async fn insist(&mut self, operation: Operation) -> Result<(Event, u32)> {
        #[expect(clippy::disallowed_methods, reason = "a client makes up its request ids itself")]
        let id = uuid::Uuid::now_v7().to_string();
        let begin = Instant::now();
        for sends in 1.. {
            self.come_back().await?;
            let client = self.client.as_mut().context("no connection")?;
            let asked = match client.send_as(&id, operation.clone()).await {
                Ok(()) => hear_answer(client, &id).await,
                Err(error) => Err(error),
            };
            match asked {
                Ok(Some(Ok(event))) => return Ok((event, sends)),
                Ok(Some(Err(refusal))) => self.bear(&operation, &refusal)?,
                Ok(None) => self.go_elsewhere()?,
                Err(_) if client.is_gone() => {
                    self.read()?;
                    self.client = None;
                }
                Err(error) => return Err(error.context(format!("{operation:?}"))),
            }
            ensure!(begin.elapsed() < PATIENCE, "{operation:?} was not done within {PATIENCE:?}");
            self.read()?;
            self.pace.tick().await;
        }
        bail!("{operation:?} was sent for ever")
    }

    fn bear(&self, operation: &Operation, refusal: &Refusal) -> Result<()> {
        if refusal.code != "UNAVAILABLE" {
            bail!("{operation:?} was refused: {refusal:?}");
        }
        self.tally.refused();
        Ok(())
    }

    /// Makes sure that there is a connection which knows the table as far as they do.
    async fn come_back(&mut self) -> Result<()> {
        let begin = Instant::now();
        while self.client.is_none() {
            let url = self.gateways[self.turn % self.gateways.len()].clone();
            if let Err(error) = self.resume(&url).await? {
                self.turn += 1;
                ensure!(begin.elapsed() < PATIENCE, "nobody lets them in within {PATIENCE:?}: {error:#}");
                self.pace.tick().await;
            }
        }
        Ok(())
    }

    /// Leaves a gateway that hangs; what it has sent by then counts.
    fn go_elsewhere(&mut self) -> Result<()> {
        self.read()?;
        self.client = None;
        self.turn += 1;
        Ok(())
    }

    /// Tries one gateway. The inner error is one that another attempt may not meet.
    async fn resume(&mut self, url: &str) -> Result<Result<()>> {
        let entering = tokio::time::timeout(ANSWER_MAX, Client::enter(url, &self.guest, self.wire));
        let mut client = match entering.await {
            Ok(Ok((client, _welcome))) => client,
            Ok(Err(error)) => return Ok(Err(error)),
            Err(_) => return Ok(Err(anyhow!("{url} hangs"))),
        };
        if let Some(Seat { player, .. }) = &mut self.seat {
            let watch = ask::watch(player.id(), Some(player.revision));
            let watched = match client.send(watch).await {
                Ok(id) => hear_answer(&mut client, &id).await,
                Err(error) => Err(error),
            };
            let Some(watched) = watched.transpose() else { return Ok(Err(anyhow!("{url} hangs"))) };
            match watched {
                Ok(Ok(Event::Ack(ack))) => {
                    ensure!(ack.revision >= Some(player.told), "{ack:?}, but {} was told", player.told);
                }
                // Only who knows the last move is shown the table, for its end.
                Ok(Ok(Event::Table(table)))
                    if table.outcome.is_some() && table.revision == player.revision =>
                {
                    player.outcome = table.outcome;
                }
                Ok(Ok(other)) => bail!("watch since {} was answered by {other:?}", player.revision),
                Ok(Err(refusal)) if refusal.code == "UNAVAILABLE" => return Ok(Err(anyhow!("{refusal:?}"))),
                Ok(Err(refusal)) => bail!("watch was refused: {refusal:?}"),
                Err(error) if client.is_gone() => return Ok(Err(error)),
                Err(error) => return Err(error),
            }
            self.tally.resumed();
        }
        self.draining = false;
        // What came before the answer belongs to the welcome, and comes again after it.
        for event in client.take_unread() {
            self.note(&event);
        }
        self.client = Some(client);
        Ok(Ok(()))
    }

    /// Takes in what has come.
    fn read(&mut self) -> Result<()> {
        let unread = self.client.as_mut().map(Client::take_unread).unwrap_or_default();
        for event in unread {
            self.follow(&event)?;
        }
        Ok(())
    }

    /// Waits for one event, or for a new connection.
    async fn wait(&mut self) -> Result<()> {
        self.come_back().await?;
        let client = self.client.as_mut().context("no connection")?;
        match hear_event(client).await {
            Ok(Some(event)) => self.follow(&event),
            Ok(None) => self.go_elsewhere(),
            Err(_) if client.is_gone() => {
                self.client = None;
                Ok(())
            }
            Err(error) => Err(error.context(self.state())),
        }
    }

    /// How far they are, for whoever has to find out why they are stuck.
    fn state(&self) -> String {
        let name = &self.guest.name;
        match &self.seat {
            Some(Seat { player: KalahPlayer { seat, revision, told, to_move, .. }, .. }) => {
                format!(
                    "{name} at seat {seat} knows revision {revision} of {told}, where {to_move:?} are to move"
                )
            }
            None => format!("{name} is at no table"),
        }
    }

    fn follow(&mut self, event: &Event) -> Result<()> {
        self.note(event);
        let Some(Seat { player, record }) = &mut self.seat else { return Ok(()) };
        let before = player.revision;
        if player.follow(event)? && player.revision > before {
            self.tally.saw(player.id(), player.revision);
            record.tell(event)?;
        }
        Ok(())
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::Draining(_) => {
                self.draining = true;
                self.tally.drained();
            }
            Event::OnPresence(presence) if !presence.online => self.tally.missed(),
            _ => {}
        }
    }
}

/// The next event; nothing, if the gateway hangs.
async fn hear_event(client: &mut Client) -> Result<Option<Event>> {
    let begin = Instant::now();
    loop {
        match tokio::time::timeout(STILL_MAX, client.event()).await {
            Ok(heard) => return heard.map(Some),
            Err(_) if hangs(client, begin).await? => return Ok(None),
            Err(_) => {}
        }
    }
}

/// The answer to an id; nothing, if the gateway hangs.
async fn hear_answer(client: &mut Client, id: &str) -> Result<Option<Answer>> {
    let begin = Instant::now();
    loop {
        match tokio::time::timeout(STILL_MAX, client.answer(id)).await {
            Ok(heard) => return heard.map(Some),
            Err(_) if hangs(client, begin).await? => return Ok(None),
            Err(_) => {}
        }
    }
}

/// Whether not even a ping is answered. What a gateway owes that lives must come in time.
async fn hangs(client: &mut Client, begin: Instant) -> Result<bool> {
    if !client.is_answered(ANSWER_MAX).await {
        return Ok(true);
    }
    ensure!(begin.elapsed() < STUCK_MAX, "nothing comes from a gateway that lives");
    Ok(false)
}
