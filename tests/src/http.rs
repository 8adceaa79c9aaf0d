//! The few HTTP calls of the protocol, over one kept connection. No TLS, no redirects, no pool.

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::net::TcpStream;

/// How long one call may take.
const CALL_MAX: Duration = Duration::from_mins(1);

/// A guest, as the server made one.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Guest {
    /// The account's id.
    pub account_id: String,
    /// The name that others see.
    pub name: String,
    /// The session token, sent in `hello`.
    pub token: String,
}

/// An answer: its status and its body.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The whole body.
    pub body: Bytes,
}

impl Answer {
    /// Reads the body as JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body).with_context(|| format!("unexpected answer {}", self.text()))
    }

    /// The body as text, for messages.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The error code of a refusal.
    pub fn code(&self) -> Result<String> {
        let body: serde_json::Value = self.json()?;
        Ok(body["code"].as_str().with_context(|| format!("no code in {body}"))?.to_owned())
    }
}

/// One connection to the server.
pub struct Http {
    host: String,
    connection: SendRequest<Full<Bytes>>,
    forwarded_for: Option<String>,
}

impl Http {
    /// Connects to a base address such as `http://127.0.0.1:8080`.
    pub async fn connect(url: &str) -> Result<Self> {
        let host = host_of(url)?.to_owned();
        let stream = TcpStream::connect(&host).await.with_context(|| format!("nothing answers at {url}"))?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // The connection is driven until its sender is dropped; its end shows in the next call.
        tokio::spawn(connection);
        Ok(Self { host, connection: sender, forwarded_for: None })
    }

    /// Connects as a proxy does that says for whom it calls.
    pub async fn through_proxy(url: &str, forwarded_for: &str) -> Result<Self> {
        Ok(Self { forwarded_for: Some(forwarded_for.to_owned()), ..Self::connect(url).await? })
    }

    /// Reads a resource, as a stranger.
    pub async fn get(&mut self, path: &str) -> Result<Answer> {
        self.call(Method::GET, path, None, Bytes::new()).await
    }

    /// Reads a resource with a session token.
    pub async fn get_as(&mut self, token: &str, path: &str) -> Result<Answer> {
        self.call(Method::GET, path, Some(token), Bytes::new()).await
    }

    /// Posts JSON, as a stranger.
    pub async fn post(&mut self, path: &str, body: &serde_json::Value) -> Result<Answer> {
        self.call(Method::POST, path, None, body.to_string().into()).await
    }

    /// Posts nothing with a session token.
    pub async fn post_as(&mut self, token: &str, path: &str) -> Result<Answer> {
        self.call(Method::POST, path, Some(token), Bytes::new()).await
    }

    /// Sends JSON, or nothing if it is null, with a session token or as a stranger.
    pub async fn send(
        &mut self,
        method: Method,
        token: Option<&str>,
        path: &str,
        body: &serde_json::Value,
    ) -> Result<Answer> {
        let body = if body.is_null() { Bytes::new() } else { body.to_string().into() };
        self.call(method, path, token, body).await
    }

    /// Signs a guest up.
    pub async fn sign_up(&mut self, name: &str) -> Result<Guest> {
        let answer = self.post("/v1/guests", &serde_json::json!({ "name": name })).await?;
        if answer.status != StatusCode::CREATED {
            bail!("no guest: {} {}", answer.status, answer.text());
        }
        answer.json()
    }

    async fn call(&mut self, method: Method, path: &str, token: Option<&str>, body: Bytes) -> Result<Answer> {
        let mut request = Request::builder().method(method).uri(path).header("host", &self.host);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if let Some(forwarded_for) = &self.forwarded_for {
            request = request.header("x-forwarded-for", forwarded_for);
        }
        if !body.is_empty() {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(Full::new(body))?;
        let exchange = async {
            self.connection.ready().await?;
            let response = self.connection.send_request(request).await?;
            let status = response.status();
            let body = response.into_body().collect().await?.to_bytes();
            anyhow::Ok(Answer { status, body })
        };
        tokio::time::timeout(CALL_MAX, exchange).await.with_context(|| format!("no answer from {path}"))?
    }
}

/// The `host:port` of a base address.
pub fn host_of(url: &str) -> Result<&str> {
    let host = url.strip_prefix("http://").with_context(|| format!("{url} isn't an http:// address"))?;
    Ok(host.trim_end_matches('/'))
}
