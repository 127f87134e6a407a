//! The jobs of an order, and the shop's own texts about them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Change, JobTexts, Refusal, RepairOrder, SoldHours, StoryProvenance};

/// A job as it stands on the order. Concern, operations and assignments are the dealer system's;
/// cause, notes and story the shop's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Job {
    pub job_number: i32,
    pub concern: String,
    pub cause: String,
    pub brief_tech_notes: String,
    pub tech_story: String,
    pub operations: Vec<Operation>,
    pub assignments: Vec<JobAssignment>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Operation {
    #[schema(required)]
    pub operation_code: String,
    /// Spelled as the wire spells it.
    #[serde(rename = "operationDesciption")]
    #[schema(required)]
    pub operation_description: String,
    /// Null where the dealer's system did not say.
    #[schema(required)]
    pub sold_hours: Option<SoldHours>,
}

impl Job {
    /// Of all its operations; none where none of them says.
    pub fn sold_hours(&self) -> Option<SoldHours> {
        let sold_hours = self.operations.iter().filter_map(|one| one.sold_hours);
        let hundredths = sold_hours.map(SoldHours::hundredths);
        hundredths
            .reduce(i32::saturating_add)
            .map(|sum| sum.min(SoldHours::MAX.hundredths()))
            .and_then(SoldHours::from_hundredths)
    }
}

/// Who the dealer's system says works on a job, kept as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct JobAssignment {
    #[schema(required)]
    pub source: String,
    #[schema(required)]
    pub first_name: String,
}

impl RepairOrder {
    pub(super) fn edit_job(
        &self,
        job_number: i32,
        texts: &JobTexts,
        provenance: Option<&StoryProvenance>,
    ) -> Result<Vec<Change>, Refusal> {
        let job = self
            .jobs
            .iter()
            .find(|job| job.job_number == job_number)
            .ok_or(Refusal::UnknownJob {
                number: self.number,
                job_number,
            })?;
        let (mut from, mut to) = (JobTexts::default(), JobTexts::default());
        for (ours, theirs, from, to) in [
            (&job.cause, &texts.cause, &mut from.cause, &mut to.cause),
            (
                &job.brief_tech_notes,
                &texts.brief_tech_notes,
                &mut from.brief_tech_notes,
                &mut to.brief_tech_notes,
            ),
            (
                &job.tech_story,
                &texts.tech_story,
                &mut from.tech_story,
                &mut to.tech_story,
            ),
        ] {
            if theirs.as_ref().is_some_and(|theirs| theirs != ours) {
                *from = Some(ours.clone());
                to.clone_from(theirs);
            }
        }
        Ok(if to == JobTexts::default() {
            Vec::new()
        } else {
            let of_story = provenance.filter(|_| to.tech_story.is_some());
            vec![Change::JobEdited {
                job_number,
                from,
                to,
                provenance: of_story.cloned().map(Box::new),
            }]
        })
    }

    pub(super) fn take_texts(&mut self, job_number: i32, texts: &JobTexts) {
        let job = Arc::make_mut(&mut self.jobs)
            .iter_mut()
            .find(|job| job.job_number == job_number);
        let Some(job) = job else { return };
        for (ours, theirs) in [
            (&mut job.cause, &texts.cause),
            (&mut job.brief_tech_notes, &texts.brief_tech_notes),
            (&mut job.tech_story, &texts.tech_story),
        ] {
            if let Some(theirs) = theirs {
                ours.clone_from(theirs);
            }
        }
    }
}
