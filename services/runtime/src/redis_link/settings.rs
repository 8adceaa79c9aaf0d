//! Where the Redis of an installation is, and how its addresses are read.

use redis::cluster::ClusterClient;
use redis::{
    Client, ClientTlsConfig, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, ProtocolVersion,
    TlsCertificates,
};

use super::ANSWER_MAX;
use crate::tls::CallerTls;

/// What a node of a cluster is asked at most, when it sends the asker elsewhere.
const REDIRECTIONS_MAX: u32 = 3;
const PREFIX_LENGTH_MAX: usize = 64;

/// The Redis of an installation.
#[derive(Clone)]
pub struct RedisSettings {
    /// One server, or several nodes of one cluster; never logged.
    pub urls: Vec<String>,
    /// What the names of all channels and keys begin with, so that installations can share a Redis.
    pub prefix: String,
    /// Whom to believe at `rediss://`; without it, whomever the system believes.
    pub tls: Option<CallerTls>,
}

/// Settings that can't be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RedisSettingsError {
    /// An address is none. It isn't shown, since it may hold a password.
    #[error(
        "the address of Redis can't be read; write it as redis://HOST:PORT, rediss://HOST:PORT or \
         redis+unix:///PATH, and that of a cluster as redis+cluster://HOST:PORT or several with commas between them"
    )]
    Address,
    /// The prefix would be misread in a key.
    #[error("the prefix in Redis can't be used; write 1 to 64 letters, digits, hyphens, dots or underscores")]
    Prefix,
    /// An authority is given, and the address has no TLS.
    #[error("with an authority for Redis its address is one with TLS; write rediss://HOST:PORT")]
    NotEncrypted,
}

/// What is connected with.
pub(super) struct Clients {
    pub(super) nodes: Vec<Client>,
    pub(super) cluster: Option<ClusterClient>,
}

impl RedisSettings {
    /// One Redis with the usual prefix.
    pub fn new(url: impl Into<String>) -> Self {
        Self { urls: vec![url.into()], prefix: "astragal".to_owned(), tls: None }
    }

    pub(super) fn clients(&self) -> Result<Clients, RedisSettingsError> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
        if !(1..=PREFIX_LENGTH_MAX).contains(&self.prefix.len()) || !self.prefix.chars().all(fits) {
            return Err(RedisSettingsError::Prefix);
        }
        let mut is_cluster = self.urls.len() > 1;
        let mut places = Vec::with_capacity(self.urls.len());
        for url in &self.urls {
            let (url, of_cluster) = match url.trim().split_once("+cluster://") {
                Some((scheme, rest)) => (format!("{scheme}://{rest}"), true),
                None => (url.trim().to_owned(), false),
            };
            is_cluster |= of_cluster;
            places.push(self.place(&url)?);
        }
        let nodes = places.iter().map(|place| self.node(place.clone())).collect::<Result<Vec<_>, _>>()?;
        if nodes.is_empty() {
            return Err(RedisSettingsError::Address);
        }
        let cluster = if is_cluster { Some(self.cluster(places)?) } else { None };
        Ok(Clients { nodes, cluster })
    }

    fn place(&self, url: &str) -> Result<ConnectionInfo, RedisSettingsError> {
        let place = url.into_connection_info().map_err(|_| RedisSettingsError::Address)?;
        if self.tls.is_some() && !matches!(place.addr(), ConnectionAddr::TcpTls { .. }) {
            return Err(RedisSettingsError::NotEncrypted);
        }
        let settings = place.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
        Ok(place.set_redis_settings(settings))
    }

    fn node(&self, place: ConnectionInfo) -> Result<Client, RedisSettingsError> {
        let node = match &self.tls {
            Some(tls) => Client::build_with_tls(place, certificates(tls)),
            None => Client::open(place),
        };
        node.map_err(|_| RedisSettingsError::Address)
    }

    fn cluster(&self, places: Vec<ConnectionInfo>) -> Result<ClusterClient, RedisSettingsError> {
        let mut cluster = ClusterClient::builder(places)
            .use_protocol(ProtocolVersion::RESP3)
            .connection_timeout(ANSWER_MAX)
            .response_timeout(ANSWER_MAX)
            .retries(REDIRECTIONS_MAX);
        if let Some(tls) = &self.tls {
            cluster = cluster.certs(certificates(tls));
        }
        cluster.build().map_err(|_| RedisSettingsError::Address)
    }
}

fn certificates(tls: &CallerTls) -> TlsCertificates {
    let client_tls = tls.identity.as_ref().map(|identity| ClientTlsConfig {
        client_cert: identity.certificate_pem().into(),
        client_key: identity.key_pem().into(),
    });
    TlsCertificates { client_tls, root_cert: Some(tls.authorities.pem().into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(urls: &[&str], prefix: &str) -> Result<bool, RedisSettingsError> {
        let urls = urls.iter().map(|&url| url.to_owned()).collect();
        let settings = RedisSettings { urls, prefix: prefix.to_owned(), tls: None };
        settings.clients().map(|clients| clients.cluster.is_some())
    }

    #[test]
    fn an_address_is_read_and_a_wrong_one_is_not_shown() {
        for (urls, is_cluster) in [
            (&["redis://localhost"][..], false),
            (&["redis://user:word@host:7000/2"], false),
            (&["rediss://host:7000"], false),
            (&["redis+unix:///run/redis.sock"], false),
            (&["redis+cluster://host:7000"], true),
            (&["rediss+cluster://host:7000"], true),
            (&["redis://one:7000", "redis://two:7000"], true),
        ] {
            assert_eq!(read(urls, "astragal"), Ok(is_cluster), "{urls:?}");
        }
        for wrong in [
            &[""][..],
            &["localhost:6379"],
            &["http://:hunter2@host"],
            &["redis://:hunter2@host/no-number"],
            &["redis://:hunter2@one:7000", "rediss://:hunter2@two:7000"],
            &[],
        ] {
            let error = read(wrong, "astragal").expect_err("no address").to_string();
            assert!(error.contains("redis://HOST:PORT") && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn a_prefix_that_would_be_misread_in_a_key_is_refused() {
        for good in ["astragal", "a", "games.example-2_b"] {
            assert_eq!(read(&["redis://localhost"], good), Ok(false), "{good}");
        }
        for wrong in ["", "a{b", "a}b", "a:b", "a b", "é", &"a".repeat(65)] {
            assert_eq!(read(&["redis://localhost"], wrong), Err(RedisSettingsError::Prefix), "{wrong}");
        }
    }
}
