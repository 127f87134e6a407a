//! The body of a request that changes something, and the key that makes it safe to send again.

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use futures_util::future::LocalBoxFuture;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::idempotency::IdempotencyKey;
use crate::error::ApiError;
use crate::limits;

pub(super) const HEADER: &str = "Idempotency-Key";

/// Characters of a key.
const MAX_KEY_LENGTH: usize = 200;

/// A JSON body as `T`. An empty one, and null, reads as `{}`.
pub struct ChangeRequest<T> {
    pub body: T,
    pub key: Option<IdempotencyKey>,
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
            if (1..=MAX_KEY_LENGTH).contains(&key.len())
                && key.bytes().all(|byte| byte.is_ascii_graphic()) =>
        {
            Ok(Some(key.to_owned()))
        }
        _ => Err(ApiError::invalid(format!(
            "The header {HEADER} must be 1 to {MAX_KEY_LENGTH} plain characters without spaces"
        ))),
    }
}

fn hash(request: &HttpRequest, body: &[u8]) -> String {
    let method = request.method().as_str().as_bytes();
    digest(&[method, request.path().as_bytes(), body])
}

pub(super) fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("{:x}", hash.finalize())
}

/// A JSON object as `T`; of a body itself serde would take a list of the fields' values, too. 400
/// `invalid-request`.
pub fn fields<T: DeserializeOwned>(object: Map<String, Value>) -> Result<T, ApiError> {
    serde_json::from_value(Value::Object(object))
        .map_err(|why| ApiError::invalid(format!("The request cannot be read: {why}")))
}

/// For a field that may be left out but is not null where it is not, and for one (with an `Option`
/// as its type) where null says something else than leaving it out.
pub fn double_option<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
