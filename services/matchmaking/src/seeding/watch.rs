//! Those who watch a draw: each pick as it falls, in its order, none left out.
//!
//! The bus says only that there is something to read, so nothing that it loses is lost: what has fallen is read from
//! the database, after each news and once in a while.

use std::time::Duration;

use astragal_runtime::bus::{BusReceiver, Topic};
use astragal_runtime::error::Result;
use astragal_runtime::id::TableId;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::Seeding;
use super::sheet::{Course, Sheet, SheetStatus};
use crate::follow::stops;

/// After how long without news the draw is read all the same.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// News that wait for one who watches, or for one who reads.
const QUEUE_MAX: usize = 16;

/// What somebody who watches is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DrawNews {
    /// The whole draw: at first, and at the end.
    Whole(Sheet),
    /// The draw right after its last pick.
    Fallen(Sheet),
}

type Sender = mpsc::Sender<Result<DrawNews>>;

impl Seeding {
    /// The draw as it is, and then each pick as it falls; ends with the draw.
    pub async fn watch(&self, game: TableId) -> Result<ReceiverStream<Result<DrawNews>>> {
        let (subscriber, news) = self.bus.connect(QUEUE_MAX);
        subscriber.subscribe(Topic::Draw(game)).await;
        let sheet = self.sheet(game).await?;
        let (sender, receiver) = mpsc::channel(QUEUE_MAX);
        let seeding = self.clone();
        tokio::spawn(async move {
            let follow = seeding.follow(sheet, news, &sender);
            let followed = tokio::select! {
                followed = follow => followed,
                () = seeding.stopping.cancelled() => Err(stops()),
            };
            if let Err(problem) = followed {
                // They may have gone away.
                let _ = sender.send(Err(problem)).await;
            }
        });
        Ok(ReceiverStream::new(receiver))
    }

    async fn follow(&self, mut sheet: Sheet, mut news: BusReceiver, watcher: &Sender) -> Result<()> {
        let game = sheet.id;
        if !tell(watcher, DrawNews::Whole(sheet.clone())).await {
            return Ok(());
        }
        while goes_on(&sheet)? {
            tokio::select! {
                _ = news.recv() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = watcher.closed() => return Ok(()),
            }
            let next = self.sheet(game).await?;
            for picks in sheet.picks.len()..next.picks.len() {
                if !tell(watcher, DrawNews::Fallen(next.after(picks + 1))).await {
                    return Ok(());
                }
            }
            sheet = next;
            if !goes_on(&sheet)? {
                tell(watcher, DrawNews::Whole(sheet.clone())).await;
            }
        }
        Ok(())
    }
}

fn goes_on(sheet: &Sheet) -> Result<bool> {
    Ok(sheet.status == SheetStatus::Open && matches!(sheet.course()?, Course::Drawing(_)))
}

/// False if nobody watches any more.
async fn tell(watcher: &Sender, news: DrawNews) -> bool {
    watcher.send(Ok(news)).await.is_ok()
}
