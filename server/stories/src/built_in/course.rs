//! The course of an interview: which question comes next.

use dispatch_actors::repair_order::{Answer, AnswerField, StoryAnswer};

use super::catalogue::{Catalogue, Question, Texts};
use super::conflicts;
use super::entries::Entries;
use crate::interview::{Interview, MAX_QUESTIONS};

/// A question with what the technician said.
#[derive(Clone)]
pub struct Answered {
    pub question: &'static Question,
    pub answer: Answer,
    /// What was given with a Yes.
    pub value: Option<String>,
}

/// How far the questions of a job have been answered.
pub struct Course {
    pub answered: Vec<Answered>,
    pub next: Option<&'static Question>,
    /// Questions that may still come, the next one among them.
    pub remaining: usize,
}

/// The catalogue's question that was answered; none where a language model asked in its own words.
fn question_of(turn: &StoryAnswer, interview: &Interview) -> Option<&'static Question> {
    let texts = Texts::of(interview.language);
    let mut all = Catalogue::get().all();
    all.find(|it| texts.question(it).ask == turn.question)
}

/// Answers to questions that are not the catalogue's.
pub fn answers_beyond_catalogue(interview: &Interview) -> impl Iterator<Item = &StoryAnswer> {
    let turns = interview.turns.iter();
    turns.filter(|turn| question_of(turn, interview).is_none())
}

impl Course {
    pub fn of(interview: &Interview, entries: &Entries) -> Self {
        let catalogue = Catalogue::get();
        let kind = catalogue.kind(&interview.subject);
        let needed: &[&str] = match kind.routine {
            true => &["what-done"],
            false => &["what-found", "what-done"],
        };
        let needed = needed.iter().map(|id| catalogue.question(id));
        let mut course = Self {
            answered: Vec::new(),
            next: None,
            remaining: 0,
        };
        for question in needed.chain(catalogue.questions(kind)) {
            course.ask(question, interview, entries);
        }
        course.add_answers_of_others(interview);
        if course.next.is_none() {
            for question in conflicts::questions(entries, &course.answered) {
                course.ask(question, interview, entries);
            }
        }
        if interview.turns.len() >= MAX_QUESTIONS {
            course.next = None;
        }
        course.remaining = course
            .remaining
            .min(MAX_QUESTIONS - interview.turns.len().min(MAX_QUESTIONS));
        course
    }

    /// Answers to questions that this job would not be asked now, because the shop has named another kind for its
    /// operation code or the catalogue has changed meanwhile: what was answered is told all the same.
    fn add_answers_of_others(&mut self, interview: &Interview) {
        for turn in &interview.turns {
            let Some(question) = question_of(turn, interview) else {
                continue;
            };
            let is_told = self.answered.iter().any(|it| it.question.id == question.id);
            if !is_told && !question.id.starts_with("conflict-") {
                self.answered.push(Answered {
                    question,
                    answer: turn.answer,
                    value: turn.value.clone(),
                });
            }
        }
    }

    /// Takes the question's answer, or asks it where it has none and the entries do not answer it.
    fn ask(&mut self, question: &'static Question, interview: &Interview, entries: &Entries) {
        if !self.is_asked(question, entries) || entries.answer(question).is_some() {
            return;
        }
        let ask = &Texts::of(interview.language).question(question).ask;
        // An interview that goes on may have been asked by another version: its questions are known by
        // their texts.
        if let Some(turn) = interview.turns.iter().find(|turn| turn.question == *ask) {
            let value = turn
                .value
                .clone()
                .filter(|_| question.field != AnswerField::None);
            self.answered.push(Answered {
                question,
                answer: turn.answer,
                value,
            });
            return;
        }
        self.next.get_or_insert(question);
        self.remaining += 1;
    }

    /// Some questions follow a Yes alone, answered or entered. One that is not answered yet may be a Yes.
    fn is_asked(&self, question: &Question, entries: &Entries) -> bool {
        let Some(after) = &question.after else {
            return true;
        };
        let mut answered = self.answered.iter();
        match answered.find(|it| it.question.id == *after) {
            Some(it) => it.answer == Answer::Yes,
            None => match entries.answer(Catalogue::get().question(after)) {
                Some(answer) => answer == Answer::Yes,
                None => self.next.is_some(),
            },
        }
    }
}
