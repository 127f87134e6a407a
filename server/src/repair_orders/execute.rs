//! Executing what a person asks of repair orders: entry by entry, each safe to be sent again, each
//! answered with the rows as they are then.

use std::sync::Arc;

use actix_web::HttpResponse;
use dispatch_actors::repair_order::{Command, RepairOrder, RoNumber, StageRules, Version};
use dispatch_actors::store::{Author, Channel, Event};
use dispatch_actors::supervisor::{Execute, Failure};
use serde::Serialize;
use utoipa::ToSchema;

use super::api_types::{Current, Row, rows};
use super::state::OrderWriter;
use crate::change_request::{
    AnswerKeeper, BatchOptions, EntryAnswer, IdempotencyKey, IdempotencyRecords, Refusals,
    answer_batch, answer_one, execute_batch,
};
use crate::error::{ApiError, ErrorCode};
use crate::identity::Caller;
use crate::technician_names::TechnicianNames;

/// Those of different orders go together, so that they share their commits; a second one of the same
/// order waits for the first.
const OPTIONS: BatchOptions<ChangeEntry> = BatchOptions {
    concurrency: 32,
    is_same_target: |a, b| matches!((&a.number, &b.number), (Ok(a), Ok(b)) if a == b),
    refusals: Refusals::Kept,
};

/// A change that is durable and announced, by this request or an earlier one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    ro_number: i64,
    /// Always true.
    ok: bool,
    version: i64,
    /// The number of the newest event this made; null when there was nothing to change.
    #[schema(required)]
    seq: Option<i64>,
    rows: Vec<Row>,
}

/// An entry that changed nothing, and why.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    #[schema(required)]
    ro_number: Option<i64>,
    /// Always false.
    ok: bool,
    error: String,
    code: ErrorCode,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Current>, nullable = false)]
    current: Option<serde_json::Value>,
}

#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum EntryResult {
    Changed(Changed),
    Refused(Refused),
}

#[derive(Serialize, ToSchema)]
pub struct ChangedAnswer {
    /// Always true.
    ok: bool,
    result: Changed,
}

/// Executes a request of one person, whose entries can be undone together.
pub struct ChangeExecutor<'a> {
    orders: &'a OrderWriter,
    by: Author,
    request_id: String,
    records: IdempotencyRecords,
}

/// One entry of a request, as far as it could be read.
pub struct ChangeEntry {
    pub number: Result<RoNumber, ApiError>,
    pub command: Result<Command, ApiError>,
    pub expected_version: Option<Version>,
}

impl<'a> ChangeExecutor<'a> {
    /// 409 `idempotency-key-reused` when the key was used for another request.
    pub async fn new(
        orders: &'a OrderWriter,
        caller: &Caller,
        key: Option<IdempotencyKey>,
    ) -> Result<Self, ApiError> {
        let by = Author {
            uid: caller.uid.clone(),
            name: caller.name.clone(),
            channel: if caller.is_only_technician() {
                Channel::Portal
            } else {
                Channel::Desk
            },
        };
        let records = IdempotencyRecords::open(&orders.store, &by.uid, key).await?;
        Ok(Self {
            orders,
            request_id: records.request_id(),
            records,
            by,
        })
    }

    /// Whether a request of one entry was answered before, and is answered the same now.
    pub fn was_answered(&self) -> bool {
        self.records.answer(0).is_some()
    }

    /// The same of a request of so many entries: all of them.
    pub fn were_answered(&self, entries: usize) -> bool {
        (0..)
            .take(entries)
            .all(|entry| self.records.answer(entry).is_some())
    }

    /// As an undo, by any caller.
    pub fn as_undo(mut self) -> Self {
        self.by.channel = Channel::Undo;
        self
    }

    /// What this request is about, where that is found out by the request itself and would be
    /// something else the second time: an undo. Sent again, it is about the same.
    pub async fn subject(
        &self,
        find: impl Future<Output = Result<String, ApiError>>,
    ) -> Result<String, ApiError> {
        if let Some(subject) = self.records.subject() {
            return Ok(subject);
        }
        if let Some(Err(refused)) = self.records.answer(0) {
            return Err(refused);
        }
        match find.await {
            Ok(subject) => self.records.keep_subject(subject).await,
            // The same request may have been under way at the same time: what it was about is undone.
            Err(error) => match self.records.subject_meanwhile().await? {
                Some(subject) => Ok(subject),
                None => Err(self.refuse(error).await),
            },
        }
    }

    /// Executes all entries of a request.
    pub async fn execute_all(&self, entries: Vec<ChangeEntry>) -> Result<HttpResponse, ApiError> {
        let numbers: Vec<_> = entries
            .iter()
            .map(|entry| entry.number.as_ref().ok().map(|number| number.get()))
            .collect();
        answer_batch(self.results(entries).await, |place, error| Refused {
            ro_number: numbers[place],
            ok: false,
            current: error.more.and_then(|more| more.get("current").cloned()),
            error: error.error,
            code: error.code,
        })
    }

    /// Executes a request that has one entry.
    pub async fn execute_one(
        &self,
        number: Result<RoNumber, ApiError>,
        command: Result<Command, ApiError>,
        expected_version: Option<Version>,
    ) -> Result<HttpResponse, ApiError> {
        let entry = ChangeEntry {
            number,
            command,
            expected_version,
        };
        answer_one(self.results(vec![entry]).await)
    }

    async fn results(
        &self,
        entries: Vec<ChangeEntry>,
    ) -> Vec<Result<EntryAnswer<Changed>, ApiError>> {
        let change = async |entry, keeper| self.execute(entry, keeper).await;
        execute_batch(&self.records, entries, OPTIONS, change).await
    }

    /// The answer of a request that is refused before it has entries, which is kept, too.
    async fn refuse(&self, error: ApiError) -> ApiError {
        let refused = ChangeEntry {
            number: Err(error.clone()),
            command: Err(error.clone()),
            expected_version: None,
        };
        let mut results = self.results(vec![refused]).await;
        results.pop().and_then(Result::err).unwrap_or(error)
    }

    async fn execute(&self, entry: ChangeEntry, keeper: AnswerKeeper) -> Result<Changed, ApiError> {
        let (number, command) = (entry.number?, entry.command?);
        let names = self.orders.names.clone();
        let stages = self.orders.store.stage_rules().current();
        let rules = Arc::clone(&stages);
        let result = move |order: &RepairOrder, events: &[Event]| {
            Changed::new(order, events, &names, &rules)
        };
        let request = Execute {
            command,
            by: self.by.clone(),
            expected_version: entry.expected_version,
            request: Some(self.request_id.clone()),
            idempotency_record: keeper.into_record(result),
        };
        match self.orders.orders.execute(number, request).await {
            Ok(outcome) => Ok(Changed::new(
                &outcome.order,
                &outcome.events,
                &self.orders.names,
                &stages,
            )),
            Err(failure) => Err(refusal(&self.orders.names, &stages, &failure)),
        }
    }
}

impl Changed {
    pub fn new(
        order: &RepairOrder,
        events: &[Event],
        names: &TechnicianNames,
        stages: &StageRules,
    ) -> Self {
        Self {
            ro_number: order.number.get(),
            ok: true,
            version: order.version,
            seq: events.last().map(|event| event.seq),
            rows: rows(order, names, stages),
        }
    }
}

fn refusal(names: &TechnicianNames, stages: &StageRules, failure: &Failure) -> ApiError {
    let error = ApiError::from(failure);
    match failure {
        Failure::Stale(stale) => {
            error.with(serde_json::json!({ "current": Current::new(stale, names, stages) }))
        }
        _ => error,
    }
}
