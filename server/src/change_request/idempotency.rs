//! The answers that a request was given before, by its idempotency key.

use std::collections::HashMap;
use std::sync::Arc;

use dispatch_actors::repair_order::RepairOrder;
use dispatch_actors::store::{
    Event, IdempotencyRecord, IdempotencyRecordKey, Store, keep_idempotency_record,
};
use sea_orm::{ConnectionTrait, DbErr};
use serde::Serialize;
use serde_json::value::RawValue;

use uuid::Uuid;

use super::body::{HEADER, digest};
use super::kept_answer::{KeptAnswer, KeptRefusal};
use crate::error::{ApiError, ErrorCode};

/// Where the subject of a request is kept, beside its entries' answers.
const SUBJECT: i32 = -1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    pub key: String,
    /// Of method, path and body: the same key with another request is a mistake.
    pub request_hash: String,
}

/// The answers that a request was given before, entry by entry; none for one without a key.
pub struct IdempotencyRecords {
    store: Store,
    uid: String,
    key: Option<IdempotencyKey>,
    kept: KeptAnswers,
}

/// Answers as they are kept, by entry.
#[derive(Default)]
pub(super) struct KeptAnswers(HashMap<i32, String>);

/// Keeps the answer to one entry, in the transaction of its change; does nothing for a request
/// without a key.
pub struct AnswerKeeper(Option<IdempotencyRecordKey>);

impl IdempotencyRecords {
    /// 409 `idempotency-key-reused` when the key was used for another request.
    pub async fn open(
        store: &Store,
        uid: &str,
        key: Option<IdempotencyKey>,
    ) -> Result<Self, ApiError> {
        let mut records = Self {
            store: store.clone(),
            uid: uid.to_owned(),
            key,
            kept: KeptAnswers::default(),
        };
        records.kept = records.read().await?;
        Ok(records)
    }

    /// The answers as they are now: the same request may be under way at the same time. 409
    /// `idempotency-key-reused` when that is another request.
    pub(super) async fn read(&self) -> Result<KeptAnswers, ApiError> {
        let Some(IdempotencyKey { key, request_hash }) = &self.key else {
            return Ok(KeptAnswers::default());
        };
        let stored = self.store.idempotency_records(&self.uid, key).await?;
        let mut kept = HashMap::with_capacity(stored.len());
        for (entry, stored) in stored {
            if stored.request_hash != *request_hash {
                return Err(reused());
            }
            kept.insert(entry, stored.answer);
        }
        Ok(KeptAnswers(kept))
    }

    /// Whether answers are kept at all.
    pub(super) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// How an entry was answered before, if it was.
    pub fn answer(&self, entry: i32) -> Option<Result<Box<RawValue>, ApiError>> {
        self.kept.answer(entry)
    }

    pub fn keeper(&self, entry: i32) -> AnswerKeeper {
        AnswerKeeper(self.record_key(entry))
    }

    /// The same for the same request of the same person; another each time for one without a key.
    /// Those begin with the time: the log's index by request grows at its end.
    pub fn request_id(&self) -> String {
        match &self.key {
            None => Uuid::now_v7().to_string(),
            Some(key) => {
                digest(&[&self.uid, &key.key, &key.request_hash].map(|text| text.as_bytes()))
            }
        }
    }

    /// What the request was found to be about the first time.
    pub fn subject(&self) -> Option<String> {
        self.kept.subject()
    }

    /// What the same request, under way at the same time, was found to be about.
    pub async fn subject_meanwhile(&self) -> Result<Option<String>, ApiError> {
        Ok(self.read().await?.subject())
    }

    /// Keeps what the request is about; gives what the same request, under way at the same time, was
    /// found to be about.
    pub async fn keep_subject(&self, subject: String) -> Result<String, ApiError> {
        let kept = KeptAnswer::<()>::Subject(subject.clone()).write();
        let meanwhile = self.keep(vec![(SUBJECT, kept)]).await?;
        Ok(meanwhile.subject().unwrap_or(subject))
    }

    /// Keeps refusals, which come without a change. Gives the answers of the same request where it
    /// was under way at the same time.
    pub(super) async fn keep_refusals<'a>(
        &self,
        refusals: impl Iterator<Item = (i32, &'a ApiError)>,
    ) -> Result<KeptAnswers, ApiError> {
        let answers = refusals.filter_map(|(entry, error)| {
            let kept = KeptAnswer::<()>::Refused(KeptRefusal::of(error)?);
            Some((entry, kept.write()))
        });
        self.keep(answers.collect()).await
    }

    /// Gives the key's answers where one of these entries has been answered meanwhile.
    async fn keep(&self, answers: Vec<(i32, String)>) -> Result<KeptAnswers, ApiError> {
        let rows: Vec<_> = answers
            .into_iter()
            .filter_map(|(entry, answer)| Some((self.record_key(entry)?, answer)))
            .collect();
        let count = rows.len() as u64;
        if count == 0 || self.store.keep_idempotency_records(rows).await? == count {
            return Ok(KeptAnswers::default());
        }
        self.read().await
    }

    fn record_key(&self, entry: i32) -> Option<IdempotencyRecordKey> {
        let key = self.key.as_ref()?;
        Some(IdempotencyRecordKey {
            uid: self.uid.clone(),
            key: key.key.clone(),
            entry,
            request_hash: key.request_hash.clone(),
        })
    }
}

impl KeptAnswers {
    pub(super) fn answer(&self, entry: i32) -> Option<Result<Box<RawValue>, ApiError>> {
        let text = self.0.get(&entry)?;
        KeptAnswer::read(text)?.into_result()
    }

    fn subject(&self) -> Option<String> {
        let text = self.0.get(&SUBJECT)?;
        Some(KeptAnswer::read_subject(text))
    }
}

impl AnswerKeeper {
    /// For a change that nobody asks for with a key.
    pub fn none() -> Self {
        Self(None)
    }

    /// `result`: the entry's part of the answer.
    pub async fn keep<T: Serialize>(
        &self,
        transaction: &impl ConnectionTrait,
        result: &T,
    ) -> Result<(), DbErr> {
        let Some(key) = &self.0 else { return Ok(()) };
        let answer = KeptAnswer::Changed(result).write();
        keep_idempotency_record(transaction, key, answer).await
    }

    /// For a repair order's change, which the committer writes: the result is made once its events
    /// have their numbers.
    pub fn into_record<T: Serialize>(
        self,
        result: impl Fn(&RepairOrder, &[Event]) -> T + Send + Sync + 'static,
    ) -> Option<IdempotencyRecord> {
        Some(IdempotencyRecord {
            key: self.0?,
            answer: Arc::new(move |order, events| {
                KeptAnswer::Changed(result(order, events)).write()
            }),
        })
    }
}

/// The same key was used for something else.
fn reused() -> ApiError {
    ApiError::new(
        ErrorCode::IdempotencyKeyReused,
        format!("This {HEADER} was used for another request: make a new one for each"),
    )
}
