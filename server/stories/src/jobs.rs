//! One hundred and twenty jobs as technicians write them, interviewed, and their stories held against what a
//! warranty auditor needs: `make stories` prints how each kind does. Thirty of them (`blind.toml`) were
//! written by somebody who had not read the interviewer.

use std::collections::{BTreeMap, HashMap};

use dispatch_actors::repair_order::{Answer, AnswerField, StoryAnswer, StoryClaim};
use serde::Deserialize;

use crate::built_in::{Course, Entries};
use crate::facts::{FactKind, Subject};
use crate::{Interview, Language, Reply, claim, reply, unsupported_facts};

#[derive(Deserialize)]
struct Jobs {
    job: Vec<Job>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    id: String,
    kind: String,
    vehicle: String,
    vin: String,
    concern: String,
    operation: [String; 2],
    cause: String,
    notes: String,
    /// What the technician would say when asked.
    #[serde(default)]
    knows: HashMap<String, String>,
    rules: Rules,
}

/// What an auditor needs: texts that a section has (`a|b`: either), that stand nowhere, fields, questions.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Rules {
    complaint: Vec<String>,
    cause: Vec<String>,
    correction: Vec<String>,
    never: Vec<String>,
    never_asked: Vec<String>,
    fields: BTreeMap<String, String>,
    conflict: Option<String>,
    incomplete: bool,
}

/// A job's interview at its end.
struct Outcome {
    interview: Interview,
    story: String,
    asked: Vec<&'static str>,
    claim: StoryClaim,
}

impl Outcome {
    fn asks_about_contradiction(&self) -> bool {
        let mut asked = self.asked.iter();
        asked.any(|question| question.starts_with("conflict-"))
    }
}

impl Job {
    fn interviewed(&self) -> Outcome {
        let [operation_code, operation_description] = self.operation.clone();
        let mut interview = Interview {
            language: Language::En,
            subject: Subject {
                vehicle: self.vehicle.clone(),
                vin: self.vin.clone(),
                concern: self.concern.clone(),
                operation_code,
                operation_description,
                kind: None,
            },
            cause: self.cause.clone(),
            brief_tech_notes: self.notes.clone(),
            turns: Vec::new(),
        };
        let mut asked = Vec::new();
        let mut measured = false;
        loop {
            let next = Course::of(&interview, &Entries::of(&interview)).next;
            match reply(&interview) {
                Reply::Story(story) => {
                    let claim = claim(&interview);
                    return Outcome {
                        interview,
                        story,
                        asked,
                        claim,
                    };
                }
                Reply::Question { question, .. } => {
                    let id = next.expect("a question was asked").id.as_str();
                    let (answer, value) = self.says(id, &mut measured);
                    asked.push(id);
                    interview.turns.push(StoryAnswer {
                        question,
                        answer,
                        value,
                        field: AnswerField::None,
                    });
                }
            }
        }
    }

    fn says(&self, question: &str, measured: &mut bool) -> (Answer, Option<String>) {
        let key = topic(question);
        let Some(known) = self.knows.get(key) else {
            return (Answer::NotApplicable, None);
        };
        if key == "measurement" && std::mem::replace(measured, true) {
            return (Answer::NotApplicable, None);
        }
        match known.as_str() {
            "yes" => (Answer::Yes, None),
            "no" | "none" => (Answer::No, None),
            "na" => (Answer::NotApplicable, None),
            value => (Answer::Yes, Some(value.to_owned())),
        }
    }

    /// What an auditor misses, a line each.
    fn faults(&self, outcome: &Outcome) -> Vec<String> {
        let Outcome {
            interview,
            story,
            asked,
            claim,
        } = outcome;
        let mut faults = Vec::new();
        let doubts = unsupported_facts(story, &interview.inputs());
        let is_incomplete = doubts.iter().any(|doubt| doubt.kind == FactKind::Missing);
        if self.rules.incomplete {
            if !is_incomplete {
                faults.push("passes as complete".to_owned());
            }
            return faults;
        }
        for doubt in &doubts {
            if self.rules.conflict.is_none() || doubt.kind != FactKind::Contradiction {
                faults.push(format!("{:?} without a source: {}", doubt.kind, doubt.text));
            }
        }
        let sections: Vec<&str> = story.split("\n\n").collect();
        let rules = [
            &self.rules.complaint,
            &self.rules.cause,
            &self.rules.correction,
        ];
        for (section, rules) in sections.iter().zip(rules) {
            let heading = section.split(':').next().unwrap_or_default();
            for rule in rules.iter().filter(|rule| !holds(section, rule)) {
                faults.push(format!("{heading} lacks: {rule}"));
            }
        }
        for text in self.rules.never.iter().filter(|text| holds(story, text)) {
            faults.push(format!("says: {text}"));
        }
        for key in &self.rules.never_asked {
            if let Some(question) = asked.iter().find(|question| topic(question) == key) {
                faults.push(format!("asks: {question}"));
            }
        }
        for (field, text) in &self.rules.fields {
            if !holds(&field_of(claim, field), text) {
                faults.push(format!("field {field} lacks: {text}"));
            }
        }
        if let Some(about) = &self.rules.conflict {
            let is_asked = outcome.asks_about_contradiction();
            let key = self.knows.keys().find(|key| about.contains(key.as_str()));
            // What the notes say already is not asked, and then nothing contradicts them.
            let never_came_up =
                key.is_some_and(|key| !asked.iter().any(|question| topic(question) == key));
            if !is_asked && (!never_came_up || !doubts.is_empty()) {
                faults.push(format!("does not ask about: {about}"));
            }
        }
        faults
    }
}

/// What a question is about, as the jobs call it.
fn topic(question: &str) -> &str {
    match question {
        "verified" | "noise-conditions" | "conflict-verified" => "verified",
        "replaced" | "conflict-parts" => "parts-replaced",
        "gone" | "conflict-gone" => "concern-gone",
        "road-test" | "function-checked" => "road-test",
        "codes" | "causal-part" | "part-number" | "parts-kept" | "bulletin" | "mileage" => question,
        "measured" | "brakes-measured" | "ac-pressures" | "ac-vent-before" | "ac-vent-after"
        | "runout-measured" | "emissions-measured" => "measurement",
        "what-found" | "what-done" => "unknown",
        _ => "other",
    }
}

fn holds(text: &str, rule: &str) -> bool {
    let text = text.to_lowercase();
    rule.split('|')
        .any(|either| text.contains(&either.to_lowercase()))
}

fn field_of(claim: &StoryClaim, field: &str) -> String {
    match field {
        "operation-code" => claim.operation_code.clone(),
        "causal-part" => claim.causal_part.clone(),
        "part-number" => claim.part_numbers.join(", "),
        "trouble-codes" => claim.trouble_codes.join(", "),
        "measurements" => claim.measurements.join("; "),
        "mileage" => claim.mileage.clone(),
        other => panic!("there is no field {other}"),
    }
}

fn jobs(file: &str) -> Vec<Job> {
    toml::from_str::<Jobs>(file).unwrap().job
}

#[derive(Default)]
struct Tally {
    jobs: usize,
    passed: usize,
    invented: usize,
    questions: usize,
}

#[test]
fn an_auditor_finds_what_they_need_in_the_stories() {
    let sets = [
        ("known", jobs(include_str!("../tests/jobs/known.toml"))),
        ("blind", jobs(include_str!("../tests/jobs/blind.toml"))),
    ];
    let mut tallies: BTreeMap<(&str, &str), Tally> = BTreeMap::new();
    let (mut contradictory, mut asked_about) = (0, 0);
    for (set, jobs) in &sets {
        for job in jobs {
            let outcome = job.interviewed();
            let faults = job.faults(&outcome);
            let tally = tallies.entry((set, &job.kind)).or_default();
            tally.jobs += 1;
            tally.passed += usize::from(faults.is_empty());
            tally.questions += outcome.asked.len();
            contradictory += usize::from(job.rules.conflict.is_some());
            asked_about += usize::from(outcome.asks_about_contradiction());
            tally.invented += usize::from(
                faults
                    .iter()
                    .any(|fault| fault.contains("without a source")),
            );
            if !faults.is_empty() {
                println!("{}\n  {}", job.id, faults.join("\n  "));
                if std::env::var("STORIES").is_ok() {
                    println!("  ASKED {}\n{}\n", outcome.asked.join(" "), outcome.story);
                }
            }
        }
    }
    println!(
        "\n{:<8}{:<20}{:>6}{:>8}{:>10}{:>11}",
        "set", "kind", "jobs", "passed", "invents", "questions"
    );
    let mut sums: BTreeMap<&str, Tally> = BTreeMap::new();
    for ((set, kind), tally) in &tallies {
        println!(
            "{set:<8}{kind:<20}{:>6}{:>8}{:>10}{:>11}",
            tally.jobs, tally.passed, tally.invented, tally.questions
        );
        for sum in [*set, "all"] {
            let sum = sums.entry(sum).or_default();
            sum.jobs += tally.jobs;
            sum.passed += tally.passed;
            sum.invented += tally.invented;
            sum.questions += tally.questions;
        }
    }
    for (set, sum) in &sums {
        println!(
            "{set:<28}{:>6}{:>8}{:>10}{:>11}",
            sum.jobs, sum.passed, sum.invented, sum.questions
        );
    }
    println!("{contradictory} contradict themselves, {asked_about} were asked about it");
    assert!(asked_about >= 4, "{asked_about}");
    assert_eq!((sums["all"].jobs, sums["blind"].jobs), (120, 30));
    assert!(
        sums["all"].passed >= 110,
        "{} of 120 pass",
        sums["all"].passed
    );
    assert_eq!(sums["all"].invented, 0);
}
