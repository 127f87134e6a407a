//! The built-in interviewer: it asks what a warranty auditor would ask about a job of this kind and what
//! was not entered yet, and puts the story together from what was entered and answered, and from nothing
//! else.
//!
//! `catalogue` (what it knows), `entries` (what was entered, taken apart), `course` (which question comes
//! next), `conflicts` (what contradicts itself), `parts` (the part that failed), `compose` (the story).

mod catalogue;
mod compose;
mod conflicts;
mod course;
mod entries;
pub mod parts;
#[cfg(test)]
mod tests;

pub use catalogue::{Catalogue, NoteWords, Section, Texts};
pub use compose::{headed, sentence};
pub use course::{Answered, Course, answers_beyond_catalogue};
pub use entries::{Entries, codes, is_number_of_part};

#[cfg(test)]
use crate::facts::Subject;
use crate::interview::{Interview, Reply};

/// The next question, or the story when all have been answered.
pub fn reply(interview: &Interview) -> Reply {
    let entries = Entries::of(interview);
    let course = Course::of(interview, &entries);
    match course.next {
        Some(next) => {
            let texts = Texts::of(interview.language).question(next);
            Reply::Question {
                question: texts.ask.clone(),
                of: Some(interview.turns.len() + course.remaining),
                field: next.field,
            }
        }
        None => Reply::Story(compose::story(interview, &entries, &course.answered)),
    }
}

/// The names of all kinds of jobs.
pub fn kinds() -> Vec<&'static str> {
    Catalogue::get().kinds().collect()
}

#[cfg(test)]
/// The name of the kind of job this is: by its operation code first, then by what the customer says.
pub fn kind_of(subject: &Subject) -> &'static str {
    &Catalogue::get().kind(subject).id
}
