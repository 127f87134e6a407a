//! The body of a request that changes something, and the key that makes it safe to send again.
//!
//! A client that got no answer repeats its request with the same `Idempotency-Key` and gets the
//! first answer; the key is kept a day, for its user, in the transaction of the change.

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::error::ApiError;
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
        Ok(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => Err(ApiError::invalid(format!(
            "The header {HEADER} must be 1 to {LONGEST_KEY} plain characters"
        ))),
    }
}

fn hash(request: &HttpRequest, body: &[u8]) -> String {
    let mut hash = Sha256::new();
    for part in [
        request.method().as_str().as_bytes(),
        request.path().as_bytes(),
        body,
    ] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("{:x}", hash.finalize())
}

/// The same key was used for something else.
pub fn reused() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "idempotency-key-reused",
        format!("This {HEADER} was used for another request: make a new one for each"),
    )
}
