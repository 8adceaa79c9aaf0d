//! Settings as variables. One that is set to nothing, as a compose file passes on what its own environment lacks,
//! is no setting.

use clap::Command;
use std::ffi::OsStr;

/// The command and all below it, without the variables that `is_empty` says are.
pub(crate) fn without_empty(command: Command, is_empty: fn(&OsStr) -> bool) -> Command {
    let command = command.mut_subcommands(move |command| without_empty(command, is_empty));
    command.mut_args(move |argument| match argument.get_env() {
        Some(name) if is_empty(name) => argument.env(None::<&str>),
        _ => argument,
    })
}

/// Whether the variable is set to nothing.
pub(crate) fn is_empty(name: &OsStr) -> bool {
    std::env::var_os(name).is_some_and(|value| value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    /// O3: a variable that is empty counts as one that is not set, whatever command it is for.
    #[test]
    fn o3_an_empty_variable_is_no_setting() {
        // Every process that runs tests has this one.
        let flag = || Arg::new("path").long("path").env("PATH");
        let command = || Command::new("whole").subcommand(Command::new("role").arg(flag()));
        let given = |command: Command| {
            let matches = command.get_matches_from(["whole", "role"]);
            let (_, role) = matches.subcommand().expect("a role");
            role.get_one::<String>("path").cloned()
        };
        assert!(given(without_empty(command(), is_empty)).is_some(), "it is set");
        assert_eq!(given(without_empty(command(), |name| name == "PATH")), None);
    }
}
