//! What a claim's form has fields for, read from what was entered and answered.

use dispatch_actors::repair_order::{Answer, AnswerField, StoryClaim};

use crate::built_in::{
    Answered, Course, Entries, Section, answers_beyond_catalogue, codes, is_number_of_part, parts,
};
use crate::facts::{FactValue, facts};
use crate::interview::Interview;

/// The fields of an interview's claim; an empty one is not known.
pub fn claim(interview: &Interview) -> StoryClaim {
    let entries = Entries::of(interview);
    let answered = Course::of(interview, &entries).answered;
    let given = |field| value_of(&answered, field).or_else(|| answer_to_model(interview, field));
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
    for text in std::iter::once(entries.text()).chain(values.clone()) {
        read_facts("", text, &interview.subject.vin, &mut claim);
    }
    read_other_answers(interview, &mut claim);
    // Not every maker's codes look like one; the story tells what was said.
    if claim.trouble_codes.is_empty() {
        claim.trouble_codes.extend(values.map(str::to_owned));
        push_new(
            &mut claim.trouble_codes,
            answer_to_model(interview, AnswerField::Codes),
        );
    }
    claim
}

/// What was answered to a language model. Its question may have named the field it asked for, or say in words alone
/// what the answer is.
fn read_other_answers(interview: &Interview, claim: &mut StoryClaim) {
    for turn in answers_beyond_catalogue(interview) {
        let (Answer::Yes, Some(value)) = (turn.answer, &turn.value) else {
            continue;
        };
        match turn.field {
            AnswerField::Mileage | AnswerField::Bulletin => {}
            AnswerField::PartNumber => push_new(&mut claim.part_numbers, Some(value.clone())),
            AnswerField::Measurement => push_new(&mut claim.measurements, Some(value.clone())),
            AnswerField::None | AnswerField::Codes | AnswerField::Part | AnswerField::Text => {
                read_facts(&turn.question, value, &interview.subject.vin, claim);
                if states_measurement(value) {
                    push_new(&mut claim.measurements, Some(value.clone()));
                }
            }
        }
    }
}

/// The first answer to a language model's question that asked for this field.
fn answer_to_model(interview: &Interview, field: AnswerField) -> Option<String> {
    let mut of_field = answers_beyond_catalogue(interview).filter(|turn| turn.field == field);
    let given = of_field.find(|turn| turn.answer == Answer::Yes && turn.value.is_some())?;
    given.value.clone()
}

/// Codes, part numbers and the mileage that a text states. What stands before it tells what its numbers are, as that a
/// question was about the mileage, and states nothing itself: a question may name codes that were not found.
fn read_facts(before: &str, text: &str, vin: &str, claim: &mut StoryClaim) {
    for code in codes(text) {
        push_new(&mut claim.trouble_codes, Some(code.to_owned()));
    }
    let whole = format!("{before} {text}");
    for fact in facts(&whole) {
        if fact.start < before.len() {
            continue;
        }
        let written = whole[fact.start..fact.end].trim();
        if claim.trouble_codes.iter().any(|code| code == written) {
            continue;
        }
        match &fact.value {
            FactValue::Number(number) if number.is_odometer() && claim.mileage.is_empty() => {
                written.clone_into(&mut claim.mileage);
            }
            value if is_number_of_part(value) && written != vin => {
                if !is_of_bulletin(&whole[..fact.start]) {
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
    texts
        .filter(|text| states_measurement(text))
        .cloned()
        .collect()
}

fn states_measurement(text: &str) -> bool {
    facts(text).iter().any(|fact| match &fact.value {
        FactValue::Number(number) => {
            let unit = number.unit();
            unit.is_some_and(|unit| !NOT_MEASURED.contains(&unit)) && !number.is_odometer()
        }
        _ => false,
    })
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

#[cfg(test)]
mod tests {
    use dispatch_actors::repair_order::StoryAnswer;

    use super::*;
    use crate::Language;
    use crate::facts::Subject;

    #[test]
    fn what_a_language_model_was_answered_is_in_the_claim() {
        let turn = |question: &str, answer, value: Option<&str>| StoryAnswer {
            question: question.to_owned(),
            answer,
            value: value.map(str::to_owned),
            field: AnswerField::None,
        };
        let interview = Interview {
            language: Language::En,
            subject: Subject {
                vehicle: "2021 Honda Accord Sport".to_owned(),
                vin: "1HGCV1F34MA012345".to_owned(),
                concern: "Engine light on".to_owned(),
                operation_code: "DIAG".to_owned(),
                operation_description: String::new(),
                kind: None,
            },
            cause: "Coil failed".to_owned(),
            brief_tech_notes: "replaced coil".to_owned(),
            turns: vec![
                turn("Was it P0301 or P0302?", Answer::Yes, Some("P0301")),
                turn("What was the mileage?", Answer::Yes, Some("41250")),
                turn(
                    "Which resistance did you measure?",
                    Answer::Yes,
                    Some("0.8 ohm"),
                ),
                turn(
                    "What is the number of the new coil?",
                    Answer::Yes,
                    Some("30520-R40-007"),
                ),
                turn("Was P0420 stored?", Answer::No, None),
                StoryAnswer {
                    field: AnswerField::Part,
                    ..turn("What had failed?", Answer::Yes, Some("Ignition coil 1"))
                },
            ],
        };
        let claim = claim(&interview);
        assert_eq!(claim.causal_part, "Ignition coil 1");
        assert_eq!(claim.trouble_codes, ["P0301"]);
        assert_eq!(claim.mileage, "41250");
        assert_eq!(claim.measurements, ["0.8 ohm"]);
        assert_eq!(claim.part_numbers, ["30520-R40-007"]);
    }

    #[test]
    fn a_code_that_looks_like_none_is_in_the_claim_as_it_was_told() {
        let mut interview = Interview {
            language: Language::En,
            subject: Subject::default(),
            cause: "Module failed".to_owned(),
            brief_tech_notes: "replaced module".to_owned(),
            turns: vec![StoryAnswer {
                question: "Which codes were stored?".to_owned(),
                answer: Answer::Yes,
                value: Some("blink code four".to_owned()),
                field: AnswerField::Codes,
            }],
        };
        assert_eq!(claim(&interview).trouble_codes, ["blink code four"]);
        interview.turns[0].value = Some("U0100 stored".to_owned());
        assert_eq!(claim(&interview).trouble_codes, ["U0100"]);
    }
}
