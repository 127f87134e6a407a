//! The OpenAPI document: the one source of the web's types. The socket's messages, which OpenAPI
//! has no paths for, are in its components.

use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::identity;
use crate::repair_orders::{changes, reads, wire};
use crate::staff::{Permission, Role};
use crate::{skills, technicians};

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
        changes::assign,
        changes::unassign,
        technicians::list,
        technicians::assignments::list,
        skills::routes::list,
        skills::routes::add,
        skills::routes::change,
        skills::routes::delete,
        skills::routes::give,
        identity::routes::sign_in,
        identity::routes::refresh,
        identity::routes::sign_out,
    ),
    components(schemas(wire::RoModified, wire::Hello, wire::Tick, wire::Current, changes::StaleBody, Permission, Role)),
    modifiers(&IdToken)
)]
struct Document;

struct IdToken;

impl Modify for IdToken {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("JWT")
            .build();
        api.components
            .get_or_insert_default()
            .add_security_scheme("idToken", SecurityScheme::Http(bearer));
    }
}

/// The document as JSON, the same bytes for the same source.
pub fn json() -> Result<String, serde_json::Error> {
    Document::openapi().to_pretty_json()
}

#[get("/api/openapi.json")]
pub async fn document() -> HttpResponse {
    HttpResponse::Ok().json(Document::openapi())
}
