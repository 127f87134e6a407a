//! Orders are given to a technician, who says of each how far the news has come; then they are taken away again. What was
//! acknowledged of either must stay.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::desk::{Desk, describe_answer};
use crate::error::LoadTestError;
use crate::report::Report;
use crate::target::{Address, SignIn};

/// Between two assignments.
const PAUSE: Duration = Duration::from_millis(250);

/// Until an answer is asked for again, and for how long.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);
const RETRY_TIMEOUT: Duration = Duration::from_secs(60);

/// Orders that the technician has at the same time.
const OPEN_ASSIGNMENTS: usize = 10;

const STAGES: [&str; 3] = ["delivered", "seen", "accepted"];

const ASSIGN: &str = "/api/repair-orders/technicians/assign";
const UNASSIGN: &str = "/api/repair-orders/technicians/unassign";

#[derive(Clone)]
pub struct Technician {
    pub number: i64,
    pub account: SignIn,
}

/// Somebody who assigns and somebody who acknowledges.
pub struct Assignments {
    owner: Rc<Desk>,
    technician: Desk,
    number: i64,
    is_stopped: Cell<bool>,
    requests: Cell<u32>,
    sent_again: Cell<u32>,
}

/// What was acknowledged.
#[derive(Default)]
pub struct Assigned {
    /// Of assigning and taking away.
    pub events: i64,
    receipts: u32,
    sent_again: u32,
    /// Assignments that stand, and their events.
    open: BTreeMap<i64, i64>,
    faults: Vec<String>,
}

#[derive(Deserialize)]
struct Changed {
    result: ChangedEvent,
}

#[derive(Deserialize)]
struct ChangedEvent {
    seq: Option<i64>,
}

impl Assignments {
    pub async fn open(
        address: &Address,
        technician: &Technician,
        owner: Rc<Desk>,
    ) -> Result<Self, LoadTestError> {
        Ok(Self {
            owner,
            technician: Desk::sign_in(address, &technician.account).await?,
            number: technician.number,
            is_stopped: Cell::new(false),
            requests: Cell::new(0),
            sent_again: Cell::new(0),
        })
    }

    pub fn stop(&self) {
        self.is_stopped.set(true);
    }

    /// One order after the other, until it is stopped; then every receipt is read once more.
    pub async fn work(&self, orders: &[i64]) -> Result<Assigned, LoadTestError> {
        let mut assigned = Assigned::default();
        for order in orders.iter().cycle() {
            if self.is_stopped.get() {
                break;
            }
            if let Err(fault) = self.round(*order, &mut assigned).await {
                assigned.faults.push(fault);
            }
            sleep(PAUSE).await;
        }
        let open: Vec<(i64, i64)> = assigned.open.iter().map(|(a, b)| (*a, *b)).collect();
        for (order, seq) in open {
            if let Err(fault) = self.check_receipt(order, seq).await {
                assigned.faults.push(fault);
            }
        }
        assigned.sent_again = self.sent_again.get();
        Ok(assigned)
    }

    async fn round(&self, order: i64, assigned: &mut Assigned) -> Result<(), String> {
        if assigned.open.len() >= OPEN_ASSIGNMENTS
            && let Some((oldest, seq)) = assigned.open.iter().min_by_key(|(_, seq)| **seq)
        {
            let (oldest, seq) = (*oldest, *seq);
            assigned.open.remove(&oldest);
            self.check_receipt(oldest, seq).await?;
            self.change(UNASSIGN, oldest).await?;
            assigned.events += 1;
        }
        let seq = self.change(ASSIGN, order).await?;
        assigned.events += 1;
        assigned.open.insert(order, seq);
        for stage in STAGES {
            let path = format!(
                "/api/technicians/{}/assignments/{order}/receipt",
                self.number
            );
            let body = json!({ "stage": stage }).to_string();
            self.until_answered(&self.technician, &path, &body).await?;
            assigned.receipts += 1;
        }
        Ok(())
    }

    /// The event by which it was done.
    async fn change(&self, path: &str, order: i64) -> Result<i64, String> {
        let body = json!({ "repairOrderNumber": order, "idTechnician": self.number }).to_string();
        let answer = self.until_answered(&self.owner, path, &body).await?;
        let changed: Changed =
            serde_json::from_slice(&answer).map_err(|error| format!("{path}: {error}"))?;
        let nothing = || format!("{path}: order {order} was as it should become");
        changed.result.seq.ok_or_else(nothing)
    }

    async fn until_answered(&self, desk: &Desk, path: &str, body: &str) -> Result<Vec<u8>, String> {
        self.requests.set(self.requests.get() + 1);
        let key = format!("assignment-{}", self.requests.get());
        let until = Instant::now() + RETRY_TIMEOUT;
        loop {
            let why = match desk.post(path, Some(&key), body).await {
                Ok(answer) if answer.status == 200 => return Ok(answer.body),
                Ok(answer) => describe_answer(answer.status, &answer.body),
                Err(why) => why,
            };
            if !is_passing(&why) || Instant::now() > until {
                return Err(format!("{path} {body}: {why}"));
            }
            self.sent_again.set(self.sent_again.get() + 1);
            sleep(RETRY_INTERVAL).await;
        }
    }

    /// Another server may not have heard of the assignment yet.
    async fn check_receipt(&self, order: i64, seq: i64) -> Result<(), String> {
        let until = Instant::now() + RETRY_TIMEOUT;
        loop {
            let why = match self.owner.receipts().await {
                Ok(receipts) => {
                    let mut receipts = receipts.iter();
                    let receipt = receipts.find(|receipt| {
                        receipt.ro_number == order && receipt.technician_id == self.number
                    });
                    match receipt {
                        Some(receipt) if receipt.seq == seq && receipt.accepted_at.is_some() => {
                            return Ok(());
                        }
                        other => format!("it is {other:?}"),
                    }
                }
                Err(error) => error.to_string(),
            };
            if Instant::now() > until {
                return Err(format!(
                    "the receipt of order {order}, event {seq}, is lost: {why}"
                ));
            }
            sleep(RETRY_INTERVAL).await;
        }
    }
}

/// Only an answer of the server's own that says what is wrong with the request is final.
fn is_passing(why: &str) -> bool {
    !why.starts_with('4')
}

impl Assigned {
    pub fn tell(&self, report: &mut Report) {
        report.value("assignments", "assigned and taken away", self.events);
        report.value("receipts", "receipts acknowledged", self.receipts);
        report.value(
            "receiptsSentAgain",
            "of these requests sent again",
            self.sent_again,
        );
        report.value(
            "receiptFaults",
            "assignments and receipts lost",
            self.faults.len(),
        );
        report.faults.extend(super::shortened(self.faults.clone()));
    }
}
