//! The desk's changes: status, priority, assign and unassign. A handler authorises, reads the
//! request, asks the order's supervisor, and answers with the rows as they are then.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post, web};
use dispatch_actors::repair_order::{Command, Priority, Status, TechnicianId, Version};
use dispatch_actors::store::{Author, Channel};
use dispatch_actors::supervisor::{Execute, Failure};
use serde::{Deserialize, Serialize};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::{Content, Ref, RefOr, Response};
use utoipa::{IntoResponses, ToSchema};

use super::reads::ro_number;
use super::wire::{Current, Row, rows};
use crate::app::Services;
use crate::error::ApiError;
use crate::identity::Caller;
use crate::staff::Permission;

/// Entries in one `data`; more is refused whole, so that nobody holds the desk up.
const ENTRIES: usize = 500;

/// A number that clients send as text or as a number.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Numeral {
    Text(String),
    Number(i64),
}

impl Numeral {
    pub(crate) fn text(&self) -> String {
        match self {
            Numeral::Text(text) => text.clone(),
            Numeral::Number(number) => number.to_string(),
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct UpdateStatus {
    data: Vec<StatusEntry>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusEntry {
    repair_order_number: Numeral,
    /// 10 Drop, 11 Waiting, 12 Used, 13 PDI, 14 ENG, 15 Trans.
    id_status: Numeral,
    /// The version the change was decided on; a newer one refuses it.
    #[serde(default)]
    #[schema(nullable = false)]
    expected_version: Option<i64>,
}

#[derive(Deserialize, ToSchema)]
pub struct UpdatePriority {
    data: Vec<PriorityEntry>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriorityEntry {
    ro_number: Numeral,
    /// 4 Waiting, 3 High, 2 Medium, 1 Low.
    priority_level: Numeral,
    #[serde(default)]
    #[schema(nullable = false)]
    expected_version: Option<i64>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assignment {
    repair_order_number: Numeral,
    id_technician: Numeral,
    #[serde(default)]
    #[schema(nullable = false)]
    expected_version: Option<i64>,
}

/// A change that is durable and announced, or was so already.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    ro_number: i64,
    /// Always true.
    ok: bool,
    version: i64,
    /// The number of the newest event this made; null when there was nothing to change.
    #[schema(required)]
    seq: Option<i64>,
    rows: Vec<Row>,
}

/// An entry that changed nothing, and why.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    #[schema(required)]
    ro_number: Option<i64>,
    /// Always false.
    ok: bool,
    error: String,
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Current>, nullable = false)]
    current: Option<serde_json::Value>,
}

#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum EntryResult {
    Changed(Changed),
    Refused(Refused),
}

/// What became of each entry, in their order.
#[derive(Serialize, ToSchema)]
pub struct ChangesAnswer {
    /// False when an entry of several was refused.
    ok: bool,
    result: Vec<EntryResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
}

#[derive(Serialize, ToSchema)]
pub struct ChangedAnswer {
    /// Always true.
    ok: bool,
    result: Changed,
}

/// The answer to a version that is no longer the newest.
#[derive(Serialize, ToSchema)]
pub struct StaleBody {
    /// Always false.
    pub ok: bool,
    pub error: String,
    /// `stale-version`.
    pub code: String,
    pub current: Current,
}

/// How a change can be refused, for the document.
struct Refusals;

impl IntoResponses for Refusals {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let refusal = |body: &str, what: &str| {
            let schema = Ref::from_schema_name(body);
            ResponseBuilder::new()
                .description(what)
                .content("application/json", Content::new(Some(schema)))
                .build()
                .into()
        };
        [
            ("400", refusal("Error", "The request cannot be read")),
            ("401", refusal("Error", "Nobody is signed in")),
            (
                "403",
                refusal("Error", "The caller's roles do not permit it"),
            ),
            (
                "404",
                refusal("Error", "There is no such repair order or technician"),
            ),
            (
                "409",
                refusal(
                    "StaleBody",
                    "The order has changed, is closed, or came otherwise",
                ),
            ),
            ("413", refusal("Error", "The request is too large")),
            (
                "503",
                refusal(
                    "Error",
                    "It is not known to be saved: try again, which is safe",
                ),
            ),
        ]
        .map(|(status, refusal)| (status.to_owned(), refusal))
        .into()
    }
}

/// Sets the status, and with it the priority: Waiting for Waiting, Low for every other.
#[utoipa::path(
    tag = "repair orders",
    security(("idToken" = [])),
    responses(
        (status = 200, body = ChangesAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/update-status")]
pub async fn update_status(
    caller: Caller,
    services: web::Data<Services>,
    body: web::Json<UpdateStatus>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ChangeStatus)?;
    let entries = counted(&body.data)?;
    let mut results = Vec::with_capacity(entries.len());
    for entry in entries {
        let number = entry.repair_order_number.text();
        let change = async {
            let id = entry.id_status.text();
            let status = Status::from_id(&id).ok_or_else(|| {
                ApiError::new(
                    StatusCode::BAD_REQUEST,
                    "invalid-status",
                    format!("Invalid status: {id}"),
                )
            })?;
            let command = Command::ChangeStatus(status);
            change(&services, &caller, &number, command, entry.expected_version).await
        };
        results.push((number.clone(), change.await));
    }
    Ok(answer(results))
}

/// Sets the priority.
#[utoipa::path(
    tag = "repair orders",
    security(("idToken" = [])),
    responses(
        (status = 200, body = ChangesAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/update-priority")]
pub async fn update_priority(
    caller: Caller,
    services: web::Data<Services>,
    body: web::Json<UpdatePriority>,
) -> Result<HttpResponse, ApiError> {
    caller.require(Permission::ChangeStatus)?;
    let entries = counted(&body.data)?;
    let mut results = Vec::with_capacity(entries.len());
    for entry in entries {
        let number = entry.ro_number.text();
        let change = async {
            let level = entry.priority_level.text();
            let priority = Priority::from_level(&level).ok_or_else(|| {
                ApiError::new(
                    StatusCode::BAD_REQUEST,
                    "invalid-priority",
                    format!(
                        "Invalid priority level: {level}. Use 4 Waiting, 3 High, 2 Medium or 1 Low"
                    ),
                )
            })?;
            if let Some(follow_up) = follow_up(&services, &caller, &number, priority).await? {
                return Ok(follow_up);
            }
            caller.require(Permission::ChangePriority)?;
            let command = Command::ChangePriority(priority);
            change(&services, &caller, &number, command, entry.expected_version).await
        };
        results.push((number.clone(), change.await));
    }
    Ok(answer(results))
}

/// Some clients send the automatic priority after a status change. Who may change the status but
/// not the priority is answered well when there is nothing left to do.
async fn follow_up(
    services: &Services,
    caller: &Caller,
    number: &str,
    priority: Priority,
) -> Result<Option<Changed>, ApiError> {
    if caller.may(Permission::ChangePriority) {
        return Ok(None);
    }
    let order = services.store.load(ro_number(number)?).await?;
    let done = order.filter(|order| {
        order.priority == priority && order.displayed_status().automatic_priority() == priority
    });
    Ok(done.map(|order| Changed {
        ro_number: order.number.get(),
        ok: true,
        version: order.version,
        seq: None,
        rows: rows(&order, &services.names),
    }))
}

/// Gives the order to one more technician.
#[utoipa::path(
    tag = "repair orders",
    security(("idToken" = [])),
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/technicians/assign")]
pub async fn assign(
    caller: Caller,
    services: web::Data<Services>,
    body: web::Json<Assignment>,
) -> Result<web::Json<ChangedAnswer>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let technician = technician(&body.id_technician)?;
    if !services.technicians.exists(technician).await? {
        return Err(ApiError::not_found(
            "unknown-technician",
            format!("Technician {technician} is not known"),
        ));
    }
    reassigned(&services, &caller, &body, Command::Assign(technician)).await
}

/// Takes the order away from a technician.
#[utoipa::path(
    tag = "repair orders",
    security(("idToken" = [])),
    responses(
        (status = 200, body = ChangedAnswer),
        Refusals,
    )
)]
#[post("/api/repair-orders/technicians/unassign")]
pub async fn unassign(
    caller: Caller,
    services: web::Data<Services>,
    body: web::Json<Assignment>,
) -> Result<web::Json<ChangedAnswer>, ApiError> {
    caller.require(Permission::Dispatch)?;
    let technician = technician(&body.id_technician)?;
    reassigned(&services, &caller, &body, Command::Unassign(technician)).await
}

async fn reassigned(
    services: &Services,
    caller: &Caller,
    body: &Assignment,
    command: Command,
) -> Result<web::Json<ChangedAnswer>, ApiError> {
    let number = body.repair_order_number.text();
    let result = change(services, caller, &number, command, body.expected_version).await?;
    Ok(web::Json(ChangedAnswer { ok: true, result }))
}

pub(crate) fn technician(numeral: &Numeral) -> Result<TechnicianId, ApiError> {
    let text = numeral.text();
    text.trim()
        .parse()
        .map_err(|_| ApiError::invalid(format!("'{text}' is not a technician's number")))
}

pub(crate) fn counted<T>(entries: &[T]) -> Result<&[T], ApiError> {
    match entries.len() {
        0 => Err(ApiError::invalid("data is empty: send at least one entry")),
        1..=ENTRIES => Ok(entries),
        many => Err(ApiError::invalid(format!(
            "data has {many} entries; send at most {ENTRIES} at once"
        ))),
    }
}

async fn change(
    services: &Services,
    caller: &Caller,
    number: &str,
    command: Command,
    expected_version: Option<Version>,
) -> Result<Changed, ApiError> {
    let number = ro_number(number)?;
    let by = Author {
        uid: caller.uid.clone(),
        name: caller.name.clone(),
        channel: Channel::Desk,
    };
    let outcome = services
        .orders
        .execute(
            number,
            Execute {
                command,
                by,
                expected_version,
            },
        )
        .await
        .map_err(|failure| refusal(services, &failure))?;
    Ok(Changed {
        ro_number: number.get(),
        ok: true,
        version: outcome.order.version,
        seq: outcome.events.last().map(|event| event.seq),
        rows: rows(&outcome.order, &services.names),
    })
}

fn refusal(services: &Services, failure: &Failure) -> ApiError {
    let error = ApiError::from(failure);
    match failure {
        Failure::Stale(stale) => {
            error.with(serde_json::json!({ "current": Current::new(stale, &services.names) }))
        }
        _ => error,
    }
}

/// One entry answers with its own status, several with 200 and a result each.
fn answer(mut results: Vec<(String, Result<Changed, ApiError>)>) -> HttpResponse {
    if let [(_, Err(_))] = results.as_slice()
        && let Some((_, Err(error))) = results.pop()
    {
        return HttpResponse::from_error(error);
    }
    let all = results.len();
    let refused = results.iter().filter(|(_, result)| result.is_err()).count();
    let result = results
        .into_iter()
        .map(|(number, result)| match result {
            Ok(changed) => EntryResult::Changed(changed),
            Err(error) => EntryResult::Refused(Refused {
                ro_number: ro_number(&number).ok().map(|number| number.get()),
                ok: false,
                current: error.more.and_then(|more| more.get("current").cloned()),
                error: error.error,
                code: error.code.to_owned(),
            }),
        })
        .collect();
    HttpResponse::Ok().json(ChangesAnswer {
        ok: refused == 0,
        result,
        error: (refused > 0).then(|| format!("{refused} of {all} entries were refused")),
        code: (refused > 0).then_some("some-refused"),
    })
}
