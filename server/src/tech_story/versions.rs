//! What a job's story was before, read from the order's events, and having it back.

use actix_web::{HttpResponse, get, post, web};
use dispatch_actors::repair_order::{Command, JobTexts, RoNumber, StoryKind, StoryProvenance};
use dispatch_actors::store::{Channel, Event};

use super::api_types::StoryVersion;
use super::state::TechStoryState;
use super::{order_with_job, require_writer};
use crate::answer::Answer;
use crate::calls::Calls;
use crate::change_request::ChangeRequest;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path};
use crate::ids::{JobNumber, JobNumberInPath, RoNumberInPath, StoryEventId};
use crate::repair_orders::api_types::{By, OfVersion, Refusals};
use crate::repair_orders::execute::{ChangeExecutor, ChangedAnswer};
use crate::staff::Permission;
use crate::text;

pub fn configure(routes: &mut Calls<'_>) {
    routes.service(list).service(restore);
}

/// Every story this job has had.
#[utoipa::path(
    operation_id = "story_versions",
    tag = "tech stories",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        ("jobNumber" = inline(JobNumberInPath), Path),
    ),
    responses(
        (status = 200, body = Answer<Vec<StoryVersion>>),
        (status = 403, body = ErrorBody, description = "The caller has no role, or is a technician who is not on this order"),
        (status = 404, body = ErrorBody, description = "`unknown-repair-order`, `unknown-job`"),
    )
)]
#[get("/api/repair-orders/{roNumber}/jobs/{jobNumber}/stories")]
pub async fn list(
    caller: Caller,
    state: web::Data<TechStoryState>,
    Path((number, job)): Path<(RoNumber, JobNumber)>,
) -> Result<web::Json<Answer<Vec<StoryVersion>>>, ApiError> {
    caller.require(Permission::EditJobs)?;
    let JobNumber(job_number) = job;
    let order = order_with_job(&state, number, job_number).await?;
    require_writer(&caller, &order)?;
    let events = state.store.events_from(number, 1).await?;
    let mut result: Vec<StoryVersion> = events
        .iter()
        .filter_map(|event| version(event, job_number))
        .collect();
    if let Some(newest) = result.last_mut() {
        newest.current = true;
    }
    result.reverse();
    Ok(web::Json(Answer::new(result)))
}

/// Makes an older story the job's story again.
#[utoipa::path(
    operation_id = "restore_story",
    tag = "tech stories",
    params(
        ("roNumber" = inline(RoNumberInPath), Path),
        ("jobNumber" = inline(JobNumberInPath), Path),
        ("seq" = inline(StoryEventId), Path),
        crate::change_request::IdempotencyKeyHeader,
    ),
    request_body = Option<OfVersion>,
    responses(
        (status = 200, body = ChangedAnswer),
        (status = 404, body = ErrorBody, description = "`unknown-repair-order`, `unknown-job`, `unknown-version`"),
        Refusals,
    )
)]
#[post("/api/repair-orders/{roNumber}/jobs/{jobNumber}/stories/{seq}/restore")]
pub async fn restore(
    caller: Caller,
    state: web::Data<TechStoryState>,
    Path((number, job, seq)): Path<(RoNumber, JobNumber, StoryEventId)>,
    request: ChangeRequest<OfVersion>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::EditJobs)?;
    let JobNumber(job_number) = job;
    let order = order_with_job(&state, number, job_number).await?;
    require_writer(&caller, &order)?;
    let command = restore_command(&state, number, job_number, &seq.0).await;
    let executor = ChangeExecutor::new(&state.orders, &caller, request.key).await?;
    let expected_version = request.body.expected_version.0;
    executor
        .execute_one(Ok(number), command, expected_version)
        .await
}

/// The command that makes the job's story what this event made it.
async fn restore_command(
    state: &TechStoryState,
    number: RoNumber,
    job_number: i32,
    seq: &str,
) -> Result<Command, ApiError> {
    let unknown = || {
        let seq = text::quotable(seq);
        ApiError::new(
            ErrorCode::UnknownVersion,
            format!("Job {job_number} of repair order {number} has no version {seq}"),
        )
    };
    let seq = seq.trim().parse().map_err(|_| unknown())?;
    let event = state.store.event(seq).await?;
    let event = event.filter(|event| event.number == number);
    let event = event.ok_or_else(unknown)?;
    let then = event.change.story_of(job_number).ok_or_else(unknown)?;
    let provenance = StoryProvenance {
        kind: StoryKind::Restored,
        restored_from: Some(seq),
        ..then.provenance.cloned().unwrap_or_default()
    };
    Ok(Command::EditJob {
        job_number,
        texts: JobTexts {
            tech_story: Some(then.story.to_owned()),
            ..JobTexts::default()
        },
        provenance: Some(Box::new(provenance)),
    })
}

fn version(event: &Event, job_number: i32) -> Option<StoryVersion> {
    let change = event.change.story_of(job_number)?;
    let is_undo = event.by.channel == Channel::Undo;
    let provenance = change.provenance.cloned().unwrap_or_default();
    Some(StoryVersion {
        seq: event.seq,
        at: event.at,
        by: (change.kind != StoryKind::Imported).then(|| By::from(event)),
        channel: event.by.channel,
        kind: if is_undo {
            StoryKind::Undone
        } else {
            change.kind
        },
        interviewer: provenance.interviewer,
        model: provenance.model,
        cause: provenance.cause,
        brief_tech_notes: provenance.brief_tech_notes,
        answers: provenance.answers,
        confirmed: provenance.confirmed,
        edited: provenance.edited,
        restored_from: provenance.restored_from,
        claim: provenance.claim,
        story: change.story.to_owned(),
        current: false,
    })
}
