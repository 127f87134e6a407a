//! What came out of a run: a table for people, JSON for programs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use serde::Serialize;

use crate::checker::Verdict;
use crate::clock::Micros;
use crate::ranges::ranges;
use crate::reader::Log;
use crate::spread::Spread;
use crate::writer::{Acknowledged, Written};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub url: String,
    pub readers: usize,
    pub writers: usize,
    pub changes_wanted: u32,
    pub changes_acknowledged: usize,
    /// Tries that met an order which somebody else had just changed or closed.
    pub overtaken: usize,
    /// From the first change sent to the last answer.
    pub seconds: f64,
    pub changes_per_second: f64,
    pub events_acknowledged: usize,
    /// Heard, but not from our changes.
    pub events_of_others: usize,
    pub deliveries_expected: usize,
    pub deliveries_made: usize,
    pub missing: usize,
    pub repeated: usize,
    pub out_of_order: usize,
    /// Readers whose picture is not the last list.
    pub pictures_wrong: usize,
    pub request_ms: Spread,
    pub commit_to_delivery_ms: Spread,
    pub answer_to_delivery_ms: Spread,
    /// Sentences; empty when every promise was kept.
    pub faults: Vec<String>,
}

/// What a run was and did.
pub struct Run<'a> {
    pub url: String,
    pub changes_wanted: u32,
    pub written: &'a [Written],
    pub logs: &'a [Log],
    pub verdicts: &'a [Verdict],
    /// What was found wrong with the server's answers.
    pub faults: Vec<String>,
}

impl Report {
    pub fn new(run: Run<'_>) -> Self {
        let acknowledged: Vec<Acknowledged> = run
            .written
            .iter()
            .flat_map(|written| &written.acknowledged)
            .copied()
            .collect();
        let (answered, twice) = answers(&acknowledged);
        let seconds = duration(&acknowledged);
        let total = |count: fn(&Verdict) -> usize| run.verdicts.iter().map(count).sum::<usize>();
        let expected = total(|verdict| verdict.expected);
        let missing = total(|verdict| verdict.missing.len());

        let mut faults = run.faults;
        if !twice.is_empty() {
            faults.push(format!(
                "acknowledged for two changes: events {}",
                ranges(twice)
            ));
        }
        faults.extend(failures(
            run.changes_wanted,
            acknowledged.len(),
            run.written,
        ));
        faults.extend(readers_at_fault(run.verdicts));

        let heard: HashSet<i64> = receipts(run.logs).map(|(seq, ..)| seq).collect();
        Self {
            url: run.url,
            readers: run.logs.len(),
            writers: run.written.len(),
            changes_wanted: run.changes_wanted,
            changes_acknowledged: acknowledged.len(),
            overtaken: run.written.iter().map(|written| written.overtaken).sum(),
            seconds,
            changes_per_second: acknowledged.len() as f64 / seconds.max(0.001),
            events_acknowledged: answered.len(),
            events_of_others: heard
                .iter()
                .filter(|seq| !answered.contains_key(seq))
                .count(),
            deliveries_expected: expected,
            deliveries_made: expected - missing,
            missing,
            repeated: total(|verdict| verdict.repeated.len()),
            out_of_order: total(|verdict| verdict.out_of_order.len()),
            pictures_wrong: total(|verdict| usize::from(!verdict.differences.is_empty())),
            request_ms: Spread::of(
                acknowledged
                    .iter()
                    .map(|ack| ack.answered - ack.sent)
                    .collect(),
            ),
            commit_to_delivery_ms: Spread::of(
                receipts(run.logs)
                    .filter(|(seq, ..)| answered.contains_key(seq))
                    .filter_map(|(_, at, stamped)| Some(at - stamped?))
                    .collect(),
            ),
            answer_to_delivery_ms: Spread::of(
                receipts(run.logs)
                    .filter_map(|(seq, at, _)| Some(at - answered.get(&seq)?))
                    .collect(),
            ),
            faults,
        }
    }

    pub fn table(&self) -> String {
        let mut table = format!(
            "{}: {} readers, {} writers, {:.1} s\n\n",
            self.url, self.readers, self.writers, self.seconds
        );
        let mut line = |what: &str, value: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(table, "  {what:<24}{value:>12}");
        };
        line("changes wanted", self.changes_wanted.to_string());
        line(
            "changes acknowledged",
            self.changes_acknowledged.to_string(),
        );
        line(
            "changes per second",
            format!("{:.1}", self.changes_per_second),
        );
        line("overtaken by others", self.overtaken.to_string());
        line("events acknowledged", self.events_acknowledged.to_string());
        line("events of others", self.events_of_others.to_string());
        line("deliveries expected", self.deliveries_expected.to_string());
        line("deliveries made", self.deliveries_made.to_string());
        line("missing", self.missing.to_string());
        line("repeated", self.repeated.to_string());
        line("out of order", self.out_of_order.to_string());
        line("wrong pictures", self.pictures_wrong.to_string());

        let _ = writeln!(
            table,
            "\n  {:<24}{:>12}{:>12}{:>12}",
            "milliseconds", "p50", "p99", "max"
        );
        for (what, spread) in [
            ("request", self.request_ms),
            ("commit to delivery", self.commit_to_delivery_ms),
            ("answer to delivery", self.answer_to_delivery_ms),
        ] {
            let Spread { p50, p99, max } = spread;
            let _ = writeln!(table, "  {what:<24}{p50:>12.1}{p99:>12.1}{max:>12.1}");
        }
        table
    }
}

/// When each acknowledged event's answer came, and events that two answers claim.
fn answers(acknowledged: &[Acknowledged]) -> (HashMap<i64, Micros>, Vec<i64>) {
    let mut answered = HashMap::new();
    let mut twice = Vec::new();
    for ack in acknowledged {
        for seq in ack.first..=ack.last {
            if answered.insert(seq, ack.answered).is_some() {
                twice.push(seq);
            }
        }
    }
    twice.sort_unstable();
    twice.dedup();
    (answered, twice)
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

/// Every delivery: its event's number, when it came, the event's own timestamp.
fn receipts(logs: &[Log]) -> impl Iterator<Item = (i64, Micros, Option<Micros>)> {
    logs.iter()
        .flat_map(|log| &log.receipts)
        .map(|receipt| (receipt.seq, receipt.at, receipt.stamped))
}

/// A run that made fewer changes than it should has not tested what it should.
fn failures(wanted: u32, acknowledged: usize, written: &[Written]) -> Option<String> {
    let left = (wanted as usize).saturating_sub(acknowledged);
    let first = written.iter().find_map(|written| written.failures.first());
    (left > 0).then(|| {
        let why = first.map_or("there was no time left for them", String::as_str);
        format!("{left} of {wanted} changes were not acknowledged; the first: {why}")
    })
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

    #[test]
    fn an_event_that_two_answers_claim_is_found() {
        let ack = |first, last| Acknowledged {
            first,
            last,
            sent: 0,
            answered: 5,
        };
        let (answered, twice) = answers(&[ack(1, 2), ack(2, 3)]);
        assert_eq!((answered.len(), twice), (3, vec![2]));
    }
}
