//! What is wrong with a line of the file of options, for somebody who knows no TOML. What cannot be read is not
//! repeated: it may be a password.

use std::any::TypeId;
use std::num::{NonZeroU16, NonZeroU32};

use clap::{Arg, ArgAction, Args};

use crate::options::cli::Serve;
use crate::options::suggestions::in_plain_words;

const A_LINE: &str = "write one option a line, such as listen = \"127.0.0.1:8080\"";

pub(super) fn sentence(text: &str, error: &toml::de::Error) -> String {
    match error.span() {
        Some(span) => {
            let before = text.bytes().take(span.start);
            let line = before.filter(|byte| *byte == b'\n').count();
            unreadable_line(text, line, error.message())
        }
        None => refused_value(text, error),
    }
}

/// `line` counts from 0.
fn unreadable_line(text: &str, line: usize, why: &str) -> String {
    let number = line + 1;
    let content = text.lines().nth(line).unwrap_or_default();
    let Some(name) = name_of(content) else {
        return format!("line {number}: it has no = between a name and a value; {A_LINE}");
    };
    if why.contains("duplicate key") {
        return format!(
            "line {number}: {name} is there a second time; leave one out (several values of one option stand in \
             brackets: [\"one\", \"another\"])"
        );
    }
    match example(name) {
        Some(example) => cannot_be_read(number, name, &example),
        None => format!("line {number}: {why}; {A_LINE}"),
    }
}

fn cannot_be_read(number: usize, name: &str, example: &str) -> String {
    format!("line {number}: the value of {name} cannot be read; write {example}")
}

/// The line was read, and its value is none of this option's.
fn refused_value(text: &str, error: &toml::de::Error) -> String {
    let why = in_plain_words(error.message());
    let shown = error.to_string();
    let name = shown.trim().rsplit_once("in `").map(|(_, name)| name);
    let Some(name) = name.and_then(|name| name.strip_suffix('`')) else {
        return why;
    };
    let line = text.lines().position(|line| name_of(line) == Some(name));
    let (Some(line), Some(example)) = (line, example(name)) else {
        return format!("{name}: {why}");
    };
    let number = line + 1;
    if why.starts_with("invalid type") {
        return cannot_be_read(number, name, &example);
    }
    format!("line {number}: {name}: {why}; write {example}")
}

fn name_of(line: &str) -> Option<&str> {
    line.split_once('=').map(|(name, _)| name.trim())
}

/// How the option is written, with a word for what its value is.
fn example(name: &str) -> Option<String> {
    let serve = Serve::augment_args(clap::Command::new("serve"));
    let option = serve
        .get_arguments()
        .find(|option| option.get_long() == Some(name))?;
    Some(format!("{name} = {}", example_value(option)))
}

fn example_value(option: &Arg) -> String {
    if matches!(option.get_action(), ArgAction::SetTrue) {
        return "true".to_owned();
    }
    let kind = option.get_value_parser().type_id();
    let numbers = [
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<NonZeroU16>(),
        TypeId::of::<NonZeroU32>(),
    ];
    if numbers.iter().any(|number| kind == *number) {
        return "8".to_owned();
    }
    let choices = option.get_possible_values();
    let choices: Vec<&str> = choices.iter().map(|choice| choice.get_name()).collect();
    let words = option.get_value_names().and_then(<[_]>::first);
    let word = match (&choices[..], words) {
        ([], Some(word)) => format!("\"{word}\""),
        ([], None) => "\"VALUE\"".to_owned(),
        (choices, _) => format!("\"{}\"", choices.join("\" or \"")),
    };
    match option.get_action() {
        ArgAction::Append => format!("[{word}]"),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use crate::options::config::file::ConfigFile;

    #[track_caller]
    fn assert_says(text: &str, expected: &str) {
        let error = ConfigFile::parse(text).err().expect("it is refused");
        assert_eq!(super::sentence(text, &error), expected, "{text}");
    }

    #[test]
    fn a_line_that_is_no_toml_is_answered_with_how_it_is_written() {
        for line in [
            "listen = 127.0.0.1:8080",
            "listen = “127.0.0.1:8080”",
            "listen = \"127.0.0.1:8080",
        ] {
            let written = "the value of listen cannot be read; write listen = \"ADDR:PORT\"";
            assert_says(line, &format!("line 1: {written}"));
            assert_says(
                &format!("# of the shop\n\n{line}\ndemo = \"still\"\n"),
                &format!("line 3: {written}"),
            );
        }
        for line in ["listen \"127.0.0.1:8080\"", "listen: \"127.0.0.1:8080\""] {
            assert_says(
                line,
                "line 1: it has no = between a name and a value; write one option a line, such as listen = \
                 \"127.0.0.1:8080\"",
            );
        }
        assert_says(
            "smtp-url = smtp://somebody:a-password@mail.example.com",
            "line 1: the value of smtp-url cannot be read; write smtp-url = \"URL\"",
        );
        assert_says(
            "allowed-host = \"one\"\nallowed-host = \"another\"\n",
            "line 2: allowed-host is there a second time; leave one out (several values of one option stand in \
             brackets: [\"one\", \"another\"])",
        );
    }

    #[test]
    fn a_value_of_another_kind_is_answered_with_how_it_is_written() {
        for (line, written) in [
            (
                "trusted-proxy = \"127.0.0.1\"",
                "trusted-proxy = [\"NETWORK\"]",
            ),
            ("demo = true", "demo = \"moving\" or \"still\""),
            ("test-page = \"yes\"", "test-page = true"),
            ("drain-seconds = \"8\"", "drain-seconds = 8"),
        ] {
            let name = line.split(' ').next().unwrap();
            let says = format!("line 2: the value of {name} cannot be read; write {written}");
            assert_says(&format!("brand-name = \"Gear\"\n{line}\n"), &says);
        }
        assert_says(
            "listen = \"127.0.0.1\"",
            "line 1: listen: it is an address and a port, such as 127.0.0.1:8080; write listen = \"ADDR:PORT\"",
        );
        assert_says(
            "log-format = \"jsn\"",
            "line 1: log-format: unknown variant `jsn`, expected `text` or `json`; write log-format = \"text\" or \
             \"json\"",
        );
    }
}
