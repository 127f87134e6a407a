//! The calls by which the desk matches numbers to people, and names to stages.

use actix_web::{delete, get, post, web};
use dispatch_actors::repair_order::{StageId, TechnicianId};
use dispatch_actors::store::{Author, Channel};
use dispatch_actors::text::quotable;

use super::api_types::{Matched, NewMatch, NumberMatch, UnmatchedNumber};
use super::corrections::add_match;
use super::dms_number::{DmsNumber, NumberKind, NumberMeaning};
use crate::answer::{Answer, DONE, Done};
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::{Caller, Path};
use crate::ids::{DealerNumber, TechnicianIdInBody};
use crate::intake::IntakeState;
use crate::limits;
use crate::staff::Permission;

/// Repair orders that are listed for an unmatched number.
const MAX_ORDERS: usize = 20;

/// Unmatched numbers in one answer, those on the most orders first.
const MAX_NUMBERS: usize = 1_000;

/// Numbers of technicians and advisors that came in files and that mean nobody here, and names of stages
/// that the shop does not have; those on the most repair orders first.
#[utoipa::path(
    operation_id = "intake_unmatched",
    tag = "intake",
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
        .matches
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
                    .take(MAX_ORDERS)
                    .map(|note| note.order.get())
                    .collect(),
                last_seen: newest.seen_at.to_string(),
            })
        })
        .collect();
    result.sort_by_key(|number| std::cmp::Reverse(number.count));
    result.truncate(MAX_NUMBERS);
    Ok(web::Json(Answer::new(result)))
}

/// Every number that the desk has said the meaning of.
#[utoipa::path(
    operation_id = "intake_matches",
    tag = "intake",
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
    let matches = state.matches.list().await?;
    let result = matches
        .into_iter()
        .map(|(number, meaning)| {
            let (id_technician, name) = match meaning {
                NumberMeaning::Technician(id) => (Some(id), state.directory.names().of(id, None)),
                NumberMeaning::Advisor(name) => (None, name),
                NumberMeaning::Stage(stage) => (None, stage.to_string()),
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

/// Says who a number means, or which stage a name, once and for all: the open repair orders it came with are corrected,
/// and later imports know. A number that had a meaning gets this one instead.
#[utoipa::path(
    operation_id = "match_number",
    tag = "intake",
    responses(
        (status = 200, body = Answer<Matched>),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody, description = "unknown-technician, unknown-stage"),
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
            let number = parse_number(NumberKind::Technician, &text)?;
            let technician = matched_technician(&state, &number, &id_technician).await?;
            (number, NumberMeaning::Technician(technician))
        }
        NewMatch::Advisor { number: text, name } => {
            let number = parse_number(NumberKind::Advisor, &text)?;
            (
                number,
                NumberMeaning::Advisor(limits::short_text("The name", &name)?),
            )
        }
        NewMatch::Stage {
            number: text,
            stage,
        } => {
            let name = parse_number(NumberKind::Stage, &text)?;
            let stage = matched_stage(&state, &name, &stage.0)?;
            (name, NumberMeaning::Stage(stage))
        }
    };
    let by = Author {
        uid: caller.uid,
        name: caller.name,
        channel: Channel::Desk,
    };
    let result = run_detached(async move {
        let changed = add_match(&state, &number, &meaning, by).await?;
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
    params(
        ("kind" = NumberKind, Path, description = "Whose number"),
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
    Path((kind, text)): Path<(NumberKind, DealerNumber)>,
) -> Result<web::Json<Done>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let number = parse_number(kind, &text.0)?;
    if state.matches.remove(&number).await? {
        Ok(web::Json(DONE))
    } else {
        Err(ApiError::new(
            ErrorCode::UnknownMatch,
            format!("The {} number {} has no match", kind.name(), number.text),
        ))
    }
}

fn parse_number(kind: NumberKind, text: &str) -> Result<DmsNumber, ApiError> {
    let text = limits::short_text("The number", text)?;
    let number = match kind {
        NumberKind::Technician | NumberKind::Stage => DmsNumber::new(kind, &text),
        NumberKind::Advisor => DmsNumber::from_advisor_text(&text),
    };
    number.ok_or_else(|| {
        ApiError::invalid("An advisor's number has digits, or letters and digits, and nothing else")
    })
}

fn matched_stage(state: &IntakeState, name: &DmsNumber, stage: &str) -> Result<StageId, ApiError> {
    if state.matches.is_name_of_stage(name) {
        return Err(ApiError::new(
            ErrorCode::OwnNumber,
            format!(
                "The shop calls a stage '{}' itself, which needs no match",
                quotable(&name.text)
            ),
        ));
    }
    state.matches.stage(stage).ok_or_else(|| {
        ApiError::new(
            ErrorCode::UnknownStage,
            format!("There is no stage '{}'", quotable(stage)),
        )
    })
}

async fn matched_technician(
    state: &IntakeState,
    number: &DmsNumber,
    technician: &TechnicianIdInBody,
) -> Result<TechnicianId, ApiError> {
    let technician = technician.parse()?;
    if number.technician_id() == Some(technician) {
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
