//! What a claim's form has fields for, read from what was entered and answered.

use dispatch_actors::repair_order::{Answer, StoryClaim};

use crate::built_in::{Answered, Course, Entries, Section, codes, is_number_of_part, parts};
use crate::facts::{FactValue, facts};
use crate::interview::{AnswerField, Interview};

/// The fields of an interview's claim; an empty one is not known.
pub fn claim(interview: &Interview) -> StoryClaim {
    let entries = Entries::of(interview);
    let answered = Course::of(interview, &entries).answered;
    let given = |field| value_of(&answered, field);
    let mut claim = StoryClaim {
        operation_code: interview.subject.operation_code.clone(),
        operation_description: interview.subject.operation_description.clone(),
        causal_part: given(AnswerField::Part)
            .or_else(|| parts::causal_part(&entries))
            .unwrap_or_default(),
        mileage: given(AnswerField::Mileage).unwrap_or_default(),
        bulletin: given(AnswerField::Bulletin).unwrap_or_default(),
        measurements: measurements(&entries),
        ..StoryClaim::default()
    };
    push_new(&mut claim.measurements, given(AnswerField::Measurement));
    push_new(&mut claim.part_numbers, given(AnswerField::PartNumber));
    let values = answered
        .iter()
        .filter(|it| it.question.field == AnswerField::Codes);
    let values = values.filter_map(|it| it.value.as_deref());
    for text in std::iter::once(entries.text()).chain(values) {
        read_facts(text, &interview.subject.vin, &mut claim);
    }
    claim
}

/// Codes, part numbers and the mileage that a text states.
fn read_facts(text: &str, vin: &str, claim: &mut StoryClaim) {
    for code in codes(text) {
        push_new(&mut claim.trouble_codes, Some(code.to_owned()));
    }
    for fact in facts(text) {
        let written = text[fact.start..fact.end].trim();
        if claim.trouble_codes.iter().any(|code| code == written) {
            continue;
        }
        match &fact.value {
            FactValue::Number(number) if number.is_odometer() && claim.mileage.is_empty() => {
                written.clone_into(&mut claim.mileage);
            }
            value if is_number_of_part(value) && written != vin => {
                if !is_of_bulletin(&text[..fact.start]) {
                    push_new(&mut claim.part_numbers, Some(written.to_owned()));
                } else if claim.bulletin.is_empty() {
                    written.clone_into(&mut claim.bulletin);
                }
            }
            _ => {}
        }
    }
}

/// Whether what stands before a number says that it is a bulletin's.
fn is_of_bulletin(before: &str) -> bool {
    let words = before.split_whitespace().rev().take(3);
    let mut words = words.map(str::to_lowercase);
    words.any(|word| {
        [
            "bulletin", "tsb", "boletín", "sib", "tpi", "recall", "campaign",
        ]
        .iter()
        .any(|it| word.contains(it))
    })
}

/// The clauses that state a measured value.
fn measurements(entries: &Entries) -> Vec<String> {
    let notes = entries
        .notes
        .iter()
        .filter(|clause| clause.section == Section::Cause);
    let texts = entries.cause.iter().chain(notes.map(|clause| &clause.text));
    let measured = texts.filter(|text| {
        facts(text).iter().any(|fact| match &fact.value {
            FactValue::Number(number) => {
                number
                    .unit()
                    .is_some_and(|unit| !NOT_MEASURED.contains(&unit))
                    && !number.is_odometer()
            }
            _ => false,
        })
    });
    measured.cloned().collect()
}

/// Units of what is not measured on a car but driven, waited or fitted.
const NOT_MEASURED: [&str; 8] = ["mi", "km", "mph", "km/h", "h", "min", "s", "lb-ft"];

fn value_of(answered: &[Answered], field: AnswerField) -> Option<String> {
    let mut of_field = answered.iter().filter(|it| it.question.field == field);
    let given = of_field.find(|it| it.answer == Answer::Yes && it.value.is_some())?;
    given.value.clone()
}

fn push_new(list: &mut Vec<String>, value: Option<String>) {
    if let Some(value) = value
        && !value.is_empty()
        && !list.contains(&value)
    {
        list.push(value);
    }
}
