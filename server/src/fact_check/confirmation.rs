//! What has to be confirmed before a story is saved, and where a story that was written by hand comes
//! from.

use dispatch_actors::repair_order::{JobTexts, RepairOrder, StoryKind, StoryProvenance};

use dispatch_stories::{
    FactKind, Inputs, Subject, UnsupportedFact, unconfirmed, unsupported_facts,
};

use crate::error::{ApiError, ErrorCode};

/// Where a story that was written by hand comes from; none where it states nothing that the order,
/// the job's other texts or the story before it do not state. 422 `unconfirmed` as for an interview's.
pub fn provenance_by_hand(
    order: &RepairOrder,
    job_number: i32,
    texts: &JobTexts,
    confirmed: &[String],
) -> Result<Option<StoryProvenance>, ApiError> {
    let mut jobs = order.jobs.iter();
    let job = jobs.find(|job| job.job_number == job_number);
    // Without such a job the order itself refuses it.
    let (Some(story), Some(job)) = (&texts.tech_story, job) else {
        return Ok(None);
    };
    let entered = [
        texts.cause.as_ref().unwrap_or(&job.cause),
        texts
            .brief_tech_notes
            .as_ref()
            .unwrap_or(&job.brief_tech_notes),
        &job.tech_story,
    ];
    let subject = Subject::of(order, job_number);
    let inputs = Inputs::of_job(&subject, entered.into_iter().map(String::as_str)).by_hand();
    let confirmed = require_confirmed(story, &inputs, confirmed)?;
    Ok((!confirmed.is_empty()).then(|| StoryProvenance {
        kind: StoryKind::Edited,
        confirmed,
        ..StoryProvenance::default()
    }))
}

/// What a story states that its inputs do not. 422 `unconfirmed` where that was not confirmed.
pub fn require_confirmed(
    story: &str,
    inputs: &Inputs,
    confirmed: &[String],
) -> Result<Vec<String>, ApiError> {
    let open = unconfirmed(story, inputs, confirmed);
    if !open.is_empty() {
        return Err(not_confirmed(&open));
    }
    let facts = unsupported_facts(story, inputs).into_iter();
    let mut found: Vec<String> = facts.map(|fact| fact.text).collect();
    found.dedup();
    Ok(found)
}

fn not_confirmed(facts: &[UnsupportedFact]) -> ApiError {
    let is_incomplete = facts.iter().any(|fact| fact.kind == FactKind::Missing);
    if is_incomplete {
        return ApiError::new(
            ErrorCode::Unconfirmed,
            "The story does not say what was found or what was done: write it in the place of the marked sentence",
        )
        .with(serde_json::json!({ "doubts": facts }));
    }
    ApiError::new(
        ErrorCode::Unconfirmed,
        // Also read on pages from before there was anything to confirm there.
        "The story states what was neither entered nor answered: confirm it, or take it out. If the page \
         shows nothing to confirm, copy your text and reload the page",
    )
    .with(serde_json::json!({ "doubts": facts }))
}
