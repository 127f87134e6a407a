//! What can go wrong, and how it is told: one place turns every error into status, code and
//! sentence. Handlers use `?`; nothing else writes an error answer.

use std::error::Error;
use std::fmt;
use std::iter::successors;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use actix_web::http::header::ALLOW;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use dispatch_actors::repair_order::Refusal;
use dispatch_actors::store::{StoreError, plain_sentence};
use dispatch_actors::supervisor::Failure;
use sea_orm::ConnAcquireErr;
use serde::Serialize;
use utoipa::ToSchema;

pub use crate::error_code::ErrorCode;

/// An answer other than 2xx. `error` is a sentence a person can act on, `code` is for programs.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub code: ErrorCode,
    pub error: String,
    /// More that a client can use, flattened into the answer: `current` of a stale version.
    pub more: Option<Box<serde_json::Value>>,
    /// Seconds until trying again can be of use, where that is known.
    pub retry_after: Option<u64>,
}

/// The shape of every error answer.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody<'a> {
    /// Always false.
    pub ok: bool,
    pub error: &'a str,
    pub code: ErrorCode,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub more: Option<&'a serde_json::Value>,
}

impl ApiError {
    pub fn new(code: ErrorCode, error: impl Into<String>) -> Self {
        Self {
            status: code.status(),
            code,
            error: error.into(),
            more: None,
            retry_after: None,
        }
    }

    pub fn invalid(error: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidRequest, error)
    }

    pub fn unauthorized(error: impl Into<String>) -> Self {
        Self::new(ErrorCode::Unauthorized, error)
    }

    pub fn forbidden(error: impl Into<String>) -> Self {
        Self::new(ErrorCode::Forbidden, error)
    }

    /// 405 `wrong-method` for a path that has other methods, which it names.
    pub fn wrong_method(request: &HttpRequest, allowed: &[&str]) -> HttpResponse {
        let allowed = allowed.join(", ");
        let sentence = format!(
            "{} does not take {}, only {allowed}",
            request.path(),
            request.method()
        );
        let error = Self::new(ErrorCode::WrongMethod, sentence);
        let mut answer = error.error_response();
        if let Ok(allowed) = allowed.parse() {
            answer.headers_mut().insert(ALLOW, allowed);
        }
        answer
    }

    /// Something that is not the caller's fault and that trying again may cure.
    pub fn unavailable() -> Self {
        ApiError::new(
            ErrorCode::Unavailable,
            "The server could not do this just now; please try again",
        )
    }

    /// 429 `too-many-requests`.
    pub fn too_many(wait: Duration) -> Self {
        let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
        let when = match seconds {
            ..=90 => format!("{seconds} seconds"),
            _ => format!("{} minutes", seconds.div_ceil(60)),
        };
        Self {
            retry_after: Some(seconds),
            ..ApiError::new(
                ErrorCode::TooManyRequests,
                format!("Too many attempts; wait {when} and try again"),
            )
        }
    }

    /// For the few codes whose status depends on who asks.
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    pub fn with(mut self, more: serde_json::Value) -> Self {
        self.more = Some(Box::new(more));
        self
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.status.as_u16(), self.code, self.error)
    }
}

impl Error for ApiError {}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let mut answer = HttpResponse::build(self.status);
        if self.status == StatusCode::UNAUTHORIZED {
            answer.insert_header(("WWW-Authenticate", "Bearer"));
        }
        if self.status == StatusCode::TOO_MANY_REQUESTS
            || self.status == StatusCode::SERVICE_UNAVAILABLE
        {
            let seconds = self.retry_after.unwrap_or(6);
            answer.insert_header(("Retry-After", seconds.to_string()));
        }
        answer.json(ErrorBody {
            ok: false,
            error: &self.error,
            code: self.code,
            more: self.more.as_deref(),
        })
    }
}

/// How often a database that fails is worth a line: while it is away every request meets it.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Different failures that get a line each within the interval.
const MAX_LOGGED: usize = 16;

/// What was logged within the interval. A failure is told by its text, in which no values of rows are:
/// one that is new must not go under in another that repeats.
#[derive(Debug, Default)]
struct LoggedFailures(Vec<(String, Instant)>);

impl LoggedFailures {
    /// Whether it is worth a line.
    fn is_new(&mut self, failure: &str, now: Instant) -> bool {
        self.0
            .retain(|(_, at)| now.duration_since(*at) < LOG_INTERVAL);
        let is_logged = self.0.iter().any(|(logged, _)| logged == failure);
        if is_logged || self.0.len() >= MAX_LOGGED {
            return false;
        }
        self.0.push((failure.to_owned(), now));
        true
    }
}

/// Whether the database was closed on purpose, as the server does when it stops: what still runs then has nothing to
/// tell. `error` may be of any layer above the database's.
pub fn is_closed_database(error: &(dyn Error + 'static)) -> bool {
    let causes = successors(Some(error), |&error| error.source());
    causes
        .filter_map(|cause| cause.downcast_ref())
        .any(|cause| matches!(cause, ConnAcquireErr::ConnectionClosed))
}

fn log_failure(error: &(dyn Error + 'static)) {
    static LOGGED: Mutex<LoggedFailures> = Mutex::new(LoggedFailures(Vec::new()));
    if is_closed_database(error) {
        tracing::debug!(%error, "the database is closed");
        return;
    }
    let error = plain_sentence(error);
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    if logged.is_new(&error, Instant::now()) {
        tracing::error!(
            error,
            "the database failed; requests that need it answer 503"
        );
    } else {
        tracing::debug!(error, "the database failed");
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        log_failure(&error);
        Self::unavailable()
    }
}

impl From<sea_orm::DbErr> for ApiError {
    fn from(error: sea_orm::DbErr) -> Self {
        log_failure(&error);
        Self::unavailable()
    }
}

/// A stale version needs the current row beside it; the repair-order routes answer it.
impl From<&Failure> for ApiError {
    fn from(failure: &Failure) -> Self {
        let code = match failure {
            Failure::Unavailable => return Self::unavailable(),
            Failure::Unknown(_) => ErrorCode::UnknownRepairOrder,
            Failure::Stale(_) => ErrorCode::StaleVersion,
            Failure::Repeated => ErrorCode::Repeated,
            Failure::Refused(refusal) => match refusal {
                Refusal::UnknownJob { .. } => ErrorCode::UnknownJob,
                Refusal::Closed(_) => ErrorCode::RepairOrderClosed,
                Refusal::EtlTechnician { .. } => ErrorCode::EtlTechnician,
                Refusal::NumberCollision { .. } => ErrorCode::NumberCollision,
                Refusal::NotAssigned { .. } => ErrorCode::NotAssigned,
                Refusal::ChangedSince { .. } => ErrorCode::ChangedSince,
                Refusal::CannotUndoImport
                | Refusal::CannotUndoErasure
                | Refusal::CannotUndoWork => ErrorCode::CannotUndo,
                Refusal::StagesOff => ErrorCode::StagesOff,
                Refusal::UnknownStage(_) => ErrorCode::UnknownStage,
                Refusal::UnknownHold { .. } => ErrorCode::UnknownHold,
                Refusal::OnHold(_) => ErrorCode::OnHold,
                Refusal::NothingToCallAbout { .. } => ErrorCode::NothingToCallAbout,
            },
        };
        Self::new(code, failure.to_string())
    }
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;

    use super::*;

    #[tokio::test]
    async fn a_database_that_was_closed_on_purpose_is_known_by_its_error() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        store.close().await;
        let closed = store.top().await.unwrap_err();
        assert!(is_closed_database(&closed), "{closed}");
        let closed = store.begin_write().await.map(drop).unwrap_err();
        assert!(is_closed_database(&closed), "{closed}");
        // Whatever it says.
        let text = "Failed to acquire connection from pool: Connection closed";
        assert!(closed.to_string().ends_with(text), "{closed}");
        assert!(!is_closed_database(&sea_orm::DbErr::Custom(
            text.to_owned()
        )));
    }

    #[test]
    fn a_failure_that_repeats_is_logged_every_ten_seconds_and_another_one_at_once() {
        let mut logged = LoggedFailures::default();
        let start = Instant::now();
        let mut is_new =
            |failure: &str, seconds| logged.is_new(failure, start + Duration::from_secs(seconds));
        assert!(is_new("no connection", 0) && !is_new("no connection", 9));
        assert!(is_new("no such table", 9) && is_new("no connection", 10));
        assert!(!is_new("no such table", 18) && is_new("no such table", 19));
        let texts = (0..100).map(|number| number.to_string());
        let count = texts.filter(|text| is_new(text, 40)).count();
        assert_eq!(count, MAX_LOGGED);
    }
}
