//! How a game stands, for a tournament system that has no gateway.

use std::sync::Arc;
use std::time::Duration;

use astragal_proto::matchmaking::v1::GameStatus;
use astragal_runtime::bus::{Bus, BusReceiver, Topic};
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::id::TableId;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use crate::ends::Ends;
use crate::engine::occupant;
use crate::error::LobbyError;
use crate::game::{Game, Status};
use crate::store::MatchmakingStore;

/// After how long without news a game is asked for all the same.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// News that wait for one who follows.
const QUEUE_MAX: usize = 4;

/// Follows games; cheap to clone.
#[derive(Clone)]
pub struct Follower {
    pub(crate) store: Arc<dyn MatchmakingStore>,
    pub(crate) ends: Ends,
    pub(crate) bus: Bus,
    /// Those who follow are sent away when the process stops.
    pub(crate) stopping: CancellationToken,
}

type Sender = mpsc::Sender<Result<GameStatus>>;

/// What whoever follows something is told when this process stops. Without an error it would look like the end of that.
pub(crate) fn stops() -> Problem {
    Problem::unavailable(
        "this process stops; watch again, and another one tells everything from the beginning",
    )
}

impl Follower {
    /// How a game stands now.
    pub async fn status(&self, game: TableId) -> Result<GameStatus> {
        let game = self.store.game(game).await?.ok_or(LobbyError::UnknownGame)?;
        if game.status != Status::Full {
            return Ok(of_the_lobby(&game));
        }
        match self.ends.table(game.id).await {
            Ok(table) => Ok(GameStatus {
                game_id: table.table_id,
                phase: table.phase,
                occupants: table.occupants,
                first_seat: table.first_seat,
                revision: table.revision,
                commitment: table.commitment,
                outcome: table.outcome,
            }),
            // Seated, and about to be opened.
            Err(Problem { code: Code::NotFound | Code::PermissionDenied, .. }) => Ok(of_the_lobby(&game)),
            Err(problem) => Err(problem),
        }
    }

    /// How a game stands, and then each change of that; ends with the game, or with an error.
    pub async fn follow(&self, game: TableId) -> Result<ReceiverStream<Result<GameStatus>>> {
        let (subscriber, news) = self.bus.connect(QUEUE_MAX);
        subscriber.subscribe(Topic::Table(game)).await;
        let status = self.status(game).await?;
        let (sender, receiver) = mpsc::channel(QUEUE_MAX);
        let this = self.clone();
        tokio::spawn(async move {
            let told = tokio::select! {
                told = this.tell(game, status, news, &sender) => told,
                () = this.stopping.cancelled() => Err(stops()),
            };
            if let Err(problem) = told {
                // They may have gone away.
                let _ = sender.send(Err(problem)).await;
            }
        });
        Ok(ReceiverStream::new(receiver))
    }

    async fn tell(
        &self,
        game: TableId,
        mut status: GameStatus,
        mut news: BusReceiver,
        sender: &Sender,
    ) -> Result<()> {
        loop {
            if sender.send(Ok(status.clone())).await.is_err()
                || matches!(&*status.phase, "over" | "cancelled")
            {
                return Ok(());
            }
            // Moves may come faster than anyone wants to hear of them; the newest status says all.
            loop {
                tokio::select! {
                    _ = news.recv() => {}
                    () = tokio::time::sleep(LOOK_EVERY) => {}
                    () = sender.closed() => return Ok(()),
                }
                let next = self.status(game).await?;
                if next != status {
                    status = next;
                    break;
                }
            }
        }
    }
}

fn of_the_lobby(game: &Game) -> GameStatus {
    let phase = if game.status == Status::Cancelled { "cancelled" } else { "waiting" };
    GameStatus {
        game_id: game.id.to_string(),
        phase: phase.to_owned(),
        occupants: game.taken_after(0).map(|(seat, player)| occupant(seat, player)).collect(),
        first_seat: game.first_seat.into(),
        ..GameStatus::default()
    }
}
