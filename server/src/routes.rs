//! The table of contents: every route there is.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    CACHE_CONTROL, HeaderValue, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};

use crate::calls::Calls;
use crate::desk_figures;
use crate::error::{ApiError, ErrorCode};
use crate::http::paths::{is_api, routed_path};
use crate::http::request_counts::Unrouted;
use crate::public_url::PublicUrl;
use crate::repair_orders::{self, assignments, changes, history, reads, search, undo};
use crate::{
    about, audit, boards, clocks,
    http::{health, page},
    identity, intake, promises, push, receipts, server_status, skills, stages, tech_story,
    technicians, users, views,
};

/// Each call is named once: it is routed and put in the OpenAPI document by what it says of itself.
pub fn configure(routes: &mut Calls<'_>) {
    routes
        // Routes are tried in this order, so what is asked for most comes first. A path with a parameter costs much more to
        // try than one that is written out, and may take what is meant for that.
        .service(reads::list)
        .service(changes::update_status)
        .service(changes::update_priority)
        .service(assignments::assign)
        .service(assignments::unassign)
        .service(assignments::reassign)
        .service(assignments::dispatch)
        .service(desk_figures::desk_figures)
        .service(promises::routes::promises)
        .service(reads::activity_metrics)
        .service(search::search)
        .service(technicians::routes::list)
        .service(technicians::workload::assignments::list)
        .service(technicians::suggestion::candidates::candidates)
        .service(technicians::fairness::routes::fairness)
        .configure(skills::routes::configure)
        .configure(clocks::routes::configure)
        .service(promises::customers_to_call::customers_to_call)
        .service(reads::next_batch)
        .service(reads::specific)
        .service(reads::details)
        .service(history::history)
        .service(repair_orders::promise_moves::promise_history)
        .service(undo::undo_change)
        .service(changes::close)
        .service(changes::reopen)
        .service(changes::edit_job)
        .configure(repair_orders::stages::configure)
        .service(repair_orders::customer_calls::record_call)
        .configure(views::routes::configure)
        .configure(boards::screen_routes::configure)
        .configure(boards::routes::configure)
        .configure(receipts::routes::configure)
        .configure(push::routes::configure)
        .configure(tech_story::routes::configure)
        .configure(tech_story::versions::configure)
        .service(health::alive)
        .service(health::ready)
        .service(server_status::routes::server_status)
        .service(about::routes::about)
        .service(about::security_txt::security_txt)
        .configure(identity::routes::configure)
        .configure(technicians::routes::configure)
        .configure(technicians::organisation_routes::configure)
        .configure(skills::rule_routes::configure)
        .configure(skills::work_kinds::configure)
        .configure(stages::routes::configure)
        .configure(users::routes::configure)
        .configure(users::invite::configure)
        .configure(audit::routes::configure)
        .configure(intake::routes::configure);
}

/// An unknown call is told so; any other address is the page's.
pub async fn everything_else(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    request.extensions_mut().insert(Unrouted);
    let path = routed_path(&request);
    if is_api(path) {
        return Err(ApiError::new(
            ErrorCode::UnknownRoute,
            format!("There is no {} {path}", request.method()),
        ));
    }
    page::answer(&request)
}

/// A browser that came by HTTPS once comes by nothing else for a year.
const STAY: &str = "max-age=31536000";

/// Tells browsers to take every answer for what it says it is, to store none that does not say
/// otherwise (the page's files do), and to stay with HTTPS where that is how they reach this server.
pub async fn security_headers(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let public_url = request.app_data::<web::Data<PublicUrl>>();
    let secure = public_url.is_some_and(|url| url.is_https());
    let mut answer = next.call(request).await?;
    let headers = answer.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if secure {
        let stay = HeaderValue::from_static(STAY);
        headers.insert(STRICT_TRANSPORT_SECURITY, stay);
    }
    Ok(answer)
}
