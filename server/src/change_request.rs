//! The body of a request that changes something, and the key that makes it safe to send again.
//!
//! A client that got no answer repeats its request with the same `Idempotency-Key` and gets the
//! first answer; the key is kept a day, for its user, in the transaction of the change.

use std::collections::HashMap;

use actix_web::dev::Payload;
use actix_web::http::header::ContentType;
use actix_web::{FromRequest, HttpMessage, HttpRequest, HttpResponse, web};
use dispatch_actors::store::{ReceiptKey, Store, StoredAnswer, keep_receipt};
use futures_util::future::LocalBoxFuture;
use sea_orm::{ConnectionTrait, DbErr};
use serde::de::{DeserializeOwned, Deserializer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::{ApiError, ErrorCode};
use crate::limits;

const HEADER: &str = "Idempotency-Key";

/// Characters of a key.
const LONGEST_KEY: usize = 200;

/// A JSON body as `T`. An empty one, and null, reads as `{}`.
pub struct ChangeRequest<T> {
    pub body: T,
    pub key: Option<IdempotencyKey>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    pub key: String,
    /// Of method, path and body: the same key with another request is a mistake.
    pub request_hash: String,
}

impl<T: DeserializeOwned + 'static> FromRequest for ChangeRequest<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = web::Bytes::from_request(request, payload);
        let request = request.clone();
        Box::pin(async move {
            let bytes = bytes.await.map_err(limits::unreadable_body)?;
            let json = |mime: &mime::Mime| {
                mime.subtype() == mime::JSON || mime.suffix() == Some(mime::JSON)
            };
            let is_json = matches!(request.mime_type(), Ok(Some(mime)) if json(&mime));
            if !bytes.is_empty() && !is_json {
                return Err(limits::not_json());
            }
            let text: &[u8] = match bytes.trim_ascii() {
                b"" | b"null" => b"{}",
                text => text,
            };
            let body = serde_json::from_slice(text)
                .map_err(|why| ApiError::invalid(format!("The request cannot be read: {why}")))?;
            let key = key(&request)?.map(|key| IdempotencyKey {
                key,
                request_hash: hash(&request, &bytes),
            });
            Ok(Self { body, key })
        })
    }
}

fn key(request: &HttpRequest) -> Result<Option<String>, ApiError> {
    let Some(value) = request.headers().get(HEADER) else {
        return Ok(None);
    };
    match value.to_str().map(str::trim) {
        Ok(key)
            if (1..=LONGEST_KEY).contains(&key.len())
                && key.bytes().all(|byte| byte.is_ascii_graphic()) =>
        {
            Ok(Some(key.to_owned()))
        }
        _ => Err(ApiError::invalid(format!(
            "The header {HEADER} must be 1 to {LONGEST_KEY} plain characters without spaces"
        ))),
    }
}

fn hash(request: &HttpRequest, body: &[u8]) -> String {
    let method = request.method().as_str().as_bytes();
    digest(&[method, request.path().as_bytes(), body])
}

fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("{:x}", hash.finalize())
}

/// The answers that a request was given before, entry by entry; none for one without a key.
pub struct Receipts {
    store: Store,
    uid: String,
    key: Option<IdempotencyKey>,
    answers: HashMap<i32, StoredAnswer>,
}

impl Receipts {
    /// 409 `idempotency-key-reused` when the key was used for another request.
    pub async fn of(
        store: &Store,
        uid: &str,
        key: Option<IdempotencyKey>,
    ) -> Result<Self, ApiError> {
        let mut receipts = Self {
            store: store.clone(),
            uid: uid.to_owned(),
            key,
            answers: HashMap::new(),
        };
        receipts.answers = receipts.read().await?;
        Ok(receipts)
    }

    async fn read(&self) -> Result<HashMap<i32, StoredAnswer>, ApiError> {
        let Some(key) = &self.key else {
            return Ok(HashMap::new());
        };
        let answers = self.store.receipts(&self.uid, &key.key).await?;
        if answers
            .iter()
            .any(|(_, stored)| stored.request_hash != key.request_hash)
        {
            return Err(reused());
        }
        Ok(answers.into_iter().collect())
    }

    pub fn answer(&self, place: i32) -> Option<&str> {
        self.answers
            .get(&place)
            .map(|stored| stored.answer.as_str())
    }

    /// The answer of the same request that was under way at the same time. 409
    /// `idempotency-key-reused` when it was another request.
    pub async fn answer_meanwhile(&self, place: i32) -> Result<Option<String>, ApiError> {
        let mut answers = self.read().await?;
        Ok(answers.remove(&place).map(|stored| stored.answer))
    }

    /// Keeps answers that come without a change; gives those that were given meanwhile instead.
    pub async fn keep(
        &self,
        answers: Vec<(i32, String)>,
    ) -> Result<HashMap<i32, StoredAnswer>, ApiError> {
        let rows: Vec<_> = answers
            .into_iter()
            .filter_map(|(place, answer)| Some((self.key(place)?, answer)))
            .collect();
        let count = rows.len() as u64;
        if count == 0 || self.store.keep_receipts(rows).await? == count {
            return Ok(HashMap::new());
        }
        self.read().await
    }

    /// Whether answers are kept at all.
    pub fn has_key(&self) -> bool {
        self.key.is_some()
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

    /// What to keep the answer to an entry under.
    pub fn key(&self, place: i32) -> Option<ReceiptKey> {
        let key = self.key.as_ref()?;
        Some(ReceiptKey {
            uid: self.uid.clone(),
            key: key.key.clone(),
            entry: place,
            request_hash: key.request_hash.clone(),
        })
    }
}

/// An answer to keep in the transaction of what it answers.
pub struct Keep<'a, T> {
    pub key: ReceiptKey,
    pub answer: &'a (dyn Fn(&T) -> String + Sync),
}

impl<T> Keep<'_, T> {
    pub async fn keep(self, transaction: &impl ConnectionTrait, done: &T) -> Result<(), DbErr> {
        keep_receipt(transaction, &self.key, (self.answer)(done)).await
    }
}

/// Carries a change out and keeps its answer with it, or gives the answer that the same request
/// was given before.
pub async fn once<T: Serialize>(
    store: &Store,
    uid: &str,
    key: Option<IdempotencyKey>,
    carry_out: impl AsyncFnOnce(Option<Keep<'_, T>>) -> Result<T, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let receipts = Receipts::of(store, uid, key).await?;
    if let Some(before) = receipts.answer(0) {
        return Ok(answered(before));
    }
    let write = |done: &T| serde_json::json!({ "ok": true, "result": done }).to_string();
    let keep = receipts.key(0).map(|key| Keep {
        key,
        answer: &write,
    });
    match carry_out(keep).await {
        Ok(done) => Ok(answered(&write(&done))),
        // The same request may have been under way at the same time.
        Err(error) => {
            let meanwhile = receipts.answer_meanwhile(0).await?;
            meanwhile.as_deref().map(answered).ok_or(error)
        }
    }
}

fn answered(json: &str) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(json.to_owned())
}

/// A JSON object as `T`; of a body itself serde would take a list of the fields' values, too. 400
/// `invalid-request`.
pub fn fields<T: DeserializeOwned>(object: Map<String, Value>) -> Result<T, ApiError> {
    serde_json::from_value(Value::Object(object))
        .map_err(|why| ApiError::invalid(format!("The request cannot be read: {why}")))
}

/// For a field that may be left out but is not null where it is not, and for one (with an `Option`
/// as its type) where null says something else than leaving it out.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// The same key was used for something else.
fn reused() -> ApiError {
    ApiError::new(
        ErrorCode::IdempotencyKeyReused,
        format!("This {HEADER} was used for another request: make a new one for each"),
    )
}
