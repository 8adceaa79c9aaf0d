//! A WebSocket client as bare as the job allows: text frames, one write a frame, one read a
//! wake-up, no task and no allocation a frame. The generator shares the machine with the server,
//! so what it costs is what the measurement loses.

use anyhow::{Context, Result, bail};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

const BUFFER_BYTES: usize = 4096;
/// The server's frames are far smaller; a larger one is a mistake of the reading.
const FRAME_BYTES_MAX: usize = 1 << 20;
const HANDSHAKE_MAX: Duration = Duration::from_secs(20);

const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// Bits and values of a frame's first two bytes.
const WHOLE: u8 = 0x80;
const MASKED: u8 = 0x80;
const TWO_BYTES_OF_LENGTH: u8 = 0x7e;
const EIGHT_BYTES_OF_LENGTH: u8 = 0x7f;

/// A connection that is open.
pub(crate) struct Socket {
    stream: TcpStream,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    outgoing: Vec<u8>,
    ended: bool,
}

impl Socket {
    /// Opens a connection for text frames.
    pub(crate) fn open(host: &str) -> Result<Self> {
        let mut socket = Self::begin(host)?;
        while !socket.is_open()? {
            if socket.fill()? == 0 {
                bail!("the server closed the connection in the handshake");
            }
        }
        Ok(socket)
    }

    /// Connects, and asks for a connection for text frames.
    pub(crate) fn begin(host: &str) -> Result<Self> {
        let stream = TcpStream::connect(host).with_context(|| format!("nothing answers at {host}"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(HANDSHAKE_MAX))?;
        let mut socket = Self {
            stream,
            buffer: vec![0; BUFFER_BYTES],
            start: 0,
            end: 0,
            outgoing: Vec::new(),
            ended: false,
        };
        socket.ask(host)?;
        Ok(socket)
    }

    fn ask(&mut self, host: &str) -> Result<()> {
        let request = format!(
            "GET /v1/ws HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YSB0YWJsZSBvZiBrYWxhaA==\r\n\
             Sec-WebSocket-Protocol: astragal.v1.json\r\n\r\n"
        );
        self.stream.write_all(request.as_bytes()).context("a connection could not be asked for")
    }

    /// True once the answer to the handshake has been read whole; asked once for every connection.
    pub(crate) fn is_open(&mut self) -> Result<bool> {
        let Some(at) = self.unread().windows(4).position(|bytes| bytes == b"\r\n\r\n") else {
            return Ok(false);
        };
        if !self.unread().starts_with(b"HTTP/1.1 101") {
            bail!("no WebSocket: {}", String::from_utf8_lossy(&self.unread()[..at]));
        }
        self.start += at + 4;
        Ok(true)
    }

    /// From now on reads return at once. Before, they wait.
    pub(crate) fn stop_blocking(&self) -> Result<()> {
        Ok(self.stream.set_nonblocking(true)?)
    }

    /// Sends a text frame. Frames are small and few are under way, so a full send buffer is an error.
    pub(crate) fn send(&mut self, text: &[u8]) -> Result<()> {
        self.send_frame(TEXT, text)
    }

    fn send_frame(&mut self, kind: u8, payload: &[u8]) -> Result<()> {
        self.outgoing.clear();
        self.outgoing.push(WHOLE | kind);
        match payload.len() {
            short @ 0..=125 => self.outgoing.push(MASKED | short as u8),
            long => {
                self.outgoing.push(MASKED | TWO_BYTES_OF_LENGTH);
                self.outgoing.extend(u16::try_from(long).context("a frame too long to send")?.to_be_bytes());
            }
        }
        // The mask guards proxies against hostile pages. Here is neither, and zeros cost nothing.
        self.outgoing.extend([0; 4]);
        self.outgoing.extend_from_slice(payload);
        self.stream.write_all(&self.outgoing).context("a frame could not be sent")
    }

    /// Reads what has come, once. 0: nothing, or the end; see [`Socket::has_ended`].
    pub(crate) fn fill(&mut self) -> Result<usize> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            if self.end * 2 > self.buffer.len() {
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
        }
        match self.stream.read(&mut self.buffer[self.end..]) {
            Ok(0) => {
                self.ended = true;
                Ok(0)
            }
            Ok(count) => {
                self.end += count;
                Ok(count)
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => {
                self.ended = true;
                Ok(0)
            }
            Err(error) => Err(error).context("a socket can't be read"),
        }
    }

    /// True once the server has ended the connection.
    pub(crate) const fn has_ended(&self) -> bool {
        self.ended
    }

    /// The place of the next whole text frame in the buffer; pings are answered on the way.
    pub(crate) fn next_text(&mut self) -> Result<Option<Range<usize>>> {
        while let Some((kind, payload)) = self.next_frame()? {
            match kind {
                TEXT => return Ok(Some(payload)),
                PING => {
                    let echo = self.buffer[payload].to_vec();
                    // A server that is gone by now shows when it is read from.
                    let _may_be_gone = self.send_frame(PONG, &echo);
                }
                PONG => {}
                CLOSE => {
                    let said = String::from_utf8_lossy(self.buffer[payload].get(2..).unwrap_or_default())
                        .into_owned();
                    bail!("the server closed a socket: {said}");
                }
                other => bail!("a frame of kind {other} on a text socket"),
            }
        }
        Ok(None)
    }

    /// The text at a place that [`Socket::next_text`] gave.
    pub(crate) fn text(&self, place: Range<usize>) -> &[u8] {
        &self.buffer[place]
    }

    /// Waits for the next text frame of a socket that blocks.
    pub(crate) fn wait_text(&mut self) -> Result<Range<usize>> {
        loop {
            if let Some(place) = self.next_text()? {
                return Ok(place);
            }
            if self.fill()? == 0 {
                bail!("the server ended a connection, or said nothing for {HANDSHAKE_MAX:?}");
            }
        }
    }

    fn unread(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn next_frame(&mut self) -> Result<Option<(u8, Range<usize>)>> {
        let unread = self.unread();
        let &[first, second, ..] = unread else { return Ok(None) };
        if first & WHOLE == 0 || second & MASKED != 0 {
            bail!("a frame in parts or a masked one, which this server doesn't send");
        }
        let (header, length) = match (second, unread) {
            (TWO_BYTES_OF_LENGTH, [_, _, high, low, ..]) => {
                (4, usize::from(u16::from_be_bytes([*high, *low])))
            }
            (EIGHT_BYTES_OF_LENGTH, [_, _, long @ ..]) if long.len() >= 8 => {
                let (bytes, _) = long.split_first_chunk::<8>().context("a frame without a length")?;
                (10, usize::try_from(u64::from_be_bytes(*bytes))?)
            }
            (TWO_BYTES_OF_LENGTH | EIGHT_BYTES_OF_LENGTH, _) => return Ok(None),
            (short, _) => (2, usize::from(short)),
        };
        if length > FRAME_BYTES_MAX {
            bail!("a frame of {length} bytes");
        }
        if unread.len() < header + length {
            return Ok(None);
        }
        let payload = self.start + header..self.start + header + length;
        self.start = payload.end;
        Ok(Some((first & !WHOLE, payload)))
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use tokio_tungstenite::tungstenite::{Message, accept};

    /// The last length that two bytes hold, and the first two that take eight.
    const LONG: [usize; 3] = [65_535, 65_536, 70_001];

    #[test]
    fn frames_of_every_length_come_and_go() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let server = std::thread::spawn(move || {
            let mut peer = accept(listener.accept().unwrap().0).unwrap();
            peer.send(Message::Ping(b"there?"[..].into())).unwrap();
            let mut heard = Vec::new();
            while heard.len() < 4 {
                let message = peer.read().unwrap();
                if message.is_text() {
                    peer.send(message.clone()).unwrap();
                }
                heard.push(message);
            }
            for length in LONG {
                peer.send(Message::text("b".repeat(length))).unwrap();
            }
            peer.close(None).unwrap();
            heard
        });
        let mut socket = Socket::open(&host).unwrap();
        let texts = [5, 300, 60_000].map(|length| "a".repeat(length));
        for text in &texts {
            socket.send(text.as_bytes()).unwrap();
            let place = socket.wait_text().unwrap();
            assert_eq!(socket.text(place), text.as_bytes());
        }
        for length in LONG {
            let place = socket.wait_text().unwrap();
            assert_eq!(socket.text(place), "b".repeat(length).as_bytes());
        }
        let heard = server.join().unwrap();
        assert!(heard.contains(&Message::Pong(b"there?"[..].into())));
        assert!(texts.iter().all(|text| heard.contains(&Message::text(text.as_str()))));
        assert!(socket.wait_text().unwrap_err().to_string().contains("closed a socket"));
    }
}
