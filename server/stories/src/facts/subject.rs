//! What the order says of the job that a story is about.

use dispatch_actors::repair_order::RepairOrder;
use dispatch_actors::text;

/// What a story is about, as the order has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    pub vehicle: String,
    pub vin: String,
    pub concern: String,
    /// Of the job's first operation.
    pub operation_code: String,
    pub operation_description: String,
    /// What kind of job the shop says that this operation code is; none where it says nothing.
    pub kind: Option<String>,
}

/// Characters of a concern that go into an interview; a story has to have room for it.
const MAX_CONCERN_CHARS: usize = 6_000;

impl Subject {
    pub fn of(order: &RepairOrder, job_number: i32) -> Self {
        let mut jobs = order.jobs.iter();
        let job = jobs.find(|job| job.job_number == job_number);
        let operation = job.and_then(|job| job.operations.first());
        let line = |text: &str| text::one_line(text);
        Self {
            vehicle: line(&order.header.vehicle),
            vin: line(&order.header.vin),
            concern: job.map_or_else(String::new, |job| {
                let concern = line(&job.concern);
                concern.chars().take(MAX_CONCERN_CHARS).collect()
            }),
            operation_code: operation.map_or_else(String::new, |it| line(&it.operation_code)),
            operation_description: operation
                .map_or_else(String::new, |it| line(&it.operation_description)),
            kind: None,
        }
    }

    /// Year, make and model: the vehicle's first word, its second, and the rest.
    pub fn year_make_model(&self) -> [&str; 3] {
        let (year, rest) = word(&self.vehicle);
        let (make, model) = word(rest);
        [year, make, model]
    }
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}
