//! A role as some description of an installation has it, whatever the language of the description.

use anyhow::{Result, ensure};
use astragal_tests::program;
use std::collections::BTreeMap;
use std::time::Duration;

/// A variable that is no flag: what is logged.
const LOG: &str = "ASTRAGAL_LOG";

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

/// Fails if there is a variable that none of the roles reads, since nothing else would ever complain.
pub(super) fn know_their_variables(roles: &[&Role]) -> Result<()> {
    let mut help = String::new();
    for role in roles {
        let output = program::run(&[&role.words[0], "--help"])?;
        help += &String::from_utf8(output.stdout)?;
    }
    for (role, name) in roles.iter().flat_map(|role| role.variables.keys().map(move |name| (role, name))) {
        let known = [format!("[env: {name}="), format!("[env: {name}]")];
        let known = name == LOG || known.iter().any(|known| help.contains(known));
        ensure!(known, "nobody reads {name}, which {} is given", role.name);
    }
    Ok(())
}
