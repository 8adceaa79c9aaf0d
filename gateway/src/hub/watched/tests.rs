//! What a viewer is told whatever the bus does: every revision, in order, as its class may see it.

use std::sync::Arc;

use astragal_proto::engine::v1::table_event::Kind;
use astragal_proto::engine::v1::{Occupant, Part, SeatPart, SeatTaken, TableEvent, Update};
use axum::extract::ws::Message;
use bytes::Bytes;
use futures::FutureExt;

use super::*;
use crate::compose::names::Profile;
use crate::socket::outbox::Inbox;

struct Socket {
    number: u64,
    account: AccountId,
    outbox: Outbox,
    inbox: Inbox,
}

impl Socket {
    fn new(number: u64) -> Self {
        let (outbox, inbox) = Outbox::new(number, 100);
        Self { number, account: AccountId::new(), outbox, inbox }
    }

    fn begin(&self, watched: &mut Watched) {
        let viewer = Viewer { outbox: self.outbox.clone(), format: Format::Text, account: self.account };
        watched.begin(viewer);
    }

    fn watch(&self, watched: &mut Watched, revision: u32, seat: Option<u32>) {
        self.begin(watched);
        watched.finish(self.number, &view(revision, seat, self.account));
    }

    fn told(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        for mail in self.inbox.take().now_or_never().unwrap_or_default() {
            match mail {
                Mail::News(news) => match &news.frame {
                    Some(Message::Text(text)) => told.push(summary(text)),
                    other => told.push(format!("{other:?}")),
                },
                Mail::Reload(_) => told.push("reload".to_owned()),
                other => told.push(format!("{other:?}")),
            }
        }
        told
    }
}

/// The revision and the view, or who sat down.
fn summary(text: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    let (_, event) = json.as_object().unwrap().iter().next().unwrap();
    let shown = event.get("view").or_else(|| event.get("name")).unwrap();
    format!("{} {}", event["revision"], shown.as_str().unwrap())
}

fn view(revision: u32, seat: Option<u32>, account: AccountId) -> TableView {
    let occupants = seat.map(|seat| Occupant { seat, account_id: account.to_string(), robot_level: 0 });
    TableView {
        revision,
        your_seat: seat,
        occupants: occupants.into_iter().collect(),
        ..TableView::default()
    }
}

fn heard(revision: u32, kind: Kind) -> Heard {
    Heard {
        event: Arc::new(TableEvent { revision, kind: Some(kind), ..TableEvent::default() }),
        taker: Some(Profile { name: "Ada".into() }),
        rematch_until: None,
    }
}

/// A move of which seat 1 alone sees more.
fn update(revision: u32) -> Heard {
    let part = |view: &'static str| Part { view: Bytes::from_static(view.as_bytes()), ..Part::default() };
    let own = SeatPart { seat: 1, part: Some(part("\"secret\"")), legal_moves: None };
    heard(
        revision,
        Kind::Update(Update { public: Some(part("\"public\"")), seats: vec![own], ..Update::default() }),
    )
}

fn watched() -> Watched {
    Watched::new(TableId::new())
}

fn gap(since: u32, seats: &[Option<u32>]) -> impl Fn(&Gap) -> bool {
    move |gap| gap.since == since && gap.classes.iter().map(|class| class.seat).eq(seats.iter().copied())
}

#[test]
fn g5_each_class_of_viewers_gets_its_own_part() {
    let (mut watched, mut spectator, mut first, mut second) =
        (watched(), Socket::new(0), Socket::new(1), Socket::new(2));
    spectator.watch(&mut watched, 4, None);
    first.watch(&mut watched, 4, Some(0));
    second.watch(&mut watched, 4, Some(1));
    assert!(watched.hear(&update(5)).is_none());
    assert_eq!(spectator.told(), ["5 public"]);
    assert_eq!(first.told(), ["5 public"]);
    assert_eq!(second.told(), ["5 secret"]);
}

#[test]
fn g5_a_spectator_who_takes_a_seat_sees_what_it_sees_from_then_on() {
    let (mut watched, mut socket) = (watched(), Socket::new(0));
    socket.watch(&mut watched, 0, None);
    let taken = SeatTaken { seat: 1, account_id: socket.account.to_string(), ..SeatTaken::default() };
    watched.hear(&heard(1, Kind::SeatTaken(taken)));
    watched.hear(&update(2));
    assert_eq!(socket.told(), ["1 Ada", "2 secret"]);
    assert_eq!(watched.seats(), [(1, socket.account)]);
}

#[test]
fn g4_what_happens_while_a_table_is_loaded_follows_the_table() {
    let (mut watched, mut socket) = (watched(), Socket::new(0));
    socket.begin(&mut watched);
    for revision in 3..=6 {
        assert!(watched.hear(&update(revision)).is_none());
    }
    assert_eq!(socket.told(), [""; 0]);
    watched.finish(0, &view(4, None, socket.account));
    assert_eq!(socket.told(), ["5 public", "6 public"]);
    assert_eq!(watched.head(), Some(6));
}

#[test]
fn g4_repeated_and_old_messages_are_dropped() {
    let (mut watched, mut socket) = (watched(), Socket::new(0));
    socket.watch(&mut watched, 2, None);
    for revision in [1, 2, 3, 3, 2] {
        assert!(watched.hear(&update(revision)).is_none());
    }
    assert_eq!(socket.told(), ["3 public"]);
}

#[test]
fn g4_a_gap_is_filled_once_for_each_class_and_what_comes_meanwhile_after_it() {
    let (mut watched, mut spectator, mut player) = (watched(), Socket::new(0), Socket::new(1));
    spectator.watch(&mut watched, 1, None);
    player.watch(&mut watched, 1, Some(1));
    let first = watched.hear(&update(3)).filter(gap(1, &[None, Some(1)])).unwrap();
    assert!(watched.hear(&update(4)).is_none(), "the gap is being filled already");
    let filled = || Filling::Events(vec![update(2), update(3)]);
    let second = watched.fill(&first, &[filled(), filled()]).filter(gap(3, &[None, Some(1)])).unwrap();
    let filled = || Filling::Events(vec![update(4)]);
    assert!(watched.fill(&second, &[filled(), filled()]).is_none());
    assert!(watched.hear(&update(5)).is_none());
    assert_eq!(spectator.told(), ["2 public", "3 public", "4 public", "5 public"]);
    assert_eq!(player.told(), ["2 secret", "3 secret", "4 secret", "5 secret"]);
}

#[test]
fn g4_a_lost_last_message_is_noticed_by_the_heads() {
    let (mut watched, socket) = (watched(), Socket::new(0));
    socket.watch(&mut watched, 7, None);
    assert!(watched.miss(7).is_none());
    assert!(watched.miss(0).is_none(), "the engine knows no such table");
    assert!(watched.miss(8).is_some_and(|found| gap(7, &[None])(&found)));
}

#[test]
fn g4_a_viewer_who_comes_while_a_gap_is_filled_misses_nothing() {
    let (mut watched, socket, mut late) = (watched(), Socket::new(0), Socket::new(1));
    socket.watch(&mut watched, 1, None);
    let first = watched.hear(&update(3)).unwrap();
    late.watch(&mut watched, 1, Some(1));
    let again = watched.fill(&first, &[Filling::Events(vec![update(2), update(3)])]);
    let again = again.filter(gap(1, &[None, Some(1)])).unwrap();
    let filled = || Filling::Events(vec![update(2), update(3)]);
    assert!(watched.fill(&again, &[filled(), filled()]).is_none());
    assert_eq!(late.told(), ["2 secret", "3 secret"]);
}

#[test]
fn g4_who_missed_too_much_loads_the_table() {
    let (mut watched, mut socket) = (watched(), Socket::new(0));
    socket.watch(&mut watched, 1, None);
    let found = watched.hear(&update(900)).unwrap();
    assert!(watched.fill(&found, &[Filling::Resync]).is_none());
    assert_eq!(socket.told(), ["reload"]);
    assert_eq!(watched.head(), Some(900));
}

#[test]
fn g4_a_gap_that_could_not_be_filled_is_tried_again() {
    let (mut watched, socket) = (watched(), Socket::new(0));
    socket.watch(&mut watched, 1, None);
    assert!(watched.hear(&update(3)).is_some());
    watched.give_up();
    assert!(watched.miss(3).is_some());
    // An engine that knows no more than before is not asked in a loop.
    watched.give_up();
    let found = watched.miss(3).unwrap();
    assert!(watched.fill(&found, &[Filling::Events(Vec::new())]).is_none());
}

#[test]
fn a_table_nobody_watches_is_known_by_its_last_viewer_leaving() {
    let (mut watched, first, second) = (watched(), Socket::new(0), Socket::new(1));
    first.watch(&mut watched, 0, None);
    second.begin(&mut watched);
    assert!(!watched.leave(0));
    assert!(watched.leave(1));
}
