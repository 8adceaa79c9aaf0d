//! What clients may do at a gateway.

use astragal_gateway::settings::GatewaySettings;
use clap::Args;

/// Bounds of one connection.
#[derive(Args)]
pub(crate) struct ClientFlags {
    /// Frames that one connection may send in a second.
    #[arg(long, env = "ASTRAGAL_FRAMES_PER_SECOND_MAX", default_value_t = GatewaySettings::default().frames_per_second_max)]
    frames_per_second_max: u32,
    /// Proxies in front of the gateway whose `X-Forwarded-For` is believed; 0: callers are known by their own address.
    #[arg(long, env = "ASTRAGAL_TRUSTED_PROXIES", default_value_t = 0)]
    trusted_proxies: usize,
}

impl ClientFlags {
    /// The usual settings of a gateway, with these bounds.
    pub(crate) fn gateway(&self) -> GatewaySettings {
        GatewaySettings {
            frames_per_second_max: self.frames_per_second_max,
            trusted_proxies: self.trusted_proxies,
            ..GatewaySettings::default()
        }
    }
}
