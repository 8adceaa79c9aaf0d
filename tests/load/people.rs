//! Accounts and their sockets, made before the measuring begins.

use crate::frame::Frame;
use crate::socket::Socket;
use anyhow::{Result, bail};
use astragal_tests::http::{Guest, Http, host_of};

/// Signs guests up over one connection.
pub(crate) fn sign_up(url: &str, count: usize) -> Result<Vec<Guest>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut http = Http::connect(url).await?;
        let mut guests = Vec::with_capacity(count);
        for index in 0..count {
            guests.push(http.sign_up(&format!("load {index}")).await?);
        }
        Ok(guests)
    })
}

/// Opens a socket for a guest and waits for the welcome.
pub(crate) fn enter(url: &str, guest: &Guest) -> Result<Socket> {
    let mut socket = Socket::open(host_of(url)?)?;
    socket.send(format!(r#"{{"id":"hello","hello":{{"token":"{}"}}}}"#, guest.token).as_bytes())?;
    let place = socket.wait_text()?;
    let text = socket.text(place);
    if let Frame::Error { message, .. } = Frame::read(text)? {
        bail!("hello was refused: {}", String::from_utf8_lossy(message));
    }
    Ok(socket)
}

/// Opens a socket for each guest.
pub(crate) fn enter_all(url: &str, guests: &[Guest]) -> Result<Vec<Socket>> {
    guests.iter().map(|guest| enter(url, guest)).collect()
}
