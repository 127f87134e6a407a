//! What a finished story says that it should not: work that no input states, two sentences that contradict
//! each other, and that something is missing.

use crate::Language;
use crate::built_in::{Catalogue, Texts};
use crate::words::{WordList, Words};

/// Where a sentence of the story stands, in bytes.
pub type Span = (usize, usize);

/// The sentences of a story, without its headings.
pub fn sentences(story: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut line_start = 0;
    for line in story.split_inclusive('\n') {
        let mut start = line_start;
        let text = line.trim_end();
        for (place, _) in text.match_indices(['.', '!', '?']) {
            let end = line_start + place + 1;
            if text[place + 1..].starts_with(' ') || place + 1 == text.len() {
                spans.push((start, end));
                start = end;
            }
        }
        let end = line_start + text.len();
        if start < end && !text.ends_with(':') {
            spans.push((start, end));
        }
        line_start += line.len();
    }
    let trimmed = spans.into_iter().map(|(start, end)| {
        let text = &story[start..end];
        (end - text.trim_start().len(), end)
    });
    trimmed.filter(|(start, end)| start < end).collect()
}

/// Sentences that say the contrary of another one.
pub fn contradictions(story: &str) -> Vec<Span> {
    let catalogue = Catalogue::get();
    let pairs = ["replaced", "gone"].map(|id| catalogue.question(id));
    // What the customer says of the past contradicts nothing.
    let complaint = story.find("\n\n").unwrap_or_default();
    let sentences = sentences(story)
        .into_iter()
        .filter(|(start, _)| *start >= complaint);
    let sentences: Vec<Span> = sentences.collect();
    let mut found = Vec::new();
    for about in pairs {
        let is_no = |span: &&Span| {
            let words = Words::of(&story[span.0..span.1]);
            words.have_any(&about.no)
        };
        let is_yes = |span: &&Span| {
            let words = Words::of(&story[span.0..span.1]);
            !words.have_any(&about.no)
                && !words.have_any(&catalogue.notes.found)
                && words.have_any(certain_words(about.id.as_str(), &catalogue.work.verbs))
        };
        if sentences.iter().any(|span| is_yes(&span)) {
            found.extend(sentences.iter().filter(is_no));
        }
    }
    found.sort_unstable();
    found
}

/// What is said in a story for certain: it reads as prose, where a lone "ok" or "works" proves nothing.
fn certain_words<'a>(id: &str, yes: &'a WordList) -> &'a WordList {
    match id {
        "gone" => &Catalogue::get().work.gone,
        _ => yes,
    }
}

/// Sentences by which the built-in interviewer says that something was not recorded which a story has to say.
pub fn missing_sentences(story: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    for language in [Language::En, Language::De, Language::Es] {
        let phrases = &Texts::of(language).phrases;
        for phrase in [&phrases.nothing_found, &phrases.nothing_done] {
            let places = story.match_indices(phrase.as_str());
            spans.extend(places.map(|(start, _)| (start, start + phrase.len())));
        }
    }
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// What a sentence says was replaced or installed: the words of it, without the verb. None where it says no
/// such thing.
pub fn replaced_parts(sentence: &str) -> Option<Vec<String>> {
    let catalogue = Catalogue::get();
    let words = Words::of(sentence);
    let replaced = catalogue.question("replaced");
    if words.have_any(&replaced.no)
        || !words.have_any(&catalogue.work.verbs)
        || words.have_any(&catalogue.notes.found)
    {
        return None;
    }
    let stop = &catalogue.work.stop;
    let objects = stems(sentence).into_iter();
    Some(objects.filter(|word| !stop.contains(word)).collect())
}

/// The words of a text by their beginnings, which languages do not bend.
pub fn stems(text: &str) -> Vec<String> {
    let folded = dispatch_actors::text::folded(text);
    let words = folded.split(|c: char| !c.is_alphabetic());
    words
        .filter(|word| word.chars().count() > 3)
        .map(|word| word.chars().take(4).collect())
        .collect()
}

/// Whether a text tells of something being replaced or installed, or asks about it.
pub fn tells_of_work(text: &str) -> bool {
    let catalogue = Catalogue::get();
    let words = Words::of(text);
    words
        .without(&catalogue.question("replaced").no)
        .have_any(&catalogue.work.verbs)
        || words.have_any(&catalogue.work.asked)
}
