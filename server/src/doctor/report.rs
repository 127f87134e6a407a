//! All findings, for a person and for a script.

use std::fmt;

use serde::Serialize;

use super::finding::{Finding, Verdict};
use crate::http::page::build;

#[derive(Debug)]
pub struct Report(Vec<Finding>);

#[derive(Serialize)]
struct ReportJson<'a> {
    /// The worst of all.
    verdict: Verdict,
    /// Of this dispatch.
    build: &'static str,
    findings: &'a [Finding],
}

impl Report {
    pub(super) fn new(findings: Vec<Finding>) -> Self {
        Self(findings)
    }

    fn worst(&self) -> Verdict {
        let worst = self.0.iter().map(|finding| finding.verdict).max();
        worst.unwrap_or(Verdict::Ok).max(Verdict::Ok)
    }

    /// 0 where nothing is wrong, 1 where there are warnings, 2 where something is wrong.
    pub fn exit_code(&self) -> u8 {
        match self.worst() {
            Verdict::Skipped | Verdict::Ok => 0,
            Verdict::Warning => 1,
            Verdict::Wrong => 2,
        }
    }

    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(&ReportJson {
            verdict: self.worst(),
            build: build(),
            findings: &self.0,
        })
    }

    fn count(&self, verdict: Verdict) -> usize {
        let findings = self.0.iter();
        findings
            .filter(|finding| finding.verdict == verdict)
            .count()
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Skipped => "-",
        Verdict::Ok => "ok",
        Verdict::Warning => "warning",
        Verdict::Wrong => "WRONG",
    }
}

/// One line for each, and below it what to do.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|finding| finding.check.len());
        let width = names.max().unwrap_or_default();
        for finding in &self.0 {
            let verdict = word(finding.verdict);
            writeln!(
                f,
                "{verdict:<7}  {:<width$}  {}",
                finding.check, finding.found
            )?;
            if let Some(advice) = &finding.advice {
                writeln!(f, "{:<7}  {:<width$}  -> {advice}", "", "")?;
            }
        }
        let (wrong, warnings) = (self.count(Verdict::Wrong), self.count(Verdict::Warning));
        let counted = |count, one, more| match count {
            0 => format!("no {more}"),
            1 => format!("1 {one}"),
            count => format!("{count} {more}"),
        };
        write!(
            f,
            "\n{wrong} wrong, {}",
            counted(warnings, "warning", "warnings")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_finding_decides_and_columns_are_aligned() {
        let ok = Finding::ok("clock", "right");
        let warning = Finding::warning("backups", "none", "name a folder");
        let wrong = Finding::wrong("listen", "taken", "take another");
        let skipped = Finding::skipped("intake folder", "none is named");
        for (findings, code) in [
            (vec![], 0),
            (vec![ok.clone(), skipped.clone()], 0),
            (vec![ok.clone(), warning.clone()], 1),
            (vec![wrong.clone(), warning.clone(), ok.clone()], 2),
        ] {
            assert_eq!(Report::new(findings).exit_code(), code);
        }
        let report = Report::new(vec![ok, warning, wrong, skipped]);
        let lines = [
            "ok       clock          right",
            "warning  backups        none",
            "                        -> name a folder",
            "WRONG    listen         taken",
            "                        -> take another",
            "-        intake folder  none is named",
            "",
            "1 wrong, 1 warning",
        ];
        assert_eq!(report.to_string(), lines.join("\n"));
    }
}
