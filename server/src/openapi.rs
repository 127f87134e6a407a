//! The OpenAPI document: the one source of the web's types. The socket's messages, which OpenAPI
//! has no paths for, are in its components.

use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{IntoParams, Modify, OpenApi};

use crate::repair_orders::{assignments, changes, history, reads, wire};
use crate::staff::{Permission, Role};
use crate::{identity, intake, skills, technicians};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Dispatch",
        description = "Repair-order dispatch for a service department. Live changes come over \
            Socket.IO at /ws as the events RO_MODIFIED, hello and tick, whose payloads are the \
            components RoModified, Hello and Tick."
    ),
    paths(
        reads::list,
        reads::specific,
        reads::details,
        changes::update_status,
        changes::update_priority,
        reads::activity_metrics,
        reads::next_batch,
        changes::close,
        changes::reopen,
        changes::edit_job,
        assignments::assign,
        assignments::unassign,
        assignments::reassign,
        assignments::dispatch,
        history::history,
        history::take_back,
        technicians::assignments::list,
        skills::routes::list,
        skills::routes::add,
        skills::routes::change,
        skills::routes::delete,
        skills::routes::give,
        technicians::list,
        identity::routes::sign_in,
        identity::routes::refresh,
        identity::routes::sign_out,
        intake::routes::take_in,
        intake::key_calls::make,
        intake::key_calls::list,
        intake::key_calls::revoke,
        intake::match_calls::unmatched,
        intake::match_calls::matches,
        intake::match_calls::make,
        intake::match_calls::forget,
    ),
    components(schemas(wire::RoModified, wire::Hello, wire::Tick, wire::RoPresence, wire::RoOpen, wire::Current, changes::StaleBody, Permission, Role)),
    modifiers(&Bearers)
)]
struct Document;

struct Bearers;

impl Modify for Bearers {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let components = api.components.get_or_insert_default();
        for (name, format) in [("idToken", "JWT"), ("intakeKey", "dk_...")] {
            let bearer = HttpBuilder::new()
                .scheme(HttpAuthScheme::Bearer)
                .bearer_format(format)
                .build();
            components.add_security_scheme(name, SecurityScheme::Http(bearer));
        }
    }
}

/// Of every change: sent again with the same key, a request gets its first answer and does nothing
/// a second time.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKeyHeader {
    /// One for each request, up to 200 plain characters; kept for a day.
    #[param(rename = "Idempotency-Key", required = false)]
    #[expect(dead_code, reason = "only its documentation is used")]
    idempotency_key: Option<String>,
}

/// The document as JSON, the same bytes for the same source.
pub fn json() -> Result<String, serde_json::Error> {
    Document::openapi().to_pretty_json()
}

#[get("/api/openapi.json")]
pub async fn document() -> HttpResponse {
    HttpResponse::Ok().json(Document::openapi())
}
