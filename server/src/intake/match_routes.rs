//! The desk says who a number means: the calls.

use actix_web::{delete, get, post, web};
use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::{Author, Channel};
use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::corrections::carry_out;
use super::matching::{Kind, Meaning, Number};

use super::state::IntakeState;
use crate::answer::{Answer, DONE, Done};
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path};
use crate::ids::{DealerNumber, TechnicianIdInBody};
use crate::limits;
use crate::staff::Permission;
use crate::text::OneLine;
use crate::typed_params::ParseText;

/// Repair orders that an unmatched number names.
const ORDERS: usize = 20;

/// Unmatched numbers in one answer, those on the most orders first.
const NUMBERS: usize = 1_000;

/// A number that came in a file and that means nobody here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnmatchedNumber {
    kind: Kind,
    number: String,
    /// As it came with the number, if it did.
    #[schema(required)]
    name: Option<String>,
    /// Repair orders it came with.
    count: usize,
    /// The newest of them, 20 at most.
    repair_orders: Vec<i64>,
    #[schema(format = DateTime)]
    last_seen: String,
}

/// Who a number means.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NumberMatch {
    kind: Kind,
    number: String,
    /// The technician; null for an advisor.
    #[schema(required)]
    id_technician: Option<i64>,
    /// What the advisor or the technician is called.
    name: String,
}

/// A technician's number with an `idTechnician`, or an advisor's with a name.
#[derive(Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "lowercase",
    rename_all_fields = "camelCase"
)]
pub enum NewMatch {
    Technician {
        number: String,
        id_technician: TechnicianIdInBody,
    },
    Advisor {
        number: String,
        name: String,
    },
}

impl PartialSchema for NewMatch {
    fn schema() -> RefOr<Schema> {
        let of = |kind: Kind, number: RefOr<Schema>, field: &str, meaning: RefOr<Schema>| {
            let kind = ObjectBuilder::new()
                .schema_type(Type::String)
                .enum_values(Some([kind.name()]));
            ObjectBuilder::new()
                .property("kind", kind)
                .required("kind")
                .property("number", number)
                .required("number")
                .property(field, meaning)
                .required(field)
        };
        let advisors = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[A-Za-z]{0,8}[0-9]{1,15}[A-Za-z]{0,8}$"));
        OneOfBuilder::new()
            .item(of(
                Kind::Technician,
                OneLine::schema(),
                "idTechnician",
                TechnicianIdInBody::schema(),
            ))
            .item(of(
                Kind::Advisor,
                advisors.into(),
                "name",
                OneLine::schema(),
            ))
            .into()
    }
}

impl ToSchema for NewMatch {}

impl ParseText for Kind {
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        Self::from_name(text)
            .ok_or_else(|| ApiError::invalid("A number is a technician's or an advisor's"))
    }

    fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
        text
    }
}

#[derive(Serialize, ToSchema)]
pub struct Matched {
    kind: Kind,
    number: String,
    /// Open repair orders that were corrected.
    changed: usize,
}

/// Numbers of technicians and advisors that came in files and that mean nobody here; those on the
/// most repair orders first.
#[utoipa::path(
    operation_id = "intake_unmatched",
    tag = "intake",
    security(("idToken" = [])),
    responses(
        (status = 200, body = Answer<Vec<UnmatchedNumber>>),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 503, body = ErrorBody),
    )
)]
#[get("/api/intake/unmatched")]
pub async fn unmatched(
    caller: Caller,
    state: web::Data<IntakeState>,
) -> Result<web::Json<Answer<Vec<UnmatchedNumber>>>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let mut notes = state
        .matching
        .unmatched(|number| state.snapshot.get(number).is_some())
        .await?;
    notes.sort_by(|a, b| a.number.cmp(&b.number));
    let mut result: Vec<_> = notes
        .chunk_by(|a, b| a.number == b.number)
        .filter_map(|notes| {
            let newest = notes.iter().max_by_key(|note| note.seen_at)?;
            Some(UnmatchedNumber {
                kind: newest.number.kind,
                number: newest.number.text.clone(),
                name: notes.iter().find_map(|note| note.name.clone()),
                count: notes.len(),
                repair_orders: notes
                    .iter()
                    .take(ORDERS)
                    .map(|note| note.order.get())
                    .collect(),
                last_seen: newest.seen_at.to_string(),
            })
        })
        .collect();
    result.sort_by_key(|number| std::cmp::Reverse(number.count));
    result.truncate(NUMBERS);
    Ok(web::Json(Answer::new(result)))
}

/// Every number that the desk has said the meaning of.
#[utoipa::path(
    operation_id = "intake_matches",
    tag = "intake",
    security(("idToken" = [])),
    responses(
        (status = 200, body = Answer<Vec<NumberMatch>>),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 503, body = ErrorBody),
    )
)]
#[get("/api/intake/matches")]
pub async fn matches(
    caller: Caller,
    state: web::Data<IntakeState>,
) -> Result<web::Json<Answer<Vec<NumberMatch>>>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let matches = state.matching.all().await?;
    let result = matches
        .into_iter()
        .map(|(number, meaning)| {
            let (id_technician, name) = match meaning {
                Meaning::Technician(id) => (Some(id), state.directory.names().of(id, None)),
                Meaning::Advisor(name) => (None, name),
            };
            NumberMatch {
                kind: number.kind,
                number: number.text,
                id_technician,
                name,
            }
        })
        .collect();
    Ok(web::Json(Answer::new(result)))
}

/// Says who a number means, once and for all: the open repair orders it came with are corrected,
/// and later imports know. A number that had a meaning gets this one instead.
#[utoipa::path(
    operation_id = "match_number",
    tag = "intake",
    security(("idToken" = [])),
    responses(
        (status = 200, body = Answer<Matched>),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician"),
        (status = 409, body = ErrorBody, description = "own-number"),
        (status = 413, body = ErrorBody),
        (status = 503, body = ErrorBody, description = "Not every order is corrected: try again, which is safe"),
    )
)]
#[post("/api/intake/matches")]
pub async fn make(
    caller: Caller,
    state: web::Data<IntakeState>,
    body: web::Json<NewMatch>,
) -> Result<web::Json<Answer<Matched>>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let (number, meaning) = match body.into_inner() {
        NewMatch::Technician {
            number: text,
            id_technician,
        } => {
            let number = number(Kind::Technician, &text)?;
            let technician = technician_of(&state, &number, &id_technician).await?;
            (number, Meaning::Technician(technician))
        }
        NewMatch::Advisor { number: text, name } => {
            let number = number(Kind::Advisor, &text)?;
            (
                number,
                Meaning::Advisor(limits::short_text("The name", &name)?),
            )
        }
    };
    let by = Author {
        uid: caller.uid,
        name: caller.name,
        channel: Channel::Desk,
    };
    let result = run_detached(async move {
        let changed = carry_out(&state, &number, &meaning, by).await?;
        Ok(Matched {
            kind: number.kind,
            number: number.text,
            changed,
        })
    });
    Ok(web::Json(Answer::new(result.await?)))
}

/// Forgets who a number means. Repair orders stay as they are.
#[utoipa::path(
    operation_id = "unmatch_number",
    tag = "intake",
    security(("idToken" = [])),
    params(
        ("kind" = Kind, Path, description = "Whose number"),
        ("number" = inline(DealerNumber), Path),
    ),
    responses(
        (status = 200, body = Done),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-match"),
        (status = 503, body = ErrorBody),
    )
)]
#[delete("/api/intake/matches/{kind}/{number}")]
pub async fn forget(
    caller: Caller,
    state: web::Data<IntakeState>,
    Path((kind, text)): Path<(Kind, DealerNumber)>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let number = number(kind, &text.0)?;
    if state.matching.unlearn(&number).await? {
        Ok(web::Json(DONE))
    } else {
        Err(ApiError::new(
            ErrorCode::UnknownMatch,
            format!("The {} number {} has no match", kind.name(), number.text),
        ))
    }
}

fn number(kind: Kind, text: &str) -> Result<Number, ApiError> {
    let text = limits::short_text("The number", text)?;
    let number = match kind {
        Kind::Technician => Number::of(kind, &text),
        Kind::Advisor => Number::of_advisor(&text),
    };
    number.ok_or_else(|| {
        ApiError::invalid("An advisor's number has digits, or letters and digits, and nothing else")
    })
}

async fn technician_of(
    state: &IntakeState,
    number: &Number,
    technician: &TechnicianIdInBody,
) -> Result<TechnicianId, ApiError> {
    let technician = technician.parse()?;
    if number.technician() == Some(technician) {
        return Err(ApiError::new(
            ErrorCode::OwnNumber,
            format!("{technician} is that technician's own number and needs no match"),
        ));
    }
    if state.directory.exists(technician).await? {
        Ok(technician)
    } else {
        Err(ApiError::new(
            ErrorCode::UnknownTechnician,
            format!("Technician {technician} is not known"),
        ))
    }
}
