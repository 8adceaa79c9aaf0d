//! Connections that are lent to one caller at a time.
//!
//! One that comes back is asked nothing, since it comes back only where every answer was read: a pool that asks
//! it whether it is still there pays a second round trip for each statement. One that has lain for a while is
//! asked before it is lent again.

use std::time::Duration;

use deadpool::managed::{Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleError, RecycleResult};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};

/// A connection that was lent longer ago is asked whether it is still there before it is lent again.
const TRUSTED_FOR: Duration = Duration::from_millis(500);

/// A connection that is older is replaced, so that names that lead elsewhere now are followed, and nothing that
/// PostgreSQL keeps for it grows for ever.
const AGE_MAX: Duration = Duration::from_mins(30);

/// The first and the longest rest between two tries to reach a database that is starting.
const RESTS: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(400)];

/// A connection that is back among the others when this is dropped.
pub(super) type Lent = Object<Connector>;

/// The connections; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Connections {
    pool: Pool<Connector>,
    acquire_timeout: Duration,
}

impl Connections {
    /// At most so many, each made when it is needed first.
    #[expect(clippy::expect_used, reason = "only a pool with bounds of its own in time needs a runtime")]
    pub(super) fn new(options: PgConnectOptions, connections_max: u32, acquire_timeout: Duration) -> Self {
        let pool = Pool::builder(Connector(options)).max_size(connections_max as usize);
        let pool = pool.queue_mode(QueueMode::Lifo).build().expect("a pool");
        Self { pool, acquire_timeout }
    }

    /// The one that came back last.
    pub(super) async fn lend(&self) -> sqlx::Result<Lent> {
        match tokio::time::timeout(self.acquire_timeout, self.pool.get()).await {
            Ok(Ok(lent)) => Ok(lent),
            Ok(Err(PoolError::Backend(error))) => Err(error),
            Ok(Err(PoolError::Closed)) => Err(sqlx::Error::PoolClosed),
            Ok(Err(_)) | Err(_) => Err(sqlx::Error::PoolTimedOut),
        }
    }

    /// Lends none any more. Those that are lent are closed when they come back.
    pub(super) async fn close(&self) {
        let idle = self.pool.retain(|_, _| false).removed;
        self.pool.close();
        for connection in idle {
            let _ = tokio::time::timeout(self.acquire_timeout, connection.close()).await;
        }
    }
}

/// Makes connections, and says which of them may be lent again.
#[derive(Debug)]
pub(super) struct Connector(PgConnectOptions);

impl Manager for Connector {
    type Type = PgConnection;
    type Error = sqlx::Error;

    /// Tries again while the database is only starting; whoever waits for it gives up in time.
    async fn create(&self) -> sqlx::Result<PgConnection> {
        let [mut rest, rest_max] = RESTS;
        loop {
            match PgConnection::connect_with(&self.0).await {
                Err(error) if is_starting(&error) => tokio::time::sleep(rest).await,
                connected => return connected,
            }
            rest = (rest * 2).min(rest_max);
        }
    }

    async fn recycle(&self, connection: &mut PgConnection, metrics: &Metrics) -> RecycleResult<sqlx::Error> {
        if metrics.age() > AGE_MAX {
            return Err(RecycleError::message("it is old"));
        }
        if metrics.last_used() >= TRUSTED_FOR {
            connection.ping().await?;
        }
        Ok(())
    }
}

/// Nobody listens, or whoever listens has no room or isn't ready.
fn is_starting(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() == std::io::ErrorKind::ConnectionRefused,
        sqlx::Error::Database(error) => matches!(error.code().as_deref(), Some("53300" | "57P03")),
        _ => false,
    }
}
