//! Requests that are known again.

use astragal_runtime::clock::Timestamp;
use astragal_runtime::id::TableId;
use sqlx::error::BoxDynError;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, SqliteConnection};

use crate::error::{LobbyError, Result};
use crate::request::Request;

/// The statement that notes what a request led to: the account is `$1`, the game `$2`, and what
/// [`bind`] binds stands where the caller says. A forgotten request is replaced; one that is known
/// gets no instant, and so the statement fails.
macro_rules! remember {
    ($id:literal, $hash:literal, $at:literal, $forgotten_before:literal) => {
        concat!(
            "INSERT INTO requests (account_id, request_id, request_hash, game_id, created_at)
             VALUES ($1, ",
            $id,
            ", ",
            $hash,
            ", $2, ",
            $at,
            ")
             ON CONFLICT (account_id, request_id) DO UPDATE
             SET request_hash = excluded.request_hash, game_id = excluded.game_id,
                 created_at = CASE WHEN created_at < ",
            $forgotten_before,
            " THEN excluded.created_at END;"
        )
    };
}
pub(super) use remember;

/// Binds what a script says of its request.
pub(super) fn bind(
    arguments: &mut SqliteArguments,
    request: &Request,
) -> std::result::Result<(), BoxDynError> {
    arguments.add(request.id)?;
    arguments.add(&request.hash[..])?;
    arguments.add(request.at.timestamp_micros())?;
    arguments.add(request.forgotten_before().timestamp_micros())
}

/// The game that this request led to, if it came before; refused if it came with other content.
pub(super) async fn known(connection: &mut SqliteConnection, request: &Request) -> Result<Option<TableId>> {
    let row: Option<(Vec<u8>, TableId)> = sqlx::query_as(
        "SELECT request_hash, game_id FROM requests
         WHERE account_id = $1 AND request_id = $2 AND created_at >= $3",
    )
    .bind(request.account)
    .bind(request.id)
    .bind(request.forgotten_before().timestamp_micros())
    .fetch_optional(connection)
    .await?;
    match row {
        Some((hash, _)) if hash != request.hash => Err(LobbyError::RequestReused),
        Some((_, game)) => Ok(Some(game)),
        None => Ok(None),
    }
}

/// Notes what the request led to, which is not known yet.
pub(super) async fn note(connection: &mut SqliteConnection, request: &Request, game: TableId) -> Result<()> {
    let mut arguments = SqliteArguments::default();
    arguments.add(request.account).map_err(sqlx::Error::Encode)?;
    arguments.add(game).map_err(sqlx::Error::Encode)?;
    bind(&mut arguments, request).map_err(sqlx::Error::Encode)?;
    sqlx::query_with(remember!("$3", "$4", "$5", "$6"), arguments).execute(connection).await?;
    Ok(())
}

pub(super) async fn forget(connection: &mut SqliteConnection, before: Timestamp) -> Result<u64> {
    let done = sqlx::query("DELETE FROM requests WHERE created_at < $1")
        .bind(before.timestamp_micros())
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}
