//! `DISPATCH_*` variables: one that is mistyped would change nothing, and nobody would know.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};

const PREFIX: &str = "DISPATCH_";

/// Edits after which a name is still taken for a mistyped one, and fewer for short names.
const MAX_EDITS: usize = 2;
const SHORT_NAME: usize = 5;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    #[error("the variable {name} is no option; did you mean {meant}?")]
    Mistyped { name: String, meant: String },
    #[error("the variable {0} is empty: give it a value, or do not set it")]
    Empty(String),
}

/// Looks through the environment of a command. Gives the variables that look like options and are
/// none, which may be another program's: Kubernetes sets some for a service of this name.
pub fn check(
    command: &Command,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<Vec<String>, EnvironmentError> {
    let mut names = BTreeSet::new();
    variables(command, &mut names);
    let mut foreign = Vec::new();
    for (name, value) in environment {
        let Ok(name) = name.into_string() else {
            continue;
        };
        if names.contains(&name) {
            if value.is_empty() {
                return Err(EnvironmentError::Empty(name));
            }
        } else if let Some(meant) = meant(&name, &names) {
            let meant = meant.to_owned();
            return Err(EnvironmentError::Mistyped { name, meant });
        } else if name.starts_with(PREFIX) {
            foreign.push(name);
        }
    }
    foreign.sort();
    Ok(foreign)
}

fn variables(command: &Command, into: &mut BTreeSet<String>) {
    let named = command.get_arguments().filter_map(Arg::get_env);
    into.extend(named.map(|name| name.to_string_lossy().into_owned()));
    for command in command.get_subcommands() {
        variables(command, into);
    }
}

/// The option's name that it is taken for.
fn meant<'a>(name: &str, names: &'a BTreeSet<String>) -> Option<&'a str> {
    let mut names = names.iter().map(String::as_str);
    names.find(|known_name| is_mistyped(name, known_name))
}

fn is_mistyped(name: &str, known_name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let letters = |name: &str| name.replace('_', "");
    let is_short = known_name.trim_start_matches(PREFIX).len() <= SHORT_NAME;
    let edits = if is_short { MAX_EDITS - 1 } else { MAX_EDITS };
    letters(&name) == letters(known_name) || strsim::osa_distance(&name, known_name) <= edits
}

/// The option that a wrong value was given for, where the value is a variable's: `arguments` do not
/// name it. Gives the variable, and whether its value is secret.
pub fn source_of(
    error: &clap::Error,
    command: &Command,
    arguments: &[OsString],
) -> Option<(String, bool)> {
    let ContextValue::String(option) = error.get(ContextKind::InvalidArg)? else {
        return None;
    };
    // As `--listen <ADDR:PORT>` or `--demo[=<MODE>]`.
    let long = option.split([' ', '[', '=']).next()?;
    let option = find(command, long.strip_prefix("--")?)?;
    let variable = option.get_env()?.to_string_lossy().into_owned();
    let is_named = arguments
        .iter()
        .any(|argument| argument.to_string_lossy().split('=').next() == Some(long));
    (!is_named && std::env::var_os(&variable).is_some())
        .then(|| (variable, option.is_hide_env_values_set()))
}

fn find<'a>(command: &'a Command, long: &str) -> Option<&'a Arg> {
    let mut here = command.get_arguments();
    here.find(|argument| argument.get_long() == Some(long))
        .or_else(|| {
            let mut below = command.get_subcommands();
            below.find_map(|command| find(command, long))
        })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::options::cli::Cli;

    fn checked(name: &str, value: &str) -> Result<Vec<String>, EnvironmentError> {
        check(&Cli::command(), [(name.into(), value.into())])
    }

    #[test]
    fn a_name_near_an_options_is_taken_for_it() {
        for (name, meant) in [
            ("DISPATCH_DATADIR", "DISPATCH_DATA_DIR"),
            ("DISPATCH_DATA_DRI", "DISPATCH_DATA_DIR"),
            ("DISPTACH_DATA_DIR", "DISPATCH_DATA_DIR"),
            ("dispatch_listen", "DISPATCH_LISTEN"),
            ("DISPATCH_STORYCALLSANHOUR", "DISPATCH_STORY_CALLS_AN_HOUR"),
            ("DISPATCH_ALLOW_ORIGINS", "DISPATCH_ALLOW_ORIGIN"),
            ("DISPATCH_DEMOS", "DISPATCH_DEMO"),
        ] {
            let (name, meant) = (name.to_owned(), meant.to_owned());
            let refused = checked(&name, "x");
            assert_eq!(refused, Err(EnvironmentError::Mistyped { name, meant }));
        }
    }

    #[test]
    fn each_name_that_lacks_a_letter_or_has_two_swapped_is_taken_for_its_option() {
        let mut names = BTreeSet::new();
        variables(&Cli::command(), &mut names);
        assert!(names.len() > 40, "{names:?}");
        for name in &names {
            for at in 0..name.len() {
                let mut dropped = name.clone();
                dropped.remove(at);
                let mut swapped = name.clone().into_bytes();
                swapped.swap(at.saturating_sub(1), at);
                let swapped = String::from_utf8(swapped).unwrap();
                for typed in [dropped, swapped] {
                    if names.contains(&typed) {
                        continue;
                    }
                    assert_eq!(meant(&typed, &names), Some(name.as_str()), "{typed}");
                }
            }
        }
    }

    #[test]
    fn another_programs_variables_are_named_and_others_are_no_matter() {
        for name in [
            "DISPATCH_BIN",
            "DISPATCH_PORT",
            "DISPATCH_PORT_8080_TCP",
            "DISPATCH_SERVICE_HOST",
            "DISPATCH_STAGE",
        ] {
            assert_eq!(checked(name, "x"), Ok(vec![name.to_owned()]));
        }
        for (name, value) in [("PATH", "/bin"), ("RUST_LOG", ""), ("DISPATCH_LISTEN", "x")] {
            assert_eq!(checked(name, value), Ok(Vec::new()));
        }
    }
}
