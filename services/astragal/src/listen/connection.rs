//! One connection of HTTP, and when it is closed: when it asks for nothing, and at a stop. A socket that
//! it is turned into is no connection of HTTP any more.

use super::FIRST_REQUEST_MAX;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, Response};
use hyper::body::{Bytes, Frame, Incoming, SizeHint};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// How long one that has asked may be idle, or take to ask again. Proxies give idle ones up after a minute, and it
/// should be they who do.
pub(super) const IDLE_MAX: Duration = Duration::from_secs(75);
/// How long a connection on which nothing runs may live on at a stop, to hand out the rest of an answer.
pub(super) const STOP_GRACE: Duration = Duration::from_millis(500);
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// Serves until the caller goes away, asks for nothing, or `stop`; what runs by then is answered.
pub(super) async fn serve(stream: TcpStream, caller: SocketAddr, router: Router, stop: CancellationToken) {
    let requests = Requests::default();
    let service = service_fn({
        let requests = requests.clone();
        move |request| answer(router.clone(), caller, requests.begin(), request)
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(IDLE_MAX);
    let mut http2 = builder.http2();
    http2.timer(TokioTimer::new()).keep_alive_interval(KEEP_ALIVE_INTERVAL);
    // WebSockets over HTTP/2 begin with it.
    http2.keep_alive_timeout(KEEP_ALIVE_TIMEOUT).enable_connect_protocol();
    let mut serving = pin!(builder.serve_connection_with_upgrades(TokioIo::new(stream), service));
    let mut look = pin!(sleep(FIRST_REQUEST_MAX));
    let (mut seen, mut stopping) = (0, false);
    loop {
        tokio::select! {
            // Whatever went wrong, went wrong at the caller's end.
            _ = &mut serving => break,
            () = stop.cancelled(), if !stopping => {
                stopping = true;
                serving.as_mut().graceful_shutdown();
                look.as_mut().reset(Instant::now() + STOP_GRACE);
            }
            () = &mut look => {
                let begun = requests.begun();
                if requests.run() == 0 && (stopping || begun == seen) {
                    break;
                }
                seen = begun;
                look.as_mut().reset(Instant::now() + if stopping { STOP_GRACE } else { IDLE_MAX });
            }
        }
    }
}

async fn answer(
    router: Router,
    caller: SocketAddr,
    running: Running,
    mut request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    request.extensions_mut().insert(ConnectInfo(caller));
    let may_stay = request.method() == Method::CONNECT;
    let answer = router.oneshot(request).await?;
    if may_stay && answer.status().is_success() {
        // A WebSocket over HTTP/2 goes on within its connection, which ends when the caller doesn't answer pings.
        running.go_on();
    }
    Ok(answer.map(|body| Body::new(Answered { body, _running: running })))
}

/// The requests of one connection.
#[derive(Clone, Default)]
struct Requests(Arc<Counts>);

#[derive(Default)]
struct Counts {
    begun: AtomicUsize,
    ended: AtomicUsize,
}

impl Requests {
    fn begin(&self) -> Running {
        self.0.begun.fetch_add(1, Ordering::Relaxed);
        Running(self.clone())
    }

    fn begun(&self) -> usize {
        self.0.begun.load(Ordering::Relaxed)
    }

    fn run(&self) -> usize {
        self.begun() - self.0.ended.load(Ordering::Relaxed)
    }
}

/// A request that is not answered to its end.
struct Running(Requests);

impl Running {
    /// From now on something runs on this connection for as long as it lasts.
    fn go_on(&self) {
        self.0.0.begun.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// The body of an answer; its request runs until all of it is handed out.
struct Answered {
    body: Body,
    _running: Running,
}

impl hyper::body::Body for Answered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
