//! Technicians' notes taken apart into clauses, each under the section it belongs to. What they say is
//! not touched; only where it is told.

use super::catalogue::{Catalogue, Section, Words};

/// The clauses in their order, each as it was written.
pub fn clauses(notes: &str) -> Vec<(Section, &str)> {
    let words = &Catalogue::get().notes;
    let mut section = Section::Diagnosis;
    let mut repaired = false;
    let mut clauses = Vec::new();
    for clause in split(notes) {
        let clause_words = Words::of(clause);
        if clause_words.have_any(&words.found)
            && !(repaired && clause_words.have_any(&words.checked))
        {
            clauses.push((Section::Diagnosis, clause));
            continue;
        }
        if repaired && clause_words.have_any(&words.checked) {
            section = Section::Confirmation;
        } else if clause_words.have_any(&words.done) {
            section = Section::Correction;
            repaired = true;
        }
        clauses.push((section, clause));
    }
    clauses
}

/// At line ends, at ends of sentences, and at commas before a clause that says by itself what was done
/// or checked.
fn split(notes: &str) -> Vec<&str> {
    let words = &Catalogue::get().notes;
    let mut clauses = Vec::new();
    for sentence in sentences(notes) {
        let mut start = 0;
        for (comma, _) in sentence.match_indices(", ") {
            let rest = &sentence[comma + 2..];
            let next = rest.split(", ").next().unwrap_or(rest);
            let next_words = Words::of(next);
            let before = Words::of(&sentence[start..comma]);
            // What was seen at a check belongs to it.
            let another_check =
                next_words.have_any(&words.checked) && !before.have_any(&words.checked);
            let stands_alone = next_words.have_any(&words.done) || another_check;
            if stands_alone && !next_words.begin_with_any(&words.goes_on) {
                clauses.push(&sentence[start..comma]);
                start = comma + 2;
            }
        }
        clauses.push(&sentence[start..]);
    }
    clauses
        .into_iter()
        .map(str::trim)
        .filter(|clause| !clause.is_empty())
        .collect()
}

/// A full stop ends a sentence where a capital follows it, and is not an abbreviation's.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    for line in text.split(['\n', ';']) {
        let mut start = 0;
        for (place, mark) in line.match_indices(['.', '!', '?']) {
            let end = place + mark.len();
            let rest = &line[end..];
            let next = rest.trim_start().chars().next();
            let goes_on = !rest.starts_with(char::is_whitespace)
                || next.is_some_and(char::is_lowercase)
                || is_abbreviation(&line[start..place]);
            if !goes_on {
                sentences.push(&line[start..end]);
                start = end;
            }
        }
        sentences.push(&line[start..]);
    }
    sentences
}

/// Whether what stands before a full stop ends in a letter that is no unit, or in one of the words that
/// shops shorten.
fn is_abbreviation(before: &str) -> bool {
    const SHORTENED: [&str; 12] = [
        "no", "nr", "cust", "approx", "ca", "min", "max", "incl", "inkl", "bzw", "aprox", "núm",
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

#[cfg(test)]
mod tests {
    use super::*;
    use Section::{Confirmation, Correction, Diagnosis};

    #[test]
    fn a_list_of_what_was_done_is_taken_apart() {
        assert_eq!(
            clauses(
                "Found pads worn to 2 mm, rotors scored, replaced pads and rotors, torqued wheels to 94 lb-ft. Road test ok."
            ),
            [
                (Diagnosis, "Found pads worn to 2 mm, rotors scored"),
                (Correction, "replaced pads and rotors"),
                (Correction, "torqued wheels to 94 lb-ft."),
                (Confirmation, "Road test ok."),
            ]
        );
    }

    #[test]
    fn german_and_spanish_notes_are_taken_apart_too() {
        assert_eq!(
            clauses("Beläge auf 2,5 mm verschlissen, Beläge vorne ersetzt, Probefahrt i. O."),
            [
                (Diagnosis, "Beläge auf 2,5 mm verschlissen"),
                (Correction, "Beläge vorne ersetzt"),
                (Confirmation, "Probefahrt i. O."),
            ]
        );
        assert_eq!(
            clauses(
                "Se encontró fuga en manguera. Se reemplazó la manguera. Prueba de manejo sin fugas."
            ),
            [
                (Diagnosis, "Se encontró fuga en manguera."),
                (Correction, "Se reemplazó la manguera."),
                (Confirmation, "Prueba de manejo sin fugas."),
            ]
        );
    }

    #[test]
    fn a_unit_ends_a_sentence_and_an_abbreviation_does_not() {
        assert_eq!(
            clauses("Charging 14.2 V. Replaced battery. No. 3 coil ok i. O. geprüft"),
            [
                (Diagnosis, "Charging 14.2 V."),
                (Correction, "Replaced battery."),
                (Correction, "No. 3 coil ok i. O. geprüft"),
            ]
        );
    }

    #[test]
    fn a_road_test_before_the_repair_is_diagnosis() {
        assert_eq!(
            clauses("Road test confirmed rattle. Tightened shield."),
            [
                (Diagnosis, "Road test confirmed rattle."),
                (Correction, "Tightened shield."),
            ]
        );
    }

    #[test]
    fn what_was_not_done_or_is_recommended_is_no_correction() {
        assert_eq!(
            clauses(
                "Battery was not replaced. Recommend battery to be replaced. Pads were replaced last year"
            ),
            [
                (Diagnosis, "Battery was not replaced."),
                (Diagnosis, "Recommend battery to be replaced."),
                (Diagnosis, "Pads were replaced last year"),
            ]
        );
    }

    #[test]
    fn nothing_is_lost_and_nothing_added() {
        for notes in [
            "",
            "No. 3 injector",
            "a;b\n\nc",
            "P/N 06A.906.088, 2.5 V at pin 4. OK",
        ] {
            let kept: String = clauses(notes).iter().map(|(_, clause)| *clause).collect();
            let bare = |text: &str| text.replace([' ', ',', ';', '\n'], "");
            assert_eq!(bare(&kept), bare(notes));
        }
    }
}
