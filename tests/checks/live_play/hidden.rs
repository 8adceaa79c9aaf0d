//! What a seat holds in its hand, and who is shown it: crossword has racks.

use anyhow::{Context, Result, bail, ensure};
use astragal_proto::content::Content;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{NewFriendGame, Table};
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::server::Server;
use serde_json::{Value, json};

/// After six scoreless turns the game would be over.
const TURNS: usize = 5;

/// A table of crossword with both seats taken, and what its players saw.
struct Game {
    id: String,
    guests: [Guest; 2],
    clients: [Client; 2],
    /// Every rack of each player, as far as they were shown.
    racks: [Vec<String>; 2],
}

impl Game {
    async fn seat(url: &str) -> Result<Self> {
        let mut http = Http::connect(url).await?;
        let guests = [http.sign_up("Ada").await?, http.sign_up("Blaise").await?];
        let mut ada = enter(url, &guests[0]).await?;
        let mut blaise = enter(url, &guests[1]).await?;
        let options = Some(Content::from(&json!({ "words": "any" })));
        let wanted = NewFriendGame { game: "crossword".into(), options, ..NewFriendGame::default() };
        let id = match ada.done(Operation::NewFriendGame(wanted)).await? {
            Event::Searching(searching) => searching.game_id,
            odd => bail!("{odd:?}"),
        };
        blaise.done(ask::join(&id)).await?;
        Ok(Self { id, guests, clients: [ada, blaise], racks: [Vec::new(), Vec::new()] })
    }

    /// Whoever is to move gives all tiles back for others; nothing says more of a hand than that.
    async fn exchange(&mut self) -> Result<()> {
        for player in 0..2 {
            let table = whole(&mut self.clients[player], &self.id).await?;
            if table.your_seat.is_some_and(|seat| table.to_move.contains(&seat)) {
                let rack = rack(&table)?.context("a player without a rack")?;
                let exchange = ask::make_move(&self.id, table.revision, &json!({ "exchange": rack }));
                self.racks[player].push(rack);
                self.clients[player].done(exchange).await?;
                return Ok(());
            }
        }
        bail!("nobody is to move")
    }
}

/// A socket that keeps everything it is told.
async fn enter(url: &str, guest: &Guest) -> Result<Client> {
    let mut client = Client::enter(url, guest, Wire::Json).await?.0;
    client.keep_transcript();
    Ok(client)
}

async fn whole(client: &mut Client, id: &str) -> Result<Table> {
    match client.done(ask::watch(id, None)).await? {
        Event::Table(table) => Ok(table),
        odd => bail!("{odd:?}"),
    }
}

fn rack(table: &Table) -> Result<Option<String>> {
    let view: Value = serde_json::from_slice(table.view.as_ref().context("a view")?.as_json())?;
    Ok(view.get("rack").and_then(Value::as_str).map(str::to_owned))
}

/// None of these words is among the bytes.
fn lacks<'a>(frames: &[Vec<u8>], words: impl IntoIterator<Item = &'a str>) -> Result<()> {
    ensure!(!frames.is_empty(), "nothing was kept");
    for word in words {
        let shown = frames.iter().find(|frame| frame.windows(word.len()).any(|part| part == word.as_bytes()));
        ensure!(
            shown.is_none(),
            "{word} was shown in {}",
            String::from_utf8_lossy(shown.context("a frame")?)
        );
    }
    Ok(())
}

/// "Saw racks live, on refresh or on reconnect", "a player's second tab as a spectator saw everything".
#[tokio::test]
async fn g5_racks_are_shown_to_their_seat_alone_live_on_refresh_and_on_reconnect() -> Result<()> {
    let server = Server::start()?;
    let url = server.url();
    let mut game = Game::seat(url).await?;
    let spectator = Http::connect(url).await?.sign_up("Cleo").await?;
    let mut live = enter(url, &spectator).await?;
    ensure!(rack(&whole(&mut live, &game.id).await?)?.is_none(), "a spectator has no rack");
    let mut second_tab = enter(url, &game.guests[0]).await?;
    for _ in 0..TURNS {
        game.exchange().await?;
    }
    let last = whole(&mut game.clients[0], &game.id).await?;
    let mut refreshed = enter(url, &spectator).await?;
    let shown = whole(&mut refreshed, &game.id).await?;
    let mut back = enter(url, &spectator).await?;
    for socket in [&mut live, &mut back] {
        socket.done(ask::watch(&game.id, Some(0))).await?;
        socket.done(ask::ping()).await?;
    }
    ensure!(
        shown.revision == last.revision && live.unread().count() > TURNS,
        "the spectator was told too little"
    );

    // The key itself would be in any view with a rack, and no letters of a hand are in any other place.
    let hands = || game.racks.iter().flatten().map(String::as_str);
    for spectating in [&live, &refreshed, &back] {
        lacks(spectating.transcript(), hands().chain(["\"rack\":\"", "\"hands\""]))?;
    }
    for (client, own) in game.clients.iter().zip(&game.racks) {
        let found = lacks(client.transcript(), own.iter().map(String::as_str));
        ensure!(found.is_err(), "a player's own racks were not found where they are");
    }
    lacks(game.clients[1].transcript(), game.racks[0].iter().map(String::as_str))?;
    lacks(game.clients[0].transcript(), game.racks[1].iter().map(String::as_str))?;
    // Another tab of a player sees what the seat sees, and no more.
    let own = rack(&whole(&mut second_tab, &game.id).await?)?;
    ensure!(own.is_some() && own == rack(&last)?, "{own:?}");
    lacks(second_tab.transcript(), game.racks[1].iter().map(String::as_str))
}
