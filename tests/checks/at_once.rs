//! Two operations on their way at the same instant, and what may have come of them.

use anyhow::{Result, bail};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_tests::client::{Answer, Client};

/// How often a race is run.
pub(crate) const RACES: u64 = 200;

/// Both send before either waits, so both are on their way at once.
pub(crate) async fn at_once(
    first: (&mut Client, Operation),
    second: (&mut Client, Operation),
) -> Result<[Answer; 2]> {
    let ((one, mine), (other, theirs)) = (first, second);
    let (my_id, their_id) = tokio::try_join!(one.send(mine.clone()), other.send(theirs.clone()))?;
    answers((one, &my_id, mine), (other, &their_id, theirs)).await
}

/// The same frame on two sockets of one account.
pub(crate) async fn same_at_once(
    clients: [&mut Client; 2],
    id: &str,
    operation: &Operation,
) -> Result<[Answer; 2]> {
    let [first, second] = clients;
    tokio::try_join!(first.send_as(id, operation.clone()), second.send_as(id, operation.clone()))?;
    answers((first, id, operation.clone()), (second, id, operation.clone())).await
}

/// Somebody who has sent an operation under an id.
type Sent<'s> = (&'s mut Client, &'s str, Operation);

async fn answers(
    (one, mine, my_operation): Sent<'_>,
    (other, theirs, their_operation): Sent<'_>,
) -> Result<[Answer; 2]> {
    let answers =
        tokio::try_join!(one.insist_as(mine, my_operation), other.insist_as(theirs, their_operation))?;
    Ok(answers.into())
}

/// The code of a refusal; empty if it was none.
pub(crate) fn code(answer: &Answer) -> &str {
    answer.as_ref().err().map_or("", |refusal| &refusal.code)
}

/// The place of the one that won; the other must have been refused with one of the codes.
pub(crate) fn winner(answers: &[Answer; 2], codes: &[&str]) -> Result<usize> {
    match answers {
        [Ok(_), Err(refusal)] if codes.contains(&refusal.code.as_str()) => Ok(0),
        [Err(refusal), Ok(_)] if codes.contains(&refusal.code.as_str()) => Ok(1),
        odd => bail!("not one winner and one of {codes:?}: {odd:?}"),
    }
}
