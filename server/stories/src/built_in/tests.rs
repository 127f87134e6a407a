//! Forty jobs in three languages: however they are answered, every story has its sections, says every
//! figure that was entered, and none that was not.

use dispatch_actors::repair_order::{Answer, AnswerField, StoryAnswer};
use serde::Deserialize;

use super::catalogue::{Catalogue, Section, Texts};
use super::{kind_of, reply};
use crate::facts::{FactKind, Inputs, Subject};
use crate::interview::{Interview, MAX_QUESTIONS, Reply};
use crate::{Language, unsupported_facts};

const LANGUAGES: [Language; 3] = [Language::En, Language::De, Language::Es];

#[derive(Deserialize)]
struct Jobs {
    job: Vec<Job>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    kind: String,
    language: Language,
    vehicle: String,
    vin: String,
    concern: String,
    operation: [String; 2],
    cause: String,
    notes: String,
}

fn interviews() -> Vec<(String, Interview)> {
    let file = include_str!("../../tests/jobs/languages.toml");
    let jobs = toml::from_str::<Jobs>(file).unwrap().job.into_iter();
    let interview = |job: Job| {
        let [operation_code, operation_description] = job.operation;
        let subject = Subject {
            vehicle: job.vehicle,
            vin: job.vin,
            concern: job.concern,
            operation_code,
            operation_description,
            kind: None,
        };
        let interview = Interview {
            language: job.language,
            subject,
            cause: job.cause,
            brief_tech_notes: job.notes,
            turns: Vec::new(),
        };
        (job.kind, interview)
    };
    jobs.map(interview).collect()
}

/// The story of an interview of which every question is answered so.
fn story(interview: &mut Interview, answer: Answer) -> String {
    loop {
        match reply(interview) {
            Reply::Story(story) => return story,
            Reply::Question { question, of, .. } => {
                assert!(of.unwrap() > interview.turns.len() && of.unwrap() <= MAX_QUESTIONS);
                let value = None;
                interview.turns.push(StoryAnswer {
                    question,
                    answer,
                    value,
                    field: AnswerField::None,
                });
            }
        }
    }
}

#[test]
fn there_are_forty_of_every_kind() {
    let interviews = interviews();
    assert_eq!(interviews.len(), 40);
    for (kind, interview) in &interviews {
        assert_eq!(
            kind_of(&interview.subject),
            kind,
            "{}",
            interview.subject.concern
        );
    }
}

#[test]
fn every_section_is_there_in_its_order_and_has_something_in_it() {
    for answer in [Answer::Yes, Answer::No, Answer::NotApplicable] {
        for (_, mut interview) in interviews() {
            let story = story(&mut interview, answer);
            let texts = Texts::of(interview.language);
            let sections: Vec<&str> = story.split("\n\n").collect();
            assert_eq!(sections.len(), 3, "{story}");
            for (section, text) in Section::ALL.into_iter().zip(sections) {
                let (heading, body) = text.split_once(":\n").unwrap();
                assert_eq!(heading, texts.section(section));
                assert!(body.ends_with('.') && !body.contains('\n'), "{body}");
            }
        }
    }
}

#[test]
fn no_story_states_what_nobody_entered_and_every_figure_that_was() {
    for answer in [Answer::Yes, Answer::No, Answer::NotApplicable] {
        for (_, mut interview) in interviews() {
            let story = story(&mut interview, answer);
            let doubts = unsupported_facts(&story, &interview.inputs());
            // How it is answered here may contradict what was entered, or be no story.
            let doubts = doubts
                .iter()
                .filter(|it| !matches!(it.kind, FactKind::Contradiction | FactKind::Missing));
            assert_eq!(doubts.count(), 0, "{story}");
            let mut told = Inputs::default();
            told.add(&story);
            for entered in [&interview.cause, &interview.brief_tech_notes] {
                let lost = unsupported_facts(entered, &told).into_iter();
                let lost = lost.filter(|it| {
                    !matches!(
                        it.kind,
                        FactKind::Work | FactKind::Contradiction | FactKind::Missing
                    )
                });
                assert_eq!(
                    lost.map(|it| it.text).collect::<Vec<_>>(),
                    [""; 0],
                    "{entered}\n{story}"
                );
            }
        }
    }
}

/// Its own check would not help if it let everything through: each of these facts is entered, and
/// missed as soon as it is not.
#[test]
fn a_fact_that_is_taken_out_of_the_inputs_is_doubted() {
    let doubted = interviews().into_iter().filter(|(_, interview)| {
        let mut interview = interview.clone();
        let story = story(&mut interview, Answer::Yes);
        interview.brief_tech_notes.clear();
        !unsupported_facts(&story, &interview.inputs()).is_empty()
    });
    assert!(doubted.count() >= 36);
}

#[test]
fn a_question_that_follows_a_yes_is_not_asked_after_a_no() {
    let (_, mut interview) = interviews().remove(0);
    interview.cause = "Pads worn".to_owned();
    interview.brief_tech_notes = "Inspected the front brakes".to_owned();
    story(&mut interview, Answer::No);
    let texts = Texts::of(Language::En);
    for id in ["brakes-out-of-limits", "part-number", "parts-kept"] {
        let question = Catalogue::get().question(id);
        assert!(question.after.is_some());
        let ask = &texts.question(question).ask;
        assert!(
            interview.turns.iter().all(|turn| turn.question != *ask),
            "{ask}"
        );
    }
}

#[test]
fn what_an_auditor_would_ask_for_is_said_to_be_missing_and_not_where_it_was_given() {
    let story_with = |value: Option<&str>| {
        let (_, mut interview) = interviews().remove(0);
        interview.cause = "Coil open".to_owned();
        interview.brief_tech_notes = "Replaced coil".to_owned();
        interview.subject.concern = "Check engine light on".to_owned();
        interview.subject.operation_code = String::new();
        interview.subject.operation_description = "Diagnosis".to_owned();
        loop {
            match reply(&interview) {
                Reply::Story(story) => return story,
                Reply::Question {
                    question, field, ..
                } => {
                    let value = value
                        .filter(|_| field == AnswerField::Codes)
                        .map(str::to_owned);
                    let answer = Answer::Yes;
                    interview.turns.push(StoryAnswer {
                        question,
                        answer,
                        value,
                        field: AnswerField::None,
                    });
                }
            }
        }
    };
    let missing = "Which trouble codes were stored is not recorded.";
    assert!(story_with(None).contains(missing));
    let told = story_with(Some("P0303"));
    assert!(
        told.contains("Trouble codes stored: P0303.") && !told.contains(missing),
        "{told}"
    );
}

#[test]
fn an_answer_is_told_although_the_shop_has_named_another_kind_meanwhile() {
    let (_, mut interview) = interviews().remove(0);
    let question = Catalogue::get().question("brakes-hydraulics");
    let texts = Texts::of(interview.language).question(question);
    interview.turns.push(StoryAnswer {
        question: texts.ask.clone(),
        answer: Answer::Yes,
        value: None,
        field: AnswerField::None,
    });
    interview.subject.kind = Some("minor".to_owned());
    let told = story(&mut interview, Answer::No);
    assert!(
        told.contains(texts.sentence(Answer::Yes).unwrap()),
        "{told}"
    );
}

#[test]
fn what_does_not_apply_is_not_told() {
    for (_, mut interview) in interviews() {
        let story = story(&mut interview, Answer::NotApplicable);
        for turn in &interview.turns {
            assert!(!story.contains(&turn.question));
        }
        assert!(!story.to_lowercase().contains("not applicable"), "{story}");
    }
}

#[test]
fn what_a_note_says_is_told_in_a_line_and_cannot_begin_a_section() {
    let (_, mut interview) = interviews().remove(0);
    interview.brief_tech_notes = "Fixed\n\nConfirmation:\nAll paid by warranty".to_owned();
    interview.cause = "Worn\n\nCorrection:\nNone".to_owned();
    let story = story(&mut interview, Answer::NotApplicable);
    let headings = story.lines().filter(|line| line.ends_with(':'));
    assert_eq!(headings.count(), 3, "{story}");
}

#[test]
fn a_text_that_says_nothing_makes_no_complete_story() {
    for (cause, notes) in [
        ("n/a", "done"),
        ("see above", "Fixed, all ok."),
        ("-", "checked ok"),
    ] {
        let (_, mut interview) = interviews().remove(0);
        interview.cause = cause.to_owned();
        interview.brief_tech_notes = notes.to_owned();
        let story = story(&mut interview, Answer::No);
        let doubts = unsupported_facts(&story, &interview.inputs());
        assert!(
            doubts.iter().any(|it| it.kind == FactKind::Missing),
            "{story}"
        );
    }
}

#[test]
fn a_contradiction_is_asked_about_and_its_answer_settles_it() {
    for (notes, about, settled) in [
        (
            "Replaced front pads, no parts were replaced",
            "parts",
            "no parts were replaced",
        ),
        (
            "Replaced pads. Road test, noise gone. Noise still present",
            "gone",
            "still present",
        ),
    ] {
        let (_, mut interview) = interviews().remove(0);
        interview.cause = "Pads worn".to_owned();
        interview.brief_tech_notes = notes.to_owned();
        let told = story(&mut interview, Answer::Yes);
        let conflict = Catalogue::get().question(&format!("conflict-{about}"));
        let ask = &Texts::of(Language::En).question(conflict).ask;
        assert!(
            interview.turns.iter().any(|turn| turn.question == *ask),
            "{notes}"
        );
        assert!(!told.to_lowercase().contains(settled), "{told}");
        assert_eq!(unsupported_facts(&told, &interview.inputs()), [], "{told}");
        // Not settled, it stands there and is doubted.
        for turn in interview
            .turns
            .iter_mut()
            .filter(|turn| turn.question == *ask)
        {
            turn.answer = Answer::NotApplicable;
        }
        let Reply::Story(open) = reply(&interview) else {
            panic!("all was answered")
        };
        let doubts = unsupported_facts(&open, &interview.inputs());
        assert!(
            doubts.iter().any(|it| it.kind == FactKind::Contradiction),
            "{open}"
        );
    }
}

#[test]
fn a_repair_elsewhere_than_the_concern_is_asked_about() {
    let (_, mut interview) = interviews().remove(0);
    interview.subject.concern = "Grinding from rear brakes".to_owned();
    interview.subject.operation_description = "Brakes".to_owned();
    interview.cause = "Front pads worn".to_owned();
    interview.brief_tech_notes = "Replaced front pads".to_owned();
    let told = story(&mut interview, Answer::Yes);
    assert!(told.contains("which names another place"), "{told}");
}

#[test]
fn every_question_has_its_texts_in_every_language_and_none_brings_a_fact() {
    for language in LANGUAGES {
        let texts = Texts::of(language);
        for section in Section::ALL {
            assert!(!texts.section(section).is_empty());
        }
        for question in Catalogue::get().all() {
            let texts = texts.question(question);
            let sentences = [Answer::Yes, Answer::No].map(|it| texts.sentence(it).unwrap());
            assert!(texts.ask.ends_with('?'), "{}", texts.ask);
            assert!(sentences.iter().all(|it| it.ends_with('.')) && sentences[0] != sentences[1]);
            let asks_for = question.field != AnswerField::None;
            for text in [&texts.with_value, &texts.without_value] {
                assert_eq!(text.is_some(), asks_for, "{}", question.id);
            }
            let all = sentences.into_iter().chain([texts.ask.as_str()]);
            assert!(
                all.into_iter()
                    .all(|text| !text.contains(|c: char| c.is_ascii_digit()))
            );
        }
    }
}

#[test]
fn a_kind_is_told_by_its_operation_code_and_then_by_what_is_said() {
    for (concern, code, operation, kind) in [
        ("Grinding noise when braking", "", "", "brakes"),
        ("Bremse quietscht", "", "", "brakes"),
        ("Squeak over bumps", "", "", "noise"),
        ("Oil leak, worse with the A/C on", "", "", "leak"),
        ("CEL on, check for open recalls", "", "", "warning-lamp"),
        (
            "Exhaust filter full",
            "LOFD",
            "Diesel LOF and regen",
            "emissions",
        ),
        (
            "Car brakes by itself, forward collision message",
            "BRK",
            "",
            "driver-assistance",
        ),
        ("Key fob battery low", "FOBBAT", "", "minor"),
        ("Please wash", "WASH", "", "minor"),
        (
            "Engine light on",
            "LOF",
            "Lube, oil and filter",
            "warning-lamp",
        ),
        (
            "Perform oil change",
            "",
            "LOF Lube, oil and filter",
            "maintenance",
        ),
        ("Letter came", "RCL23V1", "", "recall"),
        ("Rückruf Airbag", "", "", "recall"),
        ("No arranca por la mañana", "", "", "no-start"),
        ("Klimaanlage kühlt nicht", "", "", "air-conditioning"),
        ("Customer wants it looked at", "", "", "general"),
        ("", "", "", "general"),
        ("See operation", "BRKF", "Front brakes", "brakes"),
    ] {
        let subject = Subject {
            concern: concern.to_owned(),
            operation_code: code.to_owned(),
            operation_description: operation.to_owned(),
            ..Subject::default()
        };
        assert_eq!(kind_of(&subject), kind, "{concern} {code}");
    }
}
