//! Which customers are to be called, why, and in which order. Pure: no clock of its own, no database; the same for the
//! same orders. What was called about is part of each order (`repair_order`); whether a promise is late or at risk is
//! judged by `promise`.

use jiff::Timestamp;

use crate::promise::Risk;
use crate::repair_order::{
    CallReason, CallSubject, DisplayedStatus, RepairOrder, RoNumber, StageRules, shipped,
};

/// One reason to call the customer of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonToCall {
    pub reason: CallReason,
    /// The promised time of a promise, or since when the customer's approval is waited for or the car is ready.
    pub since: Timestamp,
    /// When the customer was called about it. It is a reason no more then, and is named so that people see it.
    pub called_at: Option<Timestamp>,
}

/// The reasons to call an order's customer, the most urgent first; at most one of each kind. `risk`: of its promise, where
/// it has one. A closed order has none, nor has one in a shop without stages, one that is with its customer, or a used car
/// and a delivery, which are the shop's own.
pub fn reasons_to_call(
    order: &RepairOrder,
    risk: Option<&Risk>,
    rules: &StageRules,
    now: Timestamp,
) -> Vec<ReasonToCall> {
    let stage = order.progress.placement.stage.as_ref();
    let is_fetched = stage.is_some_and(|stage| stage.as_str() == shipped::WITH_THE_CUSTOMER);
    let status = order.displayed_status();
    let has_customer = matches!(status, DisplayedStatus::Waiting | DisplayedStatus::Drop);
    if !rules.is_on || order.closed_at.is_some() || is_fetched || !has_customer {
        return Vec::new();
    }
    let is_ready = order.is_ready(rules);
    let is_reason = |reason: &CallReason| match reason {
        // Of a car that is done nobody asks any more when it will be.
        CallReason::Late => !is_ready && matches!(risk, Some(Risk::Late { .. })),
        CallReason::AtRisk => !is_ready && matches!(risk, Some(Risk::AtRisk { .. })),
        CallReason::Approval => true,
        CallReason::Ready => is_ready,
    };
    let reasons = CallReason::ALL.into_iter().filter(is_reason);
    reasons
        .filter_map(|reason| of_subjects(order, reason, now))
        .collect()
}

/// One reason of all that it is about: there is still something to call about until the customer was called about each.
fn of_subjects(order: &RepairOrder, reason: CallReason, now: Timestamp) -> Option<ReasonToCall> {
    let subjects = order.call_subjects(reason);
    let since = |about: &CallSubject| since(order, about);
    let called_at: Option<Vec<Timestamp>> = subjects
        .iter()
        .map(|about| order.called_about(about, now))
        .collect();
    Some(ReasonToCall {
        reason,
        since: subjects.iter().filter_map(since).min()?,
        called_at: called_at.and_then(|calls| calls.into_iter().min()),
    })
}

fn since(order: &RepairOrder, about: &CallSubject) -> Option<Timestamp> {
    match about {
        CallSubject::Late { promised_at } | CallSubject::AtRisk { promised_at } => {
            Some(*promised_at)
        }
        CallSubject::Approval { hold } => {
            let mut holds = order.progress.holds.iter();
            holds.find(|one| one.id == *hold).map(|hold| hold.since)
        }
        CallSubject::Ready { since } => Some(*since),
    }
}

/// By this the list is sorted: who is still to be called comes first, then the most urgent reason, then what is so for the
/// longest. An order whose customer was called about everything has its last place by the same.
pub fn urgency(
    number: RoNumber,
    reasons: &[ReasonToCall],
) -> (bool, Option<(CallReason, Timestamp)>, RoNumber) {
    let open = || reasons.iter().filter(|one| one.called_at.is_none());
    let is_called = open().next().is_none();
    let key = |one: &ReasonToCall| (one.reason, one.since);
    let first = match is_called {
        false => open().map(key).min(),
        true => reasons.iter().map(key).min(),
    };
    (is_called, first, number)
}

#[cfg(test)]
mod tests;
