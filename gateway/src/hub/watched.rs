//! One watched table: its viewers, and how far they have been told.
//!
//! No I/O and no clock. The bus may lose, repeat and delay messages; `head` is what every viewer has at least, a
//! message beyond the next one is a gap, and a socket drops by itself what it has seen already.

use std::collections::HashSet;

use astragal_proto::engine::v1::TableView;
use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::gateway::v1::OnViewers;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_runtime::id::{AccountId, TableId};

use super::news::{Heard, Press};
use crate::compose::sitting;
use crate::socket::format::Format;
use crate::socket::outbox::{Mail, Outbox};

/// Messages kept for a viewer whose table is being loaded.
const KEPT_MAX: usize = 256;

/// A socket that watches a table.
#[derive(Debug)]
pub(crate) struct Viewer {
    pub(crate) outbox: Outbox,
    pub(crate) format: Format,
    pub(crate) account: AccountId,
}

/// A class of viewers: those of one seat, or all spectators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) seat: Option<u32>,
    /// Who sits there.
    pub(crate) account: Option<AccountId>,
}

/// What is to be loaded to close a gap.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) since: u32,
    pub(crate) classes: Vec<Class>,
}

/// What was loaded for one class of viewers.
pub(crate) enum Filling {
    Events(Vec<Heard>),
    /// Too much was missed; each socket loads the table.
    Resync,
}

#[derive(Debug)]
enum Place {
    /// The table is being loaded for this viewer; what happens meanwhile is kept.
    Loading(Vec<Heard>),
    Ready(Option<u32>),
}

/// One watched table.
#[derive(Debug)]
pub(crate) struct Watched {
    table: TableId,
    viewers: Vec<(Viewer, Place)>,
    /// Who sits in each seat, as far as it is known.
    seats: Vec<(u32, AccountId)>,
    /// The revision that every ready viewer has at least; absent while nobody is ready.
    head: Option<u32>,
    /// The newest revision that was heard of.
    newest: u32,
    filling: bool,
    /// A viewer came while a gap was filled, and has to be filled too.
    joined_meanwhile: bool,
}

impl Watched {
    pub(crate) fn new(table: TableId) -> Self {
        Self {
            table,
            viewers: Vec::new(),
            seats: Vec::new(),
            head: None,
            newest: 0,
            filling: false,
            joined_meanwhile: false,
        }
    }

    /// Adds a viewer whose table is about to be loaded; one that is here already stays as it is.
    pub(crate) fn begin(&mut self, viewer: Viewer) {
        if !self.viewers.iter().any(|(other, _)| other.outbox.socket() == viewer.outbox.socket()) {
            self.viewers.push((viewer, Place::Loading(Vec::new())));
        }
    }

    /// The table was loaded for a viewer, who now gets what happened since.
    pub(crate) fn finish(&mut self, socket: u64, view: &TableView) {
        for (seat, account) in sitting(view) {
            self.sit(seat, account);
        }
        let Some((viewer, place)) =
            self.viewers.iter_mut().find(|(viewer, _)| viewer.outbox.socket() == socket)
        else {
            return;
        };
        let kept = std::mem::replace(place, Place::Ready(view.your_seat));
        let Place::Loading(kept) = kept else { return };
        let mut told = view.revision;
        for heard in kept {
            if heard.event.revision == told + 1 {
                told += 1;
                viewer.tell(self.table, &heard, view.your_seat);
            }
        }
        self.head = Some(self.head.map_or(told, |head| head.min(told)));
        self.newest = self.newest.max(told);
        self.joined_meanwhile = self.filling;
    }

    /// Removes a viewer; true if it was the last one.
    pub(crate) fn leave(&mut self, socket: u64) -> bool {
        self.viewers.retain(|(viewer, _)| viewer.outbox.socket() != socket);
        self.viewers.is_empty()
    }

    /// Takes a message of the bus. If one before it is missing, it says what to load.
    pub(crate) fn hear(&mut self, heard: &Heard) -> Option<Gap> {
        let revision = heard.event.revision;
        for (_, place) in &mut self.viewers {
            match place {
                // Beyond that, the gap shows when the table is loaded, and is filled.
                Place::Loading(kept) if kept.len() < KEPT_MAX => kept.push(heard.clone()),
                _ => {}
            }
        }
        let next = self.head.map(|head| head + 1);
        if self.filling || next.is_none_or(|next| revision != next) {
            return self.miss(revision);
        }
        self.head = Some(revision);
        self.newest = self.newest.max(revision);
        self.tell(heard, None);
        self.seat(heard);
        None
    }

    /// Learns that the table has come to `revision`. If viewers are behind, it says what to load.
    pub(crate) fn miss(&mut self, revision: u32) -> Option<Gap> {
        self.newest = self.newest.max(revision);
        if self.filling { None } else { self.gap() }
    }

    /// The gap that is there, which from now on is being filled.
    fn gap(&mut self) -> Option<Gap> {
        let since = self.head.filter(|head| *head < self.newest)?;
        let mut classes: Vec<Class> = Vec::new();
        for (_, place) in &self.viewers {
            if let Place::Ready(seat) = place {
                let account =
                    self.seats.iter().find(|(taken, _)| Some(*taken) == *seat).map(|(_, account)| *account);
                let class = Class { seat: *seat, account };
                if !classes.contains(&class) {
                    classes.push(class);
                }
            }
        }
        self.filling = true;
        self.joined_meanwhile = false;
        Some(Gap { since, classes })
    }

    /// What was missing is here; says what is still to load.
    pub(crate) fn fill(&mut self, gap: &Gap, filled: &[Filling]) -> Option<Gap> {
        let mut reached = self.newest;
        for (class, filling) in gap.classes.iter().zip(filled) {
            match filling {
                Filling::Events(events) => {
                    for heard in events {
                        self.tell(heard, Some(class.seat));
                    }
                    reached = reached.min(events.last().map_or(gap.since, |last| last.event.revision));
                }
                Filling::Resync => self.reload(class.seat),
            }
        }
        // Only now, so that nobody changes class while the classes are told one after the other.
        for filling in filled {
            if let Filling::Events(events) = filling {
                for heard in events {
                    self.seat(heard);
                }
            }
        }
        self.filling = false;
        if !self.joined_meanwhile && reached > gap.since {
            self.head = Some(reached);
            self.newest = self.newest.max(reached);
            return self.gap();
        }
        // Nothing new could be read, so loading at once would only spin; the next look at the heads tries again.
        if self.joined_meanwhile { self.gap() } else { None }
    }

    /// The gap could not be filled now; the next message or the next look at the heads tries again.
    pub(crate) fn give_up(&mut self) {
        self.filling = false;
    }

    /// The revision to compare with the engine's; nothing while nobody is ready.
    pub(crate) fn head(&self) -> Option<u32> {
        self.head
    }

    /// Who sits here.
    pub(crate) fn seats(&self) -> &[(u32, AccountId)] {
        &self.seats
    }

    /// Everyone who watches.
    pub(crate) fn viewers(&self) -> impl Iterator<Item = &Viewer> {
        self.viewers.iter().map(|(viewer, _)| viewer)
    }

    /// How many watch without a seat; an account counts once, whatever it has open.
    pub(crate) fn spectators(&self) -> u32 {
        let spectators = self.viewers.iter().filter(|(_, place)| matches!(place, Place::Ready(None)));
        spectators.map(|(viewer, _)| viewer.account).collect::<HashSet<_>>().len() as u32
    }

    /// Leads everyone who watches without a seat to the game that follows.
    pub(crate) fn lead(&self, next: TableId) {
        for (viewer, place) in &self.viewers {
            if matches!(place, Place::Ready(None)) {
                viewer.outbox.push(Mail::NextGame(Box::new((self.table, next))));
            }
        }
    }

    /// Tells everyone how many watch without a seat.
    pub(crate) fn tell_viewers(&self, viewers: u32) {
        let event = || Event::OnViewers(OnViewers { game_id: self.table.to_string(), viewers });
        let [text, binary] = [Format::Text, Format::Binary].map(|format| format.event(event()));
        for viewer in self.viewers() {
            let frame = match viewer.format {
                Format::Text => &text,
                Format::Binary => &binary,
            };
            viewer.outbox.push(Mail::Frame(Box::new(frame.clone())));
        }
    }

    /// Notes a seat that was taken: from now on the account's sockets see what that seat sees.
    fn seat(&mut self, heard: &Heard) {
        let Some(Kind::SeatTaken(taken)) = &heard.event.kind else { return };
        let Ok(account) = taken.account_id.parse::<AccountId>() else { return };
        self.sit(taken.seat, account);
        for (viewer, place) in &mut self.viewers {
            if let Place::Ready(seat) = place
                && viewer.account == account
            {
                *seat = Some(taken.seat);
            }
        }
    }

    fn sit(&mut self, seat: u32, account: AccountId) {
        self.seats.retain(|(taken, _)| *taken != seat);
        self.seats.push((seat, account));
    }

    /// Tells ready viewers, all of them or those of one class.
    #[expect(clippy::option_option, reason = "no class at all is not the class of spectators")]
    fn tell(&self, heard: &Heard, only: Option<Option<u32>>) {
        let mut press = Press::new(self.table, heard);
        for (viewer, place) in &self.viewers {
            if let Place::Ready(seat) = place
                && only.is_none_or(|only| only == *seat)
            {
                viewer.outbox.push(Mail::News(press.print(*seat, viewer.format)));
            }
        }
    }

    fn reload(&self, class: Option<u32>) {
        for (viewer, place) in &self.viewers {
            if matches!(place, Place::Ready(seat) if *seat == class) {
                viewer.outbox.push(Mail::Reload(self.table));
            }
        }
    }
}

impl Viewer {
    fn tell(&self, table: TableId, heard: &Heard, seat: Option<u32>) {
        self.outbox.push(Mail::News(Press::new(table, heard).print(seat, self.format)));
    }
}

#[cfg(test)]
mod tests;
