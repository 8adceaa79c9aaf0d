//! What is answered when something is wrong with a request, by plain HTTP and on a socket.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::id;
use crate::stage::Stage;

/// An answer: its status, its headers in lower case, and its body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Answer {
    /// The code and message of a refusal.
    pub(crate) fn problem(&self) -> (String, String) {
        let problem: Value = serde_json::from_str(&self.body).expect(&self.body);
        assert!(problem.as_object().is_some_and(|fields| fields.len() == 2), "{problem}");
        let text = |field: &str| problem[field].as_str().unwrap_or_default().to_owned();
        (text("code"), text("message"))
    }
}

/// Sends a request: its line without the version, further headers, and a body.
pub(crate) async fn ask(address: SocketAddr, line: &str, headers: &[&str], body: &str) -> Answer {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let headers: Vec<String> = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let (headers, length) = (headers.concat(), body.len());
    let request = format!(
        "{line} HTTP/1.1\r\nhost: play.example\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    socket.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").expect("an answer");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Answer { status, headers: head.to_lowercase(), body: body.to_owned() }
}

/// G1: a message says what is wrong, and what it says is so.
#[tokio::test]
async fn g1_a_page_of_tables_is_asked_for_as_the_message_says() {
    let stage = Stage::set().await;
    for (query, said) in [
        ("state=live&state=live", "once at most"),
        ("state=live&limit=0", "from 1 on"),
        ("state=live&limit=many", "from 1 on"),
        ("state=over", "only state=live"),
        ("state=live&after=x", "after must be a UUID"),
    ] {
        let refused = ask(stage.address, &format!("GET /v1/tables?{query}"), &[], "").await;
        let (code, message) = refused.problem();
        assert_eq!((refused.status, code.as_str()), (400, "INVALID_ARGUMENT"), "{query}");
        assert!(message.contains(said), "{query}: {message}");
    }
    for limit in [100, 1_000] {
        let path = format!("GET /v1/tables?state=live&limit={limit}");
        let answer = ask(stage.address, &path, &[], "").await;
        assert_ne!(answer.status, 400, "{}", answer.body);
    }
}

/// G1: no seats at all is no default.
#[tokio::test]
async fn g1_a_game_of_no_seats_is_refused() {
    let stage = Stage::set().await;
    let mut ada = stage.enter("ada").await;
    ada.send(&id(1), json!({ "newGame": { "game": "kalah", "seats": 0 } })).await;
    let refused = ada.next_answer().await;
    assert_eq!(refused["error"]["code"], "INVALID_ARGUMENT", "{refused}");
}
