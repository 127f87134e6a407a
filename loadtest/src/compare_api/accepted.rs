//! The differences that are meant: one pattern a line, `*` stands for anything, `#` begins a comment.

use std::cell::Cell;
use std::path::Path;

use crate::error::LoadTestError;

pub struct AcceptedDifferences {
    patterns: Vec<Pattern>,
}

struct Pattern {
    text: String,
    matches: Cell<usize>,
}

impl AcceptedDifferences {
    pub fn read(path: Option<&Path>) -> Result<Self, LoadTestError> {
        let Some(path) = path else {
            return Ok(Self::parse(""));
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| LoadTestError::Options(format!("{}: {error}", path.display())))?;
        Ok(Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self {
            patterns: lines
                .map(|line| Pattern {
                    text: line.to_owned(),
                    matches: Cell::new(0),
                })
                .collect(),
        }
    }

    pub fn contains(&self, difference: &str) -> bool {
        let found = self
            .patterns
            .iter()
            .find(|it| matches(&it.text, difference));
        if let Some(pattern) = found {
            pattern.matches.set(pattern.matches.get() + 1);
        }
        found.is_some()
    }

    /// Patterns that no difference matched.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let unused = self.patterns.iter().filter(|it| it.matches.get() == 0);
        unused.map(|it| it.text.as_str())
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, mut rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    while let Some((part, others)) = rest.split_once('*') {
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
        rest = others;
    }
    text.ends_with(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything_also_in_the_middle() {
        for (pattern, text, is_match) in [
            ("a: b", "a: b", true),
            ("a: b", "a: bc", false),
            ("a*", "a: bc", true),
            ("*bc", "a: bc", true),
            ("a*c*e", "abcde", true),
            ("a*c*e", "abde", false),
            ("ab*ba", "aba", false),
            ("b*", "abc", false),
        ] {
            assert_eq!(matches(pattern, text), is_match, "{pattern} {text}");
        }
    }

    #[test]
    fn comments_and_empty_lines_accept_nothing_and_unused_patterns_are_reported() {
        let accepted = AcceptedDifferences::parse("# why\n\n a: * \nb\n");
        assert!(accepted.contains("a: 1") && accepted.contains("a: 2"));
        assert!(!accepted.contains("# why") && !accepted.contains(""));
        assert_eq!(accepted.unused().collect::<Vec<_>>(), ["b"]);
    }
}
