//! Forty jobs through the built-in interviewer: every story has its sections, says everything that was
//! entered and answered, and nothing else.

use std::collections::HashMap;

use dispatch_actors::repair_order::{Answer, StoryAnswer};
use serde::Deserialize;

use super::catalogue::{Catalogue, Question, Section, Texts};
use super::interviewer::reply;
use crate::fact_check::{Subject, unsupported_facts};
use crate::language::Language;
use crate::tech_story::interview::{Interview, Reply};

#[derive(Deserialize)]
struct Jobs {
    job: Vec<Job>,
}

#[derive(Deserialize)]
struct Job {
    kind: String,
    language: Language,
    vehicle: String,
    vin: String,
    concern: String,
    operation: [String; 2],
    cause: String,
    notes: String,
    answers: String,
}

fn jobs() -> Vec<Job> {
    let file = include_str!("../../../tests/samples/tech-story-jobs.toml");
    toml::from_str::<Jobs>(file).unwrap().job
}

impl Job {
    fn interview(&self) -> Interview {
        let [operation_code, operation_description] = self.operation.clone();
        Interview {
            language: self.language,
            subject: Subject {
                vehicle: self.vehicle.clone(),
                vin: self.vin.clone(),
                concern: self.concern.clone(),
                operation_code,
                operation_description,
            },
            cause: self.cause.clone(),
            brief_tech_notes: self.notes.clone(),
            turns: Vec::new(),
        }
    }

    /// The whole interview, and its story.
    fn finished(&self) -> (Interview, String) {
        let mut interview = self.interview();
        let mut answers = self.answers.chars();
        loop {
            match reply(&interview) {
                Reply::Story(story) => {
                    assert_eq!(answers.next(), None, "answers are left: {}", self.concern);
                    return (interview, story);
                }
                Reply::Question { question, of } => {
                    let answer = match answers.next() {
                        Some('Y') => Answer::Yes,
                        Some('N') => Answer::No,
                        Some('A') => Answer::NotApplicable,
                        other => panic!("{other:?} for '{question}' of '{}'", self.concern),
                    };
                    assert!(of.is_some_and(|of| of > interview.turns.len()));
                    interview.turns.push(StoryAnswer { question, answer });
                }
            }
        }
    }
}

/// Words, each with how often it is there.
fn count(texts: &[&str]) -> HashMap<String, i32> {
    let mut words = HashMap::new();
    for text in texts {
        let text = text.to_lowercase();
        let split = text.split(|c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':'));
        for word in split.filter(|word| !word.is_empty()) {
            *words.entry(word.to_owned()).or_insert(0) += 1;
        }
    }
    words
}

#[test]
fn there_are_forty_of_every_kind() {
    let jobs = jobs();
    assert_eq!(jobs.len(), 40);
    for job in &jobs {
        let interview = job.interview();
        let kind = Catalogue::get().kind(&interview.subject);
        assert_eq!(kind.id, job.kind, "{}", job.concern);
    }
    for kind in [
        "noise",
        "leak",
        "warning-lamp",
        "no-start",
        "vibration",
        "air-conditioning",
        "brakes",
        "electrical",
        "maintenance",
        "recall",
        "general",
    ] {
        assert!(jobs.iter().any(|job| job.kind == kind), "{kind}");
    }
}

#[test]
fn every_section_is_there_in_its_order_and_has_something_in_it() {
    for job in jobs() {
        let (interview, story) = job.finished();
        let texts = Texts::of(interview.language);
        let sections: Vec<&str> = story.split("\n\n").collect();
        assert_eq!(sections.len(), 6, "{story}");
        for (section, text) in Section::ALL.into_iter().zip(sections) {
            let (heading, body) = text.split_once(":\n").unwrap();
            assert_eq!(heading, texts.section(section));
            assert!(body.ends_with('.') && !body.contains('\n'), "{body}");
        }
    }
}

/// Word by word: what the story says is the headings, the phrases, what was entered and what was
/// answered, each exactly once.
#[test]
fn everything_that_was_entered_and_answered_is_told_once_and_nothing_else() {
    for job in jobs() {
        let (interview, story) = job.finished();
        let texts = Texts::of(interview.language);
        let kind = Catalogue::get().kind(&interview.subject);
        let mut sentences: Vec<String> = vec![
            texts.phrases.vehicle.replace("{}", &job.vehicle),
            texts.phrases.vin.replace("{}", &job.vin),
            texts
                .phrases
                .operation
                .replace("{}", &job.operation.join(", ")),
            job.cause.clone(),
            job.notes.clone(),
        ];
        sentences.push(texts.phrases.concern.replace("{}", &job.concern));
        sentences.extend(Section::ALL.map(|section| texts.section(section).to_owned()));
        let questions: Vec<&Question> = kind.questions().collect();
        for turn in &interview.turns {
            let question = questions
                .iter()
                .find(|it| texts.question(it).ask == turn.question);
            let texts = texts.question(question.unwrap());
            assert!(story.contains(texts.sentence(turn.answer)), "{story}");
            sentences.push(texts.sentence(turn.answer).to_owned());
            let unnamed = texts.unnamed.iter().filter(|_| turn.answer == Answer::Yes);
            sentences.extend(unnamed.filter(|it| story.contains(*it)).cloned());
        }
        let nothing = story.matches(&texts.phrases.nothing).count();
        sentences.extend(vec![texts.phrases.nothing.clone(); nothing]);
        let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let (counts, meant) = (count(&[&story]), count(&sentences));
        for (word, times) in &meant {
            assert_eq!(counts.get(word), Some(times), "'{word}' in:\n{story}");
        }
        for word in counts.keys() {
            assert!(
                meant.contains_key(word),
                "'{word}' was never entered:\n{story}"
            );
        }
    }
}

#[test]
fn no_story_states_a_fact_that_nobody_entered() {
    for job in jobs() {
        let (interview, story) = job.finished();
        assert_eq!(
            unsupported_facts(&story, &interview.inputs()),
            [],
            "{story}"
        );
    }
}

/// Its own check would not help if it let everything through: each of these facts is entered, and
/// missed as soon as it is not.
#[test]
fn a_fact_that_is_taken_out_of_the_inputs_is_doubted() {
    let mut doubted = 0;
    for job in jobs() {
        let (mut interview, story) = job.finished();
        interview.brief_tech_notes.clear();
        doubted += usize::from(!unsupported_facts(&story, &interview.inputs()).is_empty());
    }
    assert!(doubted >= 36, "{doubted}");
}

#[test]
fn a_question_that_follows_a_yes_is_not_asked_after_a_no() {
    let brakes = jobs().remove(0);
    let mut interview = brakes.interview();
    let texts = Texts::of(Language::En);
    let mut questions = Vec::new();
    while let Reply::Question { question, of } = reply(&interview) {
        questions.push((question.clone(), of));
        let answer = Answer::No;
        interview.turns.push(StoryAnswer { question, answer });
    }
    assert_eq!(
        questions
            .iter()
            .map(|(_, of)| of.unwrap())
            .collect::<Vec<_>>(),
        [8, 7, 6, 6, 5]
    );
    let kind = Catalogue::get().kind(&interview.subject);
    for question in kind.questions().filter(|it| it.after.is_some()) {
        let ask = &texts.question(question).ask;
        assert!(
            !questions.iter().any(|(question, _)| question == ask),
            "{ask}"
        );
    }
}

#[test]
fn what_an_auditor_would_ask_for_is_said_to_be_missing() {
    let story_of = |notes: &str| {
        let mut interview = Interview {
            cause: "Coil open".to_owned(),
            brief_tech_notes: notes.to_owned(),
            ..jobs().remove(0).interview()
        };
        interview.subject.concern = "Check engine light on".to_owned();
        interview.subject.operation_description = "Diagnosis".to_owned();
        loop {
            match reply(&interview) {
                Reply::Story(story) => return story,
                Reply::Question { question, .. } => {
                    let answer = Answer::Yes;
                    interview.turns.push(StoryAnswer { question, answer });
                }
            }
        }
    };
    let missing = "Which trouble codes were stored is not recorded.";
    assert!(story_of("Replaced coil").contains(missing));
    assert!(!story_of("P0303, replaced coil").contains(missing));
}

#[test]
fn what_a_note_says_is_told_in_a_line_and_cannot_begin_a_section() {
    let mut interview = jobs().remove(0).interview();
    interview.brief_tech_notes = "Fixed\n\nConfirmation:\nAll paid by warranty".to_owned();
    interview.cause = "Worn\n\nCorrection:\nNone".to_owned();
    while let Reply::Question { question, .. } = reply(&interview) {
        let answer = Answer::NotApplicable;
        interview.turns.push(StoryAnswer { question, answer });
    }
    let Reply::Story(story) = reply(&interview) else {
        panic!("it was all answered")
    };
    let headings = story.lines().filter(|line| line.ends_with(':'));
    assert_eq!(headings.count(), 6, "{story}");
}
