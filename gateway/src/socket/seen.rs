//! What one socket has been told of a table, so that it is told everything once, in order, and after its own answers.

use std::collections::VecDeque;
use std::sync::Arc;

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;

use super::outbox::News;

/// News held back for an answer; beyond that they go out before it.
const HELD_MAX: usize = 64;

/// Games whose start a socket remembers; older ones have long ended.
const STARTED_MAX: usize = 128;

/// One watched table of one socket.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The newest revision that the client was told.
    pub(super) revision: u32,
    /// Where its account sits.
    pub(super) seat: Option<u32>,
    /// The table is over; a spectator waits until then for the game that follows.
    pub(super) lingers_until: Option<Timestamp>,
    /// Actions of this socket at this table that are not answered yet.
    acting: u32,
    held: VecDeque<Arc<News>>,
}

impl Seen {
    /// An action is on its way: news of the table wait for its answer, which comes first.
    pub(super) fn act(&mut self) {
        self.acting += 1;
    }

    /// An action was answered.
    pub(super) fn answered(&mut self) {
        self.acting = self.acting.saturating_sub(1);
    }

    /// Takes news; [`Seen::next`] gives them out when it is their turn.
    pub(super) fn hold(&mut self, news: Arc<News>) {
        self.held.push_back(news);
    }

    /// The next news that the client has not seen.
    pub(super) fn next(&mut self) -> Option<Arc<News>> {
        if self.acting > 0 && self.held.len() <= HELD_MAX {
            return None;
        }
        while let Some(news) = self.held.pop_front() {
            if news.revision > self.revision {
                self.revision = news.revision;
                return Some(news);
            }
        }
        None
    }
}

/// The games whose start a socket was told, the last ones only.
#[derive(Debug, Default)]
pub(super) struct Started(VecDeque<TableId>);

impl Started {
    /// Whether a start was noted.
    pub(super) fn has(&self, table: TableId) -> bool {
        self.0.contains(&table)
    }

    /// Notes a start; false if it was noted before.
    pub(super) fn note(&mut self, table: TableId) -> bool {
        if self.0.contains(&table) {
            return false;
        }
        if self.0.len() == STARTED_MAX {
            self.0.pop_front();
        }
        self.0.push_back(table);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(revision: u32) -> Arc<News> {
        Arc::new(News { table: TableId::new(), revision, frame: None, end: None })
    }

    fn told(seen: &mut Seen) -> Vec<u32> {
        std::iter::from_fn(|| seen.next()).map(|news| news.revision).collect()
    }

    #[test]
    fn g4_news_are_told_once_and_only_if_they_are_newer_than_the_table() {
        let mut seen = Seen { revision: 4, ..Seen::default() };
        for revision in [3, 4, 5, 5, 6] {
            seen.hold(news(revision));
        }
        assert_eq!(told(&mut seen), [5, 6]);
    }

    #[test]
    fn news_wait_for_the_answers_of_the_actions_under_way() {
        let mut seen = Seen::default();
        seen.act();
        seen.act();
        seen.hold(news(1));
        seen.answered();
        assert_eq!(told(&mut seen), [0; 0]);
        seen.hold(news(2));
        seen.answered();
        assert_eq!(told(&mut seen), [1, 2]);
    }

    #[test]
    fn g6_an_answer_that_does_not_come_holds_back_only_so_much() {
        let mut seen = Seen::default();
        seen.act();
        for revision in 1..=HELD_MAX as u32 + 1 {
            seen.hold(news(revision));
        }
        assert_eq!(told(&mut seen), [1]);
    }

    #[test]
    fn a_game_starts_once() {
        let (mut started, table) = (Started::default(), TableId::new());
        assert!(started.note(table));
        assert!(!started.note(table));
        for _ in 0..STARTED_MAX {
            started.note(TableId::new());
        }
        assert!(started.note(table));
    }
}
