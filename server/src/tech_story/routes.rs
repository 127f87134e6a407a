//! The calls of an interview.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, delete, get, post, web};
use serde_json::{Map, Value};

use super::wire::{
    InterviewersAnswer, NextTurn, OfJob, OpenStoryAnswer, SaveStory, StoryProgress,
    StoryReplyAnswer, Unconfirmed,
};
use crate::app::Services;
use crate::change_request::{ChangeRequest, fields};
use crate::error::{ApiError, ErrorBody};
use crate::identity::Caller;
use crate::identity::routes::DoneAnswer;
use crate::numerals::{IdText, RoNumberText};
use crate::repair_orders::carry_out::ChangedAnswer;
use crate::repair_orders::changes::ConflictBody;

pub fn configure(routes: &mut web::ServiceConfig) {
    routes
        .service(interviewers)
        .service(open)
        .service(next)
        .service(save)
        .service(cancel);
}

/// Who can ask the questions, and how far an interview may go.
#[utoipa::path(
    operation_id = "story_interviewers",
    tag = "tech stories",
    security(("idToken" = [])),
    responses(
        (status = 200, body = InterviewersAnswer),
        (status = 403, body = ErrorBody, description = "The caller has no role"),
    )
)]
#[get("/api/tech-stories/interviewers")]
pub async fn interviewers(
    caller: Caller,
    services: web::Data<Services>,
) -> Result<web::Json<InterviewersAnswer>, ApiError> {
    let _ = (caller, services);
    Err(not_yet())
}

/// Takes the interview a turn further: it is answered with the next question, or with the story. Sent
/// again with the same turns, it is answered the same, and no provider is asked twice.
///
/// With `Accept: text/event-stream` the answer is a stream of events: `progress` with the text as far
/// as it is there, and last `reply` with this call's answer or `refused` with an error.
#[utoipa::path(
    operation_id = "next_story_turn",
    tag = "tech stories",
    security(("idToken" = [])),
    request_body = NextTurn,
    responses(
        (status = 200, content(
            (StoryReplyAnswer = "application/json"),
            (StoryProgress = "text/event-stream"),
        )),
        (status = 403, body = ErrorBody, description = "The caller has no role, or is a technician who is not on this order"),
        (status = 404, body = ErrorBody, description = "`unknown-repair-order`, `unknown-job`, `unknown-conversation`"),
        (status = 409, body = ErrorBody, description = "`conversation-moved-on`, `conversation-ended`, `too-many-questions`, `interviewer-not-configured`"),
        (status = 410, body = ErrorBody, description = "`conversation-expired`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`"),
        (status = 502, body = ErrorBody, description = "`unusable-reply`: what the interviewer said is neither a question nor a story"),
        (status = 503, body = ErrorBody, description = "`interviewer-unavailable`: it cannot be asked just now; the built-in one can"),
    )
)]
#[post("/api/tech-stories/next")]
pub async fn next(
    caller: Caller,
    services: web::Data<Services>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    let turn: NextTurn = fields(request.body)?;
    let _ = (caller, services, turn);
    Err(not_yet())
}

/// The caller's own interview about this job that has not ended.
#[utoipa::path(
    operation_id = "open_story",
    tag = "tech stories",
    security(("idToken" = [])),
    params(
        ("roNumber" = RoNumberText, Query),
        ("jobNumber" = IdText, Query, description = "Job number, from 1"),
    ),
    responses(
        (status = 200, body = OpenStoryAnswer),
        (status = 403, body = ErrorBody, description = "The caller has no role, or is a technician who is not on this order"),
        (status = 404, body = ErrorBody, description = "`unknown-repair-order`, `unknown-job`"),
    )
)]
#[get("/api/tech-stories/open")]
pub async fn open(
    caller: Caller,
    services: web::Data<Services>,
    of: web::Query<OfJob>,
) -> Result<web::Json<OpenStoryAnswer>, ApiError> {
    let _ = (caller, services, of);
    Err(not_yet())
}

/// Saves the interview's story on its job, and ends the interview.
#[utoipa::path(
    operation_id = "save_story",
    tag = "tech stories",
    security(("idToken" = [])),
    params(
        ("conversationId" = super::wire::ConversationId, Path),
        crate::openapi::IdempotencyKeyHeader,
    ),
    request_body = SaveStory,
    responses(
        (status = 200, body = ChangedAnswer),
        (status = 403, body = ErrorBody, description = "The caller has no role, or is a technician who is not on this order"),
        (status = 404, body = ErrorBody, description = "`unknown-conversation`, `unknown-repair-order`, `unknown-job`"),
        (status = 409, body = ConflictBody, description = "`stale-version`, `conversation-ended`, `story-not-finished`, `idempotency-key-reused`"),
        (status = 410, body = ErrorBody, description = "`conversation-expired`"),
        (status = 422, body = Unconfirmed, description = "`unconfirmed`: the story says what was neither entered nor answered, and nobody has confirmed it"),
    )
)]
#[post("/api/tech-stories/{conversationId}/save")]
pub async fn save(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    let body: SaveStory = fields(request.body)?;
    let _ = (caller, services, id, body);
    Err(not_yet())
}

/// Ends an interview; nothing of it is saved.
#[utoipa::path(
    operation_id = "cancel_story",
    tag = "tech stories",
    security(("idToken" = [])),
    params(("conversationId" = super::wire::ConversationId, Path)),
    responses(
        (status = 200, body = DoneAnswer),
        (status = 403, body = ErrorBody, description = "The caller has no role"),
        (status = 404, body = ErrorBody, description = "`unknown-conversation`"),
    )
)]
#[delete("/api/tech-stories/{conversationId}")]
pub async fn cancel(
    caller: Caller,
    services: web::Data<Services>,
    id: web::Path<String>,
) -> Result<web::Json<DoneAnswer>, ApiError> {
    let _ = (caller, services, id);
    Err(not_yet())
}

pub(super) fn not_yet() -> ApiError {
    ApiError::new(StatusCode::NOT_IMPLEMENTED, "not-implemented", "Not yet")
}
