//! The check of one reader: the stream is dense, so every number from its `hello` on must have
//! come exactly once and in order, and what it then has on its screen must be what the list says.

use std::collections::{BTreeMap, BTreeSet};

use crate::order::List;
use crate::ranges::ranges;
use crate::reader::{Log, Receipt};

/// Differences that are written out.
const SHOWN: usize = 5;

/// What a reader is held against.
pub struct Truth<'a> {
    /// A list that was read after the last `hello` and before the first change.
    pub start: &'a List,
    /// A list that was read after the last change.
    pub end: &'a List,
    /// The highest event number that was acknowledged or is in the last list.
    pub top: i64,
}

#[derive(Debug, Default, PartialEq)]
pub struct Verdict {
    /// Events that this reader had to hear.
    pub expected: usize,
    pub missing: Vec<i64>,
    pub repeated: Vec<i64>,
    /// Came after a higher number, or after a `hello` that was beyond them.
    pub out_of_order: Vec<i64>,
    pub early_ticks: Vec<i64>,
    pub differences: Vec<Difference>,
    pub ended: Option<String>,
}

/// An order that the reader has otherwise than the list: at which version, if at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub number: i64,
    pub reader: Option<i64>,
    pub list: Option<i64>,
}

pub fn check(log: &Log, truth: &Truth<'_>) -> Verdict {
    let mut seen = BTreeSet::new();
    let mut repeated = Vec::new();
    let mut out_of_order = Vec::new();
    let mut highest = log.hello;
    for Receipt { seq, .. } in &log.receipts {
        if !seen.insert(*seq) {
            repeated.push(*seq);
        } else if *seq <= highest {
            out_of_order.push(*seq);
        }
        highest = highest.max(*seq);
    }
    // Numbers are dense: whoever has heard a higher one must have heard all below it.
    let due = log.hello + 1..=truth.top.max(highest);
    Verdict {
        expected: due.clone().count(),
        missing: due.filter(|seq| !seen.contains(seq)).collect(),
        repeated,
        out_of_order,
        early_ticks: log.early_ticks.clone(),
        differences: differences(log, truth),
        ended: log.ended.clone(),
    }
}

/// What the reader has after everything that the last list knows of, against that list.
fn differences(log: &Log, truth: &Truth<'_>) -> Vec<Difference> {
    let mut picture: BTreeMap<i64, (i64, bool)> = versions(truth.start)
        .map(|(number, version)| (number, (version, true)))
        .collect();
    for receipt in log.receipts.iter().filter(|r| r.seq <= truth.end.seq) {
        let known = picture.entry(receipt.number).or_insert((0, false));
        // The higher version wins, whatever brought it; a closed order stays known by its own, so
        // that nothing older brings it back.
        if receipt.version > known.0 {
            *known = (receipt.version, receipt.open);
        }
    }
    let has: BTreeMap<i64, i64> = picture
        .into_iter()
        .filter(|(_, (_, open))| *open)
        .map(|(number, (version, _))| (number, version))
        .collect();
    let should: BTreeMap<i64, i64> = versions(truth.end).collect();
    let numbers: BTreeSet<i64> = has.keys().chain(should.keys()).copied().collect();
    numbers
        .into_iter()
        .map(|number| Difference {
            number,
            reader: has.get(&number).copied(),
            list: should.get(&number).copied(),
        })
        .filter(|difference| difference.reader != difference.list)
        .collect()
}

fn versions(list: &List) -> impl Iterator<Item = (i64, i64)> {
    list.orders
        .values()
        .map(|order| (order.number, order.version))
}

impl Verdict {
    /// What went wrong, in a sentence; none when nothing did.
    pub fn fault(&self) -> Option<String> {
        let mut faults = Vec::new();
        let mut events = |what: &str, numbers: &[i64]| {
            if !numbers.is_empty() {
                let numbers: BTreeSet<i64> = numbers.iter().copied().collect();
                faults.push(format!("{what} {}", ranges(numbers)));
            }
        };
        events("missed events", &self.missing);
        events("heard again events", &self.repeated);
        events("heard out of order events", &self.out_of_order);
        events(
            "was told too early by a tick that it has",
            &self.early_ticks,
        );
        if !self.differences.is_empty() {
            faults.push(self.differences_told());
        }
        if let Some(ended) = &self.ended {
            faults.push(format!("lost its connection: {ended}"));
        }
        (!faults.is_empty()).then(|| faults.join("; "))
    }

    fn differences_told(&self) -> String {
        let at = |version: Option<i64>| version.map_or("not".to_owned(), |v| format!("at {v}"));
        let mut told: Vec<String> = self
            .differences
            .iter()
            .take(SHOWN)
            .map(|difference| {
                let Difference {
                    number,
                    reader,
                    list,
                } = *difference;
                format!("RO {number} {} (the list {})", at(reader), at(list))
            })
            .collect();
        if self.differences.len() > SHOWN {
            told.push(format!("{} more", self.differences.len() - SHOWN));
        }
        format!("has in its picture {}", told.join(", "))
    }
}

#[cfg(test)]
mod tests;
