//! A repair order as a writer sees it: what it needs to know to ask for something else.

use std::collections::BTreeMap;

use dispatch_actors::repair_order::{Priority, Status, Version};
use serde::Deserialize;

/// What a row of the API says that matters here; there is one for each technician.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub repair_order_number: i64,
    pub version: Version,
    app_customer_status: Option<Status>,
    priority_name: Priority,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub number: i64,
    pub version: Version,
    status: Option<Status>,
    priority: Priority,
}

/// One thing to ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    Status(Status),
    Priority(Priority),
}

/// Every open order, and the event number this is true for.
#[derive(Clone, Debug)]
pub struct List {
    pub seq: i64,
    pub orders: BTreeMap<i64, Order>,
}

impl List {
    pub fn new(seq: i64, rows: &[Row]) -> Self {
        let orders = rows
            .iter()
            .map(|row| (row.repair_order_number, Order::from(row)))
            .collect();
        Self { seq, orders }
    }
}

impl From<&Row> for Order {
    fn from(row: &Row) -> Self {
        Self {
            number: row.repair_order_number,
            version: row.version,
            status: row.app_customer_status,
            priority: row.priority_name,
        }
    }
}

impl Order {
    /// A status it does not have.
    pub fn other_status(&self) -> Change {
        Change::Status(after(&Status::ALL, self.status))
    }

    /// A priority it does not have.
    pub fn other_priority(&self) -> Change {
        Change::Priority(after(&Priority::ALL, Some(self.priority)))
    }
}

fn after<T: Copy + PartialEq>(all: &[T], current: Option<T>) -> T {
    let next = current
        .and_then(|current| all.iter().position(|one| *one == current))
        .map_or(0, |position| position + 1);
    all[next % all.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_never_so_already() {
        for status in Status::ALL.map(Some).into_iter().chain([None]) {
            for priority in Priority::ALL {
                let order = Order {
                    number: 1,
                    version: 1,
                    status,
                    priority,
                };
                assert_ne!(status.map(Change::Status), Some(order.other_status()));
                assert_ne!(Change::Priority(priority), order.other_priority());
            }
        }
    }

    #[test]
    fn rows_of_one_order_are_one_order() {
        let row = r#"{"repairOrderNumber": 7, "version": 3, "appCustomerStatus": "PDI",
            "priorityName": "High", "regularIdTechnician": 12}"#;
        let row: Row = serde_json::from_str(row).unwrap();
        let list = List::new(9, &[row.clone(), row]);
        assert_eq!(list.orders.len(), 1);
        assert_eq!(list.orders[&7].status, Some(Status::Pdi));
    }
}
