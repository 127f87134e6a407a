//! What an interviewer is given, and what it says.

use dispatch_actors::repair_order::{Answer, AnswerField, StoryAnswer};

use crate::Language;
use crate::facts::{Inputs, Subject};

/// Questions that an interview may have.
pub const MAX_QUESTIONS: usize = 12;

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
        /// What a Yes can give besides.
        field: AnswerField,
    },
    Story(String),
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
                inputs.add(turn.value.as_deref().unwrap_or_default());
            }
        }
        inputs
    }
}
