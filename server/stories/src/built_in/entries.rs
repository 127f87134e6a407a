//! What was entered about a job, taken apart: what it says is not asked again.

use dispatch_actors::repair_order::{Answer, AnswerField};

use super::catalogue::{Catalogue, Question, Section};
use super::parts;
use crate::clauses::{Clause, clauses, split};
use crate::facts::{FactValue, facts, is_part_number};
use crate::interview::Interview;
use crate::shorthand::expanded;
use crate::words::Words;

pub struct Entries {
    /// The cause and the notes, clause by clause; none of a text that says nothing.
    pub cause: Vec<String>,
    pub notes: Vec<Clause>,
    /// The same as they are searched: everything, and what is told of the correction.
    all: Words,
    correction: Words,
    text: String,
    /// What the same state, found once.
    all_facts: Vec<FactValue>,
    correction_facts: Vec<FactValue>,
    has_code: bool,
    pub concern: Words,
}

impl Entries {
    pub fn of(interview: &Interview) -> Self {
        let language = interview.language;
        let routine = Catalogue::get().kind(&interview.subject).routine;
        let cause = match !routine && is_blank(&interview.cause) {
            true => Vec::new(),
            false => split(&expanded(&interview.cause, language)),
        };
        let notes = match is_blank(&interview.brief_tech_notes) {
            true => Vec::new(),
            false => clauses(&interview.brief_tech_notes, language, routine),
        };
        let text = cause.iter().chain(notes.iter().map(|clause| &clause.text));
        let text: Vec<&str> = text.map(String::as_str).collect();
        let correction = notes.iter().filter(|it| it.section == Section::Correction);
        let correction: Vec<&str> = correction.map(|clause| &*clause.text).collect();
        let facts_of = |text: &str| facts(text).into_iter().map(|fact| fact.value).collect();
        Self {
            all_facts: facts_of(&text.join("\n")),
            correction_facts: facts_of(&correction.join("\n")),
            has_code: !codes(&text.join("\n")).is_empty(),
            all: Words::of(&text.join(" , ")),
            correction: Words::of(&correction.join(" , ")),
            text: text.join("\n"),
            concern: Words::of(&expanded(&interview.subject.concern, language)),
            cause,
            notes,
        }
    }

    /// The words of everything that was entered.
    pub fn words(&self) -> &Words {
        &self.all
    }

    /// Everything that was entered, its shorthand written out.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn has_work(&self) -> bool {
        self.notes
            .iter()
            .any(|clause| clause.section == Section::Correction)
    }

    pub fn has_finding(&self) -> bool {
        !self.cause.is_empty() || self.notes.iter().any(|it| it.section == Section::Cause)
    }

    /// What the entries answer to a question themselves. What proves the correction is only looked for
    /// behind it.
    pub fn answer(&self, question: &Question) -> Option<Answer> {
        let is_proof = question.section == Section::Correction && question.id != "replaced";
        let words = match is_proof {
            true => &self.correction,
            false => &self.all,
        };
        let says = match question.field {
            AnswerField::Codes => self.has_code,
            AnswerField::Mileage => self.has_fact(is_odometer),
            AnswerField::PartNumber => self.has_fact(is_number_of_part),
            AnswerField::Part => parts::causal_part(self).is_some(),
            AnswerField::Text => match question.id.as_str() {
                "what-found" => self.has_finding(),
                _ => self.has_work(),
            },
            AnswerField::None | AnswerField::Measurement | AnswerField::Bulletin => false,
        };
        if says || self.has_value(question, is_proof) {
            return Some(Answer::Yes);
        }
        if words.have_any(&question.no) {
            return Some(Answer::No);
        }
        words.have_any(&question.yes).then_some(Answer::Yes)
    }

    fn has_fact(&self, is_it: impl Fn(&FactValue) -> bool) -> bool {
        self.all_facts.iter().any(is_it)
    }

    /// Whether a value with one of the question's units is stated; of a proof in what is told of the correction.
    fn has_value(&self, question: &Question, is_proof: bool) -> bool {
        let facts = match is_proof {
            true => &self.correction_facts,
            false => &self.all_facts,
        };
        let asks_for = |unit: &str| question.units.iter().any(|it| it == unit);
        facts.iter().any(|value| match value {
            FactValue::Number(number) => number.unit().is_some_and(asks_for),
            _ => false,
        })
            // Brakes and tires are measured in 32nds of an inch.
            || asks_for("fraction") && self.text.contains("/32")
    }
}

pub fn is_odometer(value: &FactValue) -> bool {
    matches!(value, FactValue::Number(number) if number.is_odometer())
}

pub fn is_number_of_part(value: &FactValue) -> bool {
    matches!(value, FactValue::Mark(mark) if is_part_number(mark))
}

/// Whether a text says nothing of a car: "done", "n/a", "see above".
pub fn is_blank(text: &str) -> bool {
    let filler = &Catalogue::get().blank.words;
    let mut words = text
        .split(|c: char| !c.is_alphanumeric() && c != '/')
        .filter(|word| !word.is_empty());
    !words.any(|word| {
        let word = word.to_lowercase();
        word.chars().count() > 2 && !filler.contains(&word)
            || word.contains(|c: char| c.is_ascii_digit())
    })
}

/// The trouble codes that a text states, as they are written: also a maker's own behind the word for it.
pub fn codes(text: &str) -> Vec<&str> {
    let is_named = |before: &str| {
        let mut words = before.split_whitespace().rev();
        let last = words.next().unwrap_or_default().to_lowercase();
        [
            "fault",
            "faults",
            "code",
            "codes",
            "dtc",
            "fehler",
            "fehlercode",
            "código",
        ]
        .contains(&&*last)
    };
    let facts = facts(text).into_iter();
    let codes = facts.filter(|fact| match &fact.value {
        FactValue::Code(_) => true,
        FactValue::Mark(mark) => mark.len() >= 4 && is_named(&text[..fact.start]),
        _ => false,
    });
    codes.map(|fact| &text[fact.start..fact.end]).collect()
}
