//! Technicians' notes taken apart into clauses, however they are typed, and each put under the section it
//! belongs to. Their shorthand is written out; beyond that what they say is not touched, only where it
//! is told.

use crate::Language;
use crate::built_in::{Catalogue, NoteWords, Section};
use crate::facts::states_code;
use crate::shorthand::expanded;
use crate::words::Words;

/// A piece of the notes that says one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub section: Section,
    pub text: String,
}

/// The clauses in their order; `routine`: they tell of work from the first on.
pub fn clauses(notes: &str, language: Language, routine: bool) -> Vec<Clause> {
    let words = &Catalogue::get().notes;
    let pieces = split(&expanded(notes, language));
    let mends = |text: &String| {
        let text = Words::of(text);
        text.have_any(&words.repaired) && !text.have_any(&words.found)
    };
    let repair = pieces.iter().position(mends);
    let mut repaired = routine;
    let placed = pieces.into_iter().enumerate().map(|(index, text)| {
        let before_repair = repair.is_some_and(|repair| index < repair);
        let section = match before_repair {
            true => section_before_repair(&text, words, routine),
            false => section(&text, words, repaired),
        };
        repaired |= section == Section::Correction;
        Clause { section, text }
    });
    placed.collect()
}

/// Where a clause is told that comes before the repair: what was done there was done to find the cause.
fn section_before_repair(clause: &str, words: &NoteWords, routine: bool) -> Section {
    let clause_words = Words::of(clause);
    let has = |list| clause_words.have_any(list);
    if has(&words.verified) && !has(&words.done) {
        return Section::Complaint;
    }
    if routine && !has(&words.diagnosed) && !has(&words.found) {
        return Section::Correction;
    }
    Section::Cause
}

/// Where a clause is told; `repaired`: work was told before it.
fn section(clause: &str, words: &NoteWords, repaired: bool) -> Section {
    let clause_words = Words::of(clause);
    let has = |list| clause_words.have_any(list);
    let checked = has(&words.checked);
    let done = has(&words.done) && !has(&words.found);
    if repaired && checked {
        return Section::Correction;
    }
    if !repaired && has(&words.verified) && !(done && clause_words.begin_with_any(&words.done)) {
        return Section::Complaint;
    }
    let is_code = states_code(clause) && !repaired && !clause_words.begin_with_any(&words.done);
    if done && has(&words.repaired) {
        return Section::Correction;
    }
    if has(&words.found) || is_code || (!repaired && has(&words.diagnosed)) {
        return Section::Cause;
    }
    if done || has(&words.part) {
        return Section::Correction;
    }
    if states_code(clause) || !repaired {
        return Section::Cause;
    }
    Section::Correction
}

/// At line ends, at ends of sentences, at the signs that stand between clauses, and before a word that
/// says by itself what was done or checked.
pub fn split(text: &str) -> Vec<String> {
    let mut clauses = Vec::new();
    for line in text.lines() {
        for item in list_items(line) {
            for part in at_signs(item) {
                for sentence in sentences(part) {
                    for piece in at_commas(sentence) {
                        before_verbs(piece, &mut clauses);
                    }
                }
            }
        }
    }
    let trimmed = clauses.iter().map(|clause| {
        let clause =
            clause.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '>' | '/'));
        clause.to_owned()
    });
    trimmed
        .filter(|clause| clause.contains(char::is_alphanumeric))
        .collect()
}

/// A line without its bullet or number; one that holds several numbers of a list is several.
fn list_items(line: &str) -> Vec<&str> {
    let line = line
        .trim()
        .trim_start_matches(['-', '*', '•', '>', '·'])
        .trim_start();
    let Some(mut rest) = behind_number(line, 1) else {
        return vec![line];
    };
    let mut items = Vec::new();
    let mut number = 2;
    loop {
        let next = rest.match_indices(' ').find_map(|(space, _)| {
            let behind = behind_number(&rest[space + 1..], number)?;
            Some((&rest[..space], behind))
        });
        match next {
            Some((item, behind)) => {
                items.push(item);
                rest = behind;
                number += 1;
            }
            None => break,
        }
    }
    items.push(rest);
    items
}

/// What follows `1.`, `1)` or `#1` with a space; any number where it is the first of a line.
fn behind_number(text: &str, number: u32) -> Option<&str> {
    let text = text.strip_prefix('#').unwrap_or(text);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let written: u32 = text.get(..digits)?.parse().ok()?;
    if digits > 2 || (number > 1 && written != number) {
        return None;
    }
    let is_bracket = text[digits..].starts_with(')');
    let rest = text[digits..].strip_prefix(['.', ')'])?;
    let rest = rest.strip_prefix(' ')?;
    (is_bracket || rest.starts_with(char::is_alphabetic)).then_some(rest)
}

/// Signs with a space on both sides; a lone word or code before one belongs to what follows.
fn at_signs(text: &str) -> Vec<&str> {
    const SIGNS: [&str; 11] = [
        " - ", " -- ", " – ", " — ", " -> ", " => ", " > ", " / ", " // ", " | ", ";",
    ];
    let mut parts = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some((place, sign)) = SIGNS
        .iter()
        .filter_map(|sign| Some((text[from..].find(sign)? + from, *sign)))
        .min_by_key(|(place, sign)| (*place, usize::MAX - sign.len()))
    {
        let end = place + sign.len();
        let before = &text[start..place];
        // "water pump / thermostat" is a list of things.
        let least = if sign.contains('/') { 2 } else { 1 };
        if sign == ";" || before.split_whitespace().count() > least {
            parts.push(before);
            start = end;
        }
        from = end.max(start);
        // The space behind one sign may be the one before the next.
        if sign != ";" && text.is_char_boundary(end - 1) {
            from = end - 1;
        }
    }
    parts.push(&text[start.min(text.len())..]);
    parts
}

/// A full stop ends a sentence where a space follows it, and it is not an abbreviation's.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (place, mark) in text.match_indices(['.', '!', '?']) {
        let end = place + mark.len();
        let rest = &text[end..];
        if !rest.starts_with(char::is_whitespace) || is_abbreviation(&text[start..place]) {
            continue;
        }
        sentences.push(&text[start..end]);
        start = end;
    }
    sentences.push(&text[start..]);
    sentences
}

/// Whether what stands before a full stop ends in a letter that is no unit, or in one of the words that
/// shops shorten.
fn is_abbreviation(before: &str) -> bool {
    const SHORTENED: [&str; 14] = [
        "no", "nr", "cust", "approx", "ca", "min", "max", "incl", "inkl", "bzw", "aprox", "núm",
        "cyl", "mfr",
    ];
    let start = before
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric())
        .last()
        .map_or(before.len(), |(start, _)| start);
    let (rest, word) = before.split_at(start);
    let is_measured = rest.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let is_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    !is_measured && (is_letter || SHORTENED.contains(&word.to_lowercase().as_str()))
}

/// At commas before a clause that says by itself what was done or checked.
fn at_commas(sentence: &str) -> Vec<&str> {
    let words = &Catalogue::get().notes;
    let mut clauses = Vec::new();
    let mut start = 0;
    let mut comma = 0;
    // What the clause says up to here.
    let (mut checked, mut done, mut verified) = (false, false, false);
    for piece in sentence.split(", ") {
        let piece_words = Words::of(piece);
        let has = |list| piece_words.have_any(list);
        let begins = |list| piece_words.begin_with_any(list);
        let stands_alone = has(&words.done)
            // What was seen at a check belongs to it.
            || has(&words.checked) && !checked
            || verified && !has(&words.verified)
            || done && begins(&words.found)
            || begins(&words.part)
            || states_code(piece);
        if comma > 0 && stands_alone && !begins(&words.goes_on) {
            clauses.push(&sentence[start..comma - 2]);
            start = comma;
            (checked, done, verified) = (false, false, false);
        }
        checked |= has(&words.checked);
        done |= has(&words.done);
        verified |= has(&words.verified);
        comma += piece.len() + 2;
    }
    clauses.push(&sentence[start..]);
    clauses
}

/// Notes without signs: a verb of work with what it was done to, or a road test, begins a clause of its own.
fn before_verbs(piece: &str, clauses: &mut Vec<String>) {
    let words = &Catalogue::get().notes;
    let starts: Vec<usize> = word_starts(piece);
    let mut start = 0;
    for (index, &place) in starts.iter().enumerate().skip(1) {
        let here = Words::of(beginning(&piece[place..]));
        if !here.begin_with_any(&words.begins) {
            continue;
        }
        let before = &piece[start..place];
        let last = before.split_whitespace().last().unwrap_or_default();
        let is_joint = Words::of(last).begin_with_any(&words.joints);
        let trimmed = match is_joint {
            true => before.trim_end().strip_suffix(last).unwrap_or(before),
            false => before,
        };
        let last_word = Words::of(trimmed.split_whitespace().last().unwrap_or_default());
        let next = starts
            .get(index + 1)
            .map_or("", |&next| beginning(&piece[next..]));
        let is_passive = !here.begin_with_any(&words.checked)
            && (next.is_empty() || Words::of(next).begin_with_any(&words.no_object));
        let belongs = trimmed.trim().is_empty()
            || is_passive
            || last_word.begin_with_any(&words.keeps)
            || (is_joint && last_word.begin_with_any(&words.done))
            // "Sanded and resealed the seam": a verb alone has its object behind the second one. What was only checked
            // is another thing than what was done.
            || (is_joint
                && trimmed.split_whitespace().count() == 1
                && !last_word.have_any(&words.diagnosed));
        if belongs {
            continue;
        }
        clauses.push(trimmed.to_owned());
        start = place;
    }
    clauses.push(piece[start..].to_owned());
}

/// As much of a text as its beginning is looked for in: whole texts again and again would take seconds.
fn beginning(text: &str) -> &str {
    const MAX_CHARS: usize = 60;
    let end = text.char_indices().nth(MAX_CHARS);
    end.map_or(text, |(end, _)| &text[..end])
}

fn word_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut in_space = true;
    for (place, c) in text.char_indices() {
        if in_space && !c.is_whitespace() {
            starts.push(place);
        }
        in_space = c.is_whitespace();
    }
    starts
}

/// What the customer says of the car, without their day: when they call, wait, want it washed. The first
/// sentence is what they came for; of the others those are kept that are about the car.
pub fn without_wishes(concern: &str) -> String {
    let catalogue = Catalogue::get();
    let mut kept = Vec::new();
    let lines = concern.lines().flat_map(list_items).flat_map(at_signs);
    let sentences = lines
        .flat_map(sentences)
        .map(str::trim)
        .filter(|it| it.contains(char::is_alphanumeric));
    for (index, sentence) in sentences.enumerate() {
        let is_first = index == 0;
        let is_kept = |piece: &str| {
            let words = Words::of(piece);
            !is_wish(piece) && (is_first || catalogue.is_about_a_car(&words))
        };
        if is_kept(sentence) {
            kept.push(sentence.to_owned());
            continue;
        }
        let pieces: Vec<&str> = pieces(sentence)
            .into_iter()
            .filter(|piece| is_kept(piece))
            .collect();
        if !pieces.is_empty() {
            kept.push(pieces.join(", "));
        } else if is_first {
            kept.push(sentence.to_owned());
        }
    }
    let sentences = kept
        .iter()
        .filter_map(|piece| crate::built_in::sentence(piece));
    sentences.collect::<Vec<_>>().join(" ")
}

fn is_wish(piece: &str) -> bool {
    let words = Words::of(piece);
    words.have_any(&Catalogue::get().concern.wishes)
        || has_phone(piece)
        || piece.trim().eq_ignore_ascii_case("waiting")
}

/// A sentence at its commas, and at an *and* before a wish.
fn pieces(sentence: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for part in sentence.split(", ") {
        let mut start = 0;
        for (and, _) in part.to_ascii_lowercase().match_indices(" and ") {
            if is_wish(&part[and + 5..]) && !is_wish(&part[start..and]) {
                pieces.push(&part[start..and]);
                start = and + 5;
            }
        }
        pieces.push(&part[start..]);
    }
    pieces
}

/// Such as `555-0142`.
fn has_phone(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let is_plain = word
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '(' | ')'));
        is_plain && (7..=11).contains(&digits) && word.contains(['-', '.'])
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use Section::{Cause, Complaint, Correction};

    fn told(notes: &str) -> Vec<(Section, String)> {
        let clauses = clauses(notes, Language::En, false).into_iter();
        clauses
            .map(|clause| (clause.section, clause.text))
            .collect()
    }

    #[track_caller]
    fn is_told(notes: &str, expected: &[(Section, &str)]) {
        let expected: Vec<(Section, String)> = expected
            .iter()
            .map(|(section, text)| (*section, (*text).to_owned()))
            .collect();
        assert_eq!(told(notes), expected);
    }

    #[test]
    fn two_verbs_with_one_object_stay_together() {
        is_told(
            "Mounted and balanced 4 tires, torqued 76 lb ft",
            &[
                (Correction, "Mounted and balanced 4 tires"),
                (Correction, "torqued 76 lb ft"),
            ],
        );
        is_told(
            "sanded and resealed the seam",
            &[(Correction, "sanded and resealed the seam")],
        );
        is_told(
            "checked and cleaned battery terminals",
            &[
                (Cause, "checked"),
                (Correction, "cleaned battery terminals"),
            ],
        );
    }

    #[test]
    fn notes_are_taken_apart_however_they_are_typed() {
        is_told(
            "Found pads worn to 2 mm, rotors scored, replaced pads and rotors, torqued wheels to 94 lb-ft. Road test ok.",
            &[
                (Cause, "Found pads worn to 2 mm, rotors scored"),
                (Correction, "replaced pads and rotors"),
                (Correction, "torqued wheels to 94 lb-ft."),
                (Correction, "Road test ok."),
            ],
        );
        is_told(
            "verified noise - lf hub loose - r/r hub pn 44300-T0A-951 - rt 6 mi no hum",
            &[
                (Complaint, "verified noise"),
                (Cause, "left front hub loose"),
                (
                    Correction,
                    "removed and replaced hub part number 44300-T0A-951",
                ),
                (Correction, "road test 6 mi no hum"),
            ],
        );
        is_told(
            "pads worn replaced pads road tested ok",
            &[
                (Cause, "pads worn"),
                (Correction, "replaced pads"),
                (Correction, "road tested ok"),
            ],
        );
        is_told(
            "1) code P0301 2) coil open 3) replaced coil",
            &[
                (Cause, "code P0301"),
                (Cause, "coil open"),
                (Correction, "replaced coil"),
            ],
        );
    }

    #[test]
    fn that_the_customer_is_right_belongs_to_the_complaint() {
        is_told(
            "cust right, pads 2 mm. replaced pads",
            &[
                (Complaint, "customer right"),
                (Cause, "pads 2 mm."),
                (Correction, "replaced pads"),
            ],
        );
        is_told(
            "customer was right about the noise; hub loose, replaced hub",
            &[
                (Complaint, "customer was right about the noise"),
                (Cause, "hub loose"),
                (Correction, "replaced hub"),
            ],
        );
        // A side of the car is no opinion.
        is_told(
            "found customers right rear tire worn, replaced tire",
            &[
                (Cause, "found customers right rear tire worn"),
                (Correction, "replaced tire"),
            ],
        );
    }

    #[test]
    fn a_passive_and_a_list_stay_together() {
        is_told(
            "battery was replaced and tested",
            &[(Correction, "battery was replaced and tested")],
        );
        is_told(
            "cleaned and lubricated slides",
            &[(Correction, "cleaned and lubricated slides")],
        );
    }

    #[test]
    fn german_and_spanish_notes_are_taken_apart_too() {
        let of = |notes, language| {
            let clauses = clauses(notes, language, false).into_iter();
            clauses
                .map(|clause| (clause.section, clause.text))
                .collect::<Vec<_>>()
        };
        let expect = |section, text: &str| (section, text.to_owned());
        assert_eq!(
            of(
                "Beläge auf 2,5 mm verschlissen, Beläge vorne ersetzt, Probefahrt i. O.",
                Language::De
            ),
            [
                expect(Cause, "Beläge auf 2,5 mm verschlissen"),
                expect(Correction, "Beläge vorne ersetzt"),
                expect(Correction, "Probefahrt i. O."),
            ]
        );
        assert_eq!(
            of(
                "Se encontró fuga en manguera. Se reemplazó la manguera. Prueba de manejo sin fugas.",
                Language::Es
            ),
            [
                expect(Cause, "Se encontró fuga en manguera."),
                expect(Correction, "Se reemplazó la manguera."),
                expect(Correction, "Prueba de manejo sin fugas."),
            ]
        );
    }

    #[test]
    fn a_unit_ends_a_sentence_and_an_abbreviation_does_not() {
        is_told(
            "Charging 14.2 V. Replaced battery. No. 3 coil ok i. O. geprüft",
            &[
                (Cause, "Charging 14.2 V."),
                (Correction, "Replaced battery."),
                (Correction, "No. 3 coil ok i. O. geprüft"),
            ],
        );
    }

    #[test]
    fn what_was_done_before_the_repair_was_done_to_find_the_cause() {
        is_told(
            "Tightened shield, rattle same. Swapped wheels, no change. Replaced hub. Tightened shield.",
            &[
                (Cause, "Tightened shield, rattle same."),
                (Cause, "Swapped wheels, no change."),
                (Correction, "Replaced hub."),
                (Correction, "Tightened shield."),
            ],
        );
    }

    #[test]
    fn what_was_not_done_or_is_recommended_is_no_correction() {
        is_told(
            "Battery was not replaced. Recommend battery to be replaced. Pads were replaced last year",
            &[
                (Cause, "Battery was not replaced."),
                (Cause, "Recommend battery to be replaced."),
                (Cause, "Pads were replaced last year"),
            ],
        );
    }

    #[test]
    fn the_customers_day_is_left_out_and_the_car_is_not() {
        for (concern, expected) in [
            (
                "Squeal when braking. WAITER, leaves by noon",
                "Squeal when braking.",
            ),
            ("Noise in front, call 555-0142 when done", "Noise in front."),
            (
                "Leak under engine. Worse when hot. Please wash",
                "Leak under engine. Worse when hot.",
            ),
            ("Wants car washed", "Wants car washed"),
        ] {
            assert_eq!(
                without_wishes(concern).trim_end_matches('.'),
                expected.trim_end_matches('.')
            );
        }
    }

    proptest! {
        /// No letter and no figure of notes without shorthand is lost or added, whatever they are.
        #[test]
        fn nothing_is_lost_and_nothing_added(notes in "[A-Z][a-z]{3,9}( [a-z]{4,9}| [0-9]{1,4}|, |\\. |; | - |\n| and ){0,20}") {
            let kept: String = split(&notes).concat();
            let bare = |text: &str| {
                text.replace(" and ", " ").chars().filter(|c| c.is_alphanumeric()).collect::<String>()
            };
            let joints = |text: &str| text.matches("and").count();
            prop_assert!(bare(&kept).len() + 3 * joints(&notes) >= bare(&notes).len());
            let figures = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
            prop_assert_eq!(figures(&kept), figures(&notes));
        }
    }
}
