//! What was measured: a table for people, and rows of a Markdown table for the documents.

use std::fmt::Write;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use crate::clock::Micros;

/// Values in the order they were added.
#[derive(Debug)]
pub struct Figures {
    title: String,
    values: Vec<Value>,
}

#[derive(Debug)]
struct Value {
    what: String,
    /// With its unit.
    value: String,
    goal: Option<Goal>,
}

#[derive(Debug)]
struct Goal {
    text: String,
    met: bool,
}

impl Figures {
    pub fn new(title: String) -> Self {
        Self {
            title,
            values: Vec::new(),
        }
    }

    pub fn value(&mut self, what: impl Into<String>, value: impl Into<String>) {
        self.values.push(Value {
            what: what.into(),
            value: value.into(),
            goal: None,
        });
    }

    /// A value that should be `goal`, as "under 10 ms", and whether it is.
    pub fn goal(
        &mut self,
        what: impl Into<String>,
        value: impl Into<String>,
        goal: impl Into<String>,
        met: bool,
    ) {
        self.value(what, value);
        if let Some(last) = self.values.last_mut() {
            let text = goal.into();
            last.goal = Some(Goal { text, met });
        }
    }

    pub fn meets_every_goal(&self) -> bool {
        let mut goals = self.values.iter().filter_map(|value| value.goal.as_ref());
        goals.all(|goal| goal.met)
    }

    pub fn table(&self) -> String {
        let width = |text: fn(&Value) -> &str| {
            let lengths = self.values.iter().map(|value| text(value).chars().count());
            lengths.max().unwrap_or(0)
        };
        let (what, value) = (width(|value| &value.what), width(|value| &value.value));
        let mut table = format!("{}\n\n", self.title);
        for line in &self.values {
            let goal = line.goal.as_ref().map_or(String::new(), Goal::sentence);
            let line = format!("  {:<what$}  {:>value$}  {goal}", line.what, line.value);
            // Writing to a string cannot fail.
            let _ = writeln!(table, "{}", line.trim_end());
        }
        table
    }

    /// Appends rows of three cells: what, the value, the goal.
    pub fn append_rows(&self, path: &Path) -> io::Result<()> {
        let mut rows = String::new();
        for value in &self.values {
            let goal = value.goal.as_ref().map_or(String::new(), Goal::sentence);
            // Writing to a string cannot fail.
            let _ = writeln!(rows, "| {} | {} | {goal} |", value.what, value.value);
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        io::Write::write_all(&mut file, rows.as_bytes())
    }
}

impl Goal {
    fn sentence(&self) -> String {
        let met = if self.met { "met" } else { "missed" };
        format!("{}: {met}", self.text)
    }
}

/// The middle one; of an even number the lower of the two, so that it was measured.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len().saturating_sub(1) / 2;
    values.get(middle).copied().unwrap_or(0.0)
}

pub fn milliseconds(milliseconds: f64) -> String {
    match milliseconds.abs() {
        ..1.0 => format!("{milliseconds:.3} ms"),
        ..100.0 => format!("{milliseconds:.1} ms"),
        _ => format!("{milliseconds:.0} ms"),
    }
}

pub fn seconds(micros: Micros) -> f64 {
    micros as f64 / 1_000_000.0
}

/// Kilobytes of 1,024, as the kernel counts memory.
pub fn megabytes(kilobytes: u64) -> String {
    format!("{:.0} MB", kilobytes as f64 / 1_024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_a_measured_value() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![]), 0.0);
    }

    #[test]
    fn a_table_says_whether_goals_were_met() {
        let mut figures = Figures::new("list".to_owned());
        figures.value("orders", "5000");
        figures.goal("changed", "12.0 ms", "under 10 ms", false);
        let table = figures.table();
        assert!(
            table.ends_with("  orders      5000\n  changed  12.0 ms  under 10 ms: missed\n"),
            "{table}"
        );
        assert!(!figures.meets_every_goal());
        let mut met = Figures::new("list".to_owned());
        met.value("orders", "5000");
        assert!(met.meets_every_goal());
    }
}
