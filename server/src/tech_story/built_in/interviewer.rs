//! The course of an interview: which question comes next.

use async_trait::async_trait;
use dispatch_actors::repair_order::{Answer, InterviewerId};
use tokio::sync::watch;

use super::super::api_types::Interviewer as InterviewerInfo;
use super::super::interview::{Failure, Interview, Interviewer, Reply};
use super::catalogue::{Catalogue, Kind, Question, Texts};
use super::compose;

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
        Ok(reply(interview))
    }
}

/// The next question, or the story when all have been answered.
pub fn reply(interview: &Interview) -> Reply {
    let catalogue = Catalogue::get();
    let course = Course::of(catalogue.kind(&interview.subject), interview);
    match course.next {
        Some(next) => Reply::Question {
            question: Texts::of(interview.language).question(next).ask.clone(),
            of: Some(course.answered.len() + course.remaining),
        },
        None => Reply::Story(compose::story(interview, &course.answered)),
    }
}

/// How far the questions of a kind have been answered.
struct Course<'a> {
    answered: Vec<(&'a Question, Answer)>,
    next: Option<&'a Question>,
    /// Questions that may still come, the next one among them.
    remaining: usize,
}

impl<'a> Course<'a> {
    fn of(kind: &'a Kind, interview: &Interview) -> Self {
        let mut course = Course {
            answered: Vec::new(),
            next: None,
            remaining: 0,
        };
        let mut answers = interview.turns.iter().map(|turn| turn.answer);
        for question in kind.questions() {
            if !course.is_asked(question) {
                continue;
            }
            if course.next.is_none() {
                match answers.next() {
                    Some(answer) => {
                        course.answered.push((question, answer));
                        continue;
                    }
                    None => course.next = Some(question),
                }
            }
            course.remaining += 1;
        }
        course
    }

    /// Some questions follow a Yes alone. One that is not answered yet may be a Yes.
    fn is_asked(&self, question: &Question) -> bool {
        let Some(after) = &question.after else {
            return true;
        };
        let mut answered = self.answered.iter();
        match answered.find(|(question, _)| question.id == *after) {
            Some((_, answer)) => *answer == Answer::Yes,
            None => self.next.is_some(),
        }
    }
}
