//! What was entered and answered, where it contradicts itself.

use dispatch_actors::repair_order::Answer;

use super::catalogue::{Catalogue, Question};
use super::course::Answered;
use super::entries::Entries;
use crate::words::{WordList, Words};

/// The questions that a contradiction asks, in their order.
pub fn questions(entries: &Entries, answered: &[Answered]) -> Vec<&'static Question> {
    let catalogue = Catalogue::get();
    let asked = [
        ("conflict-verified", "verified"),
        ("conflict-parts", "replaced"),
        ("conflict-gone", "gone"),
    ];
    let mut questions: Vec<&Question> = asked
        .into_iter()
        .filter(|(_, about)| is_contradicted(entries, answered, catalogue.question(about)))
        .map(|(conflict, _)| catalogue.question(conflict))
        .collect();
    if is_elsewhere(entries) {
        questions.push(catalogue.question("conflict-place"));
    }
    questions
}

/// Whether Yes and No are both said about a question, wherever.
fn is_contradicted(entries: &Entries, answered: &[Answered], about: &Question) -> bool {
    let mut answers = answered.iter();
    let answer = answers
        .find(|it| it.question.id == about.id)
        .map(|it| it.answer);
    let words = entries.words();
    // "No parts were replaced" has the word of a Yes in it.
    let no = answer == Some(Answer::No) || words.have_any(&about.no);
    let yes = answer == Some(Answer::Yes) || words.without(&about.no).have_any(&about.yes);
    yes && no
}

/// Whether the concern names one end or side of the car and the entries only the other.
fn is_elsewhere(entries: &Entries) -> bool {
    let places = &Catalogue::get().places;
    let only = |words: &Words, here: &WordList, there: &WordList| {
        words.have_any(here) && !words.have_any(there)
    };
    let pairs = [
        (&places.front, &places.rear),
        (&places.driver, &places.passenger),
    ];
    pairs.into_iter().any(|(one, other)| {
        let (concern, entered) = (&entries.concern, entries.words());
        only(concern, one, other) && only(entered, other, one)
            || only(concern, other, one) && only(entered, one, other)
    })
}
