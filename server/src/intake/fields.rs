//! The fields a row may have and the names files give them.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

use super::values::{self, Flaw};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Field {
    Number,
    DmsNumber,
    Vin,
    Vehicle,
    Customer,
    Advisor,
    Opened,
    OpenedTime,
    Promised,
    PromisedTime,
    Closed,
    ClosedTime,
    Priority,
    CustomerStatus,
    Status,
    AppCustomerStatus,
    WorkStatus,
    Waiting,
    PriorityCode,
    RegularTechnician,
    RegularName,
    EtlTechnician,
    EtlName,
    Technician,
    TechnicianName,
    Source,
    Jobs,
    JobNumber,
    LineCode,
    Concern,
    Cause,
    Notes,
    Story,
    Correction,
    OperationCode,
    OperationDescription,
    SoldHours,
    Operations,
    Assignments,
    FirstName,
}

/// Each field with its names, ours first. Where a row has a field under several names, the first
/// of them that is not empty counts. Upper and lower case, spaces, underscores and hyphens make
/// no difference, nor do the dots and slashes by which nested names are made flat.
const NAMES: [(Field, &[&str]); 40] = [
    (
        Field::Number,
        &[
            "repairOrderNumber",
            "roNumber",
            "roNo",
            "ro#",
            "ro",
            "number",
        ],
    ),
    // The dealer's text for a number, where our own list's answer has it beside the digits.
    (Field::DmsNumber, &["displayNumber", "dmsNumber"]),
    (
        Field::Vin,
        &["vehicleVIN", "vin", "vehicleIdentificationNumber"],
    ),
    (Field::Vehicle, &["vehicle"]),
    (
        Field::Customer,
        &["customer", "customerName", "customerParty", "ownerParty"],
    ),
    (
        Field::Advisor,
        &[
            "advisor",
            "advisorName",
            "serviceAdvisor",
            "serviceWriterId",
            "advisorId",
            "serviceAdvisorParty",
        ],
    ),
    (
        Field::Opened,
        &[
            "createDateTime",
            "openDateTime",
            "openedAt",
            "openDate",
            "openedDate",
            "repairOrderOpenedDate",
        ],
    ),
    (Field::OpenedTime, &["openTime", "openedTime", "createTime"]),
    (
        Field::Promised,
        &[
            "promisedDateTime",
            "promisedAt",
            "promisedDate",
            "dueDate",
            "dueOutAt",
            "promisedRepairCompletionDate",
        ],
    ),
    (Field::PromisedTime, &["promisedTime", "dueTime"]),
    (
        Field::Closed,
        &["closedDateTime", "closedAt", "closedDate", "closeDate"],
    ),
    (Field::ClosedTime, &["closedTime", "closeTime"]),
    (
        Field::Priority,
        &["priorityName", "priority", "priorityLevel"],
    ),
    (Field::CustomerStatus, &["customerStatus"]),
    (Field::Status, &["status"]),
    (Field::AppCustomerStatus, &["appCustomerStatus"]),
    // Of the work, not of the customer; it tells us what is closed.
    (
        Field::WorkStatus,
        &["repairOrderStatus", "statusDesc", "statusCode"],
    ),
    (
        Field::Waiting,
        &["isCustomerWaiting", "customerWaiting", "waiter", "waiting"],
    ),
    // What other systems call priority; it may mean something else.
    (
        Field::PriorityCode,
        &["repairOrderPriorityCode", "priorityValue"],
    ),
    (Field::RegularTechnician, &["regularIdTechnician"]),
    (Field::RegularName, &["regularTechFullName"]),
    (Field::EtlTechnician, &["ETLIdTechnician"]),
    (Field::EtlName, &["ETLTechFullName"]),
    // A labour line's technician; `source` says whose assignment it is.
    (
        Field::Technician,
        &[
            "technicianId",
            "idTechnician",
            "lbrTechNo",
            "serviceTechnicianParty",
        ],
    ),
    (
        Field::TechnicianName,
        &["technicianName", "technicianFullName"],
    ),
    (Field::Source, &["source"]),
    (Field::Jobs, &["jobs"]),
    (Field::JobNumber, &["jobNumber", "jobNo"]),
    // Other systems letter their jobs: A, B, ... Z, AA.
    (Field::LineCode, &["lineCode", "jobNumberString"]),
    (
        Field::Concern,
        &[
            "concern",
            "complaint",
            "linServiceRequest",
            "serviceRequest",
            "complaintDescription",
            "codesAndCommentsExpandedComplaint",
        ],
    ),
    (
        Field::Cause,
        &["cause", "causeDescription", "codesAndCommentsExpandedCause"],
    ),
    (Field::Notes, &["briefTechNotes", "techNotes", "notes"]),
    (Field::Story, &["techStory", "storyText"]),
    // The story, where there is no other.
    (
        Field::Correction,
        &[
            "correction",
            "correctionDescription",
            "codesAndCommentsExpandedCorrection",
        ],
    ),
    (
        Field::OperationCode,
        &[
            "operationCode",
            "opCode",
            "laborOpCode",
            "lbrOpCode",
            "operationId",
        ],
    ),
    // The first is spelled as the wire spells it.
    (
        Field::OperationDescription,
        &[
            "operationDesciption",
            "operationDescription",
            "opCodeDesc",
            "opDescription",
            "operationName",
        ],
    ),
    (
        Field::SoldHours,
        &[
            "soldHours",
            "laborAllowanceHoursNumeric",
            "laborHours",
            "lbrSoldHours",
            "flatRateHours",
        ],
    ),
    (Field::Operations, &["operations", "laborOperations"]),
    (Field::Assignments, &["assignments"]),
    (Field::FirstName, &["firstName"]),
];

/// By folded name: the field, and how far behind our own name this one stands.
static BY_NAME: LazyLock<HashMap<String, (Field, usize)>> = LazyLock::new(|| {
    let named = NAMES.iter().flat_map(|(field, names)| {
        names
            .iter()
            .enumerate()
            .map(|(rank, name)| (folded(name), (*field, rank)))
    });
    named.collect()
});

/// How a name is compared.
pub(super) fn folded(name: &str) -> String {
    name.chars()
        .filter(|c| !c.is_whitespace() && !c.is_control() && !matches!(c, '_' | '-' | '.' | '/'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The field that a file's name means, and the name's rank among the field's names.
pub(super) fn named(name: &str) -> Option<(Field, usize)> {
    BY_NAME.get(&folded(name)).copied()
}

impl Field {
    fn names(self) -> &'static [&'static str] {
        NAMES
            .iter()
            .find(|(field, _)| *field == self)
            .map_or(&[], |(_, names)| names)
    }

    /// Our own name of the field.
    pub(super) fn name(self) -> &'static str {
        self.names().first().copied().unwrap_or_default()
    }

    pub(super) fn accepted_names(self) -> String {
        self.names().join(", ")
    }
}

/// What one row, or one job of it, says. Empty cells are not kept: they say nothing.
#[derive(Debug, Default)]
pub(super) struct Cells {
    said: Vec<(Field, usize, Value)>,
    /// Of a technician that is left empty, it is known: it may say that nobody works on it.
    left_empty: Vec<Field>,
}

impl Cells {
    pub(super) fn of_object(object: serde_json::Map<String, Value>) -> Self {
        let mut cells = Cells::default();
        for (name, value) in object {
            if let Some((field, rank)) = named(&name) {
                cells.put(field, rank, value);
            }
        }
        cells
    }

    pub(super) fn put(&mut self, field: Field, rank: usize, value: Value) {
        let says_nothing = match &value {
            Value::Null => true,
            Value::String(text) => values::is_blank(text),
            _ => false,
        };
        if says_nothing {
            let counts = matches!(field, Field::EtlTechnician | Field::Technician);
            if counts && !self.left_empty.contains(&field) {
                self.left_empty.push(field);
            }
            return;
        }
        match self.said.iter_mut().find(|(known, _, _)| *known == field) {
            Some(cell) if rank < cell.1 => *cell = (field, rank, value),
            Some(_) => {}
            None => self.said.push((field, rank, value)),
        }
    }

    pub(super) fn get(&self, field: Field) -> Option<&Value> {
        self.said
            .iter()
            .find_map(|(known, _, value)| (*known == field).then_some(value))
    }

    /// Whether it has this technician's cell, and nothing in it.
    pub(super) fn leaves_empty(&self, field: Field) -> bool {
        self.left_empty.contains(&field) && self.get(field).is_none()
    }

    /// A text of one line: line breaks and tabs become spaces.
    pub(super) fn line(&self, field: Field) -> Result<Option<String>, Flaw> {
        self.limited(field, values::line, values::LONGEST_LINE)
    }

    /// A text that may have several lines.
    pub(super) fn text(&self, field: Field) -> Result<Option<String>, Flaw> {
        self.limited(field, values::text, values::LONGEST_TEXT)
    }

    fn limited(
        &self,
        field: Field,
        clean: fn(&str) -> String,
        longest: usize,
    ) -> Result<Option<String>, Flaw> {
        let Some(value) = self.get(field) else {
            return Ok(None);
        };
        let text = match value {
            Value::String(text) => clean(text),
            Value::Number(number) => number.to_string(),
            _ => {
                return Err(Flaw::new(
                    field.name(),
                    "This must be a text: put it in quotes".to_owned(),
                ));
            }
        };
        let length = text.chars().count();
        if length > longest {
            let reason = format!("This is {length} characters long: shorten it to {longest}");
            return Err(Flaw::new(field.name(), reason));
        }
        Ok(Some(text).filter(|text| !text.is_empty()))
    }
}
