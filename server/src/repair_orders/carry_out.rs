//! Carrying out what a person asks of repair orders: entry by entry, each safe to be sent again,
//! each answered with the rows as they are then.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use dispatch_actors::repair_order::{Command, RepairOrder, RoNumber, Version};
use dispatch_actors::store::{Author, Channel, Event, Receipt};
use dispatch_actors::supervisor::{Execute, Failure};
use futures_util::future::join_all;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::wire::{Current, Row, rows};
use crate::app::Services;
use crate::change_request::{IdempotencyKey, Receipts};
use crate::entries;
use crate::error::{ApiError, ErrorCode};
use crate::identity::Caller;
use crate::technicians::TechnicianNames;

/// Where it is kept what a request is about, beside its entries' answers.
const ABOUT: i32 = -1;

/// Entries of one request under way at once.
const AT_ONCE: usize = 32;

/// A change that is durable and announced, or was so already.
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
    current: Option<Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum EntryResult {
    Changed(Changed),
    /// As it was answered the first time.
    Again(Value),
    Refused(Refused),
}

impl PartialSchema for EntryResult {
    fn schema() -> RefOr<Schema> {
        OneOfBuilder::new()
            .item(Ref::from_schema_name("Changed"))
            .item(Ref::from_schema_name("Refused"))
            .into()
    }
}

impl ToSchema for EntryResult {}

/// What became of each entry, in their order.
#[derive(Serialize, ToSchema)]
pub struct ChangesAnswer {
    /// False when an entry of several was refused.
    ok: bool,
    result: Vec<EntryResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
}

#[derive(Serialize, ToSchema)]
pub struct ChangedAnswer {
    /// Always true.
    ok: bool,
    #[schema(value_type = Changed)]
    result: EntryResult,
}

/// One entry's answer as it is kept: written from what was changed, read back as it was written.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kept<Changed = Value> {
    Changed(Changed),
    #[serde(rename_all = "camelCase")]
    Refused {
        ro_number: Option<RoNumber>,
        status: u16,
        #[serde(deserialize_with = "known_code")]
        code: ErrorCode,
        error: String,
        more: Option<Value>,
    },
}

/// A request of one person, whose entries can be undone together.
pub struct CarryOut<'a> {
    services: &'a Services,
    by: Author,
    id: String,
    receipts: Receipts,
}

/// What became of one entry.
pub struct Entry {
    number: Option<RoNumber>,
    result: Result<EntryResult, ApiError>,
}

/// One entry of a request, as far as it could be read.
pub struct Asked {
    pub number: Result<RoNumber, ApiError>,
    pub command: Result<Command, ApiError>,
    pub expected_version: Option<Version>,
}

impl<'a> CarryOut<'a> {
    /// 409 `idempotency-key-reused` when the key was used for another request.
    pub async fn new(
        services: &'a Services,
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
        let receipts = Receipts::of(&services.store, &by.uid, key).await?;
        Ok(Self {
            services,
            id: receipts.request_id(),
            receipts,
            by,
        })
    }

    /// Whether a request of one entry was answered before, and is answered the same now.
    pub fn was_answered(&self) -> bool {
        self.receipts.answer(0).and_then(read_kept).is_some()
    }

    /// As an undo, whoever asks for it.
    pub fn undoing(mut self) -> Self {
        self.by.channel = Channel::Undo;
        self
    }

    /// What this request is about, where that is found out by the request itself and would be
    /// something else the second time: an undo. Sent again, it is about the same.
    pub async fn about(
        &self,
        number: RoNumber,
        find: impl Future<Output = Result<String, ApiError>>,
    ) -> Result<String, Entry> {
        if let Some(about) = self.receipts.answer(ABOUT) {
            return Ok(about.to_owned());
        }
        if let Some(refused) = self.receipts.answer(0).and_then(read_kept) {
            return Err(refused);
        }
        let refused = |error| Entry {
            number: Some(number),
            result: Err(error),
        };
        match find.await {
            Ok(about) => {
                let meanwhile = self.receipts.keep(vec![(ABOUT, about.clone())]).await;
                let mut meanwhile = meanwhile.map_err(refused)?;
                let other = meanwhile.remove(&ABOUT);
                Ok(other.map_or(about, |other| other.answer))
            }
            Err(error) => {
                let mut entries = vec![refused(error)];
                self.keep_refusals(&mut entries).await;
                // It was put in above, and is never taken out.
                Err(entries.remove(0))
            }
        }
    }

    /// Carries out all entries of a request. Those of different orders go together, so that they
    /// share their commits; a second one of the same order waits for the first.
    pub async fn all(&self, asked: Vec<Asked>) -> Vec<Entry> {
        let mut done = Vec::with_capacity(asked.len());
        let mut together: Vec<Asked> = Vec::new();
        for asked in asked {
            let again = match &asked.number {
                Ok(number) => together
                    .iter()
                    .any(|other| other.number.as_ref().ok() == Some(number)),
                Err(_) => false,
            };
            if again || together.len() == AT_ONCE {
                self.carry_out(&mut together, &mut done).await;
            }
            together.push(asked);
        }
        self.carry_out(&mut together, &mut done).await;
        self.keep_refusals(&mut done).await;
        done
    }

    async fn carry_out(&self, together: &mut Vec<Asked>, done: &mut Vec<Entry>) {
        let entries = together
            .drain(..)
            .zip(done.len()..)
            .map(|(asked, place)| self.entry(place, asked));
        done.extend(join_all(entries).await);
    }

    /// A request that has one entry.
    pub async fn one(
        &self,
        number: Result<RoNumber, ApiError>,
        command: Result<Command, ApiError>,
        expected_version: Option<Version>,
    ) -> Result<HttpResponse, ApiError> {
        let asked = Asked {
            number,
            command,
            expected_version,
        };
        let mut entries = self.all(vec![asked]).await;
        let result = entries
            .pop()
            .map_or_else(|| Err(ApiError::unavailable()), |entry| entry.result)?;
        Ok(HttpResponse::Ok().json(ChangedAnswer { ok: true, result }))
    }

    /// Carries out the entry at `place`, or gives the answer it was given before.
    async fn entry(&self, place: usize, asked: Asked) -> Entry {
        let Asked {
            number,
            command,
            expected_version,
        } = asked;
        let place = i32::try_from(place).unwrap_or(i32::MAX);
        if let Some(entry) = self.receipts.answer(place).and_then(read_kept) {
            return entry;
        }
        let known = number.as_ref().ok().copied();
        let result = match (number, command) {
            (Ok(number), Ok(command)) => {
                self.execute(place, number, command, expected_version).await
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        Entry {
            number: known,
            result,
        }
    }

    async fn execute(
        &self,
        place: i32,
        number: RoNumber,
        command: Command,
        expected_version: Option<Version>,
    ) -> Result<EntryResult, ApiError> {
        let request = Execute {
            command,
            by: self.by.clone(),
            expected_version,
            request: Some(self.id.clone()),
            receipt: self.receipt(place),
        };
        match self.services.orders.execute(number, request).await {
            Ok(outcome) => Ok(EntryResult::Changed(Changed::new(
                &outcome.order,
                &outcome.events,
                &self.services.names,
            ))),
            Err(failure) => Err(refusal(self.services, &failure)),
        }
    }

    fn receipt(&self, place: i32) -> Option<Receipt> {
        let names = self.services.names.clone();
        Some(Receipt {
            key: self.receipts.key(place)?,
            answer: Arc::new(move |order, events| {
                let kept = Kept::Changed(Changed::new(order, events, &names));
                // Fails for maps with keys that are no texts; here is none.
                serde_json::to_string(&kept).unwrap_or_default()
            }),
        })
    }

    /// Refusals are answers, too. Where the same request was under way at the same time and was
    /// answered otherwise, its answer is given.
    async fn keep_refusals(&self, entries: &mut [Entry]) {
        if !self.receipts.has_key() {
            return;
        }
        let refusals = (0..).zip(entries.iter()).filter_map(|(place, entry)| {
            let kept = entry.refusal()?;
            Some((place, serde_json::json!(kept).to_string()))
        });
        let meanwhile = match self.receipts.keep(refusals.collect()).await {
            Ok(meanwhile) => meanwhile,
            Err(error) => {
                // The key belongs to another request, or the database is gone: nobody is told
                // something that another try would not confirm.
                for entry in entries.iter_mut().filter(|entry| entry.refusal().is_some()) {
                    entry.result = Err(error.clone());
                }
                return;
            }
        };
        for (place, entry) in (0..).zip(entries) {
            let other = meanwhile
                .get(&place)
                .and_then(|stored| read_kept(&stored.answer));
            if let (Some(other), Err(_)) = (other, &entry.result) {
                *entry = other;
            }
        }
    }
}

impl Entry {
    /// What is to be kept of an entry that was refused for good.
    fn refusal(&self) -> Option<Kept> {
        let error = self.result.as_ref().err()?;
        if error.status.is_server_error() {
            return None;
        }
        Some(Kept::Refused {
            ro_number: self.number,
            status: error.status.as_u16(),
            code: error.code,
            error: error.error.clone(),
            more: error.more.as_deref().cloned(),
        })
    }
}

fn read_kept(answer: &str) -> Option<Entry> {
    Some(match serde_json::from_str::<Kept>(answer).ok()? {
        Kept::Changed(changed) => Entry {
            number: changed["roNumber"]
                .as_i64()
                .and_then(|number| RoNumber::try_from(number).ok()),
            result: Ok(EntryResult::Again(changed)),
        },
        Kept::Refused {
            ro_number,
            status,
            code,
            error,
            more,
        } => Entry {
            number: ro_number,
            result: Err(ApiError {
                status: StatusCode::from_u16(status).unwrap_or(StatusCode::CONFLICT),
                code,
                error,
                more: more.map(Box::new),
                retry_after: None,
            }),
        },
    })
}

/// `refused` for a code that only another version of the server knows.
fn known_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ErrorCode, D::Error> {
    let code = Value::deserialize(deserializer)?;
    Ok(ErrorCode::deserialize(code).unwrap_or(ErrorCode::Refused))
}

impl Changed {
    pub fn new(order: &RepairOrder, events: &[Event], names: &TechnicianNames) -> Self {
        Self {
            ro_number: order.number.get(),
            ok: true,
            version: order.version,
            seq: events.last().map(|event| event.seq),
            rows: rows(order, names),
        }
    }
}

/// What became of each entry.
pub fn answer(entries: Vec<Entry>) -> Result<HttpResponse, ApiError> {
    let (numbers, results): (Vec<_>, Vec<_>) = entries
        .into_iter()
        .map(|entry| (entry.number, entry.result))
        .unzip();
    entries::answer(results, |place, error| {
        EntryResult::Refused(Refused {
            ro_number: numbers[place].map(RoNumber::get),
            ok: false,
            current: error.more.and_then(|more| more.get("current").cloned()),
            error: error.error,
            code: error.code,
        })
    })
}

fn refusal(services: &Services, failure: &Failure) -> ApiError {
    let error = ApiError::from(failure);
    match failure {
        Failure::Stale(stale) => {
            error.with(serde_json::json!({ "current": Current::new(stale, &services.names) }))
        }
        _ => error,
    }
}
