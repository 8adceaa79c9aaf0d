//! Connections that ask for nothing, on a clock that goes as fast as the test, and such that do.

use super::connection::{IDLE_MAX, STOP_GRACE};
use super::*;
use anyhow::ensure;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

const REQUEST: &[u8] = b"GET /caller HTTP/1.1\r\nhost: here\r\n\r\n";
const HALF: &[u8] = b"GET /caller HTTP/1.1\r\nhost: he";
const HTTP_2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

struct Port {
    address: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Port {
    async fn open(router: Router) -> Result<Self> {
        let (listener, stop) = (bind("127.0.0.1:0".parse()?, "--listen").await?, CancellationToken::new());
        let address = listener.local_addr()?;
        let serving = tokio::spawn(serve(listener, router, stop.clone()));
        Ok(Self { address, stop, serving })
    }

    async fn connect(&self, said: &[u8]) -> Result<TcpStream> {
        let mut stream = TcpStream::connect(self.address).await?;
        stream.write_all(said).await?;
        Ok(stream)
    }
}

fn callers() -> Router {
    Router::new()
        .route("/caller", get(async |ConnectInfo(caller): ConnectInfo<SocketAddr>| caller.to_string()))
}

/// Reads until the text has come.
async fn read_until(stream: &mut TcpStream, text: &str) -> Result<()> {
    let mut read = String::new();
    while !read.contains(text) {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).await?;
        ensure!(count > 0, "it ended with {read:?}");
        read.push_str(std::str::from_utf8(&bytes[..count])?);
    }
    Ok(())
}

/// How long it takes until the other end closes the connection.
async fn closed_after(stream: &mut TcpStream) -> Result<Duration> {
    tokio::time::pause();
    let began = Instant::now();
    let mut rest = Vec::new();
    let reading = stream.read_to_end(&mut rest);
    // A reset is an end, too.
    let _ = tokio::time::timeout(100 * IDLE_MAX, reading).await.context("it was never closed")?;
    tokio::time::resume();
    Ok(began.elapsed())
}

/// G6: whoever connects and asks for nothing, or for half of something, keeps no connection.
#[tokio::test]
async fn g6_a_connection_that_asks_for_nothing_is_closed() -> Result<()> {
    for said in [&b""[..], HALF, &HTTP_2[..10], HTTP_2] {
        let port = Port::open(callers()).await?;
        let after = closed_after(&mut port.connect(said).await?).await?;
        ensure!(after <= FIRST_REQUEST_MAX + Duration::from_secs(1), "{said:?}: it took {after:?}");
    }
    Ok(())
}

/// G6: what says nothing, or half of how HTTP/2 begins, never comes to a port of gRPC; what begins does, whole.
#[tokio::test]
async fn g6_a_server_gets_connections_that_begin() -> Result<()> {
    let listener = bind("127.0.0.1:0".parse()?, "--listen").await?;
    let (address, stop) = (listener.local_addr()?, CancellationToken::new());
    let mut incoming = talkative(listener, stop.clone());
    for said in [&b""[..], &HTTP_2[..10]] {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(said).await?;
        let after = closed_after(&mut stream).await?;
        ensure!(after <= FIRST_REQUEST_MAX + Duration::from_secs(1), "{said:?}: it took {after:?}");
    }
    let mut caller = TcpStream::connect(address).await?;
    caller.write_all(&HTTP_2[..10]).await?;
    caller.write_all(&HTTP_2[10..]).await?;
    let mut taken = incoming.next().await.context("nothing came")??;
    let mut read = vec![0; HTTP_2.len()];
    taken.read_exact(&mut read).await?;
    ensure!(read == HTTP_2 && taken.nodelay()?, "{read:?}");
    stop.cancel();
    ensure!(incoming.next().await.is_none(), "the port is open after a stop");
    Ok(())
}

/// G6: a connection is kept for the next request, but not for ever. Its caller is known by address.
#[tokio::test]
async fn g6_an_idle_connection_is_kept_for_a_while() -> Result<()> {
    let port = Port::open(callers()).await?;
    let mut stream = port.connect(REQUEST).await?;
    let own = stream.local_addr()?.to_string();
    read_until(&mut stream, &own).await?;
    stream.write_all(REQUEST).await?;
    read_until(&mut stream, &own).await?;
    let after = closed_after(&mut stream).await?;
    ensure!(after > FIRST_REQUEST_MAX && after <= 2 * IDLE_MAX + Duration::from_secs(1), "it took {after:?}");
    Ok(())
}

/// G6: an answer may take its time, as a timeline that is streamed does.
#[tokio::test]
async fn g6_a_connection_whose_answer_goes_on_is_kept() -> Result<()> {
    let (parts, stream) = mpsc::channel::<Bytes>(1);
    let stream = std::sync::Mutex::new(Some(stream));
    let answer = move || {
        let parts = stream.lock().expect("a stream").take().expect("one request");
        Body::from_stream(ReceiverStream::new(parts).map(Ok::<_, std::convert::Infallible>))
    };
    let answer = std::sync::Arc::new(answer);
    let port = Port::open(Router::new().route("/caller", get(async move || answer()))).await?;
    let mut stream = port.connect(REQUEST).await?;
    parts.send("first".into()).await?;
    read_until(&mut stream, "first").await?;
    tokio::time::pause();
    tokio::time::sleep(4 * IDLE_MAX).await;
    tokio::time::resume();
    parts.send("second".into()).await?;
    read_until(&mut stream, "second").await
}

/// G7: a stop answers what runs, and waits for nobody who has asked for nothing.
#[tokio::test]
async fn g7_a_stop_waits_for_answers_and_for_nothing_else() -> Result<()> {
    let (asked, mut is_asked) = mpsc::channel(1);
    let (go, gone) = tokio::sync::watch::channel(false);
    let slow = async move || {
        let _ = asked.send(()).await;
        let _ = gone.clone().wait_for(|gone| *gone).await;
        "answered at last"
    };
    let port = Port::open(callers().route("/slow", get(slow))).await?;
    let mut idle = port.connect(REQUEST).await?;
    read_until(&mut idle, "127.0.0.1").await?;
    let _others = [port.connect(b"").await?, port.connect(HALF).await?, port.connect(HTTP_2).await?, idle];
    let mut slow = port.connect(b"GET /slow HTTP/1.1\r\nhost: here\r\n\r\n").await?;
    is_asked.recv().await.context("nobody asked")?;

    port.stop.cancel();
    tokio::time::pause();
    tokio::time::sleep(4 * STOP_GRACE).await;
    ensure!(!port.serving.is_finished(), "what ran was given up");
    let began = Instant::now();
    go.send_replace(true);
    port.serving.await?;
    ensure!(began.elapsed() <= 2 * STOP_GRACE, "it took {:?}", began.elapsed());
    read_until(&mut slow, "answered at last").await
}

/// G6: a process that can't take a connection says so, but not a thousand times, and goes on.
#[tokio::test(start_paused = true)]
async fn g6_connections_that_can_t_be_taken_are_waited_for() {
    let (mut refusals, began) = (Refusals::default(), Instant::now());
    let (gone, full) = (ErrorKind::ConnectionAborted.into(), io::Error::from_raw_os_error(24));
    refusals.wait(&gone).await;
    assert_eq!((began.elapsed(), refusals.logged_at), (Duration::ZERO, None), "the next one may be good");
    refusals.wait(&full).await;
    assert_eq!(began.elapsed(), REFUSAL_PAUSE);
    let logged_at = refusals.logged_at;
    assert_eq!(logged_at, Some(began));
    refusals.wait(&full).await;
    assert_eq!(refusals.logged_at, logged_at, "it was said a moment ago");
    tokio::time::advance(REFUSAL_LOGGED_EVERY).await;
    refusals.wait(&full).await;
    assert_ne!(refusals.logged_at, logged_at);
}
