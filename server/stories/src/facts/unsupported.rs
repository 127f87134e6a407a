//! The facts of a story that none of its inputs states.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::days::Date;
use super::facts::{self, Fact, FactValue, facts};
use super::quantities::Quantity;
use super::subject::Subject;
use super::words::{Word, words};
use crate::Language;
use crate::shorthand::expanded;
use crate::statements;

/// Words of an input that may be one part number together.
const MAX_PARTS: usize = 6;

/// Characters of a part number at least that may be told by its parts: short ones come about by
/// chance.
const MIN_JOINED_CHARS: usize = 5;

/// A fact of a story that stands in none of the story's inputs, or a sentence that cannot stay as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Doubt)]
pub struct UnsupportedFact {
    pub kind: FactKind,
    pub text: String,
    /// Where it stands in the story, in UTF-16 units.
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = DoubtKind)]
pub enum FactKind {
    Number,
    PartNumber,
    Code,
    Mileage,
    Date,
    /// Something replaced or installed that no input tells of.
    Work,
    /// A sentence that says the contrary of another one.
    Contradiction,
    /// It says that what has to be in a story was not recorded: to be written, and not to be confirmed.
    Missing,
}

/// Everything that a story may state.
#[derive(Default)]
pub struct Inputs {
    numbers: Vec<Quantity>,
    dates: Vec<Date>,
    /// Letters and digits of tokens, and of tokens in a row.
    marks: HashSet<String>,
    /// Beginnings of all words, and whether work was told of.
    stems: HashSet<String>,
    has_work: bool,
    /// Who writes the story is who did the work.
    by_hand: bool,
}

impl Inputs {
    /// What the order says of a job, and what was entered about it.
    pub fn of_job<'a>(subject: &Subject, entered: impl IntoIterator<Item = &'a str>) -> Self {
        let mut inputs = Self::default();
        for text in [
            &subject.vehicle,
            &subject.vin,
            &subject.concern,
            &subject.operation_code,
            &subject.operation_description,
        ] {
            inputs.add(text);
        }
        entered.into_iter().for_each(|text| inputs.add(text));
        inputs
    }

    /// A text that somebody entered or confirmed.
    pub fn add(&mut self, text: &str) {
        for language in [Language::En, Language::De, Language::Es] {
            let written_out = expanded(text, language);
            self.stems.extend(statements::stems(&written_out));
            self.has_work |= statements::tells_of_work(&written_out);
        }
        for fact in facts(text) {
            self.numbers.extend(fact.numerals());
            if let FactValue::Date(date) = fact.value {
                self.dates.push(date);
            }
        }
        let words = words(text);
        let parts: Vec<&str> = words.iter().flat_map(Word::parts).collect();
        for first in 0..parts.len() {
            let mut mark = String::new();
            for (count, part) in parts[first..].iter().take(MAX_PARTS).enumerate() {
                mark.push_str(&facts::mark(part));
                if count == 0 || mark.len() >= MIN_JOINED_CHARS {
                    self.marks.insert(mark.clone());
                }
            }
        }
        for word in &words {
            self.marks.insert(facts::mark(word.text));
        }
    }

    /// For a story that is written by hand: what was done is for its author to say.
    pub fn by_hand(self) -> Self {
        Self {
            by_hand: true,
            ..self
        }
    }

    /// Whether a sentence tells of work on what no input names.
    fn lack_work(&self, sentence: &str) -> bool {
        let work = statements::replaced_parts(sentence).filter(|_| !self.by_hand);
        work.is_some_and(|objects| {
            !self.has_work || objects.iter().any(|object| !self.stems.contains(object))
        })
    }

    fn have(&self, fact: &Fact) -> bool {
        match &fact.value {
            FactValue::Number(number) => self.numbers.iter().any(|entered| entered.covers(number)),
            FactValue::Date(date) => self.dates.iter().any(|entered| entered.covers(date)),
            FactValue::Code(code) => {
                self.marks.contains(code)
                    || self.marks.iter().any(|mark| is_longer_code(mark, code))
            }
            FactValue::Mark(mark) => self.marks.contains(mark),
        }
    }
}

/// Whether a code is the other with the byte that says how it failed.
fn is_longer_code(mark: &str, code: &str) -> bool {
    mark.len() == code.len() + 2 && facts::is_trouble_code(mark) && mark.starts_with(code)
}

/// What the story states without having it from anywhere, in the order of the text.
pub fn unsupported_facts(story: &str, inputs: &Inputs) -> Vec<UnsupportedFact> {
    let facts = facts(story).into_iter();
    let facts = facts.filter(|fact| !inputs.have(fact));
    let mut found: Vec<(FactKind, statements::Span)> = facts
        .map(|fact| (fact.kind(), (fact.start, fact.end)))
        .collect();
    let of_sentences = [
        (FactKind::Missing, statements::missing_sentences(story)),
        (FactKind::Contradiction, statements::contradictions(story)),
        (FactKind::Work, unsupported_work(story, inputs)),
    ];
    for (kind, spans) in of_sentences {
        for span in spans {
            // A sentence is marked once, and one in which a fact is marked is looked at anyway.
            if found
                .iter()
                .all(|(_, other)| other.1 <= span.0 || span.1 <= other.0)
            {
                found.push((kind, span));
            }
        }
    }
    found.sort_by_key(|(_, span)| *span);
    let mut utf16 = 0;
    let mut counted = 0;
    let mut offset = |place: usize| {
        utf16 += story[counted..place].encode_utf16().count();
        counted = place;
        utf16
    };
    let found = found.into_iter();
    found
        .map(|(kind, (start, end))| UnsupportedFact {
            kind,
            text: story[start..end].to_owned(),
            start: offset(start),
            end: offset(end),
        })
        .collect()
}

/// Sentences that tell of parts being put in which no input names.
fn unsupported_work(story: &str, inputs: &Inputs) -> Vec<statements::Span> {
    let sentences = statements::sentences(story).into_iter();
    sentences
        .filter(|(start, end)| inputs.lack_work(&story[*start..*end]))
        .collect()
}

/// Whether a text names a trouble code.
pub fn states_code(text: &str) -> bool {
    facts(text)
        .iter()
        .any(|fact| matches!(fact.value, FactValue::Code(_)))
}

/// Those that nobody has confirmed. What is missing cannot be.
pub fn unconfirmed(story: &str, inputs: &Inputs, confirmed: &[String]) -> Vec<UnsupportedFact> {
    let confirmed: HashSet<&str> = confirmed.iter().map(String::as_str).collect();
    let mut facts = unsupported_facts(story, inputs);
    facts.retain(|fact| fact.kind == FactKind::Missing || !confirmed.contains(&*fact.text));
    facts
}

impl Fact {
    fn kind(&self) -> FactKind {
        match &self.value {
            FactValue::Number(number) if number.is_mileage() => FactKind::Mileage,
            FactValue::Number(_) => FactKind::Number,
            FactValue::Date(_) => FactKind::Date,
            FactValue::Code(_) => FactKind::Code,
            FactValue::Mark(mark) if is_part_number(mark) => FactKind::PartNumber,
            FactValue::Mark(_) => FactKind::Code,
        }
    }

    fn numerals(&self) -> Option<Quantity> {
        match &self.value {
            FactValue::Number(number) => Some(number.clone()),
            _ => None,
        }
    }
}

pub fn is_part_number(mark: &str) -> bool {
    let digits = mark.bytes().filter(u8::is_ascii_digit).count();
    mark.len() >= 6 && digits >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(cause: &str, notes: &str) -> Inputs {
        let subject = Subject {
            vehicle: "2021 Honda Accord Sport".to_owned(),
            vin: "1HGCV1F34MA012345".to_owned(),
            concern: "Grinding noise at 45 mph since last week".to_owned(),
            operation_code: "BRK-F12".to_owned(),
            operation_description: "Front brakes".to_owned(),
            kind: None,
        };
        Inputs::of_job(&subject, [cause, notes])
    }

    fn doubted(story: &str, inputs: &Inputs) -> Vec<(FactKind, String)> {
        unsupported_facts(story, inputs)
            .into_iter()
            .map(|fact| (fact.kind, fact.text))
            .collect()
    }

    #[track_caller]
    fn is_known(story: &str, notes: &str) {
        let found = doubted(story, &inputs("Worn pads", notes));
        assert_eq!(found, [], "'{story}' from '{notes}'");
    }

    #[track_caller]
    fn is_doubted(story: &str, notes: &str, kind: FactKind, text: &str) {
        let found = doubted(story, &inputs("Worn pads", notes));
        assert_eq!(found, [(kind, text.to_owned())], "'{story}' from '{notes}'");
    }

    #[test]
    fn what_was_entered_is_known_however_it_is_written() {
        for (story, notes) in [
            ("Pads measured 2 mm.", "pads 2mm"),
            ("Pads measured 2.0 mm.", "pads 2 mm"),
            ("Pads measured 2,5 mm.", "pads 2.5 mm"),
            ("Mileage 41,250.", "at 41250 miles"),
            ("At 41.250 km.", "41250 km"),
            ("At 40,000 miles.", "40k miles"),
            ("Two rotors.", "2 rotors"),
            ("2 rotors.", "two rotors"),
            ("Twenty-five volts.", "25 V"),
            ("Two hundred ohms.", "200 ohm"),
            ("Code P0301 stored.", "P0301-00 stored"),
            ("Codes P0301 and P0420.", "p0301/p0420"),
            ("Part 06A906088C installed.", "inst 06A 906 088 C"),
            ("Part 06A-906-088-C installed.", "inst 06A906088C"),
            ("Part 11428-507683.", "11428507683"),
            ("On July 14, 2026.", "07/14/2026"),
            ("On 2026-07-14.", "14. Juli 2026"),
            ("On 14 de julio de 2026.", "2026-07-14"),
            ("On July 14.", "7/14/26"),
            ("Torqued to 94 lb-ft.", "94 ft-lbs"),
            ("5W-30 oil.", "5W30"),
            ("Tread 4/32.", "4/32 tread"),
            ("Between 4 and 5 mm.", "4-5 mm"),
            ("1. Found pads worn.\n2. Cleaned them.", "-"),
            (
                "The 2021 Accord, VIN 1HGCV1F34MA012345, at 45 mph, BRK-F12.",
                "-",
            ),
            ("Drei Schrauben.", "3 screws"),
            ("Tres tornillos.", "3"),
        ] {
            is_known(story, notes);
        }
    }

    #[test]
    fn what_was_not_entered_is_doubted() {
        use FactKind::{Code, Date, Mileage, Number, PartNumber};
        for (story, notes, kind, text) in [
            ("Pads measured 2 mm.", "pads worn", Number, "2 mm"),
            ("Pads measured 2 mm.", "pads 12 mm", Number, "2 mm"),
            ("At 80 Nm.", "80 psi", Number, "80 Nm"),
            ("Two rotors.", "rotors", Number, "Two"),
            (
                "At 41,250 miles.",
                "at 41,520 miles",
                Mileage,
                "41,250 miles",
            ),
            ("Mileage: 41250.", "-", Mileage, "41250"),
            ("Laufleistung 41.250 km.", "-", Mileage, "41.250 km"),
            ("Code P0302 stored.", "P0301", Code, "P0302"),
            ("Code P0301-00.", "P0301", Code, "P0301-00"),
            ("5W-30 oil.", "5W-20", Code, "5W-30"),
            ("Part 06A906088D.", "06A906088C", PartNumber, "06A906088D"),
            (
                "Part 11428-507683.",
                "11428-507684",
                PartNumber,
                "11428-507683",
            ),
            ("Part 11428507683.", "-", PartNumber, "11428507683"),
            ("On July 14, 2026.", "07/15/2026", Date, "July 14, 2026"),
            ("On July 14, 2026.", "July 14", Date, "July 14, 2026"),
            ("On 07/14/2026.", "-", Date, "07/14/2026"),
            ("Am 14. Juli 2026.", "-", Date, "14. Juli 2026"),
            ("Parts: 3) pads.", "-", Number, "3"),
            (
                "VIN 1HGCV1F34MA012346.",
                "-",
                PartNumber,
                "1HGCV1F34MA012346",
            ),
            ("Charged 50%.", "-", Number, "50%"),
            ("Drei Schrauben.", "-", Number, "Drei"),
        ] {
            is_doubted(story, notes, kind, text);
        }
    }

    #[test]
    fn a_part_that_nobody_entered_was_not_put_in() {
        let notes = "replaced pads";
        is_known("Replaced the pads.", notes);
        let story = "Replaced the water pump.";
        is_doubted(story, notes, FactKind::Work, story);
        is_doubted(story, "pads worn", FactKind::Work, story);
        let by_hand = inputs("Worn pads", notes).by_hand();
        assert_eq!(doubted(story, &by_hand), []);
    }

    #[test]
    fn a_doubt_says_where_it_stands_as_a_browser_counts() {
        let story = "🔧 Größe 7 mm, 8 mm.";
        let found = unsupported_facts(story, &inputs("x", "y"));
        let units: Vec<u16> = story.encode_utf16().collect();
        assert_eq!(found.len(), 2);
        for doubt in found {
            let there = String::from_utf16(&units[doubt.start..doubt.end]).unwrap();
            assert_eq!(there, doubt.text);
        }
    }

    #[test]
    fn a_confirmed_doubt_is_none() {
        let inputs = inputs("x", "y");
        let story = "Gap 7 mm, then 8 mm.";
        let left = unconfirmed(story, &inputs, &["7 mm".to_owned()]);
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].text, "8 mm");
    }
}
