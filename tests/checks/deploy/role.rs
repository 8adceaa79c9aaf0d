//! A role as some description of an installation has it, whatever the language of the description.

use std::collections::BTreeMap;
use std::time::Duration;

/// What its processes are started with.
#[derive(Clone, Debug)]
pub(super) struct Role {
    /// The name by which others call it.
    pub(super) name: String,
    /// How many processes there are at first.
    pub(super) replicas: usize,
    /// The words after the name of the program.
    pub(super) words: Vec<String>,
    /// The variables of its environment.
    pub(super) variables: BTreeMap<String, String>,
    /// The secrets that it finds as files: where, and which of the installation's.
    pub(super) files: BTreeMap<String, String>,
    /// How long a process may take to stop.
    pub(super) grace: Duration,
}
