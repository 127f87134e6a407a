//! The story, section by section, from what was entered and answered.

use dispatch_actors::repair_order::{Answer, AnswerField};

use super::catalogue::{Catalogue, Section, Texts};
use super::course::Answered;
use super::entries::Entries;
use crate::Language;
use crate::clauses::without_wishes;
use crate::interview::Interview;
use crate::shorthand::expanded;
use crate::words::Words;

pub fn story(interview: &Interview, entries: &Entries, answered: &[Answered]) -> String {
    let texts = Texts::of(interview.language);
    let sections = Section::ALL.map(|section| {
        let sentences = match section {
            Section::Complaint => complaint(interview, entries, answered, texts),
            Section::Cause => cause(entries, answered, texts),
            Section::Correction => correction(entries, answered, texts),
        };
        format!("{}:\n{}", texts.section(section), sentences.join(" "))
    });
    sections.join("\n\n")
}

/// A story of sections that somebody else wrote, with the headings that every story has. An empty one says
/// that nothing was recorded.
pub fn headed(language: Language, written: [&str; 3]) -> String {
    let texts = Texts::of(language);
    let phrases = &texts.phrases;
    let nothing = [
        &phrases.no_concern,
        &phrases.nothing_found,
        &phrases.nothing_done,
    ];
    let sections = Section::ALL.into_iter().zip(written).zip(nothing);
    let sections = sections.map(|((section, text), nothing)| {
        let text = text.trim();
        let text = if text.is_empty() { nothing } else { text };
        format!("{}:\n{text}", texts.section(section))
    });
    sections.collect::<Vec<_>>().join("\n\n")
}

fn complaint(
    interview: &Interview,
    entries: &Entries,
    answered: &[Answered],
    texts: &Texts,
) -> Vec<String> {
    let concern = without_wishes(&expanded(&interview.subject.concern, interview.language));
    let mut sentences = vec![match sentence(&concern) {
        None => texts.phrases.no_concern.clone(),
        Some(concern) => texts.phrases.concern.replace("{}", &concern),
    }];
    sentences.extend(note_sentences(entries, Section::Complaint, answered));
    sentences.extend(answer_sentences(answered, Section::Complaint, texts));
    sentences
}

fn cause(entries: &Entries, answered: &[Answered], texts: &Texts) -> Vec<String> {
    let mut sentences: Vec<String> = note_sentences(entries, Section::Cause, answered).collect();
    sentences.extend(answer_sentences(answered, Section::Cause, texts));
    let found = entries
        .cause
        .iter()
        .filter(|clause| is_not_withdrawn(clause, answered));
    sentences.extend(found.filter_map(|clause| sentence(clause)));
    let given = |it: &Answered| it.question.section == Section::Cause && it.value.is_some();
    if !entries.has_finding() && !answered.iter().any(given) {
        sentences.push(texts.phrases.nothing_found.clone());
    }
    sentences
}

fn correction(entries: &Entries, answered: &[Answered], texts: &Texts) -> Vec<String> {
    // What was done before how it was proved.
    let (done, asked): (Vec<Answered>, Vec<Answered>) = answered
        .iter()
        .cloned()
        .partition(|it| it.question.work || it.question.field != AnswerField::None);
    let mut sentences: Vec<String> = answer_sentences(&done, Section::Correction, texts).collect();
    let notes: Vec<String> = note_sentences(entries, Section::Correction, answered).collect();
    match entries.has_work() {
        true => sentences.splice(0..0, notes).for_each(drop),
        false => sentences.extend(notes),
    }
    sentences.extend(answer_sentences(&asked, Section::Correction, texts));
    let is_done = |it: &Answered| {
        let said_nothing_done = it.question.id == "what-done" && it.answer == Answer::No;
        let is_told = it.value.is_some() || it.question.id != "what-done";
        it.question.work && it.answer == Answer::Yes && is_told
            || said_nothing_done && entries.has_finding()
    };
    let noted_nothing_done =
        entries.answer(Catalogue::get().question("what-done")) == Some(Answer::No);
    if !entries.has_work() && !noted_nothing_done && !answered.iter().any(is_done) {
        sentences.push(texts.phrases.nothing_done.clone());
    }
    sentences
}

/// The clauses of the notes that belong here.
fn note_sentences<'a>(
    entries: &'a Entries,
    section: Section,
    answered: &'a [Answered],
) -> impl Iterator<Item = String> + 'a {
    let clauses = entries
        .notes
        .iter()
        .filter(move |clause| clause.section == section);
    let held = clauses.filter(move |clause| is_not_withdrawn(&clause.text, answered));
    held.filter_map(|clause| sentence(&clause.text))
}

/// Whether what a clause says was not taken back: a contradiction that was asked about and answered.
fn is_not_withdrawn(clause: &str, answered: &[Answered]) -> bool {
    let catalogue = Catalogue::get();
    let words = Words::of(clause);
    let pairs = [
        ("conflict-parts", "replaced"),
        ("conflict-gone", "gone"),
        ("conflict-verified", "verified"),
    ];
    !pairs.into_iter().any(|(conflict, about)| {
        let mut answers = answered.iter();
        let answer = answers
            .find(|it| it.question.id == conflict)
            .map(|it| it.answer);
        answer == Some(Answer::Yes) && words.have_any(&catalogue.question(about).no)
    })
}

/// What the answers tell here.
fn answer_sentences<'a>(
    answered: &'a [Answered],
    section: Section,
    texts: &'a Texts,
) -> impl Iterator<Item = String> + use<'a> {
    let resolved = |about: &str| {
        let mut answers = answered.iter();
        answers.any(|it| it.question.id.strip_prefix("conflict-") == Some(about))
    };
    let replaced = resolved("parts");
    let gone = resolved("gone");
    let verified = resolved("verified");
    let here = answered
        .iter()
        .filter(move |it| it.question.section == section);
    // What was asked again is told once.
    let open = here.filter(move |it| match &*it.question.id {
        "replaced" => !replaced,
        "gone" => !gone,
        "verified" => !verified,
        _ => true,
    });
    open.flat_map(move |it| of_answer(it, texts))
}

/// What an answer tells. Where it is Yes and a value was asked for and not given, that is told, too: an
/// auditor asks at once which codes, and what was measured.
fn of_answer(it: &Answered, texts: &Texts) -> Vec<String> {
    let texts = texts.question(it.question);
    if let (Answer::Yes, Some(value), Some(with_value)) = (it.answer, &it.value, &texts.with_value)
    {
        let value = value.trim().trim_end_matches('.');
        let told = with_value.replace("{}", value);
        return sentence(&told).into_iter().collect();
    }
    let unnamed = texts
        .without_value
        .as_ref()
        .filter(|_| it.answer == Answer::Yes);
    let said = texts.sentence(it.answer).map(str::to_owned);
    said.into_iter().chain(unnamed.cloned()).collect()
}

/// From a capital to a full stop. None where there is nothing.
pub fn sentence(text: &str) -> Option<String> {
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
    let rest = rest.trim_end_matches([',', ':', '-', ' ']);
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
