//! What the built-in interviewer knows, read from the files beside this one.

use std::collections::HashMap;
use std::sync::LazyLock;

use dispatch_actors::repair_order::{Answer, AnswerField};
use serde::Deserialize;

use crate::Language;
use crate::facts::Subject;
use crate::shorthand::{Shorthand, expanded};
use crate::words::{WordList, Words};

/// Where in the story something is told, in the story's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// What the customer says, and whether it was found so.
    Complaint,
    /// What was tested, found and measured.
    Cause,
    /// What was done, and how it was proved.
    Correction,
}

impl Section {
    pub const ALL: [Section; 3] = [Section::Complaint, Section::Cause, Section::Correction];
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    #[serde(rename = "operation")]
    operations: Vec<OperationRule>,
    #[serde(rename = "kind")]
    kinds: Vec<Kind>,
    #[serde(rename = "question")]
    questions: HashMap<String, Question>,
    pub concern: ConcernWords,
    pub notes: NoteWords,
    pub blank: BlankWords,
    pub parts: PartWords,
    pub places: PlaceWords,
    pub work: WorkWords,
    shorthand: Shorthands,
}

/// Operations of one kind, whatever the concern says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperationRule {
    kind: String,
    /// Beginnings of codes.
    codes: WordList,
    words: WordList,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    pub id: String,
    /// Work that is asked for and not searched for: its notes tell of the work from their first word.
    #[serde(default)]
    pub routine: bool,
    words: WordList,
    questions: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    #[serde(skip)]
    pub id: String,
    pub section: Section,
    /// The question that must have been answered by Yes.
    pub after: Option<String>,
    #[serde(default)]
    pub field: AnswerField,
    /// Whether a Yes says that something was done.
    #[serde(default)]
    pub work: bool,
    /// By what the entries say Yes.
    #[serde(default)]
    pub yes: WordList,
    /// By what the entries say No.
    #[serde(default)]
    pub no: WordList,
    /// Units of a value that says Yes.
    #[serde(default)]
    pub units: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConcernWords {
    pub circumstances: WordList,
    pub wishes: WordList,
    pub symptoms: WordList,
}

/// By what a clause of the notes is told apart.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NoteWords {
    pub done: WordList,
    pub repaired: WordList,
    pub checked: WordList,
    pub found: WordList,
    pub verified: WordList,
    pub diagnosed: WordList,
    pub part: WordList,
    pub goes_on: WordList,
    pub begins: WordList,
    pub joints: WordList,
    pub keeps: WordList,
    pub no_object: WordList,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlankWords {
    pub words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartWords {
    pub names: Vec<String>,
    pub before: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceWords {
    pub front: WordList,
    pub rear: WordList,
    pub driver: WordList,
    pub passenger: WordList,
}

/// By what a finished story is held against what was entered.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkWords {
    /// Something was put in.
    pub verbs: WordList,
    /// It was asked about, and answered by Yes.
    pub asked: WordList,
    /// Beginnings of words that are no part of a car.
    pub stop: Vec<String>,
    /// The concern is gone, said as prose says it.
    pub gone: WordList,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shorthands {
    en: Shorthand,
    de: Shorthand,
    es: Shorthand,
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
    pub concern: String,
    pub no_concern: String,
    pub nothing_found: String,
    pub nothing_done: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct QuestionTexts {
    pub ask: String,
    yes: String,
    no: String,
    /// How a value is told.
    pub with_value: Option<String>,
    /// What the story says beside a Yes where a value was asked for and not given.
    pub without_value: Option<String>,
}

impl Catalogue {
    pub fn get() -> &'static Self {
        static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
            let file: Result<Catalogue, _> = toml::from_str(include_str!("catalogue.toml"));
            let mut catalogue = file.expect("the file is in the binary, and a test reads it");
            for (id, question) in &mut catalogue.questions {
                question.id.clone_from(id);
            }
            catalogue
        });
        &CATALOGUE
    }

    pub fn question(&self, id: &str) -> &Question {
        &self.questions[id]
    }

    /// The names of all kinds, in the order in which they win.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.kinds.iter().map(|kind| kind.id.as_str())
    }

    pub fn all(&self) -> impl Iterator<Item = &Question> {
        self.questions.values()
    }

    /// The questions of a kind, in their order.
    pub fn questions<'a>(&'a self, kind: &'a Kind) -> impl Iterator<Item = &'a Question> {
        kind.questions.iter().map(|id| self.question(id))
    }

    /// Whether something is said of a car.
    pub fn is_about_a_car(&self, words: &Words) -> bool {
        let searched = self.kinds.iter().filter(|kind| !kind.routine);
        words.have_any(&self.concern.symptoms)
            || searched.into_iter().any(|kind| words.have_any(&kind.words))
    }

    pub fn shorthand(&self, language: Language) -> &Shorthand {
        match language {
            Language::En => &self.shorthand.en,
            Language::De => &self.shorthand.de,
            Language::Es => &self.shorthand.es,
        }
    }

    /// What kind of job this is: by its operation code, then by what the customer says, then by what the
    /// operation is called.
    pub fn kind(&self, subject: &Subject) -> &Kind {
        if let Some(said) = &subject.kind
            && let Some(kind) = self.kinds.iter().find(|kind| kind.id == *said)
        {
            return kind;
        }
        let code = Words::of(&subject.operation_code);
        let description = Words::of(&subject.operation_description);
        let concern = Words::of(&crate::clauses::without_wishes(&expanded(
            &subject.concern,
            Language::En,
        )));
        let concern = concern.without(&self.concern.circumstances);
        let by_concern = self.best(|kind| concern.count(&kind.words));
        let ruled = self
            .operations
            .iter()
            .find(|rule| code.begin_with_any(&rule.codes) || description.have_any(&rule.words));
        let ruled = ruled.and_then(|rule| self.kinds.iter().find(|kind| kind.id == rule.kind));
        // A complaint written under an oil change is looked into all the same.
        if let Some(ruled) = ruled
            && !(ruled.routine
                && ruled.id != "recall"
                && by_concern.is_some_and(|kind| !kind.routine))
        {
            return ruled;
        }
        let by_operation = || {
            self.best(|kind| {
                usize::from(description.have_any(&kind.words) || code.have_any(&kind.words))
            })
        };
        by_concern.or_else(by_operation).unwrap_or(self.general())
    }

    /// The first of those with the most, unless that is nothing.
    fn best(&self, count: impl Fn(&Kind) -> usize) -> Option<&Kind> {
        // Kinds are in the order in which they win.
        self.kinds.iter().find(|kind| count(kind) > 0)
    }

    fn general(&self) -> &Kind {
        &self.kinds[self.kinds.len() - 1]
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
    /// What the story says where it was answered so; what does not apply is not told.
    pub fn sentence(&self, answer: Answer) -> Option<&str> {
        match answer {
            Answer::Yes => Some(&self.yes),
            Answer::No => Some(&self.no),
            Answer::NotApplicable => None,
        }
    }
}
