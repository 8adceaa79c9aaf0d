//! Guests at a server, for the checks.

use anyhow::Result;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::{Guest, Http};

/// A new guest with a socket.
pub(crate) async fn one(url: &str, wire: Wire) -> Result<Client> {
    Ok(Client::guest(url, "Ada", wire).await?.0)
}

/// Two new guests with a socket each.
pub(crate) async fn two(url: &str, wire: Wire) -> Result<[Client; 2]> {
    let (first, _) = Client::guest(url, "Ada", wire).await?;
    let (second, _) = Client::guest(url, "Blaise", wire).await?;
    Ok([first, second])
}

/// A new guest with two sockets, as two tabs have.
pub(crate) async fn with_two_sockets(url: &str) -> Result<(Guest, [Client; 2])> {
    let (first, guest) = Client::guest(url, "Ada", Wire::Json).await?;
    let (second, _) = Client::enter(url, &guest, Wire::Binary).await?;
    Ok((guest, [first, second]))
}

/// Many new guests, without sockets.
pub(crate) async fn many(url: &str, count: usize) -> Result<Vec<Guest>> {
    let mut http = Http::connect(url).await?;
    let mut guests = Vec::with_capacity(count);
    for index in 0..count {
        guests.push(http.sign_up(&format!("guest {index}")).await?);
    }
    Ok(guests)
}
