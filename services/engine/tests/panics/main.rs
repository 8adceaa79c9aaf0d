//! What the log says of a game that panics. A process of its own, because what is done about panics holds for all of it.

#![expect(clippy::expect_used, reason = "a test that can't go on has failed")]

#[path = "../tables/faulty.rs"]
#[allow(dead_code, reason = "other tests use it")]
mod faulty;
#[path = "../tables/house.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod house;
#[path = "../tables/tally.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod tally;

use crate::house::{House, code, two};
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::panics;
use std::io::Write;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("the log").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// G5: the words of a panic may be a rack or a hand, so they reach neither the log nor an answer.
#[tokio::test]
async fn g5_the_log_says_where_a_game_panicked_and_not_with_which_words() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).init();
    panics::keep_words_inside();

    let house = House::in_memory().await;
    let accounts = two();
    let table = house.tally(2, &accounts).await;
    let answer = house.add(table, accounts[0], "\"panic\"").await;
    assert_eq!(code(&answer), Some(Code::Internal));
    let task = tokio::spawn(async { panic!("a bug in the game: the hand is Q Z") }).await;
    let problem = Problem::internal(&task.map(|(): ()| ()).expect_err("a panic"));

    let said = String::from_utf8(log.0.lock().expect("the log").clone()).expect("text");
    let panicked: Vec<_> = said.lines().filter(|line| line.contains("code panicked")).collect();
    assert_eq!(panicked.len(), 2, "{said}");
    assert!(panicked[0].contains("tally.rs") && panicked[1].contains("main.rs"), "{said}");
    assert!(said.contains("a task panicked"), "{said}");
    for words in [said, format!("{answer:?}"), problem.message] {
        assert!(!words.contains("bug in the game") && !words.contains("Q Z"), "{words}");
    }
}
