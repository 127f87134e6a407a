//! Which rule counts for an opcode: of the patterns that meet it the longest.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::Skill;
use crate::error::{ApiError, ErrorCode};

/// What an opcode asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpcodeRule {
    pub id_rule: i64,
    /// An opcode, or with a `*` at the end the beginning of some; in capitals, and any case is met.
    pub pattern: String,
    pub id_skill: i64,
    pub skill_name: String,
    /// 0 to 1,000,000: a technician at a lower one is below it.
    pub level: i32,
}

/// A pattern of a body, as it was sent: an opcode, or the beginning of some with a star behind it.
/// [`OpcodePattern::parse`] says whether it is one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct OpcodePatternText(String);

impl Deref for OpcodePatternText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialSchema for OpcodePatternText {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let one = r"[^*\s\x00-\x1f\x7f-\x9f]";
        let any = r"[^*\x00-\x1f\x7f-\x9f]";
        let pattern = format!(r"^(\*|{one}({any}{{0,48}}{one})?\*?)$");
        text.pattern(Some(pattern)).examples(["BRK*"]).into()
    }
}

impl ToSchema for OpcodePatternText {
    fn name() -> Cow<'static, str> {
        "OpcodePattern".into()
    }
}

/// A pattern as it may be stored: in capitals, 1 to 50 characters and a `*` behind them, or the
/// star alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpcodePattern(pub(super) String);

/// How long a pattern is before its `*`; the longest opcodes of dealers' systems have 20 or so.
const MAX_CHARS: usize = 50;

impl OpcodePattern {
    /// As it is kept: in capitals.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// 400 `invalid-opcode-pattern`.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        let refused =
            |sentence: &str| Err(ApiError::new(ErrorCode::InvalidOpcodePattern, sentence));
        let pattern = text.trim();
        let beginning = pattern.strip_suffix('*').unwrap_or(pattern);
        if pattern.is_empty() {
            refused("The opcode is empty")
        } else if beginning.contains('*') {
            refused("A * stands for the rest of an opcode: put one at the end, or none")
        } else if beginning.chars().count() > MAX_CHARS {
            refused("The opcode is longer than 50 characters")
        } else if beginning.chars().any(char::is_control) {
            refused("The opcode has a line break or another control character; take it out")
        } else {
            Ok(Self(pattern.to_uppercase()))
        }
    }
}

/// Of one table. A dealer's system has some hundred codes, and a pattern is for many of them.
pub const MAX_PATTERNS: usize = 1_000;

pub fn too_many_patterns() -> ApiError {
    ApiError::invalid(format!(
        "There are {MAX_PATTERNS} patterns already: one with a * can stand for many"
    ))
}

/// What is said of opcodes by pattern, made fit for asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternMap<T> {
    exact: HashMap<String, T>,
    /// Beginnings, without their `*`.
    beginnings: HashMap<String, T>,
}

impl<T> Default for PatternMap<T> {
    fn default() -> Self {
        Self {
            exact: HashMap::new(),
            beginnings: HashMap::new(),
        }
    }
}

impl<T> PatternMap<T> {
    pub fn insert(&mut self, pattern: &str, value: T) {
        match pattern.strip_suffix('*') {
            Some(beginning) => self.beginnings.insert(beginning.to_owned(), value),
            None => self.exact.insert(pattern.to_owned(), value),
        };
    }

    /// What counts for an opcode: what its own pattern says, else that of its longest beginning.
    pub fn of(&self, opcode: &str) -> Option<&T> {
        let opcode = opcode.trim().to_uppercase();
        if opcode.is_empty() {
            return None;
        }
        if let Some(value) = self.exact.get(&opcode) {
            return Some(value);
        }
        let mut ends: Vec<usize> = opcode.char_indices().map(|(at, _)| at).collect();
        ends.push(opcode.len());
        let mut beginnings = ends.into_iter().rev().map(|end| &opcode[..end]);
        beginnings.find_map(|beginning| self.beginnings.get(beginning))
    }
}

/// The rules, made fit for asking.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    rules: PatternMap<OpcodeRule>,
    /// By id.
    skills: HashMap<i64, Skill>,
}

impl RuleBook {
    pub fn new(rules: Vec<OpcodeRule>, skills: Vec<Skill>) -> Self {
        let skills = skills.into_iter().map(|skill| (skill.id_skill, skill));
        let mut book = Self {
            skills: skills.collect(),
            ..Self::default()
        };
        for rule in rules {
            let pattern = rule.pattern.clone();
            book.rules.insert(&pattern, rule);
        }
        book
    }

    /// Whether who has one skill has the other, too.
    pub fn includes(&self, theirs: i64, wanted: i64) -> bool {
        let find = |id: i64| self.skills.get(&id);
        match (find(theirs), find(wanted)) {
            (Some(theirs), Some(wanted)) => theirs.includes(wanted),
            _ => theirs == wanted,
        }
    }

    /// The rule that counts for an opcode: its own, else that of its longest beginning.
    pub fn of(&self, opcode: &str) -> Option<&OpcodeRule> {
        self.rules.of(opcode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(patterns: &[&str]) -> RuleBook {
        let rule = |(id_rule, pattern): (i64, &&str)| OpcodeRule {
            id_rule,
            pattern: OpcodePattern::parse(pattern).unwrap().0,
            id_skill: 1,
            skill_name: "Brakes".to_owned(),
            level: 3,
        };
        RuleBook::new((1..).zip(patterns).map(rule).collect(), vec![])
    }

    #[test]
    fn the_longest_pattern_that_matches_an_opcode_in_any_case_counts() {
        let book = book(&["BRK*", "brkf", "BR*", "BRKF*", "GRÖßE*", "BRKFX*"]);
        for (opcode, pattern) in [
            ("BRKF", Some("BRKF")),
            (" brkf ", Some("BRKF")),
            ("BRKFR", Some("BRKF*")),
            ("BRKR", Some("BRK*")),
            ("brk", Some("BRK*")),
            ("BRUSH", Some("BR*")),
            ("B", None),
            ("LOF", None),
            ("größe 2", Some("GRÖSSE*")),
            ("", None),
        ] {
            let found = book.of(opcode).map(|rule| rule.pattern.as_str());
            assert_eq!(found, pattern, "{opcode}");
        }
    }

    #[test]
    fn a_star_alone_matches_every_opcode_that_no_other_pattern_matches() {
        let book = book(&["*", "LOF"]);
        assert_eq!(book.of("LOF").unwrap().pattern, "LOF");
        assert_eq!(book.of("ÄÖÜ").unwrap().pattern, "*");
        assert!(book.of(" ").is_none());
    }

    #[test]
    fn a_pattern_that_can_match_nothing_is_refused() {
        for text in ["", "  ", "B*K", "**", "*B", "B\nK", &"A".repeat(51)] {
            let refused = OpcodePattern::parse(text).unwrap_err();
            let answer = (refused.status.as_u16(), refused.code.as_str());
            assert_eq!(answer, (400, "invalid-opcode-pattern"), "{text:?}");
        }
        let longest = format!(" {}* ", "a".repeat(50));
        assert_eq!(OpcodePattern::parse(&longest).unwrap().0.len(), 51);
    }
}
