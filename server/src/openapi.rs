//! The OpenAPI document: the one source of the web's types. The socket's messages, which OpenAPI
//! has no paths for, are in its components.

mod answers;
pub mod docs;
mod methods;

use std::sync::LazyLock;

use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{IntoParams, Modify, OpenApi};

pub use methods::methods_of;

use crate::intake::match_calls::NumberText;
use crate::numerals::{IdText, RoNumberText, TechnicianText};
use crate::repair_orders::{assignments, carry_out, changes, figures, history, reads, undo, wire};
use crate::staff::{Permission, Role};
use crate::{
    audit, boards, clocks, health, identity, intake, push, receipts, server_status, skills, staff,
    tech_story, technicians,
};
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
        (name = "boards", description = "Screens on the shop's walls: pairing them, what each shows, and what they ask themselves."),
        (name = "intake", description = "Repair orders from the dealer's system: with intake keys of their own, and what their numbers mean."),
        (name = "audit", description = "Who got in and who was refused, and what was changed about who may."),
        (name = "health", description = "For whoever watches the server."),
    ),
    paths(
        reads::list,
        reads::specific,
        reads::details,
        changes::update_status,
        changes::update_priority,
        reads::activity_metrics,
        figures::desk_figures,
        reads::next_batch,
        changes::close,
        changes::reopen,
        changes::edit_job,
        assignments::assign,
        assignments::unassign,
        assignments::reassign,
        assignments::dispatch,
        receipts::routes::list,
        receipts::routes::reach,
        receipts::routes::hand_back,
        push::routes::key,
        push::routes::subscribe,
        push::routes::unsubscribe,
        push::routes::delivered,
        history::history,
        undo::take_back,
        tech_story::routes::interviewers,
        tech_story::routes::next,
        tech_story::routes::open,
        tech_story::routes::save,
        tech_story::routes::cancel,
        tech_story::versions::list,
        tech_story::versions::restore,
        technicians::calls::list,
        technicians::assignments::list,
        clocks::routes::clocks,
        clocks::routes::clock,
        clocks::routes::tap,
        clocks::routes::entries,
        clocks::routes::add,
        clocks::routes::change,
        clocks::routes::delete_entry,
        technicians::assignments::one,
        technicians::candidates::candidates,
        technicians::calls::add,
        technicians::calls::change,
        technicians::calls::delete,
        technicians::calls::give,
        technicians::calls::take,
        technicians::organisation_calls::show,
        technicians::organisation_calls::add,
        technicians::organisation_calls::change,
        technicians::organisation_calls::delete,
        skills::rule_calls::list,
        skills::rule_calls::add,
        skills::rule_calls::change,
        skills::rule_calls::delete,
        skills::routes::list,
        skills::routes::add,
        skills::routes::change,
        skills::routes::delete,
        skills::routes::give,
        identity::routes::sign_in,
        identity::routes::refresh,
        identity::routes::sign_out,
        identity::link_calls::policy,
        identity::link_calls::ask,
        identity::link_calls::confirm,
        identity::own_calls::me,
        identity::own_calls::list,
        identity::own_calls::end,
        identity::own_calls::sign_out_everywhere,
        identity::own_calls::change_password,
        identity::two_factor_calls::state,
        identity::two_factor_calls::begin,
        identity::two_factor_calls::confirm,
        identity::two_factor_calls::end,
        staff::routes::list,
        staff::routes::one,
        staff::routes::write,
        staff::routes::change,
        staff::routes::delete,
        staff::routes::sessions,
        staff::routes::end_session,
        staff::routes::end_sessions,
        staff::invite::invite,
        staff::invite::invite_as_hosted,
        staff::test_page::documents,
        staff::test_page::write,
        identity::oidc::routes::start,
        identity::oidc::routes::callback,
        identity::oidc::routes::waiting_link,
        identity::oidc::routes::link,
        intake::routes::take_in,
        intake::key_calls::make,
        intake::key_calls::list,
        intake::key_calls::revoke,
        intake::match_calls::unmatched,
        intake::match_calls::matches,
        intake::match_calls::make,
        intake::match_calls::forget,
        boards::calls::list,
        boards::calls::add,
        boards::calls::change,
        boards::calls::revoke,
        boards::calls::delete,
        boards::calls::reload,
        boards::calls::identify,
        boards::calls::claim,
        boards::calls::link,
        boards::screen_calls::begin,
        boards::screen_calls::state,
        boards::screen_calls::redeem,
        boards::screen_calls::picture,
        boards::screen_calls::check,
        audit::routes::list,
        audit::routes::export,
        health::alive,
        health::ready,
        server_status::routes::server_status,
    ),
    components(schemas(boards::wire::PairingText, boards::wire::BoardCardEvent, boards::wire::BoardClockEvent, boards::wire::BoardSettingsEvent, boards::wire::BoardReloadEvent, boards::wire::BoardIdentifyEvent, boards::wire::BoardsChangedEvent, staff::StaffChangedEvent, server_status::ServerStatusChangedEvent, clocks::wire::ClockChangedEvent, wire::RoModified, wire::RoNotice, wire::RoModifiedHint, wire::StreamState, wire::RoPresence, wire::RoPresences, wire::RoOpen, wire::Current, carry_out::Changed, carry_out::Refused, changes::ConflictBody, changes::StatusEntry, changes::PriorityEntry, assignments::BatchEntry, skills::routes::SkillEntry, skills::routes::SkillGift, skills::routes::SkillDone, skills::routes::SkillRefused, Permission, Role, RoNumberText, technicians::candidates::RoNumbersText, IdText, NumberText, receipts::wire::ReceiptNews, push::message::PushMessage, technicians::TechniciansChangedEvent, TechnicianText)),
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
            "Set by sign-in; HttpOnly, and sent to /api/auth alone. By HTTPS its name is \
             __Secure-dispatch_refresh.",
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

/// Of every change: sent again with the same key, a request gets its first answer and does nothing
/// a second time.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKeyHeader {
    /// One for each request, 1 to 200 plain characters; kept for a day.
    #[param(
        rename = "Idempotency-Key",
        required = false,
        nullable = false,
        min_length = 1,
        max_length = 200,
        pattern = "^[!-~]+$"
    )]
    #[expect(dead_code, reason = "only its documentation is used")]
    idempotency_key: Option<String>,
}

/// The document as JSON, the same bytes for the same source.
pub fn json() -> Result<String, serde_json::Error> {
    DOCUMENT.to_pretty_json()
}

#[get("/api/openapi.json")]
pub async fn document() -> HttpResponse {
    HttpResponse::Ok().json(&*DOCUMENT)
}
