//! Puts work on an order: the lines as the advisor types them, and what the technicians add.

use std::fmt::Write as _;

use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::technicians::{Demand, Trade};
use super::vehicles::{Owner, Power};
use super::work::{Fits, NEW_CARS, SERVICE, USED_CARS, Work};
use super::{pick, word};
use crate::repair_order::{ImportedJob, Job, Operation, SoldHours};

/// Days of work: what a car came for, not an afterthought, and nobody waits for it in the lounge.
const HEAVY: [&str; 2] = ["ENGRR", "TRANSRR"];

/// One to six lines, numbered from 1, no work twice. `waiting`: the customer sits in the lounge, so
/// it is mostly something quick.
pub(super) fn lines(
    rng: &mut StdRng,
    owner: Owner,
    power: Power,
    waiting: bool,
    capitals: bool,
) -> Vec<ImportedJob> {
    let count = match rng.random_range(0..100) {
        0..30 => 1,
        30..60 => 2,
        60..80 => 3,
        _ if waiting => 2,
        80..91 => 4,
        91..97 => 5,
        _ => 6,
    };
    let mut works: Vec<&'static Work> = Vec::with_capacity(count);
    while works.len() < count {
        let work = match (owner, works.len()) {
            (Owner::NewCarLot, 0) => &NEW_CARS[0],
            (Owner::UsedCarLot, 0) => &USED_CARS[0],
            (Owner::Customer, place) => {
                let quick = waiting && place == 0 && rng.random_bool(0.75);
                let lead = works.first().map(|work| work.trade);
                // What comes with it is mostly for the same hands, or a service that any have.
                let kindred = lead.filter(|_| rng.random_bool(0.8));
                draw(rng, SERVICE, |work| {
                    let heavy_fits = place == 0 && !waiting;
                    work.fits.allows(power)
                        && (!quick || work.trade == Trade::QuickService)
                        && kindred
                            .is_none_or(|lead| [lead, Trade::QuickService].contains(&work.trade))
                        && (heavy_fits || !HEAVY.contains(&work.code))
                })
            }
            (Owner::NewCarLot, _) => draw(rng, NEW_CARS, |work| work.fits.allows(power)),
            (Owner::UsedCarLot, _) => draw(rng, USED_CARS, |work| work.fits.allows(power)),
        };
        if !works.iter().any(|other| other.code == work.code) {
            works.push(work);
        }
    }
    (1..)
        .zip(works)
        .map(|(number, work)| line(rng, number, work, capitals))
        .collect()
}

/// A line that comes up while the car is already in the shop.
pub(super) fn added_line(rng: &mut StdRng, jobs: &[Job]) -> ImportedJob {
    // Of what any car may need: what this one runs on is no longer at hand.
    let work = draw(rng, SERVICE, |work| {
        let new = !jobs
            .iter()
            .any(|job| job.operations.iter().any(|o| o.operation_code == work.code));
        new && work.fits == Fits::Any
    });
    let number = jobs.iter().map(|job| job.job_number).max().unwrap_or(0) + 1;
    line(rng, number, work, false)
}

fn line(rng: &mut StdRng, number: i32, work: &Work, capitals: bool) -> ImportedJob {
    let mut operations = vec![Operation {
        operation_code: work.code.to_owned(),
        operation_description: work.description.to_owned(),
        sold_hours: SoldHours::from_hundredths(work.sold_hundredths),
    }];
    if number > 1 && rng.random_bool(0.05) {
        // The advisor did not know what it will be.
        operations.clear();
    } else if rng.random_bool(0.04) {
        operations.push(Operation {
            operation_code: "SHOP".to_owned(),
            operation_description: "Shop supplies".to_owned(),
            sold_hours: None,
        });
    }
    ImportedJob {
        job_number: number,
        concern: Some(concern(rng, work, capitals)),
        operations: Some(operations),
        ..ImportedJob::default()
    }
}

/// What the technicians have written on a line they have begun.
pub(super) fn begin(rng: &mut StdRng, job: &mut ImportedJob) {
    let code = job
        .operations
        .iter()
        .flatten()
        .map(|o| o.operation_code.as_str())
        .next();
    let Some(work) = code.and_then(of_code) else {
        return;
    };
    let (cause, notes) = pick(rng, work.findings);
    let (cause, notes) = (fill(rng, cause), fill(rng, notes));
    // Some have found the cause and not yet done anything about it.
    if rng.random_bool(0.8) {
        if rng.random_bool(0.15) {
            job.tech_story = Some(story(job, work, &cause, &notes));
        }
        job.brief_tech_notes = Some(notes);
    }
    job.cause = Some(cause);
}

fn story(job: &ImportedJob, work: &Work, cause: &str, notes: &str) -> String {
    let concern = job.concern.as_deref().unwrap_or_default();
    format!(
        "Concern\n{concern}\n\nCause\nThe vehicle was inspected and the concern was verified. \
         Finding: {cause}.\n\nCorrection\n{}. Technician's record: {notes}.",
        work.description
    )
}

/// What an order with these opcodes asks for. Its trade is that of the first one that is known.
pub(super) fn demand<'a>(codes: impl Iterator<Item = &'a str> + Clone) -> Demand {
    let trade = codes
        .clone()
        .find_map(of_code)
        .map_or(Trade::QuickService, |work| work.trade);
    Demand::new(trade, codes)
}

/// For how long the work of a job is sold that nobody has noted as done, in hundredths of an hour.
pub(super) fn hundredths_to_do(operations: &[Operation], has_notes: bool) -> i64 {
    let sold = operations
        .iter()
        .filter_map(|operation| operation.sold_hours);
    let hundredths = sold.map(|hours| i64::from(hours.hundredths()));
    if has_notes { 0 } else { hundredths.sum() }
}

fn of_code(code: &str) -> Option<&'static Work> {
    [SERVICE, NEW_CARS, USED_CARS]
        .into_iter()
        .flatten()
        .find(|work| work.code == code)
}

/// One of the list that suits, the frequent ones more often; the first if none suits.
fn draw(rng: &mut StdRng, list: &'static [Work], suits: impl Fn(&Work) -> bool) -> &'static Work {
    let total: u32 = list
        .iter()
        .filter(|work| suits(work))
        .map(|work| work.often)
        .sum();
    if total == 0 {
        return &list[0];
    }
    let mut left = rng.random_range(0..total);
    for work in list.iter().filter(|work| suits(work)) {
        if left < work.often {
            return work;
        }
        left -= work.often;
    }
    &list[0]
}

fn concern(rng: &mut StdRng, work: &Work, capitals: bool) -> String {
    let phrase = word(rng, work.concerns);
    let words = fill(rng, phrase);
    let complaint = words.starts_with(char::is_lowercase);
    let mut text = match rng.random_range(0..10) {
        0..3 if complaint => format!("Customer states {words}"),
        3..5 if complaint => format!("C/S {words}"),
        _ => capitalised(&words),
    };
    // Most are short, a few are a page.
    let asides = match rng.random_range(0..100) {
        0..72 => 0,
        72..94 => 1,
        94..98 => 2,
        _ => 5,
    };
    let customers = SERVICE.iter().any(|service| service.code == work.code);
    let from = match (customers, complaint) {
        (true, true) => ASIDES,
        (true, false) => &ASIDES[COMPLAINTS_ONLY..],
        (false, _) => LOT_ASIDES,
    };
    for aside in from.choose_multiple(rng, asides) {
        if !text.ends_with(['.', '!', '?']) {
            text.push('.');
        }
        text.push(' ');
        text.push_str(aside);
    }
    if capitals { text.to_uppercase() } else { text }
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Fills the blanks of a phrase; see `work` for what they are.
fn fill(rng: &mut StdRng, phrase: &str) -> String {
    let mut text = String::with_capacity(phrase.len() + 16);
    let mut rest = phrase;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (blank, tail) = after.split_once('}').unwrap_or((after, ""));
        match blank {
            "mph" => text.push_str(word(rng, &["35", "40", "45", "55", "60", "65", "70", "75"])),
            "side" => text.push_str(word(
                rng,
                &["left", "right", "driver's side", "passenger's side"],
            )),
            "end" => text.push_str(word(rng, &["front", "rear"])),
            "since" => text.push_str(word(rng, SINCE)),
            "when" => text.push_str(word(rng, WHEN)),
            "miles" => {
                let _ = write!(
                    text,
                    "{},{}00",
                    rng.random_range(1..140),
                    rng.random_range(0..10)
                );
            }
            _ => {}
        }
        rest = tail;
    }
    text.push_str(rest);
    text
}

const SINCE: &[&str] = &[
    "two days",
    "a week",
    "three weeks",
    "a month",
    "half a year",
    "300 miles",
];

const WHEN: &[&str] = &[
    "in the morning",
    "when cold",
    "after it rained",
    "after 20 minutes of driving",
    "with the AC on",
    "only when turning",
    "on long drives",
    "once in a while",
    "when somebody sits in the back",
];

/// What customers add; the first few go with complaints only.
const ASIDES: &[&str] = &[
    "It did not do it for the service advisor.",
    "It has been here for this before, see the last RO.",
    "Another shop said it was fine.",
    "Customer's spouse drives it and says it is worse than that.",
    "Video is on the customer's phone.",
    "Please call before doing any extra work.",
    "Needs it back by 5, has to pick up the kids.",
    "Text only, cannot take calls at work.",
    "Locking wheel nut key is in the glove box.",
    "There is a dog crate in the back, leave it there.",
    "Under extended warranty, deductible 100.",
    "Se habla español, ask for María at the desk.",
    "Customer wants the old parts back.",
    "Loaner given, fuel at 3/8.",
];
const COMPLAINTS_ONLY: usize = 5;

const LOT_ASIDES: &[&str] = &[
    "Stock tag is on the mirror.",
    "Needed for the weekend sale.",
    "Call the used car manager before anything over 500.",
    "Parked in row 14, keys on the board.",
    "Sold unit, customer is here at 3.",
];

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn all_works() -> impl Iterator<Item = &'static Work> {
        [SERVICE, NEW_CARS, USED_CARS].into_iter().flatten()
    }

    #[test]
    fn every_opcode_is_in_the_lists_once() {
        let mut codes: Vec<&str> = all_works().map(|work| work.code).collect();
        let all = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all);
    }

    #[test]
    fn every_blank_is_filled() {
        let mut rng = StdRng::seed_from_u64(1);
        let findings = all_works()
            .flat_map(|work| work.findings)
            .flat_map(|(cause, notes)| [cause, notes]);
        for phrase in all_works().flat_map(|work| work.concerns).chain(findings) {
            for word in phrase.split('{').skip(1) {
                let blank = format!("{{{}}}", word.split('}').next().unwrap_or_default());
                assert!(!fill(&mut rng, &blank).is_empty(), "{blank} in '{phrase}'");
            }
        }
    }

    #[test]
    fn an_electric_car_gets_no_oil_change() {
        let mut rng = StdRng::seed_from_u64(2);
        for _ in 0..500 {
            let jobs = lines(&mut rng, Owner::Customer, Power::Electric, true, false);
            let codes = jobs.iter().flat_map(|job| job.operations.iter().flatten());
            for operation in codes.filter(|operation| operation.operation_code != "SHOP") {
                let work = of_code(&operation.operation_code).unwrap();
                assert!(
                    matches!(work.fits, Fits::Any | Fits::HighVoltage),
                    "{}",
                    work.code
                );
            }
        }
    }
}
