//! A table's journal as a stranger is told it, and whether it is whole: no revision is missing,
//! none comes twice.

use anyhow::{Result, bail, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{OnGameUpdate, Unwatch};
use astragal_tests::ask;
use astragal_tests::client::Client;

/// The entries of a journal after the opening.
pub(crate) struct Journal {
    /// In order of revision; the end of the game is not an entry of its own.
    pub(crate) entries: Vec<Event>,
}

impl Journal {
    /// Reads the journal of a table up to a revision through a socket that doesn't watch it yet.
    pub(crate) async fn read(client: &mut Client, game_id: &str, until: u32) -> Result<Self> {
        let mut entries = Vec::new();
        let answer = client.done(ask::watch(game_id, Some(0))).await?;
        if matches!(answer, Event::Table(_)) {
            bail!("a watch since revision 0 got the whole table");
        }
        take(&mut entries, answer, game_id);
        while (entries.len() as u32) < until {
            let event = client.event().await?;
            take(&mut entries, event, game_id);
        }
        client.done(Operation::Unwatch(Unwatch { game_id: game_id.to_owned() })).await?;
        for (expected, entry) in (1..).zip(&entries) {
            ensure!(revision(entry) == Some(expected), "revision {expected} is {entry:?} in {game_id}");
        }
        Ok(Self { entries })
    }

    /// The moves, in order, those of the table included.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &OnGameUpdate> {
        self.entries.iter().filter_map(|entry| match entry {
            Event::OnGameUpdate(update) => Some(update),
            _ => None,
        })
    }

    /// How many seats were taken.
    pub(crate) fn seats_taken(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry, Event::OnSeatTaken(_))).count()
    }
}

fn take(entries: &mut Vec<Event>, event: Event, game_id: &str) {
    let of_this_game = match &event {
        Event::OnGameUpdate(update) => update.game_id == game_id,
        Event::OnSeatTaken(taken) => taken.game_id == game_id,
        Event::OnClock(clock) => clock.game_id == game_id,
        _ => false,
    };
    if of_this_game {
        entries.push(event);
    }
}

fn revision(entry: &Event) -> Option<u32> {
    match entry {
        Event::OnGameUpdate(update) => Some(update.revision),
        Event::OnSeatTaken(taken) => Some(taken.revision),
        Event::OnClock(clock) => Some(clock.revision),
        _ => None,
    }
}
