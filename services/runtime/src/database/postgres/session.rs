//! One connection in the hands of one caller.
//!
//! A connection goes back to the others only where its caller says that all was well. Otherwise it is
//! closed: whoever was broken off in the middle leaves neither an open transaction nor half an answer
//! to the next one, and a database that keeps silent doesn't keep the place of the connection.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::{Executor, PgConnection, Postgres};

/// A connection; closed unless it is kept.
#[derive(Debug)]
pub struct Session {
    connection: PoolConnection<Postgres>,
    kept: bool,
}

impl Session {
    pub(super) fn new(connection: PoolConnection<Postgres>) -> Self {
        Self { connection, kept: false }
    }

    /// Gives the connection back: nothing is open on it, and every answer was read.
    pub fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.kept {
            self.connection.close_on_drop();
        }
    }
}

impl Deref for Session {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

/// A transaction; taken back unless it is ended.
#[derive(Debug)]
pub struct PostgresTransaction(Session);

impl PostgresTransaction {
    pub(super) async fn begin(mut session: Session, begin: &'static str) -> sqlx::Result<Self> {
        session.execute(begin).await?;
        Ok(Self(session))
    }

    /// Commits what went well, and takes back what didn't.
    pub async fn end<T, E: From<sqlx::Error>>(mut self, outcome: Result<T, E>) -> Result<T, E> {
        match outcome {
            Ok(done) => {
                self.0.execute("COMMIT").await?;
                self.0.keep();
                Ok(done)
            }
            Err(refused) => {
                if self.0.execute("ROLLBACK").await.is_ok() {
                    self.0.keep();
                }
                Err(refused)
            }
        }
    }
}

impl Deref for PostgresTransaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for PostgresTransaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}
