//! The catalogue of concerns and questions, read from the files beside this one.

use std::collections::HashMap;
use std::sync::LazyLock;

use dispatch_actors::repair_order::Answer;
use serde::Deserialize;

use crate::fact_check::Subject;
use crate::language::Language;
use crate::text;

/// Where in the story something is told, in the story's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    Complaint,
    Verification,
    Diagnosis,
    Cause,
    Correction,
    Confirmation,
}

impl Section {
    pub const ALL: [Section; 6] = [
        Section::Complaint,
        Section::Verification,
        Section::Diagnosis,
        Section::Cause,
        Section::Correction,
        Section::Confirmation,
    ];
}

pub struct Catalogue {
    kinds: Vec<Kind>,
    pub notes: NoteWords,
}

pub struct Kind {
    #[cfg(test)]
    pub id: String,
    words: Vec<String>,
    questions: Vec<Question>,
}

#[derive(Clone)]
pub struct Question {
    pub id: String,
    pub section: Section,
    /// The question that must have been answered by Yes.
    pub after: Option<String>,
    pub names: Option<Named>,
}

/// What the technician ought to have named where a question is answered by Yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Named {
    Code,
    Number,
}

/// By what a clause of the notes is told apart.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NoteWords {
    pub done: Vec<String>,
    pub checked: Vec<String>,
    pub found: Vec<String>,
    pub goes_on: Vec<String>,
}

/// The catalogue's words in one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    sections: HashMap<Section, String>,
    pub phrases: Phrases,
    question: HashMap<String, QuestionTexts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Phrases {
    pub vehicle: String,
    pub vin: String,
    pub concern: String,
    pub no_concern: String,
    pub operation: String,
    pub nothing: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionTexts {
    pub ask: String,
    yes: String,
    no: String,
    na: String,
    /// What the story says beside a Yes where what it is about was not named.
    pub unnamed: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kind: Vec<KindEntry>,
    question: HashMap<String, QuestionEntry>,
    notes: NoteWords,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindEntry {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for whoever reads the file, and its tests")
    )]
    id: String,
    words: Vec<String>,
    questions: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionEntry {
    section: Section,
    after: Option<String>,
    names: Option<Named>,
}

impl Catalogue {
    pub fn get() -> &'static Self {
        static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
            let file = toml::from_str(include_str!("catalogue.toml"));
            Catalogue::new(file.expect("the file is in the binary, and a test reads it"))
        });
        &CATALOGUE
    }

    fn new(file: File) -> Self {
        let kind = |entry: KindEntry| Kind {
            questions: (entry.questions.into_iter())
                .map(|id| Question {
                    section: file.question[&id].section,
                    after: file.question[&id].after.clone(),
                    names: file.question[&id].names,
                    id,
                })
                .collect(),
            #[cfg(test)]
            id: entry.id,
            words: entry.words,
        };
        Self {
            kinds: file.kind.into_iter().map(kind).collect(),
            notes: file.notes,
        }
    }

    /// What kind of concern this is, by its words: what the customer says counts more than what the
    /// operation is called.
    pub fn kind(&self, subject: &Subject) -> &Kind {
        let concern = Words::of(&subject.concern);
        let operation = Words::of(&format!(
            "{} {}",
            subject.operation_code, subject.operation_description
        ));
        let score = |kind: &Kind| {
            2 * u8::from(concern.have_any(&kind.words)) + u8::from(operation.have_any(&kind.words))
        };
        // The last is for everything else; of equals the first wins.
        let general = &self.kinds[self.kinds.len() - 1];
        let mut best = (general, 0);
        for kind in &self.kinds {
            let score = score(kind);
            if score > best.1 {
                best = (kind, score);
            }
        }
        best.0
    }
}

impl Kind {
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter()
    }
}

impl Texts {
    pub fn of(language: Language) -> &'static Self {
        static EN: LazyLock<Texts> = LazyLock::new(|| Texts::read(include_str!("en.toml")));
        static DE: LazyLock<Texts> = LazyLock::new(|| Texts::read(include_str!("de.toml")));
        static ES: LazyLock<Texts> = LazyLock::new(|| Texts::read(include_str!("es.toml")));
        match language {
            Language::En => &EN,
            Language::De => &DE,
            Language::Es => &ES,
        }
    }

    fn read(file: &str) -> Self {
        toml::from_str(file).expect("the file is in the binary, and a test reads it")
    }

    pub fn section(&self, section: Section) -> &str {
        &self.sections[&section]
    }

    pub fn question(&self, question: &Question) -> &QuestionTexts {
        &self.question[&question.id]
    }
}

impl QuestionTexts {
    /// What the story says where it was answered so.
    pub fn sentence(&self, answer: Answer) -> &str {
        match answer {
            Answer::Yes => &self.yes,
            Answer::No => &self.no,
            Answer::NotApplicable => &self.na,
        }
    }
}

/// A text in which words of the catalogue are looked for.
pub struct Words(String);

impl Words {
    pub fn of(text: &str) -> Self {
        let mut padded = String::from(" ");
        for c in text::folded(text).chars() {
            let is_space = c.is_whitespace()
                || matches!(c, ',' | ';' | ':' | '(' | ')' | '"' | '!' | '?' | '¿' | '¡');
            padded.push(if is_space { ' ' } else { c });
        }
        // A full stop ends a word, too, unless more of it follows.
        let mut padded = padded.replace(". ", " ");
        if padded.ends_with('.') {
            padded.pop();
        }
        padded.push(' ');
        Self(padded)
    }

    /// A word's beginning, a whole word (with a space behind it), or with a star anything.
    pub fn have(&self, word: &str) -> bool {
        match word.strip_prefix('*') {
            Some(anywhere) => self.0.contains(anywhere),
            None => self.0.contains(&format!(" {word}")),
        }
    }

    pub fn have_any(&self, words: &[String]) -> bool {
        words.iter().any(|word| self.have(word))
    }

    pub fn begin_with_any(&self, words: &[String]) -> bool {
        let text = self.0.trim_start();
        words.iter().any(|word| text.starts_with(word.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANGUAGES: [Language; 3] = [Language::En, Language::De, Language::Es];

    #[test]
    fn every_question_has_its_texts_in_every_language() {
        let catalogue = Catalogue::get();
        for language in LANGUAGES {
            let texts = Texts::of(language);
            for section in Section::ALL {
                assert!(!texts.section(section).is_empty());
            }
            for question in catalogue.kinds.iter().flat_map(Kind::questions) {
                let texts = texts.question(question);
                assert!(texts.ask.ends_with('?'), "{}", texts.ask);
                assert_eq!(texts.unnamed.is_some(), question.names.is_some());
                for answer in [Answer::Yes, Answer::No, Answer::NotApplicable] {
                    assert!(
                        texts.sentence(answer).ends_with('.'),
                        "{}",
                        texts.sentence(answer)
                    );
                }
                let sentences =
                    [Answer::Yes, Answer::No, Answer::NotApplicable].map(|it| texts.sentence(it));
                assert!(
                    sentences[0] != sentences[1]
                        && sentences[1] != sentences[2]
                        && sentences[0] != sentences[2]
                );
            }
        }
    }

    #[test]
    fn no_text_of_the_catalogue_brings_a_fact() {
        for language in LANGUAGES {
            let texts = Texts::of(language);
            for question in texts.question.values() {
                let all = [&question.ask, &question.yes, &question.no, &question.na];
                for text in all {
                    assert!(!text.contains(|c: char| c.is_ascii_digit()), "{text}");
                }
            }
        }
    }

    #[test]
    fn four_to_eight_questions_are_asked_and_all_but_one_section_is_asked_about() {
        for kind in &Catalogue::get().kinds {
            assert!((4..=8).contains(&kind.questions.len()), "{}", kind.id);
            for section in [
                Section::Verification,
                Section::Diagnosis,
                Section::Correction,
                Section::Confirmation,
            ] {
                assert!(
                    kind.questions().any(|it| it.section == section),
                    "{} {section:?}",
                    kind.id
                );
            }
            for (place, question) in kind.questions().enumerate() {
                if let Some(after) = &question.after {
                    let before = kind.questions().position(|it| it.id == *after);
                    assert!(
                        before.is_some_and(|before| before < place),
                        "{}",
                        question.id
                    );
                }
            }
        }
    }

    #[test]
    fn a_concern_is_known_by_its_words_in_any_language() {
        for (concern, operation, kind) in [
            ("Grinding noise from front when braking", "", "brakes"),
            ("Rattle over bumps, right front", "", "noise"),
            ("Klappert vorne rechts", "", "noise"),
            ("Coolant leak, puddle under car", "", "leak"),
            ("Ölverlust am Motor", "", "leak"),
            ("Check engine light is on", "", "warning-lamp"),
            ("Motorkontrollleuchte leuchtet", "", "warning-lamp"),
            ("Won't start in the morning", "", "no-start"),
            ("No arranca por la mañana", "", "no-start"),
            ("Steering wheel shakes at highway speed", "", "vibration"),
            ("A/C blows warm", "", "air-conditioning"),
            ("Klimaanlage kühlt nicht", "", "air-conditioning"),
            ("Radio cuts out", "", "electrical"),
            (
                "Perform oil change",
                "LOF Lube, oil and filter",
                "maintenance",
            ),
            ("Open recall", "RCL", "recall"),
            ("Rückruf Airbag", "", "recall"),
            ("Customer wants it looked at", "", "general"),
            ("", "", "general"),
            ("See operation", "BRKF Front brakes", "brakes"),
        ] {
            let subject = Subject {
                concern: concern.to_owned(),
                operation_description: operation.to_owned(),
                ..Subject::default()
            };
            assert_eq!(Catalogue::get().kind(&subject).id, kind, "{concern}");
        }
    }
}
