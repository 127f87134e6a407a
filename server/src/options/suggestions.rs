//! Which options somebody may have meant who mistyped one, on the command line or in the file of options.

use std::cmp::Reverse;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// Edits after which a name is still taken for a mistyped one, and one more for every so many letters.
const MAX_EDITS: usize = 2;
const LETTERS_AN_EDIT: usize = 5;

/// Letters that a word must have to tell something about the option it is in.
const MIN_WORD: usize = 4;

/// What to say of an option on the command line that its command does not have; none for another error.
pub fn unknown_argument(
    error: &clap::Error,
    command: &Command,
    arguments: &[OsString],
) -> Option<String> {
    let ContextValue::String(typed) = error.get(ContextKind::InvalidArg)? else {
        return None;
    };
    let is_option = error.kind() == ErrorKind::UnknownArgument && typed.starts_with('-');
    let command = is_option.then(|| command_of(command, arguments))?;
    let names = option_names(command).map(|name| format!("--{name}"));
    Some(unknown_option(typed, &names.collect::<Vec<_>>()))
}

/// What is wrong with an option's value, for somebody who knows no types of programs.
const PLAIN_WORDS: [(&str, &str); 8] = [
    ("a nonzero u32", "a whole number from 1 on"),
    ("a nonzero u16", "a whole number from 1 on"),
    (
        "number would be zero for non-zero type",
        "it is a whole number from 1 on",
    ),
    ("expected u32", "expected a whole number from 0 on"),
    ("expected u16", "expected a whole number from 0 to 65535"),
    ("invalid digit found in string", "it is a whole number"),
    (
        "invalid socket address syntax",
        "it is an address and a port, such as 127.0.0.1:8080",
    ),
    (
        "relative URL without a base",
        "an address begins with https:// or http://",
    ),
];

/// A parser's sentence in plain words.
pub fn in_plain_words(sentence: &str) -> String {
    let words = PLAIN_WORDS.iter();
    words.fold(sentence.to_owned(), |sentence, (program, plain)| {
        sentence.replace(program, plain)
    })
}

/// The options of a command by their long names.
pub fn option_names(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter_map(Arg::get_long)
}

/// The command that the arguments name.
fn command_of<'a>(command: &'a Command, arguments: &[OsString]) -> &'a Command {
    let names = arguments.iter().skip(1);
    names.fold(command, |command, name| {
        command.find_subcommand(name).unwrap_or(command)
    })
}

/// A sentence that names the options that can have been meant, the nearest first; where none is near, all that there
/// are.
pub fn unknown_option(typed: &str, names: &[String]) -> String {
    match &meant(typed, names)[..] {
        [] => {
            let mut all = names.to_vec();
            all.sort();
            format!("there is no option {typed}; there are {}", all.join(", "))
        }
        [one] => format!("there is no option {typed}; did you mean {one}?"),
        [others @ .., last] => {
            format!(
                "there is no option {typed}; did you mean {} or {last}?",
                others.join(", ")
            )
        }
    }
}

/// Those of nearly the same letters. Else those that share words with what was typed: with a name that begins like a
/// dozen others, who only mistyped it is not shown the dozen.
fn meant<'a>(typed: &str, names: &'a [String]) -> Vec<&'a str> {
    let letters = bare(typed).replace(['-', '_'], "");
    let max = max_edits(&letters);
    let edits = names.iter().map(|name| edits(&letters, name));
    let by_letters = nearest(
        typed,
        names.iter().zip(edits).filter(|(_, edits)| *edits <= max),
    );
    if !by_letters.is_empty() {
        return by_letters;
    }
    let missing = names
        .iter()
        .map(|name| usize::MAX - shared_words(typed, name));
    nearest(
        typed,
        names
            .iter()
            .zip(missing)
            .filter(|(_, missing)| *missing < usize::MAX),
    )
}

/// Those of the smallest distance.
fn nearest<'a>(typed: &str, names: impl Iterator<Item = (&'a String, usize)>) -> Vec<&'a str> {
    let names: Vec<_> = names.collect();
    let smallest = names.iter().map(|(_, distance)| *distance).min();
    let mut nearest: Vec<&str> = names
        .iter()
        .filter(|(_, distance)| Some(*distance) == smallest)
        .map(|(name, _)| name.as_str())
        .collect();
    nearest.sort_by_key(|name| Reverse(likeness(typed, name)));
    nearest
}

fn bare(typed: &str) -> String {
    typed.trim_start_matches('-').to_ascii_lowercase()
}

/// In thousandths.
fn likeness(typed: &str, name: &str) -> u64 {
    (strsim::jaro_winkler(typed, name) * 1_000.0) as u64
}

/// Of the shortest name a letter may be wrong, too.
fn max_edits(letters: &str) -> usize {
    let edits = MAX_EDITS.min(letters.len() / 3) + letters.len() / LETTERS_AN_EDIT / 2;
    edits.max(1)
}

fn edits(letters: &str, name: &str) -> usize {
    strsim::osa_distance(letters, &bare(name).replace('-', ""))
}

/// How many words of the name were typed.
fn shared_words(typed: &str, name: &str) -> usize {
    let typed = bare(typed);
    let typed = typed
        .split(['-', '_'])
        .filter(|word| word.len() >= MIN_WORD);
    let typed: Vec<&str> = typed.collect();
    let is_typed = |word: &&str| {
        typed
            .iter()
            .any(|typed| strsim::osa_distance(typed, word) <= 1)
    };
    bare(name).split('-').filter(is_typed).count()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::options::cli::Cli;

    #[test]
    fn a_value_that_cannot_be_used_is_told_without_a_programs_types() {
        for (program, plain) in [
            (
                "invalid value: integer `0`, expected a nonzero u32 in `backup-hours`",
                "invalid value: integer `0`, expected a whole number from 1 on in `backup-hours`",
            ),
            (
                "relative URL without a base: \"desk.example.com\" in `public-url`",
                "an address begins with https:// or http://: \"desk.example.com\" in `public-url`",
            ),
        ] {
            assert_eq!(in_plain_words(program), plain);
        }
    }

    fn message_for(line: &str) -> String {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let error = Cli::command().try_get_matches_from(&arguments).unwrap_err();
        let message = unknown_argument(&error, &Cli::command(), &arguments);
        message.unwrap_or_else(|| error.to_string())
    }

    #[test]
    fn every_option_that_can_be_meant_is_named_and_the_nearest_is_first() {
        for (line, meant) in [
            ("dispatch serve --lisen x", "--lisen; did you mean --listen"),
            (
                "dispatch serve --LISTEN=x",
                "--LISTEN; did you mean --listen",
            ),
            (
                "dispatch serve --datadir x",
                "--datadir; did you mean --data-dir?",
            ),
            (
                "dispatch serve --identty x",
                "--identty; did you mean --identity?",
            ),
            (
                "dispatch serve --trusted-proxies x",
                "did you mean --trusted-proxy?",
            ),
            (
                "dispatch import --dryrun x",
                "--dryrun; did you mean --dry-run?",
            ),
            ("dispatch user add --rol x", "--rol; did you mean --role?"),
            ("dispatch backup --ot x", "--ot; did you mean --to?"),
        ] {
            let message = message_for(line);
            assert!(message.contains(meant), "{message}");
        }
        let story = message_for("dispatch serve --story x");
        for name in option_names(&serve()).filter(|name| name.starts_with("story-")) {
            assert!(story.contains(&format!("--{name}")), "{story}");
        }
    }

    /// The name without each of its letters, and with each two neighbours in each other's place.
    fn mistyped(name: &str) -> Vec<String> {
        let letters: Vec<char> = name.chars().collect();
        let dropped = (0..letters.len()).map(|at| [&letters[..at], &letters[at + 1..]].concat());
        let swapped = (1..letters.len()).map(|at| {
            let mut swapped = letters.clone();
            swapped.swap(at - 1, at);
            swapped
        });
        let all = dropped
            .chain(swapped)
            .map(|letters| letters.into_iter().collect());
        all.filter(|typed: &String| typed != name && !typed.starts_with('-'))
            .collect()
    }

    #[test]
    fn each_option_that_lacks_a_letter_or_has_two_swapped_is_the_one_that_is_meant() {
        for command in ["serve", "backup", "restore", "doctor", "import", "migrate"] {
            let here = Cli::command().find_subcommand(command).unwrap().clone();
            let names: Vec<String> = option_names(&here)
                .map(|name| format!("--{name}"))
                .collect();
            assert!(names.len() > 5, "{command} has {names:?}");
            for name in &names {
                for typed in mistyped(name.trim_start_matches('-')) {
                    let typed = format!("--{typed}");
                    if !names.contains(&typed) {
                        let meant = meant(&typed, &names);
                        assert!(
                            meant.contains(&name.as_str()),
                            "{command} {typed}: {meant:?}"
                        );
                        assert!(meant.len() <= 2, "{command} {typed}: {meant:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_word_that_many_options_share_is_not_all_of_them_where_more_was_typed() {
        let message = message_for("dispatch serve --backup-pasphrase x");
        assert_eq!(
            message,
            "there is no option --backup-pasphrase; did you mean --backup-passphrase-file?"
        );
        let message = message_for("dispatch serve --keep-orders x");
        assert_eq!(
            message,
            "there is no option --keep-orders; did you mean --keep-closed-orders-days?"
        );
    }

    fn serve() -> Command {
        Cli::command().find_subcommand("serve").unwrap().clone()
    }

    #[test]
    fn where_none_is_near_every_option_of_the_command_is_named() {
        let message = message_for("dispatch serve --frobnicate");
        let names: Vec<String> = option_names(&serve()).map(str::to_owned).collect();
        assert!(names.len() > 35, "{names:?}");
        for name in names {
            assert!(
                message.contains(&format!("--{name}")),
                "{name} in {message}"
            );
        }
    }

    #[test]
    fn another_error_is_not_one_of_an_unknown_option() {
        for line in [
            "dispatch serve --listen x",
            "dispatch serve x",
            "dispatch fly",
        ] {
            assert!(message_for(line).starts_with("error: "), "{line}");
        }
    }
}
