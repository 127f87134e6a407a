//! What came out of a run: a table for people, JSON for programs.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::checker::Verdict;
use crate::latency::{Latencies, Latency};
use crate::ranges::ranges;
use crate::reader_context::Tallies;
use crate::writer::{Acknowledged, Written};

/// Values in the order they were added, each with its name for programs and for people.
#[derive(Debug)]
pub struct Report {
    title: String,
    values: Vec<ReportRow<Value>>,
    latencies: Vec<ReportRow<Latency>>,
    /// Sentences; empty when every promise was kept.
    pub faults: Vec<String>,
}

#[derive(Debug)]
struct ReportRow<T> {
    key: &'static str,
    what: &'static str,
    value: T,
}

impl Report {
    pub fn new(title: String) -> Self {
        Self {
            title,
            values: Vec::new(),
            latencies: Vec::new(),
            faults: Vec::new(),
        }
    }

    pub fn value(&mut self, key: &'static str, what: &'static str, value: impl Into<Value>) {
        let value = value.into();
        self.values.push(ReportRow { key, what, value });
    }

    /// In milliseconds.
    pub fn latency(&mut self, key: &'static str, what: &'static str, latencies: &Latencies) {
        let value = latencies.spread();
        self.latencies.push(ReportRow { key, what, value });
    }

    /// What writers did: changes, how fast, and what went wrong. `wanted`: how many there should
    /// have been, if that was said.
    pub fn written(&mut self, written: &[Written], wanted: Option<u32>) {
        let acknowledged: Vec<Acknowledged> = acknowledged(written).collect();
        let (events, twice) = events(&acknowledged);
        let seconds = duration(&acknowledged);
        let total = |count: fn(&Written) -> usize| written.iter().map(count).sum::<usize>();
        self.value("writers", "writers", written.len());
        if let Some(wanted) = wanted {
            self.value("changesWanted", "changes wanted", wanted);
        }
        self.value(
            "changesAcknowledged",
            "changes acknowledged",
            acknowledged.len(),
        );
        self.value("seconds", "seconds", seconds);
        self.value(
            "changesPerSecond",
            "changes per second",
            acknowledged.len() as f64 / seconds.max(0.001),
        );
        self.value("overtaken", "overtaken by others", total(|w| w.overtaken));
        self.value(
            "askedAgain",
            "requests sent again",
            total(|written| written.asked_again),
        );
        self.value("eventsAcknowledged", "events acknowledged", events);
        let mut requests = Latencies::new();
        for ack in &acknowledged {
            requests.record(ack.answered - ack.sent);
        }
        self.latency("requestMs", "request", &requests);
        if !twice.is_empty() {
            let twice = ranges(twice);
            self.faults
                .push(format!("acknowledged for two changes: events {twice}"));
        }
        self.faults
            .extend(failures(wanted, acknowledged.len(), written));
    }

    /// What became of the readers.
    pub fn heard(&mut self, verdicts: &[Verdict]) {
        let total = |count: fn(&Verdict) -> usize| verdicts.iter().map(count).sum::<usize>();
        let expected = total(|verdict| verdict.expected);
        let missing = total(|verdict| verdict.missing.len());
        self.value("readers", "readers", verdicts.len());
        self.value("deliveriesExpected", "deliveries expected", expected);
        self.value("deliveriesMade", "deliveries made", expected - missing);
        self.value("missing", "missing", missing);
        self.value(
            "repeated",
            "repeated",
            total(|verdict| verdict.repeated.len()),
        );
        self.value(
            "outOfOrder",
            "out of order",
            total(|verdict| verdict.out_of_order.len()),
        );
        self.value(
            "picturesWrong",
            "wrong pictures",
            total(|verdict| usize::from(!verdict.differences.is_empty())),
        );
        self.faults.extend(readers_at_fault(verdicts));
    }

    /// How readers came back, if they did. Whether coming back without being resumed is a fault.
    pub fn came_back(&mut self, tallies: &Tallies, must_recover: bool) {
        self.value("reconnects", "reconnects", tallies.reconnects.get());
        self.value("recovered", "of these recovered", tallies.recovered.get());
        self.value("reloaded", "of these reloaded", tallies.reloads.get());
        self.value("listsLoaded", "lists loaded for them", tallies.lists.get());
        self.value("triesAnswered503", "tries answered 503", tallies.busy.get());
        self.value("triesFailed", "tries that failed", tallies.failed.get());
        if must_recover && tallies.reloads.get() > 0 {
            let (reloads, reconnects) = (tallies.reloads.get(), tallies.reconnects.get());
            self.faults.push(format!(
                "{reloads} of {reconnects} reconnects were not recovered"
            ));
        }
    }

    pub fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("title".to_owned(), json!(self.title));
        for ReportRow { key, value, .. } in &self.values {
            object.insert((*key).to_owned(), value.clone());
        }
        for ReportRow { key, value, .. } in &self.latencies {
            object.insert((*key).to_owned(), json!(value));
        }
        object.insert("faults".to_owned(), json!(self.faults));
        Value::Object(object)
    }

    pub fn table(&self) -> String {
        let mut table = format!("{}\n\n", self.title);
        for ReportRow { what, value, .. } in &self.values {
            let value = match value.as_f64() {
                Some(number) if value.is_f64() && number.abs() < 10.0 => format!("{number:.2}"),
                Some(number) if value.is_f64() => format!("{number:.1}"),
                _ => value.to_string(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(table, "  {what:<32}{value:>14}");
        }
        if self.latencies.is_empty() {
            return table;
        }
        let head = ["p50", "p90", "p99", "p99.9", "max"].map(|name| format!("{name:>10}"));
        let _ = writeln!(table, "\n  {:<24}{}", "milliseconds", head.concat());
        for ReportRow { what, value, .. } in &self.latencies {
            let Latency {
                p50,
                p90,
                p99,
                p999,
                max,
            } = *value;
            let cells = [p50, p90, p99, p999, max].map(|value| format!("{value:>10.1}"));
            let _ = writeln!(table, "  {what:<24}{}", cells.concat());
        }
        table
    }
}

/// The highest event number that was acknowledged.
pub fn newest(written: &[Written]) -> i64 {
    let last = acknowledged(written).map(|acknowledged| acknowledged.last);
    last.max().unwrap_or(0)
}

/// How many events were acknowledged.
pub fn event_count(written: &[Written]) -> i64 {
    acknowledged(written)
        .map(|ack| ack.last + 1 - ack.first)
        .sum()
}

fn acknowledged(written: &[Written]) -> impl Iterator<Item = Acknowledged> {
    let all = written.iter().flat_map(|written| &written.acknowledged);
    all.copied()
}

/// How many events were acknowledged, and those that two answers claim.
fn events(acknowledged: &[Acknowledged]) -> (usize, Vec<i64>) {
    let mut names = HashSet::new();
    let mut twice: Vec<i64> = acknowledged
        .iter()
        .flat_map(|ack| ack.first..=ack.last)
        .filter(|seq| !names.insert(*seq))
        .collect();
    twice.sort_unstable();
    twice.dedup();
    (names.len(), twice)
}

/// Seconds from the first change sent to the last answer.
fn duration(acknowledged: &[Acknowledged]) -> f64 {
    let first = acknowledged.iter().map(|ack| ack.sent).min();
    let last = acknowledged.iter().map(|ack| ack.answered).max();
    match (first, last) {
        (Some(first), Some(last)) => (last - first) as f64 / 1_000_000.0,
        _ => 0.0,
    }
}

/// A run that made fewer changes than it should has not tested what it should.
fn failures(wanted: Option<u32>, acknowledged: usize, written: &[Written]) -> Option<String> {
    let first = written.iter().find_map(|written| written.failures.first());
    let failed: usize = written.iter().map(|written| written.failures.len()).sum();
    match wanted {
        Some(wanted) => {
            let left = (wanted as usize).saturating_sub(acknowledged);
            let why = first.map_or("there was no time left for them", String::as_str);
            (left > 0).then(|| {
                format!("{left} of {wanted} changes were not acknowledged; the first: {why}")
            })
        }
        None => {
            let why = first?;
            Some(format!("{failed} requests failed; the first: {why}"))
        }
    }
}

/// One sentence for all readers that met the same.
fn readers_at_fault(verdicts: &[Verdict]) -> Vec<String> {
    let mut readers: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (number, verdict) in (1..).zip(verdicts) {
        if let Some(fault) = verdict.fault() {
            readers.entry(fault).or_default().push(number);
        }
    }
    readers
        .into_iter()
        .map(|(fault, readers)| match readers.as_slice() {
            [reader] => format!("reader {reader} {fault}"),
            _ => format!("readers {} each: {fault}", ranges(readers)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_with_the_same_fault_share_a_line() {
        let missed = |missing: &[i64]| Verdict {
            missing: missing.to_vec(),
            ..Verdict::default()
        };
        let verdicts = [missed(&[8]), missed(&[]), missed(&[8]), missed(&[8, 9])];
        assert_eq!(
            readers_at_fault(&verdicts),
            [
                "readers 1, 3 each: missed events 8",
                "reader 4 missed events 8-9"
            ]
        );
    }

    fn written(spans: &[(i64, i64)]) -> Written {
        let ack = |(first, last): &(i64, i64)| Acknowledged {
            number: 1,
            version: *last,
            first: *first,
            last: *last,
            sent: 0,
            answered: 5_000,
        };
        Written {
            acknowledged: spans.iter().map(ack).collect(),
            ..Written::default()
        }
    }

    #[test]
    fn an_event_that_two_answers_claim_is_a_fault() {
        let mut report = Report::new("twice".to_owned());
        report.written(&[written(&[(1, 2)]), written(&[(2, 3)])], Some(2));
        assert_eq!(report.faults, ["acknowledged for two changes: events 2"]);
        assert_eq!(report.json()["eventsAcknowledged"], 3);
    }

    #[test]
    fn a_change_that_was_not_made_is_a_fault() {
        let mut report = Report::new("few".to_owned());
        report.written(&[written(&[(1, 1)])], Some(3));
        assert!(report.faults[0].starts_with("2 of 3 changes"), "{report:?}");
        let table = report.table();
        assert!(table.contains("changes acknowledged"), "{table}");
        assert!(table.contains("request"), "{table}");
        assert_eq!(
            report.json()["requestMs"]["max"].as_f64().unwrap().round(),
            5.0
        );
    }

    #[test]
    fn reconnecting_without_recovery_is_a_fault_only_where_recovery_is_required() {
        let tallies = Tallies::default();
        tallies.reconnects.set(5);
        tallies.reloads.set(2);
        for (must, faults) in [(false, 0), (true, 1)] {
            let mut report = Report::new("storm".to_owned());
            report.came_back(&tallies, must);
            assert_eq!(report.faults.len(), faults);
        }
    }
}
