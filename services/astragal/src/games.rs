//! The games that this binary ships, in every version that tables were played by.

use astragal_rules::kalah::game::Kalah;
use astragal_rules::registry::Registry;

/// All of them.
pub(crate) fn registry() -> Registry {
    Registry::new().with(Kalah)
}
