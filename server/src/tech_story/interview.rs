//! Whoever asks the questions: the seam between the conversation and an interviewer.

use async_trait::async_trait;
use dispatch_actors::repair_order::InterviewerId;
use dispatch_stories::{Interview, Reply};
use tokio::sync::watch;

use super::api_types::Interviewer as InterviewerInfo;

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

/// The interviewer that needs no language model.
pub struct BuiltIn;

#[async_trait]
impl Interviewer for BuiltIn {
    fn info(&self) -> InterviewerInfo {
        InterviewerInfo {
            id: InterviewerId::BuiltIn,
            name: "Built-in".to_owned(),
            model: None,
        }
    }

    async fn reply(
        &self,
        interview: &Interview,
        _: &watch::Sender<String>,
    ) -> Result<Reply, Failure> {
        Ok(dispatch_stories::reply(interview))
    }
}
