//! A repair order as a writer sees it: what it needs to know to ask for something else.

use std::collections::{BTreeMap, BTreeSet};

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
    #[serde(default)]
    regular_id_technician: Option<i64>,
    #[serde(default, rename = "ETLIdTechnician")]
    etl_id_technician: Option<i64>,
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
    /// Who has which order, by technician and order.
    technicians_of_rows: BTreeSet<(i64, i64)>,
}

impl List {
    pub fn new(seq: i64, rows: &[Row]) -> Self {
        let orders = rows
            .iter()
            .map(|row| (row.repair_order_number, Order::from(row)))
            .collect();
        let technicians_of_rows = rows.iter().flat_map(|row| {
            let technicians = [row.regular_id_technician, row.etl_id_technician];
            let number = row.repair_order_number;
            technicians
                .into_iter()
                .flatten()
                .map(move |technician| (technician, number))
        });
        Self {
            seq,
            orders,
            technicians_of_rows: technicians_of_rows.collect(),
        }
    }

    /// Technicians who have orders.
    pub fn technicians(&self) -> BTreeSet<i64> {
        self.technicians_of_rows
            .iter()
            .map(|(technician, _)| *technician)
            .collect()
    }

    /// What one of them has.
    pub fn of_technician(&self, technician: i64) -> Self {
        let theirs = || {
            self.technicians_of_rows
                .range((technician, i64::MIN)..=(technician, i64::MAX))
        };
        let orders = theirs().filter_map(|(_, number)| Some((*number, self.orders.get(number)?)));
        Self {
            seq: self.seq,
            orders: orders
                .map(|(number, order)| (number, order.clone()))
                .collect(),
            technicians_of_rows: theirs().copied().collect(),
        }
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
    /// As it is once `change` has made it `version`, when nobody says more.
    pub fn after(&self, change: Change, version: Version) -> Self {
        let mut order = Self {
            version,
            ..self.clone()
        };
        match change {
            Change::Status(status) => order.status = Some(status),
            Change::Priority(priority) => order.priority = priority,
        }
        order
    }

    /// A status it does not have.
    pub fn other_status(&self) -> Change {
        Change::Status(next_value(&Status::ALL, self.status))
    }

    /// A priority it does not have.
    pub fn other_priority(&self) -> Change {
        Change::Priority(next_value(&Priority::ALL, Some(self.priority)))
    }
}

fn next_value<T: Copy + PartialEq>(all: &[T], current: Option<T>) -> T {
    let next = current
        .and_then(|current| all.iter().position(|one| *one == current))
        .map_or(0, |position| position + 1);
    all[next % all.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generated_command_changes_the_order() {
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
        assert_eq!(list.technicians().into_iter().collect::<Vec<_>>(), [12]);
        assert_eq!(list.of_technician(12).orders.len(), 1);
        assert_eq!(list.of_technician(13).orders.len(), 0);
        assert_eq!(list.orders[&7].status, Some(Status::Pdi));
    }
}
