//! What clients may do at a gateway.

use astragal_gateway::settings::{AdminProxy, GatewaySettings, Pace};
use clap::Args;
use hyper::http::HeaderName;
use std::net::IpAddr;

/// Bounds of one client, and who is let in to the pages of administrators.
#[derive(Args)]
pub(crate) struct ClientFlags {
    /// Frames that one connection may send in a second.
    #[arg(long, env = "ASTRAGAL_FRAMES_PER_SECOND_MAX", default_value_t = GatewaySettings::default().frames_per_second_max)]
    frames_per_second_max: u32,
    /// Sessions that one account may begin at once; from then on it is one a second.
    #[arg(long, env = "ASTRAGAL_SESSIONS_AT_ONCE_MAX", default_value_t = GatewaySettings::default().sessions_per_account.burst)]
    sessions_at_once_max: u32,
    /// Clients that say hello, leave or ask for a table at the same time: fewer keep a storm of reconnects out of the way
    /// of moves, more let it be over sooner where the roles are far from each other.
    #[arg(long, env = "ASTRAGAL_DOORS_AT_ONCE_MAX", default_value_t = GatewaySettings::default().doors_at_once_max)]
    doors_at_once_max: usize,
    /// Proxies in front of the gateway whose `X-Forwarded-For` is believed; 0: callers are known by their own address.
    #[arg(long, env = "ASTRAGAL_TRUSTED_PROXIES", default_value_t = 0)]
    trusted_proxies: usize,
    /// A header in which a proxy names the administrator that it has signed in, such as `X-Forwarded-Email`.
    #[arg(long, env = "ASTRAGAL_ADMIN_PROXY_HEADER", requires = "admin_proxy_address")]
    admin_proxy_header: Option<HeaderName>,
    /// The addresses from which that proxy calls, with commas between them; from others the header is ignored.
    #[arg(
        long,
        env = "ASTRAGAL_ADMIN_PROXY_ADDRESS",
        value_delimiter = ',',
        requires = "admin_proxy_header"
    )]
    admin_proxy_address: Vec<IpAddr>,
}

impl ClientFlags {
    /// The usual settings of a gateway, with these bounds.
    pub(crate) fn gateway(&self) -> GatewaySettings {
        let usual = GatewaySettings::default();
        let header = self.admin_proxy_header.clone();
        let addresses = self.admin_proxy_address.clone();
        let admin_proxy = header.map(|header| AdminProxy { header, addresses });
        GatewaySettings {
            frames_per_second_max: self.frames_per_second_max,
            sessions_per_account: Pace { burst: self.sessions_at_once_max, ..usual.sessions_per_account },
            doors_at_once_max: self.doors_at_once_max,
            trusted_proxies: self.trusted_proxies,
            admin_proxy,
            ..usual
        }
    }
}
