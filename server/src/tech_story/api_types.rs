//! Interviews and stories as clients see them.

use dispatch_actors::repair_order::{
    AnswerField, InterviewerId, StoryAnswer, StoryClaim, StoryKind,
};
use dispatch_actors::store::Channel;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{MAX_CAUSE_CHARS, MAX_NOTES_CHARS};
use crate::ids::{ConversationId, ExpectedVersion, JobNumberInBody, RoNumberInBody};
use crate::repair_orders::api_types::By;
use crate::text::{MAX_TEXT_CHARS, ReadableText};
use dispatch_stories::{Language, UnsupportedFact};

/// Who asks the questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Interviewer {
    pub id: InterviewerId,
    /// For people.
    pub name: String,
    /// None for the built-in one.
    #[schema(required)]
    pub model: Option<String>,
}

/// How far an interview may go.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoryLimits {
    pub questions: usize,
    /// Characters.
    pub cause_length: usize,
    pub notes_length: usize,
    pub story_length: usize,
    /// From its first question on.
    pub minutes: i64,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Interviewers {
    /// The one that the operator has chosen, which is asked unless the caller says otherwise.
    #[schema(required)]
    pub configured: Option<Interviewer>,
    pub built_in: Interviewer,
    pub limits: StoryLimits,
}

type Cause = ReadableText<MAX_CAUSE_CHARS>;
type BriefTechNotes = ReadableText<MAX_NOTES_CHARS>;
type StoryText = ReadableText<MAX_TEXT_CHARS>;

/// What the interviewer is to go on from.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NextTurn {
    pub ro_number: RoNumberInBody,
    pub job_number: JobNumberInBody,
    /// Of the interview that goes on; null or left out begins one, and ends the caller's other one
    /// about this job.
    #[serde(default)]
    pub conversation_id: Option<ConversationId>,
    pub cause: Cause,
    pub brief_tech_notes: BriefTechNotes,
    /// What the interview is held in, and the story written in.
    pub language: Language,
    /// Unless said: the configured one, and without one the built-in.
    #[serde(default)]
    pub interviewer: Option<InterviewerId>,
    /// Everything that was asked and answered so far.
    #[schema(max_items = 12)]
    pub conversation: Vec<StoryAnswer>,
}

/// What the interviewer says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum StoryReply {
    /// It asks, to be answered by Yes, No or N/A, and where it has a field with a value besides.
    #[serde(rename_all = "camelCase")]
    Question {
        conversation_id: String,
        interviewer: Interviewer,
        question: String,
        /// Which one it is, from 1.
        number: usize,
        /// How many there will be, where that is known; an answer may change it.
        #[schema(required)]
        of: Option<usize>,
        /// What can be given with a Yes.
        #[serde(default)]
        #[schema(required)]
        field: AnswerField,
    },
    /// It has written the story, which is nowhere saved yet.
    #[serde(rename_all = "camelCase")]
    TechStory {
        conversation_id: String,
        interviewer: Interviewer,
        story: String,
        /// What stands in it and in none of its inputs, in the order of the text.
        doubts: Vec<UnsupportedFact>,
        /// The claim's fields, from what was entered and answered.
        #[serde(default)]
        #[schema(required)]
        claim: StoryClaim,
    },
}

/// One message of the stream of an answer: the text as far as it is there.
#[derive(Serialize, ToSchema)]
pub struct StoryProgress {
    pub text: String,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct OfJob {
    // Who may not ask is told so before they are told what is missing.
    #[serde(default)]
    pub ro_number: String,
    #[serde(default)]
    pub job_number: String,
}

/// An interview that has not ended: what a page that was loaded again goes on from.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenStory {
    pub conversation_id: String,
    pub started_at: Timestamp,
    pub interviewer: Interviewer,
    pub cause: String,
    pub brief_tech_notes: String,
    /// What the interview is held in, and the story written in.
    pub language: Language,
    pub conversation: Vec<StoryAnswer>,
    pub reply: StoryReply,
}

/// A finished story to be saved on its job, as it was written or edited since.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveStory {
    pub story: StoryText,
    /// The text of each doubt that the caller has found to be right.
    #[schema(max_items = 500)]
    pub confirmed: Vec<String>,
    #[serde(default)]
    #[schema(required = false)]
    pub expected_version: ExpectedVersion,
}

/// A job's story as it was at some time.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoryVersion {
    /// Of the event that brought it.
    pub seq: i64,
    pub at: Timestamp,
    /// Nobody here, where it came with a file.
    #[schema(required)]
    pub by: Option<By>,
    pub channel: Channel,
    pub kind: StoryKind,
    /// Null where it was written by hand, or came with a file.
    #[schema(required)]
    pub interviewer: Option<InterviewerId>,
    #[schema(required)]
    pub model: Option<String>,
    /// What it was made of; empty where nobody was interviewed.
    pub cause: String,
    pub brief_tech_notes: String,
    pub answers: Vec<StoryAnswer>,
    /// Facts that were in none of these, and that who saved it has confirmed.
    pub confirmed: Vec<String>,
    /// Whether the interviewer's text was changed by hand before it was saved.
    pub edited: bool,
    /// The event whose story this is once more.
    #[schema(required)]
    pub restored_from: Option<i64>,
    /// The claim's fields; null where nobody was interviewed.
    #[schema(required)]
    pub claim: Option<StoryClaim>,
    pub story: String,
    /// Whether it is the job's story now.
    pub current: bool,
}
