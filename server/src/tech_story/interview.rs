//! What an interviewer is given, and what it says: the seam between the conversation and whoever
//! asks the questions.

use async_trait::async_trait;
use dispatch_actors::repair_order::{Answer, StoryAnswer};
use tokio::sync::watch;

use super::MAX_QUESTIONS;
use super::api_types::Interviewer as InterviewerInfo;
use crate::fact_check::{Inputs, Subject};
use crate::language::Language;

/// Who asks the questions and writes the story.
#[async_trait]
pub trait Interviewer: Send + Sync {
    /// As it is shown to people.
    fn info(&self) -> InterviewerInfo;

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
    UnreadableReply,
    #[error("the interviewer goes on asking after the last question")]
    TooManyQuestions,
}

impl Interview {
    /// Whether no question may follow.
    pub fn must_end(&self) -> bool {
        self.turns.len() >= MAX_QUESTIONS
    }

    /// Everything that its story may state: a question that was answered by No has confirmed nothing.
    pub fn inputs(&self) -> Inputs {
        let entered = [&*self.cause, &*self.brief_tech_notes];
        let mut inputs = Inputs::of_job(&self.subject, entered);
        for turn in &self.turns {
            if turn.answer == Answer::Yes {
                inputs.add(&turn.question);
            }
        }
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact_check::unsupported_facts;

    #[test]
    fn only_a_yes_confirms_what_a_question_says() {
        let mut interview = Interview {
            language: Language::En,
            subject: Subject::default(),
            cause: "Worn pads".to_owned(),
            brief_tech_notes: "-".to_owned(),
            turns: vec![StoryAnswer {
                question: "Was the torque 94 lb-ft?".to_owned(),
                answer: Answer::Yes,
            }],
        };
        let unsupported =
            |interview: &Interview| unsupported_facts("Torqued to 94 lb-ft.", &interview.inputs());
        assert_eq!(unsupported(&interview), []);
        for answer in [Answer::No, Answer::NotApplicable] {
            interview.turns[0].answer = answer;
            assert_eq!(unsupported(&interview).len(), 1);
        }
    }
}
