//! The OpenAPI document: the one source of the web's types. The socket's messages, which OpenAPI
//! has no paths for, are in its components.

mod answers;
pub mod docs;
mod methods;

use std::sync::LazyLock;

use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

pub use methods::methods_of;

use crate::numerals::RoNumberText;
use crate::repair_orders::{changes, reads, wire};
use crate::staff::{Permission, Role};
use crate::{health, identity, technicians};
use answers::EveryCall;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Dispatch",
        description = include_str!("openapi/about.md"),
        license(name = "MIT"),
    ),
    servers((url = "/")),
    tags(
        (name = "sign-in", description = "Who you are: an ID token for every call, and the cookie that renews it."),
        (name = "repair orders", description = "The open orders, one order whole, and the desk's changes: status, priority, technicians."),
        (name = "technicians", description = "Who there is to give an order to."),
        (name = "health", description = "For whoever watches the server."),
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
        identity::routes::sign_in,
        identity::routes::refresh,
        identity::routes::sign_out,
        health::alive,
        health::ready,
    ),
    components(schemas(wire::RoModified, wire::Hello, wire::Tick, wire::Current, changes::StaleBody, changes::StatusEntry, changes::PriorityEntry, Permission, Role, RoNumberText)),
    modifiers(&Credentials, &EveryCall)
)]
struct Document;

static DOCUMENT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(Document::openapi);

/// What says who is asking.
struct Credentials;

impl Modify for Credentials {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("JWT")
            .description(Some(
                "The idToken of sign-in or refresh. It lives an hour, and no longer than its \
                 sign-in session.",
            ))
            .build();
        let cookie = ApiKeyValue::with_description(
            identity::routes::REFRESH_COOKIE,
            "Set by sign-in; HttpOnly, and sent to /api/auth alone.",
        );
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("idToken", SecurityScheme::Http(bearer));
        components.add_security_scheme(
            "refreshCookie",
            SecurityScheme::ApiKey(ApiKey::Cookie(cookie)),
        );
    }
}

/// The document as JSON, the same bytes for the same source.
pub fn json() -> Result<String, serde_json::Error> {
    DOCUMENT.to_pretty_json()
}

#[get("/api/openapi.json")]
pub async fn document() -> HttpResponse {
    HttpResponse::Ok().json(&*DOCUMENT)
}
