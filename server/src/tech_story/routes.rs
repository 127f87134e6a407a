//! The calls of an interview.

use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use dispatch_actors::repair_order::{
    Answer as InterviewAnswer, Command, JobTexts, RoNumber, StoryAnswer,
};
use dispatch_stories::MAX_QUESTIONS;
use serde_json::{Map, Value};
use tokio::sync::watch;

use super::api_types::{Interviewers, NextTurn, OfJob, SaveStory, StoryLimits, StoryProgress};
use super::interviews::stream;
use super::interviews::turns::Turn;
use super::state::TechStoryState;
use super::store::CONVERSATION_TTL;
use super::{MAX_CAUSE_CHARS, MAX_NOTES_CHARS, MAX_VALUE_CHARS, order_with_job, require_writer};
use crate::answer::{Answer, DONE, Done};
use crate::calls::Calls;
use crate::change_request::{ChangeRequest, fields};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::fact_check::Unconfirmed;
use crate::identity::{Caller, Path};
use crate::ids::{ConversationId, JobNumber, JobNumberInPath, RoNumberInPath};
use crate::repair_orders::api_types::ConflictBody;
use crate::repair_orders::execute::{ChangeExecutor, ChangedAnswer};
use crate::staff::Permission;
use crate::tech_story::api_types::OpenStory;
use crate::tech_story::api_types::StoryReply;
use crate::text::{self, MAX_TEXT_CHARS};
use crate::typed_params::ParseText;

pub fn configure(routes: &mut Calls<'_>) {
    routes
        .service(interviewers)
        .service(open)
        .service(next)
        .service(save)
        .service(cancel)
        .configure(super::story_kinds::configure);
}

/// Who can ask the questions, and how far an interview may go.
#[utoipa::path(
    operation_id = "story_interviewers",
    tag = "tech stories",
    responses(
        (status = 200, body = Answer<Interviewers>),
        (status = 403, body = ErrorBody, description = "The caller has no role"),
    )
)]
#[get("/api/tech-stories/interviewers")]
pub async fn interviewers(
    caller: Caller,
    state: web::Data<TechStoryState>,
) -> Result<web::Json<Answer<Interviewers>>, ApiError> {
    caller.require(Permission::EditJobs)?;
    let stories = &state.stories;
    let result = Interviewers {
        configured: stories.configured(),
        built_in: stories.built_in(),
        limits: StoryLimits {
            questions: MAX_QUESTIONS,
            cause_length: MAX_CAUSE_CHARS,
            notes_length: MAX_NOTES_CHARS,
            story_length: MAX_TEXT_CHARS,
            minutes: CONVERSATION_TTL.as_mins(),
        },
    };
    Ok(web::Json(Answer::new(result)))
}

/// Takes the interview a turn further: it is answered with the next question, or with the story. Sent
/// again with the same turns, it is answered the same, and no provider is asked twice.
///
/// With `Accept: text/event-stream` the answer is a stream of events: `progress` with the text as far
/// as it is there, and last `reply` with this call's answer or `refused` with an error.
#[utoipa::path(
    operation_id = "next_story_turn",
    tag = "tech stories",
    request_body = NextTurn,
    responses(
        (status = 200, content(
            (Answer<StoryReply> = "application/json"),
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
    state: web::Data<TechStoryState>,
    http: HttpRequest,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::EditJobs)?;
    let next_turn: NextTurn = fields(request.body)?;
    let number = next_turn.ro_number.parse()?;
    let JobNumber(job_number) = next_turn.job_number.parse()?;
    let turn = turn(next_turn)?;
    let order = order_with_job(&state, number, job_number).await?;
    require_writer(&caller, &order)?;
    let (progress, watched) = watch::channel(String::new());
    let stories = state.stories.clone();
    if stream::is_wanted(http.headers()) {
        let asking = async move {
            let reply = stories.next(&caller.uid, &order, job_number, turn, &progress);
            reply.await
        };
        return Ok(stream::answer(Box::pin(asking), watched));
    }
    drop(watched);
    let reply = stories.next(&caller.uid, &order, job_number, turn, &progress);
    let result = reply.await?;
    Ok(HttpResponse::Ok().json(Answer::new(result)))
}

/// The caller's own interview about this job that has not ended.
#[utoipa::path(
    operation_id = "open_story",
    tag = "tech stories",
    params(
        ("roNumber" = inline(RoNumberInPath), Query),
        ("jobNumber" = inline(JobNumberInPath), Query),
    ),
    responses(
        (status = 200, body = Answer<Option<OpenStory>>),
        (status = 403, body = ErrorBody, description = "The caller has no role, or is a technician who is not on this order"),
        (status = 404, body = ErrorBody, description = "`unknown-repair-order`, `unknown-job`"),
    )
)]
#[get("/api/tech-stories/open")]
pub async fn open(
    caller: Caller,
    state: web::Data<TechStoryState>,
    of: web::Query<OfJob>,
) -> Result<web::Json<Answer<Option<OpenStory>>>, ApiError> {
    caller.require(Permission::EditJobs)?;
    let number = RoNumber::parse_text(&of.ro_number)?;
    let JobNumber(job_number) = JobNumber::parse_text(&of.job_number)?;
    let order = order_with_job(&state, number, job_number).await?;
    require_writer(&caller, &order)?;
    let stories = &state.stories;
    let result = stories.open(&caller.uid, number.get(), job_number).await?;
    Ok(web::Json(Answer::new(result)))
}

/// Saves the interview's story on its job, and ends the interview.
#[utoipa::path(
    operation_id = "save_story",
    tag = "tech stories",
    params(
        ("conversationId" = inline(ConversationId), Path),
        crate::change_request::IdempotencyKeyHeader,
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
    state: web::Data<TechStoryState>,
    Path(ConversationId(id)): Path<ConversationId>,
    request: ChangeRequest<Map<String, Value>>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::EditJobs)?;
    let body: SaveStory = fields(request.body)?;
    let story = text::of_job(Some(body.story.0), "The story")?.unwrap_or_default();
    if story.is_empty() {
        return Err(ApiError::invalid("The story is empty"));
    }
    let stories = &state.stories;
    let interview = stories.own(&caller.uid, &id).await?;
    let number = RoNumber::try_from(interview.ro_number)
        .map_err(|_| ApiError::new(ErrorCode::UnknownRepairOrder, "There is no such order"))?;
    let order = order_with_job(&state, number, interview.job_number).await?;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    // Sent again, it is answered as before, although the interview has ended by then and the order may
    // be another technician's.
    let provenance = if executor.was_answered() {
        None
    } else {
        require_writer(&caller, &order)?;
        interview.require_open()?;
        interview.written()?;
        let subject = stories.subject(&order, interview.job_number).await?;
        Some(interview.provenance(subject, &story, &body.confirmed)?)
    };
    let command = Command::EditJob {
        job_number: interview.job_number,
        texts: JobTexts {
            tech_story: Some(story),
            ..JobTexts::default()
        },
        provenance: provenance.map(Box::new),
    };
    let answer = executor.execute_one(Ok(number), Ok(command), body.expected_version.0);
    let answer = answer.await?;
    if let Err(error) = stories.end(&interview).await {
        // The story is saved, which is what was asked for.
        tracing::warn!(%error, "an interview whose story is saved was not ended");
    }
    Ok(answer)
}

/// Ends an interview; nothing of it is saved.
#[utoipa::path(
    operation_id = "cancel_story",
    tag = "tech stories",
    params(("conversationId" = inline(ConversationId), Path)),
    responses(
        (status = 200, body = Done),
        (status = 403, body = ErrorBody, description = "The caller has no role"),
        (status = 404, body = ErrorBody, description = "`unknown-conversation`"),
    )
)]
#[delete("/api/tech-stories/{conversationId}")]
pub async fn cancel(
    caller: Caller,
    state: web::Data<TechStoryState>,
    Path(ConversationId(id)): Path<ConversationId>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::EditJobs)?;
    state.stories.cancel(&caller.uid, &id).await?;
    Ok(web::Json(DONE))
}

fn turn(next_turn: NextTurn) -> Result<Turn, ApiError> {
    let cause = text::cleaned(&next_turn.cause);
    let brief_tech_notes = text::cleaned(&next_turn.brief_tech_notes);
    if cause.is_empty() || brief_tech_notes.is_empty() {
        return Err(ApiError::invalid(
            "Please fill in both Cause and Brief Tech Notes",
        ));
    }
    for (what, text, most) in [
        ("The cause", &cause, MAX_CAUSE_CHARS),
        ("The notes", &brief_tech_notes, MAX_NOTES_CHARS),
    ] {
        let length = text.chars().count();
        if length > most {
            return Err(ApiError::invalid(format!(
                "{what} can have {most} characters; it has {length}"
            )));
        }
    }
    let turns = next_turn.conversation.into_iter().map(read_turn);
    let turns = turns.collect::<Result<_, _>>()?;
    Ok(Turn {
        conversation_id: next_turn.conversation_id.map(|ConversationId(id)| id),
        cause,
        brief_tech_notes,
        language: next_turn.language,
        interviewer: next_turn.interviewer,
        turns,
    })
}

/// A turn as it is kept: a value goes with a Yes alone, and an empty one is none.
fn read_turn(turn: StoryAnswer) -> Result<StoryAnswer, ApiError> {
    let value = turn.value.as_deref().map(text::one_line);
    let value = value.filter(|value| !value.is_empty() && turn.answer == InterviewAnswer::Yes);
    let length = value.as_ref().map_or(0, |value| value.chars().count());
    if length > MAX_VALUE_CHARS {
        return Err(ApiError::invalid(format!(
            "A value can have {MAX_VALUE_CHARS} characters; one has {length}"
        )));
    }
    Ok(StoryAnswer { value, ..turn })
}
