//! The OpenAPI document: the one source of the web's types. The socket's messages, which OpenAPI
//! has no paths for, are in its components.

mod answers;
mod docs;
mod methods;
mod rules;

use std::sync::LazyLock;

use actix_web::http::header::ContentType;
use actix_web::web::{self, Bytes};
use actix_web::{App, HttpResponse, get};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

pub use methods::known_methods;

use crate::calls::Calls;
use crate::repair_orders::{api_types, assignments, execute};
use crate::routes;
use crate::staff::{Permission, Role};
use crate::users::test_page;
use crate::{
    boards, clocks, identity, push, receipts, server_status, skills, stages, technicians, users,
};
use answers::EveryCall;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Dispatch",
        description = include_str!("openapi/about.md"),
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = "/")),
    tags(
        (name = "sign-in", description = "Who you are: an ID token for every call, and the cookie that renews it."),
        (name = "own account", description = "What somebody does about their own account: password, sessions, second factor."),
        (name = "repair orders", description = "The open orders, one order whole, and the desk's changes: status, priority, technicians."),
        (name = "dispatch", description = "Who works on an order."),
        (name = "assignments", description = "Whether technicians know of what they were given; handing it back."),
        (name = "push", description = "News for a technician's browser while no page is open."),
        (name = "history", description = "Who changed an order, when, from what to what; and taking it back."),
        (name = "tech stories", description = "The interview that ends in a job's story, and what the story was before."),
        (name = "staff", description = "Who works here and what they may do; inviting them."),
        (name = "technicians", description = "Who there is to give an order to, and what they have to do."),
        (name = "clocks", description = "On what each technician works and since when; what that adds up to, and putting it right."),
        (name = "skills", description = "What technicians can do."),
        (name = "stages", description = "Stages of work: the shop's list, where an order stands, what it waits for, and where its hours went."),
        (name = "boards", description = "Screens on the shop's walls: pairing them, what each shows, and what they ask themselves."),
        (name = "views", description = "Views of the desk that people named, for themselves or for everybody."),
        (name = "intake", description = "Repair orders from the dealer's system: with intake keys of their own, and what their numbers mean."),
        (name = "audit", description = "Who got in and who was refused, and what was changed about who may."),
        (name = "health", description = "For whoever watches the server."),
    ),
    components(schemas(boards::api_types::PairingText, boards::api_types::BoardCardEvent, boards::api_types::BoardClockEvent, boards::api_types::BoardSettingsEvent, boards::api_types::BoardReloadEvent, boards::api_types::BoardIdentifyEvent, boards::api_types::BoardsChangedEvent, users::StaffChangedEvent, server_status::ServerStatusChangedEvent, clocks::api_types::ClockChangedEvent, api_types::RoModified, api_types::RoNotice, api_types::RoModifiedHint, api_types::StreamState, api_types::RoPresence, api_types::RoPresences, api_types::RoOpen, api_types::Current, execute::Changed, execute::Refused, api_types::ConflictBody, api_types::StatusEntry, api_types::PriorityEntry, assignments::BatchEntry, skills::api_types::SkillEntry, skills::api_types::SkillGift, skills::api_types::SkillDone, skills::api_types::SkillRefused, Permission, Role, technicians::suggestion::candidates::RoNumbersText, receipts::api_types::ReceiptNews, push::message::PushMessage, technicians::TechniciansChangedEvent, stages::StagesChangedEvent)),
)]
struct Document;

/// Takes tens of milliseconds and some 10 MB, which nobody is to hold.
fn document() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    let _ = App::new().configure(|config| {
        add_calls(&mut Calls::described(config, &mut document));
    });
    Credentials.modify(&mut document);
    EveryCall.modify(&mut document);
    rules::describe(&mut document);
    document
}

/// Every call, that of the debug page included.
fn add_calls(calls: &mut Calls<'_>) {
    routes::configure(calls);
    test_page::configure(calls);
}

/// The document itself, and the page that shows it.
pub fn configure(routes: &mut web::ServiceConfig) {
    routes.service(serve_document).configure(docs::configure);
}

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
            "Set by sign-in; HttpOnly, and sent to /api/auth alone. By HTTPS its name is \
             __Secure-dispatch_refresh. At a port other than those of HTTP and HTTPS, the name ends with _ and \
             the port.",
        );
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("idToken", SecurityScheme::Http(bearer));
        components.add_security_scheme(
            "refreshCookie",
            SecurityScheme::ApiKey(ApiKey::Cookie(cookie)),
        );
        let intake_key = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("dk_...")
            .description(Some("A key that an owner made for another program."))
            .build();
        components.add_security_scheme("intakeKey", SecurityScheme::Http(intake_key));
        let board_token = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("db_...")
            .description(Some("A board's own, from pairing or a link."))
            .build();
        components.add_security_scheme("boardToken", SecurityScheme::Http(board_token));
    }
}

/// The document as JSON, the same bytes for the same source.
pub fn json() -> Result<String, serde_json::Error> {
    document().to_pretty_json()
}

/// The text that is served, made when somebody asks for it.
static SERVED: LazyLock<Result<Bytes, serde_json::Error>> =
    LazyLock::new(|| serde_json::to_vec(&document()).map(Bytes::from));

#[get("/api/openapi.json")]
async fn serve_document() -> HttpResponse {
    match &*SERVED {
        Ok(text) => HttpResponse::Ok()
            .content_type(ContentType::json())
            .body(text.clone()),
        Err(error) => {
            tracing::error!(%error, "the OpenAPI document could not be written");
            HttpResponse::InternalServerError().finish()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    /// The names of all properties in a part of the document.
    fn property_names<'a>(part: &'a Value, names: &mut Vec<&'a str>) {
        match part {
            Value::Object(members) => {
                if let Some(Value::Object(properties)) = members.get("properties") {
                    names.extend(properties.keys().map(String::as_str));
                }
                members
                    .values()
                    .for_each(|member| property_names(member, names));
            }
            Value::Array(items) => items.iter().for_each(|item| property_names(item, names)),
            _ => {}
        }
    }

    /// A name that serde changes and utoipa does not would be documented as no call takes it.
    #[test]
    fn no_documented_property_has_the_name_of_a_rust_field() {
        let document: Value = serde_json::from_str(&super::json().unwrap()).unwrap();
        let mut names = Vec::new();
        property_names(&document["components"], &mut names);
        assert!(names.contains(&"roNumber"));
        names.retain(|name| name.contains('_'));
        assert!(names.is_empty(), "{names:?}");
    }
}
