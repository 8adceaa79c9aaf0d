//! The list of open games for whoever watches it over gRPC: all of it, and then what changes.

use std::sync::Arc;

use astragal_proto::matchmaking::v1::lobby_event::Kind;
use astragal_proto::matchmaking::v1::{LobbyEvent, WatchOpenGamesResponse};
use astragal_runtime::bus::{Bus, BusReceiver, Delivery, Message, Topic};
use astragal_runtime::error::{Problem, Result};
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::news::open_game;
use crate::store::{MatchmakingStore, OpenGames};

/// Who may watch at once.
const WATCHERS_MAX: usize = 256;
/// Messages that wait for one watcher; one that does not keep up gets the list anew.
const QUEUE_MAX: usize = 1_024;
/// Games in the list, the newest ones.
const GAMES_MAX: u32 = 1_000;
/// Games in one message.
const PAGE: usize = 100;

/// What a watcher is sent.
pub type Changes = ReceiverStream<std::result::Result<WatchOpenGamesResponse, Status>>;

type Outlet = mpsc::Sender<std::result::Result<WatchOpenGamesResponse, Status>>;

/// The list; cheap to clone.
#[derive(Clone)]
pub struct OpenList {
    store: Arc<dyn MatchmakingStore>,
    bus: Bus,
    places: Arc<Semaphore>,
    stop: CancellationToken,
}

impl OpenList {
    pub(crate) fn new(store: Arc<dyn MatchmakingStore>, bus: Bus) -> Self {
        let places = Arc::new(Semaphore::new(WATCHERS_MAX));
        Self { store, bus, places, stop: CancellationToken::new() }
    }

    /// Sends everyone home.
    pub(crate) fn close(&self) {
        self.stop.cancel();
    }

    /// The listed games of one name, or of every one; then each change until the watcher goes away.
    pub async fn watch(&self, game: Option<String>) -> Result<Changes> {
        let full = |_| Problem::unavailable("too many watch the open games here; ask for the list instead");
        let place = self.places.clone().try_acquire_owned().map_err(full)?;
        let (subscriber, receiver) = self.bus.connect(QUEUE_MAX);
        // Before the list is read, so that nothing is missed in between.
        subscriber.subscribe(Topic::Lobby).await;
        let (outlet, changes) = mpsc::channel(1);
        let (list, stop) = (self.clone(), self.stop.clone());
        tokio::spawn(async move {
            stop.run_until_cancelled(list.serve(game, receiver, outlet)).await;
            drop((place, subscriber));
        });
        Ok(ReceiverStream::new(changes))
    }

    async fn serve(&self, game: Option<String>, mut news: BusReceiver, outlet: Outlet) {
        if !self.send_all(game.as_ref(), &outlet).await {
            return;
        }
        loop {
            let delivery = tokio::select! {
                () = outlet.closed() => return,
                delivery = news.recv() => delivery,
            };
            let goes_on = match delivery {
                Some(Delivery::Message(_, Message::Lobby(event))) => match change(&event, game.as_deref()) {
                    Some(change) => outlet.send(Ok(change)).await.is_ok(),
                    None => true,
                },
                Some(Delivery::Lagged) => self.send_all(game.as_ref(), &outlet).await,
                Some(Delivery::Message(..)) => true,
                None => false,
            };
            if !goes_on {
                return;
            }
        }
    }

    async fn send_all(&self, game: Option<&String>, outlet: &Outlet) -> bool {
        let asked = OpenGames { game: game.cloned(), account: None, limit: GAMES_MAX };
        let games = match self.store.open_games(&asked).await {
            Ok(games) => games,
            Err(error) => {
                // Whoever gets this has to begin again anyway.
                let _ = outlet.send(Err(Problem::from(error).into())).await;
                return false;
            }
        };
        let mut pages: Vec<_> = games.chunks(PAGE).collect();
        if pages.is_empty() {
            pages.push(&[]);
        }
        for (place, page) in pages.into_iter().enumerate() {
            let added = page.iter().map(open_game).collect();
            let list = WatchOpenGamesResponse { added, removed_game_ids: Vec::new(), anew: place == 0 };
            if outlet.send(Ok(list)).await.is_err() {
                return false;
            }
        }
        true
    }
}

/// What an event means for who watches games of one name, or of every one.
fn change(event: &LobbyEvent, game: Option<&str>) -> Option<WatchOpenGamesResponse> {
    let mut change = WatchOpenGamesResponse::default();
    match event.kind.as_ref()? {
        Kind::Opened(open) if open.listed && game.is_none_or(|name| name == open.game) => {
            change.added.push(open.clone());
        }
        Kind::Opened(_) => return None,
        Kind::Closed(closed) => change.removed_game_ids.push(closed.game_id.clone()),
    }
    Some(change)
}
