//! What an operator may set: the limits of connections and the times after which something happens.

use std::time::Duration;

/// The settings of one gateway; every field has a default that suits a small machine.
#[derive(Debug, Clone)]
pub struct GatewaySettings {
    /// Larger frames close the connection with 1009.
    pub frame_bytes_max: usize,
    /// Frames per second of one connection, with a burst of twice as many; more close it with 1008.
    pub frames_per_second_max: u32,
    /// Tables that one connection may watch besides those where its account sits.
    pub watches_max: usize,
    /// Connections of this gateway; one more is told to try again later.
    pub sockets_max: usize,
    /// How often one address may sign up guests.
    pub guests_per_address: Pace,
    /// How often one address may send a password, to sign in or to have one.
    pub passwords_per_address: Pace,
    /// How often one address may open a connection.
    pub sockets_per_address: Pace,
    /// How often one account may say hello, or renew its session.
    pub sessions_per_account: Pace,
    /// Clients that say hello, leave or ask for a table at the same time; others wait, and moves don't wait for them.
    pub doors_at_once_max: usize,
    /// Proxies in front of this gateway, whose `X-Forwarded-For` is believed.
    pub trusted_proxies: usize,
    /// Who else than a token may say that somebody is an administrator; none: nobody.
    pub admin_proxy: Option<AdminProxy>,
    /// Connections of one account on this gateway.
    pub sockets_per_account_max: usize,
    /// Frames that wait for one client; a client that lets more pile up is disconnected.
    pub queue_frames_max: usize,
    /// Actions on their way to the engine; one more is answered `UNAVAILABLE`.
    pub actions_in_flight_max: usize,
    /// How long a new connection may take to say `hello`.
    pub hello_timeout: Duration,
    /// How often the gateway pings; a client that is silent for three such intervals is disconnected.
    pub ping_interval: Duration,
    /// How long another role may take to answer.
    pub call_timeout: Duration,
    /// How long a client may take to read what was written to it.
    pub write_timeout: Duration,
    /// How soon it is found that a watched table has gone on, if the bus has not said so.
    pub heads_interval: Duration,
    /// How often it is looked whether the sessions of all connections still count, in case news of that were lost.
    pub sessions_interval: Duration,
    /// How often the gateways tell each other how many watch which table; well below the lease of presence.
    pub audience_interval: Duration,
    /// How long connections are served on after the gateway has been asked to stop.
    pub drain_max: Duration,
}

/// A proxy that signs administrators in and names them in a header.
#[derive(Debug, Clone)]
pub struct AdminProxy {
    /// The header.
    pub header: http::HeaderName,
    /// From where it calls; the header of anybody else counts for nothing.
    pub addresses: Vec<std::net::IpAddr>,
}

/// So many at once, and then one in each period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// How many at once.
    pub burst: u32,
    /// The period.
    pub every: Duration,
}

impl Default for GatewaySettings {
    fn default() -> Self {
        Self {
            frame_bytes_max: 64 * 1024,
            frames_per_second_max: 100,
            watches_max: 64,
            sockets_max: 20_000,
            guests_per_address: Pace { burst: 60, every: Duration::from_secs(2) },
            passwords_per_address: Pace { burst: 20, every: Duration::from_secs(10) },
            sockets_per_address: Pace { burst: 300, every: Duration::from_millis(50) },
            sessions_per_account: Pace { burst: 64, every: Duration::from_secs(1) },
            doors_at_once_max: 8,
            trusted_proxies: 0,
            admin_proxy: None,
            sockets_per_account_max: 32,
            queue_frames_max: 1_024,
            actions_in_flight_max: 1_024,
            hello_timeout: Duration::from_secs(10),
            ping_interval: Duration::from_secs(20),
            call_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(30),
            heads_interval: Duration::from_secs(2),
            sessions_interval: Duration::from_mins(1),
            audience_interval: Duration::from_secs(1),
            drain_max: Duration::from_secs(5),
        }
    }
}
