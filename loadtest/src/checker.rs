//! The check of one reader, while it listens: the stream is dense, so every number from its `hello`
//! on must come exactly once and in order, and what it then has on its screen must be what the
//! list says. What it keeps does not grow with what it hears.

use std::collections::BTreeSet;

use crate::order::List;
use crate::picture::{Difference, Picture, Places};
use crate::ranges::ranges;
use crate::skim::Modified;

/// Differences that are written out.
const SHOWN: usize = 5;

/// What one reader has received.
#[derive(Debug)]
pub struct Hearing {
    /// Everybody's stream is dense; that of a technician is not.
    dense: bool,
    /// What its first `hello` said, and its latest.
    joined_at: i64,
    hello: i64,
    /// The lowest number that has not come, nor been passed over as somebody else's.
    next: i64,
    heard: u64,
    /// Numbers that it need not receive, because it loaded the list after them.
    skipped: i64,
    missing: BTreeSet<i64>,
    repeated: Vec<i64>,
    out_of_order: Vec<i64>,
    early: Vec<i64>,
    picture: Picture,
    /// While the last list is being read: which of them it is true for is not known yet.
    held_back: Option<Vec<Modified>>,
}

/// What became of a reader.
#[derive(Debug, Default, PartialEq)]
pub struct Verdict {
    /// Events that this reader had to receive.
    pub expected: usize,
    pub missing: Vec<i64>,
    pub repeated: Vec<i64>,
    /// Came after a higher number, or after a `hello` that was beyond them.
    pub out_of_order: Vec<i64>,
    /// What was promised by a tick, or by the `hello` after a recovery, before it had come.
    pub early: Vec<i64>,
    pub differences: Vec<Difference>,
    pub ended: Option<String>,
}

impl Hearing {
    /// Of a reader whose `hello` is still to come.
    pub fn new(dense: bool) -> Self {
        Self {
            dense,
            joined_at: 0,
            hello: 0,
            next: 1,
            heard: 0,
            skipped: 0,
            missing: BTreeSet::new(),
            repeated: Vec::new(),
            out_of_order: Vec::new(),
            early: Vec::new(),
            picture: Picture::default(),
            held_back: None,
        }
    }

    /// The first `hello`: events have higher numbers.
    pub fn join(&mut self, hello: i64) {
        self.joined_at = hello;
        self.hello = hello;
        self.next = hello + 1;
    }

    /// A `hello` that it was not recovered to: it loads the list again, which is newer.
    pub fn rejoin(&mut self, hello: i64) {
        self.skipped += (hello + 1 - self.next).max(0);
        self.hello = hello;
        self.next = self.next.max(hello + 1);
        self.picture.forget();
    }

    pub fn hear(&mut self, modified: &Modified, places: &mut Places) {
        let seq = modified.seq;
        self.heard += 1;
        if seq >= self.next {
            if self.dense {
                self.missing.extend(self.next..seq);
            }
            self.next = seq + 1;
        } else if self.missing.remove(&seq) || seq <= self.hello {
            self.out_of_order.push(seq);
        } else {
            self.repeated.push(seq);
        }
        match &mut self.held_back {
            Some(held_back) => held_back.push(*modified),
            None => self.land(modified, places),
        }
    }

    fn land(&mut self, modified: &Modified, places: &mut Places) {
        let place = places.of(modified.number);
        self.picture.land(place, modified.version, modified.open);
    }

    /// A tick, or the `hello` after a recovery: everything up to `seq` has been sent.
    pub fn promised(&mut self, seq: i64) {
        if !self.dense {
            // What was between concerns others.
            self.next = self.next.max(seq + 1);
        } else if seq >= self.next {
            self.early.push(seq);
        }
    }

    pub fn load(&mut self, list: &List, places: &mut Places) {
        self.picture.land_list(list, places);
    }

    /// From now on until the verdict the picture stands still.
    pub fn hold_back(&mut self) {
        self.held_back.get_or_insert_default();
    }

    /// The version of an order in its picture; 0 for one that is not open there.
    pub fn shows(&self, place: usize) -> i64 {
        self.picture.open_at(place).unwrap_or(0)
    }

    pub fn joined_at(&self) -> i64 {
        self.joined_at
    }

    /// The number up to which it has received everything, if all has come in order.
    pub fn upto(&self) -> i64 {
        match self.missing.first() {
            Some(first) => first - 1,
            None => self.next - 1,
        }
    }

    /// `end` is a list that was read after the last change, `top` the highest number that was
    /// acknowledged or that `end` is true for.
    pub fn verdict(mut self, end: &List, top: i64, places: &mut Places) -> Verdict {
        for modified in self.held_back.take().unwrap_or_default() {
            if modified.seq <= end.seq {
                self.land(&modified, places);
            }
        }
        if self.dense {
            // Numbers are dense: a reader with a higher number must have received all below it.
            self.missing.extend(self.next..=top);
        }
        let last = top.max(self.next - 1);
        let due = last - self.joined_at - self.skipped;
        Verdict {
            expected: match self.dense {
                true => usize::try_from(due).unwrap_or(0),
                false => self.heard as usize,
            },
            missing: self.missing.into_iter().collect(),
            repeated: self.repeated,
            out_of_order: self.out_of_order,
            early: self.early,
            differences: self.picture.differences(end, places, self.dense),
            ended: None,
        }
    }
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
        events("was told too early that it has", &self.early);
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
        let mut sentences: Vec<String> = self
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
            sentences.push(format!("{} more", self.differences.len() - SHOWN));
        }
        format!("has in its picture {}", sentences.join(", "))
    }
}

#[cfg(test)]
mod tests;
