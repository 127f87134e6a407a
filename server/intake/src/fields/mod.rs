//! The fields that a row may have, and the names that files give them.

use std::collections::HashMap;
use std::sync::LazyLock;

mod cells;

pub(crate) use cells::Cells;

/// Of a text of one line (customer, vehicle, ...), which is shown in one table cell.
const MAX_LINE_CHARS: usize = 500;

const MAX_TAG_NUMBER_CHARS: usize = 20;

/// Declares the fields, each with its names. Our own name is the first.
macro_rules! fields {
    ($($(#[$meta:meta])* $field:ident: $name:literal $(| $alias:literal)*,)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Field {
            $($(#[$meta])* $field,)+
        }

        impl Field {
            const ALL: &[Field] = &[$(Field::$field,)+];

            fn names(self) -> &'static [&'static str] {
                match self {
                    $(Field::$field => &[$name $(, $alias)*],)+
                }
            }
        }
    };
}

// Where a row has a field under several names, the first of them that is not empty counts. Upper and
// lower case, spaces, underscores and hyphens make no difference, nor do the dots and slashes by
// which nested names are made flat.
fields! {
    Number: "repairOrderNumber" | "roNumber" | "roNo" | "ro#" | "ro" | "number",
    /// The dealer's text for a number, where our own list's answer has it beside the digits.
    DmsNumber: "displayNumber" | "dmsNumber",
    /// Of the hat or key tag. The last is STAR's.
    TagNumber: "tagNumber" | "tagNo" | "keyTag" | "hatNumber" | "vehicleHatNumber",
    Vin: "vehicleVIN" | "vin" | "vehicleIdentificationNumber",
    Vehicle: "vehicle",
    Customer: "customer" | "customerName" | "customerParty" | "ownerParty",
    Advisor: "advisor" | "advisorName" | "serviceAdvisor" | "serviceWriterId" | "advisorId"
        | "serviceAdvisorParty",
    Opened: "createDateTime" | "openDateTime" | "openedAt" | "openDate" | "openedDate"
        | "repairOrderOpenedDate",
    OpenedTime: "openTime" | "openedTime" | "createTime",
    Promised: "promisedDateTime" | "promisedAt" | "promisedDate" | "dueDate" | "dueOutAt"
        | "promisedRepairCompletionDate",
    PromisedTime: "promisedTime" | "dueTime",
    Closed: "closedDateTime" | "closedAt" | "closedDate" | "closeDate",
    ClosedTime: "closedTime" | "closeTime",
    Priority: "priorityName" | "priority" | "priorityLevel",
    CustomerStatus: "customerStatus",
    Status: "status",
    AppCustomerStatus: "appCustomerStatus",
    /// Of the work, not of the customer; it tells us what is closed.
    WorkStatus: "repairOrderStatus" | "statusDesc" | "statusCode",
    /// Of work: where the car stands, by its id or a name.
    Stage: "stage" | "stageName" | "workStage",
    Waiting: "isCustomerWaiting" | "customerWaiting" | "waiter" | "waiting",
    /// What other systems call priority; it may mean something else.
    PriorityCode: "repairOrderPriorityCode" | "priorityValue",
    RegularTechnician: "regularIdTechnician",
    RegularName: "regularTechFullName",
    EtlTechnician: "ETLIdTechnician",
    EtlName: "ETLTechFullName",
    /// A labor line's technician; `source` says whose assignment it is.
    Technician: "technicianId" | "idTechnician" | "lbrTechNo" | "serviceTechnicianParty",
    TechnicianName: "technicianName" | "technicianFullName",
    Source: "source",
    Jobs: "jobs",
    JobNumber: "jobNumber" | "jobNo",
    /// Other systems letter their jobs: A, B, ... Z, AA.
    LineCode: "lineCode" | "jobNumberString",
    Concern: "concern" | "complaint" | "linServiceRequest" | "serviceRequest"
        | "complaintDescription" | "codesAndCommentsExpandedComplaint",
    Cause: "cause" | "causeDescription" | "codesAndCommentsExpandedCause",
    Notes: "briefTechNotes" | "techNotes" | "notes",
    Story: "techStory" | "storyText",
    /// The story, where there is no other.
    Correction: "correction" | "correctionDescription" | "codesAndCommentsExpandedCorrection",
    OperationCode: "operationCode" | "opCode" | "laborOpCode" | "lbrOpCode" | "operationId",
    /// The first is spelled as the wire spells it.
    OperationDescription: "operationDesciption" | "operationDescription" | "opCodeDesc"
        | "opDescription" | "operationName",
    SoldHours: "soldHours" | "laborAllowanceHoursNumeric" | "laborHours" | "lbrSoldHours"
        | "flatRateHours",
    Operations: "operations" | "laborOperations",
    Assignments: "assignments",
    FirstName: "firstName",
}

/// By folded name: the field, and the name's rank among the field's names.
static BY_NAME: LazyLock<HashMap<String, (Field, usize)>> = LazyLock::new(|| {
    let named = Field::ALL.iter().flat_map(|field| {
        let names = field.names().iter().enumerate();
        names.map(|(rank, name)| (folded(name), (*field, rank)))
    });
    named.collect()
});

/// How a name is compared. A file has a dozen names for each order.
pub(crate) fn folded(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_whitespace() || c.is_control() || matches!(c, '_' | '-' | '.' | '/') {
            continue;
        }
        match c.is_ascii() {
            true => folded.push(c.to_ascii_lowercase()),
            false => folded.extend(c.to_lowercase()),
        }
    }
    folded
}

impl Field {
    /// The field that a file's name means, and the name's rank among the field's names.
    pub(crate) fn by_name(name: &str) -> Option<(Self, usize)> {
        BY_NAME.get(&folded(name)).copied()
    }

    /// Our own name of the field.
    pub(crate) fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Where it is a text of one line.
    fn max_line_chars(self) -> usize {
        match self {
            Field::TagNumber => MAX_TAG_NUMBER_CHARS,
            _ => MAX_LINE_CHARS,
        }
    }

    pub(crate) fn accepted_names(self) -> String {
        self.names().join(", ")
    }
}

/// Why a row is rejected: the field at fault, and a sentence that says what to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FieldError {
    pub(crate) field: Field,
    pub(crate) reason: String,
}

impl FieldError {
    pub(crate) fn new(field: Field, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { field, reason }
    }
}

#[cfg(test)]
mod tests {
    use dispatch_actors::repair_order::RoHeader;

    use super::Field;

    #[test]
    fn files_may_have_every_text_of_a_header_under_its_own_name() {
        for (name, _) in RoHeader::<String>::default().named() {
            let (field, rank) = Field::by_name(name).unwrap();
            assert_eq!((field.name(), rank), (name, 0));
        }
    }
}
