//! The story, section by section, from what was entered and answered.

use dispatch_actors::repair_order::Answer;

use super::catalogue::{Named, Question, Section, Texts};
use super::notes::clauses;
use crate::fact_check::Subject;
use crate::fact_check::{states_code, states_number};
use crate::tech_story::interview::Interview;

pub fn story(interview: &Interview, answered: &[(&Question, Answer)]) -> String {
    let texts = Texts::of(interview.language);
    let notes = clauses(&interview.brief_tech_notes);
    let sections = Section::ALL.map(|section| {
        let mut sentences = match section {
            Section::Complaint => complaint(&interview.subject, texts),
            Section::Cause => interview.cause.lines().filter_map(sentence).collect(),
            _ => Vec::new(),
        };
        let answers_here = answered.iter().filter(|(it, _)| it.section == section);
        let answers =
            answers_here.flat_map(|(it, answer)| answered_by(it, *answer, interview, texts));
        let noted = notes.iter().filter(|(of, _)| *of == section);
        let noted = noted.filter_map(|(_, clause)| sentence(clause));
        // What was done and found comes before what was asked about it, but for what came first.
        if matches!(section, Section::Correction | Section::Confirmation) {
            sentences.extend(noted);
            sentences.extend(answers);
        } else {
            sentences.extend(answers);
            sentences.extend(noted);
        }
        if sentences.is_empty() {
            sentences.push(texts.phrases.nothing.clone());
        }
        format!("{}:\n{}", texts.section(section), sentences.join(" "))
    });
    sections.join("\n\n")
}

/// What an answer tells. Where it is Yes and what it is about was not named, that is told, too: an
/// auditor asks at once which codes, and what was measured.
fn answered_by<'a>(
    question: &Question,
    answer: Answer,
    interview: &Interview,
    texts: &'a Texts,
) -> impl Iterator<Item = String> + use<'a> {
    let texts = texts.question(question);
    let is_named = match question.names {
        _ if answer != Answer::Yes => true,
        None => true,
        Some(Named::Code) => {
            states_code(&interview.cause) || states_code(&interview.brief_tech_notes)
        }
        Some(Named::Number) => {
            states_number(&interview.cause) || states_number(&interview.brief_tech_notes)
        }
    };
    let unnamed = texts.unnamed.as_ref().filter(|_| !is_named);
    std::iter::once(texts.sentence(answer).to_owned()).chain(unnamed.cloned())
}

fn complaint(subject: &Subject, texts: &Texts) -> Vec<String> {
    let phrases = &texts.phrases;
    let mut sentences = Vec::new();
    for (phrase, text) in [
        (&phrases.vehicle, &subject.vehicle),
        (&phrases.vin, &subject.vin),
    ] {
        if !text.is_empty() {
            sentences.push(phrase.replace("{}", text));
        }
    }
    sentences.push(match sentence(&subject.concern) {
        None => phrases.no_concern.clone(),
        Some(concern) => phrases.concern.replace("{}", &concern),
    });
    let operation = [&subject.operation_code, &subject.operation_description];
    let operation: Vec<&str> = operation
        .into_iter()
        .map(|text| text.as_str())
        .filter(|text| !text.is_empty())
        .collect();
    if !operation.is_empty() {
        let operation = operation.join(", ");
        let operation = operation.trim_end_matches('.');
        sentences.push(phrases.operation.replace("{}", operation));
    }
    sentences
}

/// As it was written, from a capital to a full stop. None where there is nothing.
fn sentence(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut characters = text.chars();
    let first = characters.next()?;
    // A word such as "pH" or "mA" is not to be touched.
    let is_plain = characters
        .clone()
        .next()
        .is_none_or(|second| !second.is_uppercase());
    let capital: String = if is_plain {
        first.to_uppercase().collect()
    } else {
        first.to_string()
    };
    let rest = characters.as_str();
    let rest = rest.trim_end_matches([',', ':']);
    let stop = if rest.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    Some(format!("{capital}{rest}{stop}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_begins_and_ends_as_one() {
        for (written, expected) in [
            ("replaced pads", "Replaced pads."),
            (" two\n lines ", "Two lines."),
            ("mA draw high", "mA draw high."),
            ("fixed?", "Fixed?"),
            ("x", "X."),
        ] {
            assert_eq!(sentence(written).unwrap(), expected);
        }
        assert_eq!(sentence(" \n"), None);
    }
}
