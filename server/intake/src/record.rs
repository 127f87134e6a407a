//! The result of reading a file: records and rejects.

use dispatch_actors::repair_order::{ImportedOrder, RoNumber};
use serde::{Deserialize, Serialize};

/// The result: records in the order of their first rows, rejects in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOutput {
    pub records: Vec<Record>,
    pub rejects: Vec<Reject>,
}

/// One repair order of a file, from one row or several.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Where its first row is: "line 7" of CSV and of one object a line, "entry 3" of a list.
    pub place: String,
    pub number: RoNumber,
    pub order: ImportedOrder,
    /// An earlier record of the same file has more of this order: what is listed here comes to
    /// what that one listed.
    pub continues: bool,
    /// In none of the order's lists, since those hold numbers.
    pub technicians_without_number: Vec<DmsTechnician>,
    /// The stage of work, as the file names it.
    pub stage: Option<String>,
    /// Its rows whole, as they came, one below the other. May hold what a database refuses (NUL).
    pub raw: String,
    /// The parts that were left out, in sentences.
    pub warnings: Vec<String>,
}

/// A technician as the dealer's system names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DmsTechnician {
    /// What stands for the number: `99`, `T9`, or a name.
    pub id: String,
    pub name: Option<String>,
    pub source: TechnicianSource,
}

/// Whose assignment it is: the shop's own, or the dealer system's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TechnicianSource {
    Regular,
    Etl,
}

impl TechnicianSource {
    /// As the API and the database write it.
    pub fn name(self) -> &'static str {
        match self {
            TechnicianSource::Regular => "Regular",
            TechnicianSource::Etl => "ETL",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [TechnicianSource::Regular, TechnicianSource::Etl]
            .into_iter()
            .find(|source| source.name() == name)
    }
}

/// A row that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reject {
    /// As in [`Record::place`].
    pub place: String,
    /// Our name of the field at fault; "row" where the row as a whole cannot be read.
    pub field: String,
    /// A sentence that says what to do.
    pub reason: String,
    /// The row whole, as it came. May hold what a database refuses (NUL).
    pub raw: String,
}

/// The rejects file: one JSON object a line.
pub fn rejects_ndjson(file_name: &str, rejects: &[Reject]) -> String {
    #[derive(Serialize)]
    struct RejectLine<'a> {
        file: &'a str,
        place: &'a str,
        field: &'a str,
        reason: &'a str,
        row: &'a str,
    }
    rejects
        .iter()
        .filter_map(|reject| {
            let line = RejectLine {
                file: file_name,
                place: &reject.place,
                field: &reject.field,
                reason: &reject.reason,
                row: &reject.raw,
            };
            // Five strings always become JSON.
            serde_json::to_string(&line).ok().map(|line| line + "\n")
        })
        .collect()
}
