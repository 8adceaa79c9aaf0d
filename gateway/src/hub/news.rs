//! Journal entries as frames: one for each class of viewer and format, shared by all sockets of that class.

use std::sync::Arc;

use astragal_proto::content::{Content, ContentList};
use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::engine::v1::{Ended, SeatTaken, TableEvent, Update};
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Clock, OnClock, OnGameEnd, OnGameUpdate, OnSeatTaken};
use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;

use crate::compose::names::Profile;
use crate::compose::table::{clock, outcome, series};
use crate::socket::format::Format;
use crate::socket::outbox::News;

/// A journal entry, with the name of whoever took a seat by it.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(crate) event: Arc<TableEvent>,
    pub(crate) taker: Option<Profile>,
    /// Until when whoever sat there can ask for a rematch, if the entry ends the game.
    pub(crate) rematch_until: Option<Timestamp>,
}

/// The frames of one journal entry, made when the first viewer of a class needs them.
pub(crate) struct Press<'a> {
    table: TableId,
    heard: &'a Heard,
    printed: Vec<(Option<u32>, Format, Arc<News>)>,
}

impl<'a> Press<'a> {
    pub(crate) fn new(table: TableId, heard: &'a Heard) -> Self {
        Self { table, heard, printed: Vec::new() }
    }

    /// The news for whoever sits in `seat`, or for a spectator.
    pub(crate) fn print(&mut self, seat: Option<u32>, format: Format) -> Arc<News> {
        let ends = self.heard.rematch_until.is_some();
        let class = seat.filter(|seat| ends || has_own_part(&self.heard.event, *seat));
        if let Some((.., news)) = self.printed.iter().find(|(c, f, _)| (*c, *f) == (class, format)) {
            return news.clone();
        }
        let news = Arc::new(News {
            table: self.table,
            revision: self.heard.event.revision,
            frame: event(self.heard, class).map(|event| format.event(event)),
            end: self.heard.event.ended.as_ref().map(|ended| format.event(end(self.heard, ended, class))),
        });
        self.printed.push((class, format, news.clone()));
        news
    }
}

fn has_own_part(event: &TableEvent, seat: u32) -> bool {
    matches!(&event.kind, Some(Kind::Update(update)) if update.seats.iter().any(|part| part.seat == seat))
}

fn event(heard: &Heard, seat: Option<u32>) -> Option<Event> {
    let (game_id, revision) = (heard.event.table_id.clone(), heard.event.revision);
    let clock = heard.event.clock.clone().map(clock);
    match heard.event.kind.as_ref()? {
        Kind::Update(made) => Some(Event::OnGameUpdate(update(game_id, revision, made, seat, clock))),
        Kind::SeatTaken(taken) => {
            Some(Event::OnSeatTaken(seat_taken(game_id, revision, taken, heard, clock)))
        }
        Kind::ClockChanged(_) => Some(Event::OnClock(OnClock { game_id, revision, clock })),
        // A crash is told by the end that comes with it.
        Kind::Crashed(_) | Kind::NextGame(_) => None,
    }
}

fn update(
    game_id: String,
    revision: u32,
    update: &Update,
    seat: Option<u32>,
    clock: Option<Clock>,
) -> OnGameUpdate {
    let own = seat.and_then(|seat| update.seats.iter().find(|part| part.seat == seat));
    let part = own.and_then(|own| own.part.as_ref()).or(update.public.as_ref()).cloned().unwrap_or_default();
    OnGameUpdate {
        game_id,
        revision,
        number: update.number,
        seat: update.seat,
        r#move: content(part.r#move),
        annotations: content(part.annotations),
        drew: update.drew,
        undone: update.undone.then_some(true),
        view: content(part.view),
        to_move: update.to_move.clone(),
        legal_moves: own.and_then(|own| own.legal_moves.clone()).map(ContentList::from_json),
        clock,
        view_hash: part.view_hash,
    }
}

fn content(json: bytes::Bytes) -> Option<Content> {
    (!json.is_empty()).then(|| Content::from_json(json))
}

fn seat_taken(
    game_id: String,
    revision: u32,
    taken: &SeatTaken,
    heard: &Heard,
    clock: Option<Clock>,
) -> OnSeatTaken {
    OnSeatTaken {
        game_id,
        revision,
        seat: taken.seat,
        name: heard.taker.as_ref().map_or_else(String::new, |profile| profile.name.to_string()),
        robot: taken.robot_level > 0,
        clock,
    }
}

/// The end. Only who sat there may ask for a rematch.
fn end(heard: &Heard, ended: &Ended, seat: Option<u32>) -> Event {
    let event = &heard.event;
    let until = heard.rematch_until.filter(|_| seat.is_some());
    Event::OnGameEnd(OnGameEnd {
        game_id: event.table_id.clone(),
        revision: event.revision,
        outcome: ended.outcome.clone().map(outcome),
        series: Some(series(ended.series_id.clone(), &ended.series)),
        rematch: until.map(|_| "available".to_owned()),
        rematch_until: until.map(Into::into),
    })
}
