//! Changes as they are asked for, and what the answer says became of each.

use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::http::Answer;
use crate::order::{Change, Order, Row};

/// What became of a change.
#[derive(Debug)]
pub enum Outcome {
    /// Durable; events `first` to `last` are its own.
    Acknowledged { first: i64, last: i64, order: Order },
    /// Somebody else changed the order first; this is what it is now. Nothing was changed.
    Stale(Option<Order>),
    /// The order is closed. Nothing was changed.
    Closed,
    /// Refused.
    Failed(String),
    /// Unanswered, or the server could not; it may have been done all the same.
    Unknown(String),
}

/// The answer to a change of one order or several.
#[derive(Deserialize)]
struct Changes {
    result: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Changed(Changed),
    Refused(Refusal),
}

#[derive(Deserialize)]
struct Changed {
    version: i64,
    seq: Option<i64>,
    #[serde(default)]
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
    code: String,
    current: Option<Current>,
}

#[derive(Deserialize)]
struct Current {
    rows: Vec<Row>,
}

pub fn change_entry(order: &Order, change: Change) -> serde_json::Value {
    match change {
        Change::Status(status) => json!({
            "repairOrderNumber": order.number,
            "idStatus": status.id(),
            "expectedVersion": order.version,
        }),
        Change::Priority(priority) => json!({
            "roNumber": order.number,
            "priorityLevel": priority.level(),
            "expectedVersion": order.version,
        }),
    }
}

/// One for each change, whatever the answer.
pub fn outcomes(changes: &[(&Order, Change)], answer: &Answer) -> Vec<Outcome> {
    let Answer { status, body, .. } = answer;
    let all = |outcome: fn(String) -> Outcome, why: &str| {
        changes.iter().map(|_| outcome(why.to_owned())).collect()
    };
    if *status == StatusCode::OK.as_u16() {
        return match serde_json::from_slice(body) {
            Ok(Changes { result }) if result.len() == changes.len() => changes
                .iter()
                .zip(result)
                .map(|((order, change), entry)| match entry {
                    Entry::Changed(changed) => acknowledged(order, *change, &changed),
                    Entry::Refused(refusal) => refused_entry(refusal),
                })
                .collect(),
            Ok(_) => all(
                Outcome::Failed,
                "an answer without a result for each change",
            ),
            Err(error) => all(
                Outcome::Failed,
                &format!("an answer that cannot be read: {error}"),
            ),
        };
    }
    let description = describe_answer(*status, body);
    match serde_json::from_slice::<Refusal>(body) {
        _ if *status >= 500 => all(Outcome::Unknown, &description),
        Ok(refusal) if changes.len() == 1 => vec![refused_entry(refusal)],
        _ => all(Outcome::Failed, &description),
    }
}

fn refused_entry(refusal: Refusal) -> Outcome {
    match refusal.code.as_str() {
        "stale-version" => {
            let rows = refusal.current.map(|current| current.rows);
            Outcome::Stale(rows.and_then(|rows| rows.first().map(Order::from)))
        }
        "repair-order-closed" => Outcome::Closed,
        code => Outcome::Failed(format!("{code}: {}", refusal.error)),
    }
}

fn acknowledged(order: &Order, change: Change, changed: &Changed) -> Outcome {
    match (changed.seq, changed.version - order.version) {
        (Some(last), events @ 1..) => Outcome::Acknowledged {
            first: last - events + 1,
            last,
            order: match changed.rows.first() {
                Some(row) => Order::from(row),
                None => order.after(change, changed.version),
            },
        },
        (seq, _) => Outcome::Failed(format!(
            "order {} at version {} was changed, but the answer has version {} and event {seq:?}",
            order.number, order.version, changed.version
        )),
    }
}

/// The status, and the sentence if there is one.
pub fn describe_answer(status: u16, body: &[u8]) -> String {
    match serde_json::from_slice::<Refusal>(body) {
        Ok(refusal) => format!("{status} {}", refusal.error),
        Err(_) => status.to_string(),
    }
}
