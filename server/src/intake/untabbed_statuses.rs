//! Statuses of the dealer system for which the desk has no tab. Their orders keep them and stand under another tab: an
//! import says so, once for each such status, since a system may have words of its own on every order.

use std::collections::BTreeMap;

use dispatch_actors::repair_order::{DisplayedStatus, ImportedOrder, Status};
use dispatch_actors::text::quotable;

/// Different statuses that are counted. A file with more of them has something else in that column.
const MAX_STATUSES: usize = 50;

/// How many orders of a file had which status.
#[derive(Debug, Default)]
pub(super) struct UntabbedStatuses(BTreeMap<String, usize>);

impl UntabbedStatuses {
    pub(super) fn count(&mut self, status: String) {
        if let Some(orders) = self.0.get_mut(&status) {
            *orders += 1;
        } else if self.0.len() < MAX_STATUSES {
            self.0.insert(status, 1);
        }
    }

    /// A sentence for each of them, and none left.
    pub(super) fn take_sentences(&mut self) -> Vec<String> {
        let counted = std::mem::take(&mut self.0).into_iter();
        counted
            .map(|(status, orders)| {
                let tab = DisplayedStatus::of(None, &status);
                let tab = Status::from(tab).name();
                let orders = match orders {
                    1 => "1 order has".to_owned(),
                    several => format!("{several} orders have"),
                };
                format!(
                    "{orders} the status '{}', which has no tab: kept as it came, and shown under {tab} until the \
                     desk sets a status",
                    quotable(&status)
                )
            })
            .collect()
    }
}

/// The status of an order that gives the desk none of its own, where no tab has its name.
pub(super) fn untabbed_status(order: &ImportedOrder) -> Option<String> {
    let status = order.customer_status.as_deref()?;
    let has_tab = status
        .parse()
        .is_ok_and(|status: Status| Status::from(status.displayed()) == status);
    let is_none = status.eq_ignore_ascii_case("none");
    (order.app_customer_status.is_none() && !has_tab && !is_none).then(|| status.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dealer_system: &str, desk: Option<Status>) -> Option<String> {
        untabbed_status(&ImportedOrder {
            customer_status: Some(dealer_system.to_owned()),
            app_customer_status: desk,
            ..ImportedOrder::default()
        })
    }

    #[test]
    fn a_status_without_a_tab_is_named_unless_the_desk_has_one() {
        for tab in ["Waiting", "drop", " PDI ", "Used", "none"] {
            assert_eq!(of(tab, None), None, "{tab}");
        }
        for other in ["ENG", "Trans", "In Process"] {
            assert_eq!(of(other, None).as_deref(), Some(other));
            assert_eq!(of(other, Some(Status::Waiting)), None);
        }
        assert_eq!(untabbed_status(&ImportedOrder::default()), None);
    }

    #[test]
    fn each_status_is_said_once_and_only_so_many_of_them() {
        let mut statuses = UntabbedStatuses::default();
        for status in ["ENG", "In Process", "ENG"] {
            statuses.count(status.to_owned());
        }
        let sentences = statuses.take_sentences();
        assert_eq!(sentences.len(), 2);
        assert!(
            sentences[0].starts_with("2 orders have the status 'ENG', which has no tab"),
            "{sentences:?}"
        );
        assert!(sentences[1].starts_with("1 order has the status 'In Process'"));
        assert!(sentences[1].contains("shown under Drop"));
        assert!(statuses.take_sentences().is_empty());
        for status in 0..1_000 {
            statuses.count(format!("status {status}"));
        }
        assert_eq!(statuses.take_sentences().len(), MAX_STATUSES);
    }
}
