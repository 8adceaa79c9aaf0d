//! Sockets of a crowd behind one `epoll`, on one thread: what comes is handed over frame by frame, and what is to be
//! said is sent. It knows nothing of games.

use crate::drive::now;
use crate::frame::Frame;
use crate::socket::Socket;
use anyhow::{Context, Result, bail, ensure};
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

const EVENTS_MAX: usize = 1024;
/// Without a single frame for so long the run is over.
pub(crate) const SILENCE_MAX: Duration = Duration::from_secs(15);

/// The sockets.
pub(crate) struct Crowd {
    sockets: Vec<Socket>,
    poll: OwnedFd,
    ready: Vec<epoll::Event>,
    last_frame: Instant,
}

/// Who says what, by the number of the socket.
pub(crate) type Said = Vec<(usize, String)>;

impl Crowd {
    /// Takes sockets that are signed in.
    pub(crate) fn new(sockets: Vec<Socket>) -> Result<Self> {
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for (index, socket) in sockets.iter().enumerate() {
            socket.stop_blocking()?;
            epoll::add(&poll, socket, epoll::EventData::new_u64(index as u64), epoll::EventFlags::IN)?;
        }
        Ok(Self { sockets, poll, ready: Vec::with_capacity(EVENTS_MAX), last_frame: now() })
    }

    /// Sends all that is said.
    pub(crate) fn say(&mut self, said: &mut Said) -> Result<()> {
        said.drain(..).try_for_each(|(index, text)| self.sockets[index].send(text.as_bytes()))
    }

    /// Waits for frames once, at most for a time, hands over all that came, and sends what is said to them. No frame for
    /// [`SILENCE_MAX`] is an error.
    pub(crate) fn turn(
        &mut self,
        patience: Duration,
        mut take: impl FnMut(usize, &Frame<'_>, Instant, &mut Said) -> Result<()>,
    ) -> Result<()> {
        let timeout = Timespec::try_from(patience).context("a wait out of range")?;
        self.ready.clear();
        match epoll::wait(&self.poll, spare_capacity(&mut self.ready), Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).context("the sockets can't be waited for"),
        }
        let mut said = Said::new();
        for at in 0..self.ready.len() {
            let index = self.ready[at].data.u64() as usize;
            let socket = &mut self.sockets[index];
            socket.fill()?;
            while let Some(place) = socket.next_text()? {
                let text = socket.text(place);
                Frame::read(text)
                    .and_then(|frame| take(index, &frame, now(), &mut said))
                    .with_context(|| format!("at the frame {}", String::from_utf8_lossy(text)))?;
            }
            if socket.has_ended() {
                bail!("the server ended a connection");
            }
            self.last_frame = now();
            self.say(&mut said)?;
        }
        ensure!(now() - self.last_frame <= SILENCE_MAX, "no frame came for {SILENCE_MAX:?}");
        Ok(())
    }
}
