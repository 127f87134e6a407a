//! Shapes of the call that imports repair orders.

use dispatch_intake::Reject;
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, ToSchema};

/// Refused rows that an answer lists, and the bytes they may have together: the rows come from
/// outside and are as long as they like.
const MAX_REJECTS: usize = 1_000;
const MAX_REJECTED_BYTES: usize = 4 * 1024 * 1024;

/// Warnings that an answer lists.
const MAX_WARNINGS: usize = 1_000;

/// How the body is to be taken. A word that is not known is refused: a mistyped `dryRun` would
/// import.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// auto, json, csv, cdk or star. Where it is auto or missing, the Content-Type says it, else
    /// the first characters.
    #[param(required = false, schema_with = format_schema)]
    pub(super) format: Option<String>,
    /// Say what would be created, changed, left and refused, and do nothing.
    #[param(required = false)]
    pub(super) dry_run: bool,
}

fn format_schema() -> Schema {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(["auto", "json", "csv", "cdk", "star"]))
        .into()
}

#[derive(Serialize, ToSchema)]
pub struct TakenAnswer {
    /// False when a row was refused.
    pub(super) ok: bool,
    pub(super) result: TakenIn,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) error: Option<String>,
    /// `some-refused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) code: Option<&'static str>,
}

/// Counts of repair orders; of refused ones, rows.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenIn {
    pub(super) created: usize,
    pub(super) changed: usize,
    pub(super) unchanged: usize,
    pub(super) refused: usize,
    /// The first 1,000 refused rows, fewer when they are long.
    pub(super) rejects: Vec<RefusedRow>,
    pub(super) rejects_not_listed: usize,
    /// What was left out of rows that were taken, and statuses for which the desk has no tab, in sentences; the first
    /// 1,000.
    pub(super) warnings: Vec<String>,
    pub(super) warnings_not_listed: usize,
    /// Bytes of the refused rows that are listed.
    #[serde(skip)]
    pub(super) listed: usize,
}

/// A row that was not taken.
#[derive(Serialize, ToSchema)]
pub struct RefusedRow {
    /// `line 7`, `entry 3`.
    place: String,
    /// Our name of the field at fault; `row` where the row as a whole cannot be read.
    field: String,
    /// A sentence that says what to do.
    reason: String,
    /// The row whole, as it came.
    row: String,
}

impl TakenIn {
    pub(super) fn list(&mut self, rejects: Vec<Reject>, warnings: Vec<String>) {
        self.refused += rejects.len();
        for reject in rejects {
            self.listed += reject.raw.len();
            if self.rejects.len() < MAX_REJECTS && self.listed <= MAX_REJECTED_BYTES {
                self.rejects.push(RefusedRow {
                    place: reject.place,
                    field: reject.field,
                    reason: reject.reason,
                    row: reject.raw,
                });
            } else {
                self.rejects_not_listed += 1;
            }
        }
        let room = MAX_WARNINGS - self.warnings.len();
        self.warnings_not_listed += warnings.len().saturating_sub(room);
        self.warnings.extend(warnings.into_iter().take(room));
    }
}
