//! What an interviewer is given, and what it says: the seam between the conversation and whoever
//! asks the questions.

use async_trait::async_trait;
use dispatch_actors::repair_order::{RepairOrder, StoryAnswer};
use tokio::sync::watch;

use super::MOST_QUESTIONS;
use super::wire::Interviewer as Who;
use crate::language::Language;
use crate::text;

/// Who asks the questions and writes the story.
#[async_trait]
pub trait Interviewer: Send + Sync {
    /// As it is shown to people.
    fn who(&self) -> Who;

    /// What it says to the interview as it stands. Dropped, it stops asking. `progress`: the text as
    /// far as it is there, for who can tell.
    async fn reply(
        &self,
        interview: &Interview,
        progress: &watch::Sender<String>,
    ) -> Result<Reply, Failure>;
}

/// An interview as far as it has come. Everything in it was written by customers and technicians.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interview {
    pub language: Language,
    pub subject: Subject,
    pub cause: String,
    pub brief_tech_notes: String,
    pub turns: Vec<StoryAnswer>,
}

/// What it is about, as the order has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    pub vehicle: String,
    pub vin: String,
    pub concern: String,
    /// Of the job's first operation.
    pub operation_code: String,
    pub operation_description: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Question {
        question: String,
        /// How many there will be, where that is known.
        of: Option<usize>,
    },
    Story(String),
}

/// Why there is no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("the interviewer cannot be asked just now")]
    Unavailable,
    #[error("what the interviewer said is neither a question nor a story")]
    Unusable,
    #[error("the interviewer goes on asking after the last question")]
    TooManyQuestions,
}

/// Characters of a concern that go into an interview; a story has to have room for it.
const LONGEST_CONCERN: usize = 6_000;

impl Interview {
    /// Whether no question may follow.
    pub fn must_end(&self) -> bool {
        self.turns.len() >= MOST_QUESTIONS
    }
}

impl Subject {
    pub fn of(order: &RepairOrder, job_number: i32) -> Self {
        let mut jobs = order.jobs.iter();
        let job = jobs.find(|job| job.job_number == job_number);
        let operation = job.and_then(|job| job.operations.first());
        let line = |text: &str| text::one_line(text);
        Self {
            vehicle: line(&order.header.vehicle),
            vin: line(&order.header.vin),
            concern: job.map_or_else(String::new, |job| {
                let concern = line(&job.concern);
                concern.chars().take(LONGEST_CONCERN).collect()
            }),
            operation_code: operation.map_or_else(String::new, |it| line(&it.operation_code)),
            operation_description: operation
                .map_or_else(String::new, |it| line(&it.operation_description)),
        }
    }

    /// Year, make and model: the vehicle's first word, its second, and the rest.
    pub fn year_make_model(&self) -> [&str; 3] {
        let (year, rest) = word(&self.vehicle);
        let (make, model) = word(rest);
        [year, make, model]
    }
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}
