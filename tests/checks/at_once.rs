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
    let (first_id, second_id) = tokio::try_join!(first.0.send(first.1), second.0.send(second.1))?;
    answers((first.0, &first_id), (second.0, &second_id)).await
}

/// The same frame on two sockets of one account.
pub(crate) async fn same_at_once(
    clients: [&mut Client; 2],
    id: &str,
    operation: &Operation,
) -> Result<[Answer; 2]> {
    let [first, second] = clients;
    tokio::try_join!(first.send_as(id, operation.clone()), second.send_as(id, operation.clone()))?;
    answers((first, id), (second, id)).await
}

async fn answers(first: (&mut Client, &str), second: (&mut Client, &str)) -> Result<[Answer; 2]> {
    let (first, second) = tokio::try_join!(first.0.answer(first.1), second.0.answer(second.1))?;
    Ok([first, second])
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
