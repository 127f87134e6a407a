//! Brings the rows of one repair order together: a list has one row per technician, a flat file
//! one row per job.

use std::collections::{HashMap, VecDeque};

use dispatch_actors::repair_order::RoNumber;
use jiff::Timestamp;

use super::pending_order::PendingOrder;
use super::row_content::RowContent;
use crate::fields::{Field, FieldError};
use crate::record::{Record, Reject};
use crate::row::Row;

/// Orders whose rows may still come, and bytes of their rows. An older one is released: a file that
/// is sorted by anything but its orders has their rows this far apart at most, and memory must not
/// grow with the file.
const MAX_PENDING: usize = 1_000;
const MAX_PENDING_BYTES: usize = 16 * 1024 * 1024;

/// The warning is on the first such order alone. An order in parts is changed in parts, again at
/// every import.
const FAR_APART: &str = "Rows of a repair order stand far apart in this file: \
    keep an order's rows together, or every import announces it again";

/// The orders of a file's last rows, in the order of their first rows.
#[derive(Default)]
pub(crate) struct OrderMerger {
    orders: VecDeque<PendingOrder>,
    /// By number: the place in `orders`, counted from the first order of the file.
    places: HashMap<RoNumber, usize>,
    /// How many orders were released.
    released: usize,
    /// The released orders, and whether their jobs were numbered here: a few bytes for each order of
    /// the whole file, which is all that grows with it.
    numbers: HashMap<RoNumber, bool>,
    bytes: usize,
    /// Whether a warning said that rows of an order are far apart.
    has_warned: bool,
}

impl OrderMerger {
    /// Adds a row's content whole or, where it does not fit what came before, not at all.
    pub(crate) fn add(&mut self, row: Row, content: RowContent) -> Result<(), Reject> {
        let number = content.number;
        let numbered_here = self.numbers.get(&number).copied();
        if let Some(numbered_here) = numbered_here {
            let unnumbered = content.unnumbered.is_some();
            if unnumbered || (numbered_here && !content.order.jobs.is_empty()) {
                let reason = format!(
                    "This job of RO number {number} comes too long after the order's other rows to be numbered with them: \
                     keep an order's rows together, or give job numbers"
                );
                return Err(row.rejected(FieldError::new(Field::JobNumber, reason)));
            }
        }
        let size = row.raw.len() + content.warnings.iter().map(String::len).sum::<usize>();
        match self.places.get(&number) {
            Some(&place) => {
                let order = &mut self.orders[place - self.released];
                order.add(row, content)?;
                order.bytes += size;
            }
            None => {
                let mut first = PendingOrder::new(number, &content.order.dms_number, &row.place);
                first.record.continues = numbered_here.is_some();
                first.add(row, content)?;
                if first.record.continues && !self.has_warned {
                    self.has_warned = true;
                    first.record.warnings.push(FAR_APART.to_owned());
                }
                first.bytes = size;
                self.places
                    .insert(number, self.released + self.orders.len());
                self.orders.push_back(first);
            }
        }
        self.bytes += size;
        Ok(())
    }

    /// Releases the oldest orders while there are too many.
    pub(crate) fn release_oldest(&mut self, now: Timestamp, records: &mut Vec<Record>) {
        while self.orders.len() > MAX_PENDING || self.bytes > MAX_PENDING_BYTES {
            let Some(order) = self.orders.pop_front() else {
                return;
            };
            let number = order.record.number;
            self.places.remove(&number);
            self.released += 1;
            self.bytes -= order.bytes;
            let numbered_here = !order.unnumbered.is_empty();
            *self.numbers.entry(number).or_default() |= numbered_here;
            records.push(order.finish(now));
        }
    }

    pub(crate) fn finish(&mut self, now: Timestamp, records: &mut Vec<Record>) {
        records.extend(self.orders.drain(..).map(|order| order.finish(now)));
    }
}
