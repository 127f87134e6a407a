//! Calls to an order's customer: what there is to call about, and about what somebody has called.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::hold::{Hold, HoldActor, HoldId, HoldReason};
use super::stage::{StageKind, StageRules, shipped};
use super::{Change, Refusal, RepairOrder};

/// Why a customer is to be called, the most urgent first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum CallReason {
    /// The promised time is over.
    Late,
    /// What is known does not fit before the promised time, or only just.
    AtRisk,
    /// Work waits for the customer's approval, and the advisor must act.
    Approval,
    /// The car is done.
    Ready,
}

impl CallReason {
    pub const ALL: [Self; 4] = [Self::Late, Self::AtRisk, Self::Approval, Self::Ready];

    /// As it is written on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::AtRisk => "at-risk",
            Self::Approval => "approval",
            Self::Ready => "ready",
        }
    }
}

/// What exactly a call is about: another promise, another hold, or a car that is ready anew is another subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(
    tag = "reason",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum CallSubject {
    Late { promised_at: Timestamp },
    AtRisk { promised_at: Timestamp },
    Approval { hold: HoldId },
    Ready { since: Timestamp },
}

impl CallSubject {
    pub fn reason(&self) -> CallReason {
        match self {
            Self::Late { .. } => CallReason::Late,
            Self::AtRisk { .. } => CallReason::AtRisk,
            Self::Approval { .. } => CallReason::Approval,
            Self::Ready { .. } => CallReason::Ready,
        }
    }
}

/// That the customer was called about it; who did so is in the event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomerCall {
    pub about: CallSubject,
    pub at: Timestamp,
}

impl Hold {
    fn is_for_approval(&self) -> bool {
        self.reason == HoldReason::Approval && self.who_acts == HoldActor::Advisor
    }
}

impl RepairOrder {
    /// Whether the car is done and has not been fetched: a stage of the kind done, but for `with-the-customer`.
    pub fn is_ready(&self, rules: &StageRules) -> bool {
        let stage = self.progress.placement.stage.as_ref();
        stage.is_some_and(|stage| {
            rules.kind(stage) == Some(StageKind::Done)
                && stage.as_str() != shipped::WITH_THE_CUSTOMER
        })
    }

    /// What a call for this reason would be about now; none where there is nothing of the kind. Whether a promise is late
    /// or at risk, and a stage ready, only the caller knows.
    pub fn call_subjects(&self, reason: CallReason) -> Vec<CallSubject> {
        let promised_at = self.promised_at;
        match reason {
            CallReason::Late => promised_at
                .map(|promised_at| CallSubject::Late { promised_at })
                .into_iter()
                .collect(),
            CallReason::AtRisk => promised_at
                .map(|promised_at| CallSubject::AtRisk { promised_at })
                .into_iter()
                .collect(),
            CallReason::Approval => {
                let holds = self.progress.holds.iter();
                holds
                    .filter(|hold| hold.is_for_approval())
                    .map(|hold| CallSubject::Approval { hold: hold.id })
                    .collect()
            }
            CallReason::Ready => {
                let since = self.progress.since;
                since
                    .map(|since| CallSubject::Ready { since })
                    .into_iter()
                    .collect()
            }
        }
    }

    /// When the customer was last called about it, if that still counts: after an expected end that has passed since,
    /// they are to be asked again.
    pub fn called_about(&self, about: &CallSubject, now: Timestamp) -> Option<Timestamp> {
        let call = self
            .progress
            .calls
            .iter()
            .find(|call| call.about == *about)?;
        let is_asked_again = match about {
            CallSubject::Approval { hold } => {
                let hold = self.progress.holds.iter().find(|one| one.id == *hold);
                let expected = hold.and_then(|hold| hold.expected_until);
                expected.is_some_and(|until| call.at < until && until <= now)
            }
            _ => false,
        };
        (!is_asked_again).then_some(call.at)
    }

    /// Refused where there is nothing of one of these reasons. A second call about the same is another call, unless it is of the
    /// same moment.
    pub(super) fn record_call(
        &self,
        reasons: &[CallReason],
        at: Timestamp,
    ) -> Result<Vec<Change>, Refusal> {
        let mut subjects = Vec::new();
        for reason in reasons {
            let of_reason = self.call_subjects(*reason);
            if of_reason.is_empty() {
                return Err(Refusal::NothingToCallAbout {
                    number: self.number,
                    reason: *reason,
                });
            }
            subjects.extend(of_reason);
        }
        subjects.sort();
        subjects.dedup();
        if subjects.is_empty() {
            return Ok(Vec::new());
        }
        let from = self.progress.calls.clone();
        let still_counts =
            |call: &&CustomerCall| self.is_still(&call.about) && !subjects.contains(&call.about);
        let mut to: Vec<CustomerCall> = from.iter().filter(still_counts).cloned().collect();
        to.extend(subjects.iter().map(|about| CustomerCall {
            about: about.clone(),
            at,
        }));
        to.sort();
        if from == to {
            return Ok(Vec::new());
        }
        let mut about: Vec<CallReason> = subjects.iter().map(CallSubject::reason).collect();
        about.dedup();
        Ok(vec![Change::CustomerCalled {
            about,
            is_undone: false,
            from,
            to,
        }])
    }

    /// Whether a call about it can still count: what is over need not be kept.
    fn is_still(&self, about: &CallSubject) -> bool {
        match about {
            CallSubject::Late { promised_at } | CallSubject::AtRisk { promised_at } => {
                self.promised_at == Some(*promised_at)
            }
            CallSubject::Approval { hold } => self.progress.holds.iter().any(|one| one.id == *hold),
            CallSubject::Ready { since } => self.progress.since == Some(*since),
        }
    }
}
