//! A turn held against the interview as it is known: whether it was answered before, goes one answer
//! further, or belongs to another interview; and what may be saved of one that is finished.

use dispatch_actors::repair_order::{
    AnswerField, InterviewerId, StoryAnswer, StoryKind, StoryProvenance,
};
use dispatch_stories::{Interview, Language, MAX_QUESTIONS, Subject, claim};
use jiff::Timestamp;

use super::super::api_types::StoryReply;
use super::super::interview::Failure;
use super::super::store::Conversation;
use crate::error::{ApiError, ErrorCode};
use crate::fact_check::require_confirmed;

/// The next turn as it was sent.
pub struct Turn {
    pub conversation_id: Option<String>,
    pub cause: String,
    pub brief_tech_notes: String,
    pub language: Language,
    pub interviewer: Option<InterviewerId>,
    pub turns: Vec<StoryAnswer>,
}

impl Conversation {
    pub fn require_open(&self) -> Result<(), ApiError> {
        if self.ended {
            return Err(ended());
        }
        if self.has_expired(Timestamp::now()) {
            return Err(ApiError::new(
                ErrorCode::ConversationExpired,
                "This interview was begun too long ago; begin another",
            ));
        }
        Ok(())
    }

    pub fn is_about(&self, turn: &Turn) -> bool {
        self.cause == turn.cause
            && self.brief_tech_notes == turn.brief_tech_notes
            && self.language == turn.language
            && turn.interviewer.is_none_or(|it| it == self.interviewer)
    }

    /// Notes with each answer what its question asked for, as this conversation knows it: a client's word does not count.
    pub fn note_fields(&self, turns: &mut [StoryAnswer]) {
        let now_asked = match &self.reply {
            StoryReply::Question { field, .. } => *field,
            StoryReply::TechStory { .. } => AnswerField::None,
        };
        let fields = self.turns.iter().map(|turn| turn.field);
        for (turn, field) in turns.iter_mut().zip(fields.chain([now_asked])) {
            turn.field = field;
        }
    }

    /// What was said to this very turn before; none where it goes one answer further.
    pub fn repeated_reply(&self, turn: &Turn) -> Result<Option<StoryReply>, ApiError> {
        if !self.is_about(turn) {
            return Err(moved_on());
        }
        if turn.turns == self.turns {
            return Ok(Some(self.reply.clone()));
        }
        let (Some((last, before)), StoryReply::Question { question, .. }) =
            (turn.turns.split_last(), &self.reply)
        else {
            return Err(moved_on());
        };
        if before != self.turns || last.question != *question {
            return Err(moved_on());
        }
        if turn.turns.len() > MAX_QUESTIONS {
            return Err(refusal(Failure::TooManyQuestions));
        }
        Ok(None)
    }

    /// The story that was written; 409 `story-not-finished`.
    pub fn written(&self) -> Result<&str, ApiError> {
        match &self.reply {
            StoryReply::TechStory { story, .. } => Ok(story),
            StoryReply::Question { .. } => Err(ApiError::new(
                ErrorCode::StoryNotFinished,
                "The interview has not come to its story yet",
            )),
        }
    }

    /// Where a story of this interview comes from. 422 `unconfirmed` where it states what nobody has
    /// entered, answered or confirmed.
    pub fn provenance(
        &self,
        subject: Subject,
        story: &str,
        confirmed: &[String],
    ) -> Result<StoryProvenance, ApiError> {
        let interview = Interview {
            language: self.language,
            subject,
            cause: self.cause.clone(),
            brief_tech_notes: self.brief_tech_notes.clone(),
            turns: self.turns.clone(),
        };
        let found = require_confirmed(story, &interview.inputs(), confirmed)?;
        let claim = claim(&interview);
        Ok(StoryProvenance {
            kind: StoryKind::Interview,
            interviewer: Some(self.interviewer),
            model: self.model.clone(),
            cause: interview.cause,
            brief_tech_notes: interview.brief_tech_notes,
            answers: interview.turns,
            confirmed: found,
            edited: self.written()? != story,
            restored_from: None,
            claim: Some(claim),
        })
    }
}

pub fn moved_on() -> ApiError {
    ApiError::new(
        ErrorCode::ConversationMovedOn,
        "The interview is somewhere else by now; load it again",
    )
}

pub fn ended() -> ApiError {
    ApiError::new(ErrorCode::ConversationEnded, "This interview has ended")
}

pub fn refusal(failure: Failure) -> ApiError {
    let (code, error) = match failure {
        Failure::Unavailable => (
            ErrorCode::InterviewerUnavailable,
            "The interviewer cannot be asked just now; the built-in one can",
        ),
        Failure::UnreadableReply => (
            ErrorCode::UnusableReply,
            "What the interviewer said is neither a question nor a story; try again, or ask the \
             built-in one",
        ),
        Failure::TooManyQuestions => (
            ErrorCode::TooManyQuestions,
            "The interviewer goes on asking and writes no story; ask the built-in one",
        ),
    };
    ApiError::new(code, error)
}
