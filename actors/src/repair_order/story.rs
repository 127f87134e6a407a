//! Where a job's story comes from, and what it was before.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Change, JobEdit, StoryClaim};

/// How a story came about, kept in the event that brought it. A story without it was written by
/// hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoryProvenance {
    pub kind: StoryKind,
    #[serde(default)]
    pub interviewer: Option<InterviewerId>,
    #[serde(default)]
    pub model: Option<String>,
    /// What was entered before the first question.
    #[serde(default)]
    pub cause: String,
    #[serde(default)]
    pub brief_tech_notes: String,
    #[serde(default)]
    pub answers: Vec<StoryAnswer>,
    /// What stands in the story and in none of its inputs, and was confirmed by who saved it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<String>,
    /// Whether the interviewer's text was changed by hand before it was saved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    /// The number of the event whose story this is again; interviewer and answers are that one's.
    #[serde(default)]
    pub restored_from: Option<i64>,
    /// The claim's fields, of a story that an interview came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<StoryClaim>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StoryKind {
    /// An interviewer wrote it.
    Interview,
    /// By hand.
    #[default]
    Edited,
    /// An older version once more.
    Restored,
    /// It came with the dealer system's file.
    Imported,
    /// A change was taken back.
    Undone,
}

/// Who asks the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InterviewerId {
    /// Ours: it works from a catalogue, and asks nobody.
    BuiltIn,
    Gemini,
    /// Any endpoint that speaks OpenAI's chat completions.
    Openai,
}

/// A question, and what the technician said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StoryAnswer {
    #[schema(min_length = 1, max_length = 2000)]
    pub question: String,
    pub answer: Answer,
    /// What was given with a Yes where the question asked for it: codes, a measured value, a part. With
    /// another answer it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 500)]
    pub value: Option<String>,
    /// What the question asked for. It is the server's word: what a client sends is not looked at.
    #[serde(default, skip_serializing_if = "AnswerField::is_none")]
    pub field: AnswerField,
}

/// What can be given with a Yes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerField {
    /// Nothing.
    #[default]
    None,
    /// Trouble codes.
    Codes,
    /// Values with units.
    Measurement,
    /// A number of miles or kilometers.
    Mileage,
    /// What a part is called.
    Part,
    PartNumber,
    /// A bulletin's number.
    Bulletin,
    /// A sentence.
    Text,
}

impl AnswerField {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Answer {
    Yes,
    No,
    #[serde(rename = "N/A")]
    NotApplicable,
}

/// What a change made of a job's story.
#[derive(Clone, Debug, PartialEq)]
pub struct StoryChange<'a> {
    pub kind: StoryKind,
    pub story: &'a str,
    pub provenance: Option<&'a StoryProvenance>,
}

impl Change {
    /// What this made of the job's story; none where it left it as it was. Whether it took another
    /// change back is its author's channel to say.
    pub fn story_of(&self, job_number: i32) -> Option<StoryChange<'_>> {
        match self {
            Change::Created { repair_order } => {
                let mut jobs = repair_order.jobs.iter();
                let job = jobs.find(|job| job.job_number == job_number)?;
                (!job.tech_story.is_empty()).then(|| StoryChange::imported(&job.tech_story))
            }
            Change::Imported { fields } => {
                let mut jobs = fields.jobs.iter();
                let JobEdit { from, to } = jobs.find(|edit| edit.to.job_number == job_number)?;
                let before = from.as_ref().map_or("", |job| &job.tech_story);
                (to.tech_story != before).then(|| StoryChange::imported(&to.tech_story))
            }
            Change::JobEdited {
                job_number: of,
                to,
                provenance,
                ..
            } if *of == job_number => Some(StoryChange {
                kind: provenance
                    .as_ref()
                    .map_or(StoryKind::Edited, |provenance| provenance.kind),
                story: to.tech_story.as_deref()?,
                provenance: provenance.as_deref(),
            }),
            _ => None,
        }
    }
}

impl<'a> StoryChange<'a> {
    fn imported(story: &'a str) -> Self {
        Self {
            kind: StoryKind::Imported,
            story,
            provenance: None,
        }
    }
}
