//! Two players of a game with a clock, each on a gateway of their own. They think, move at random, and
//! sometimes fall asleep; what their clocks show is noted.

use anyhow::{Context, Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Clock, ClockRequest, NewFriendGame};
use astragal_tests::client::{Client, Wire};
use astragal_tests::kalah_player::KalahPlayer;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use std::time::Duration;

/// How long a player thinks.
const THINK_MS: std::ops::Range<u64> = 20..600;
/// Of so many games, in one somebody falls asleep.
const SLEEPY: u64 = 3;

/// What the clocks showed after an entry.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) revision: u32,
    pub(super) remaining: [TimeDelta; 2],
    pub(super) running: Option<u32>,
    pub(super) at: DateTime<Utc>,
}

/// A game that is over.
pub(super) struct Game {
    pub(super) id: String,
    pub(super) commitment: String,
    pub(super) reason: String,
    pub(super) view: Value,
    pub(super) shown: Vec<Shown>,
}

/// A game that is under way.
pub(super) struct Playing {
    seats: [Seat; 2],
}

struct Seat {
    player: KalahPlayer,
    client: Client,
    shown: Vec<Shown>,
    dice: u64,
    /// The move of the log after which this player falls asleep.
    asleep_after: Option<u32>,
}

impl Playing {
    /// Opens a game by link on one gateway and joins it on the other.
    pub(super) async fn begin(urls: [String; 2], number: u64, initial_ms: u64) -> Result<Self> {
        let (mut opener, _) = Client::guest(&urls[0], "Ada", Wire::Json).await?;
        let (mut joiner, _) = Client::guest(&urls[1], "Blaise", Wire::Binary).await?;
        let clock = ClockRequest {
            initial: Some(Duration::from_millis(initial_ms).into()),
            increment: Some(Duration::ZERO.into()),
            per_move: None,
        };
        let game = NewFriendGame { game: "kalah".into(), clock: Some(clock), ..NewFriendGame::default() };
        let first = KalahPlayer::opener(&mut opener, Operation::NewFriendGame(game), number + 1).await?;
        ensure!(first.table.time_control == Some(clock), "another clock: {:?}", first.table.time_control);
        ensure!(first.table.clock.is_none(), "a clock runs while a seat is empty");
        let second = KalahPlayer::joiner(&mut joiner, first.id(), number + 1_000_003).await?;
        ensure!(second.table.clock.is_some(), "no clock runs though every seat is taken");
        let seat = |player: KalahPlayer, client: Client, dice: u64| {
            let sleepy = number.is_multiple_of(SLEEPY) && u64::from(player.seat) == number % 2;
            let asleep_after = sleepy.then_some(u32::try_from(number % 12).unwrap_or_default());
            Seat { player, client, shown: Vec::new(), dice: dice.wrapping_mul(2) + 1, asleep_after }
        };
        Ok(Self { seats: [seat(first, opener, number), seat(second, joiner, number + 7_919)] })
    }

    /// Nobody falls asleep.
    #[must_use]
    pub(super) fn awake(mut self) -> Self {
        for seat in &mut self.seats {
            seat.asleep_after = None;
        }
        self
    }

    /// Plays on until so many moves have been made, or the game is over.
    pub(super) async fn play(&mut self, moves: u32) -> Result<()> {
        let [first, second] = &mut self.seats;
        tokio::try_join!(first.play(moves), second.play(moves))?;
        Ok(())
    }

    /// What the clocks showed last.
    pub(super) fn newest(&self) -> Result<Shown> {
        let shown = self.seats.iter().flat_map(|seat| &seat.shown).max_by_key(|shown| shown.revision);
        shown.cloned().context("no clock was shown")
    }

    /// Plays to the end.
    pub(super) async fn end(mut self) -> Result<Game> {
        self.play(u32::MAX).await?;
        let [first, second] = self.seats;
        let outcome = first.player.outcome.context("a game without an outcome")?;
        ensure!(second.player.outcome.as_ref() == Some(&outcome), "two outcomes");
        ensure!(first.player.view == second.player.view, "two boards");
        Ok(Game {
            id: first.player.table.game_id.clone(),
            commitment: first.player.table.commitment.clone(),
            reason: outcome.reason,
            view: first.player.view,
            shown: [first.shown, second.shown].concat(),
        })
    }
}

impl Seat {
    async fn play(&mut self, moves: u32) -> Result<()> {
        loop {
            for event in self.client.take_unread() {
                self.note(&event)?;
            }
            if self.player.outcome.is_some() || self.player.number >= moves {
                return Ok(());
            }
            let awake = self.asleep_after.is_none_or(|number| self.player.number < number);
            if self.player.is_to_move() && awake {
                // To think is to let time pass: here the clocks are real.
                tokio::time::sleep(self.think()).await;
                self.make_move().await?;
            } else {
                let (id, revision) = (self.player.id().to_owned(), self.player.revision);
                let event = self.client.event().await.with_context(|| {
                    format!("{id}: nothing after revision {revision}, {:?} to move", self.player.to_move)
                })?;
                self.note(&event)?;
            }
        }
    }

    async fn make_move(&mut self) -> Result<()> {
        let operation = self.player.next_move()?;
        match self.client.insist(operation).await? {
            Ok(Event::Ack(ack)) => {
                let revision = ack.revision.context("a move without a revision")?;
                while self.player.revision < revision {
                    let event = self.client.event().await?;
                    self.note(&event)?;
                }
                Ok(())
            }
            // Too late: the end is on its way.
            Err(refusal) if refusal.code == "ILLEGAL_MOVE" && self.end_is_near().await? => Ok(()),
            other => bail!("a move was answered by {other:?}"),
        }
    }

    async fn end_is_near(&mut self) -> Result<bool> {
        while self.player.outcome.is_none() {
            let event = self.client.event().await?;
            self.note(&event)?;
        }
        Ok(true)
    }

    fn note(&mut self, event: &Event) -> Result<()> {
        let told = match event {
            Event::OnGameUpdate(update) => Some((&update.game_id, update.revision, &update.clock)),
            Event::OnSeatTaken(taken) => Some((&taken.game_id, taken.revision, &taken.clock)),
            Event::OnClock(clock) => Some((&clock.game_id, clock.revision, &clock.clock)),
            _ => None,
        };
        if let Some((game_id, revision, Some(clock))) = told
            && game_id == self.player.id()
        {
            self.shown.push(shown(revision, clock)?);
        }
        self.player.follow(event).map(drop)
    }

    fn think(&mut self) -> Duration {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        Duration::from_millis(THINK_MS.start + self.dice % (THINK_MS.end - THINK_MS.start))
    }
}

fn shown(revision: u32, clock: &Clock) -> Result<Shown> {
    let [first, second] = clock.remaining[..] else { bail!("clocks of two seats, not {clock:?}") };
    let span = |shown| -> Result<TimeDelta> { Ok(TimeDelta::from_std(Duration::try_from(shown)?)?) };
    let at = clock.server_time.context("a clock without a time")?;
    Ok(Shown {
        revision,
        remaining: [span(first)?, span(second)?],
        running: clock.running,
        at: DateTime::try_from(at)?,
    })
}
