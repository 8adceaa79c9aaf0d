//! A player of kalah at one table: follows the frames, and picks a move from those that the
//! server calls legal. It knows no rules of its own, so it can't hide a mistake of theirs.

use crate::ask;
use crate::client::Client;
use anyhow::{Context, Result, bail};
use astragal_proto::content::ContentList;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{OnGameUpdate, Outcome, Table};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// What one seat knows of its table.
#[derive(Clone, Debug)]
pub struct KalahPlayer {
    /// The table as it was first shown.
    pub table: Table,
    /// The seat.
    pub seat: u32,
    /// The newest revision known.
    pub revision: u32,
    /// The newest revision that an acknowledgement or an event has told of.
    pub told: u32,
    /// The number of moves that stand, as far as updates have told.
    pub number: u32,
    /// Who is to move.
    pub to_move: Vec<u32>,
    /// The board, as JSON.
    pub view: Value,
    /// Present when the game is over.
    pub outcome: Option<Outcome>,
    legal_moves: Vec<Value>,
    state: u64,
}

impl KalahPlayer {
    /// A player at a table where they have a seat. `state` decides the moves that they pick.
    pub fn new(table: Table, state: u64) -> Result<Self> {
        let seat = table.your_seat.with_context(|| format!("no seat at {}", table.game_id))?;
        Ok(Self {
            seat,
            revision: table.revision,
            told: table.revision,
            number: 0,
            to_move: table.to_move.clone(),
            view: json(table.view.as_ref().map(|view| view.as_json().as_ref()))?,
            outcome: table.outcome.clone(),
            legal_moves: moves(table.legal_moves.as_ref())?,
            state: state.wrapping_mul(2).wrapping_add(1),
            table,
        })
    }

    /// Opens a robot game.
    pub async fn against_robot(client: &mut Client, level: u32, state: u64) -> Result<Self> {
        match client.done(ask::new_bot_game(level)).await? {
            Event::OnGameStart(start) => Self::new(start.table.context("a start without a table")?, state),
            other => bail!("newBotGame was answered by {other:?}"),
        }
    }

    /// Opens a game by link for one client and lets another join it.
    pub async fn pair(opener: &mut Client, joiner: &mut Client, state: u64) -> Result<[Self; 2]> {
        let first = Self::opener(opener, ask::new_friend_game(), state).await?;
        let second = Self::joiner(joiner, first.id(), state ^ 0x5bd1_e995).await?;
        Ok([first, second])
    }

    /// Opens a game that waits for others.
    pub async fn opener(client: &mut Client, operation: Operation, state: u64) -> Result<Self> {
        let game_id = match client.done(operation).await? {
            Event::Searching(searching) if !searching.joined => searching.game_id,
            other => bail!("a waiting game was expected, not {other:?}"),
        };
        Self::started(client, &game_id, state).await
    }

    /// Waits for the start of a game by its id.
    pub async fn started(client: &mut Client, game_id: &str, state: u64) -> Result<Self> {
        let table = client
            .event_where(|event| match event {
                Event::OnGameStart(start) => start.table.filter(|table| table.game_id == game_id),
                _ => None,
            })
            .await?;
        Self::new(table, state)
    }

    /// Joins a game by its id.
    pub async fn joiner(client: &mut Client, game_id: &str, state: u64) -> Result<Self> {
        match client.done(ask::join(game_id)).await? {
            Event::OnGameStart(start) => Self::new(start.table.context("a start without a table")?, state),
            other => bail!("joinGame was answered by {other:?}"),
        }
    }

    /// Reads the table anew, as after a reconnect.
    pub async fn returned(client: &mut Client, game_id: &str, state: u64) -> Result<Self> {
        match client.done(ask::watch(game_id, None)).await? {
            Event::Table(table) => Self::new(table, state),
            other => bail!("watch was answered by {other:?}"),
        }
    }

    /// The table's id.
    pub fn id(&self) -> &str {
        &self.table.game_id
    }

    /// True if this seat is to move.
    pub fn is_to_move(&self) -> bool {
        self.outcome.is_none() && self.to_move.contains(&self.seat)
    }

    /// Takes an event in; true if it was news of this table.
    pub fn follow(&mut self, event: &Event) -> Result<bool> {
        match event {
            Event::OnGameUpdate(update) if update.game_id == self.table.game_id => {
                if !self.advance(update.revision)? {
                    return Ok(false);
                }
                self.take(update)?;
            }
            Event::OnSeatTaken(taken) if taken.game_id == self.table.game_id => {
                if !self.advance(taken.revision)? {
                    return Ok(false);
                }
            }
            Event::OnClock(clock) if clock.game_id == self.table.game_id => {
                if !self.advance(clock.revision)? {
                    return Ok(false);
                }
            }
            Event::OnGameEnd(end) if end.game_id == self.table.game_id => {
                if end.revision != self.revision {
                    bail!("the end of {} has revision {}, not {}", end.game_id, end.revision, self.revision);
                }
                self.outcome = Some(end.outcome.clone().context("an end without an outcome")?);
            }
            _ => return Ok(false),
        }
        self.told = self.told.max(self.revision);
        Ok(true)
    }

    /// Every revision comes once and in order. False for one from before the table was shown, which
    /// may still have been on its way then.
    fn advance(&mut self, revision: u32) -> Result<bool> {
        if revision <= self.table.revision {
            return Ok(false);
        }
        if revision != self.revision + 1 {
            bail!("revision {revision} came after {} at {}", self.revision, self.table.game_id);
        }
        self.revision = revision;
        Ok(true)
    }

    fn take(&mut self, update: &OnGameUpdate) -> Result<()> {
        self.number = if update.undone == Some(true) { update.number - 1 } else { update.number };
        self.to_move.clone_from(&update.to_move);
        self.view = json(update.view.as_ref().map(|view| view.as_json().as_ref()))?;
        // Kalah's views have sorted keys and whole numbers, so this text is their RFC 8785 form.
        if hex::encode(Sha256::digest(self.view.to_string())) != update.view_hash {
            bail!("viewHash is not the hash of {} at {}", self.view, self.table.game_id);
        }
        self.legal_moves = moves(update.legal_moves.as_ref())?;
        Ok(())
    }

    /// Picks one of the legal moves.
    pub fn pick(&mut self) -> Result<Value> {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let count = self.legal_moves.len();
        if count == 0 {
            bail!("seat {} is to move at {} but has no legal move", self.seat, self.table.game_id);
        }
        let index = usize::try_from(self.state % count as u64)?;
        Ok(self.legal_moves[index].clone())
    }

    /// The operation of a picked move.
    pub fn next_move(&mut self) -> Result<Operation> {
        let content = self.pick()?;
        Ok(ask::make_move(&self.table.game_id, self.revision, &content))
    }

    /// Makes a move and waits for its acknowledgement and its update; the acknowledged revision.
    pub async fn make_move(&mut self, client: &mut Client) -> Result<u32> {
        let operation = self.next_move()?;
        let revision = match client.done(operation).await? {
            Event::Ack(ack) => ack.revision.context("an acknowledged move without a revision")?,
            other => bail!("move was answered by {other:?}"),
        };
        if self.is_told(client, revision) {
            bail!("revision {revision} was told before it was acknowledged at {}", self.table.game_id);
        }
        self.told = self.told.max(revision);
        while self.revision < revision {
            self.wait(client).await?;
        }
        Ok(revision)
    }

    /// True if an update from a revision on has come and was not read yet.
    fn is_told(&self, client: &Client, revision: u32) -> bool {
        client.unread().any(|event| match event {
            Event::OnGameUpdate(update) => {
                update.game_id == self.table.game_id && update.revision >= revision
            }
            _ => false,
        })
    }

    /// Waits for the next news of this table.
    pub async fn wait(&mut self, client: &mut Client) -> Result<()> {
        while !self.follow(&client.event().await?)? {}
        Ok(())
    }

    /// Plays until the game is over; the outcome. It may move before it has read of an end that
    /// somebody else brings about: for those there is [`KalahPlayer::wait_for_end`].
    pub async fn play_to_end(&mut self, client: &mut Client) -> Result<Outcome> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Ok(outcome.clone());
            }
            if self.is_to_move() {
                self.make_move(client).await?;
            } else {
                self.wait(client).await?;
            }
        }
    }

    /// Waits until the game is over, without a move; the outcome.
    pub async fn wait_for_end(&mut self, client: &mut Client) -> Result<Outcome> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Ok(outcome.clone());
            }
            self.wait(client).await?;
        }
    }
}

/// Two players play until their game is over; the outcome, on which both agree.
pub async fn play_both(players: &mut [KalahPlayer; 2], clients: &mut [Client; 2]) -> Result<Outcome> {
    let [first, second] = players;
    let [first_client, second_client] = clients;
    agreed(tokio::try_join!(first.play_to_end(first_client), second.play_to_end(second_client))?)
}

/// Two players are told of an end that an operation has brought about; the outcome, on which both agree.
pub async fn told_both(players: &mut [KalahPlayer; 2], clients: &mut [Client; 2]) -> Result<Outcome> {
    let [first, second] = players;
    let [first_client, second_client] = clients;
    agreed(tokio::try_join!(first.wait_for_end(first_client), second.wait_for_end(second_client))?)
}

fn agreed((mine, theirs): (Outcome, Outcome)) -> Result<Outcome> {
    if mine != theirs {
        bail!("the players were told of two ends: {mine:?} and {theirs:?}");
    }
    Ok(mine)
}

fn json(text: Option<&[u8]>) -> Result<Value> {
    Ok(serde_json::from_slice(text.context("a table or an update without a view")?)?)
}

fn moves(list: Option<&ContentList>) -> Result<Vec<Value>> {
    list.map_or(Ok(Vec::new()), |list| Ok(serde_json::from_slice(list.as_json())?))
}
