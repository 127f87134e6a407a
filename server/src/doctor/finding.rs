//! What is found about one thing.

use std::fmt::Display;

use serde::Serialize;

/// From the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// It could not be looked at, or there is nothing to look at.
    Skipped,
    Ok,
    Warning,
    /// The server does not start with it, or does not do its work.
    Wrong,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// What was looked at, in a word or two.
    pub(super) check: &'static str,
    pub(super) verdict: Verdict,
    pub(super) found: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) advice: Option<String>,
}

impl Finding {
    pub(super) fn ok(check: &'static str, found: impl Display) -> Self {
        Self::new(check, Verdict::Ok, found, None)
    }

    pub(super) fn skipped(check: &'static str, why: impl Display) -> Self {
        Self::new(check, Verdict::Skipped, why, None)
    }

    pub(super) fn warning(
        check: &'static str,
        found: impl Display,
        advice: impl Into<String>,
    ) -> Self {
        Self::new(check, Verdict::Warning, found, Some(advice.into()))
    }

    pub(super) fn wrong(
        check: &'static str,
        found: impl Display,
        advice: impl Into<String>,
    ) -> Self {
        Self::new(check, Verdict::Wrong, found, Some(advice.into()))
    }

    fn new(
        check: &'static str,
        verdict: Verdict,
        found: impl Display,
        advice: Option<String>,
    ) -> Self {
        let found = found.to_string();
        Self {
            check,
            verdict,
            found,
            advice,
        }
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.verdict == Verdict::Wrong
    }
}
