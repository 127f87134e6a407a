//! The HTTP calls.

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;

use crate::TOKEN;
use crate::api_types::{Entries, EntryResult, List, PriorityEntry, Refused, StatusEntry};
use crate::shop::{Change, Entry};
use crate::writer::{Failed, Writer};

pub fn router(writer: Writer) -> Router {
    Router::new()
        .route("/api/auth/sign-in", post(sign_in))
        .route("/api/repair-orders", get(list))
        .route("/api/repair-orders/update-status", post(update_status))
        .route("/api/repair-orders/update-priority", post(update_priority))
        .with_state(writer)
}

/// What every answer that is no refusal has in common.
#[derive(Serialize)]
struct Answer<T> {
    ok: bool,
    result: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Session {
    id_token: &'static str,
    expires_in: u32,
}

async fn sign_in() -> Json<Answer<Session>> {
    Json(answer(Session {
        id_token: TOKEN,
        expires_in: 3_600,
    }))
}

async fn list(_: SignedIn, State(writer): State<Writer>) -> Result<Json<List>, Refused> {
    Ok(Json(writer.list().await?))
}

async fn update_status(
    _: SignedIn,
    State(writer): State<Writer>,
    entries: Result<Json<Entries<StatusEntry>>, JsonRejection>,
) -> Result<Json<Answer<Vec<EntryResult>>>, Refused> {
    let Json(Entries { data }) = entries?;
    let entries = data.into_iter().map(|entry| Entry {
        number: entry.repair_order_number,
        change: status(entry.id_status).map(Change::Status),
        expected_version: entry.expected_version,
    });
    change(&writer, entries.collect()).await
}

async fn update_priority(
    _: SignedIn,
    State(writer): State<Writer>,
    entries: Result<Json<Entries<PriorityEntry>>, JsonRejection>,
) -> Result<Json<Answer<Vec<EntryResult>>>, Refused> {
    let Json(Entries { data }) = entries?;
    let entries = data.into_iter().map(|entry| Entry {
        number: entry.ro_number,
        change: priority(entry.priority_level).map(Change::Priority),
        expected_version: entry.expected_version,
    });
    change(&writer, entries.collect()).await
}

fn status(id: u8) -> Result<&'static str, Refused> {
    match id {
        10 => Ok("Drop"),
        11 => Ok("Waiting"),
        12 => Ok("Used"),
        13 => Ok("PDI"),
        14 => Ok("ENG"),
        15 => Ok("Trans"),
        _ => Err(Refused::new(400, "invalid-status", "Invalid status")),
    }
}

fn priority(level: u8) -> Result<&'static str, Refused> {
    match level {
        1 => Ok("Low"),
        2 => Ok("Medium"),
        3 => Ok("High"),
        4 => Ok("Waiting"),
        _ => Err(Refused::new(400, "invalid-priority", "Invalid priority")),
    }
}

/// One entry answers with its own status, several with 200 and a result each.
async fn change(
    writer: &Writer,
    entries: Vec<Entry>,
) -> Result<Json<Answer<Vec<EntryResult>>>, Refused> {
    if entries.is_empty() {
        let why = "data is empty: send at least one entry";
        return Err(Refused::new(400, "invalid-request", why));
    }
    let mut results = writer.change(entries).await?;
    if let [EntryResult::Refused(_)] = results.as_slice()
        && let Some(EntryResult::Refused(refused)) = results.pop()
    {
        let ro_number = None;
        return Err(Refused {
            ro_number,
            ..refused
        });
    }
    let all = results.len();
    let is_refused = |result: &&EntryResult| matches!(result, EntryResult::Refused(_));
    let refused = results.iter().filter(is_refused).count();
    Ok(Json(Answer {
        ok: refused == 0,
        result: results,
        error: (refused > 0).then(|| format!("{refused} of {all} entries were refused")),
        code: (refused > 0).then_some("some-refused"),
    }))
}

fn answer<T>(result: T) -> Answer<T> {
    Answer {
        ok: true,
        result,
        error: None,
        code: None,
    }
}

/// A caller who has the token.
struct SignedIn;

impl<S: Sync> FromRequestParts<S> for SignedIn {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refused> {
        let header = parts.headers.get(AUTHORIZATION);
        let header = header.and_then(|value| value.to_str().ok());
        match header.and_then(|value| value.strip_prefix("Bearer ")) {
            Some(TOKEN) => Ok(Self),
            _ => Err(Refused::new(401, "unauthenticated", "Sign in again")),
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(self)).into_response()
    }
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(400, "invalid-request", rejection.body_text())
    }
}

impl From<Failed> for Refused {
    fn from(_: Failed) -> Self {
        Self::new(503, "unavailable", "The database did not answer")
    }
}
