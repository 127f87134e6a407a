//! What a path says of a request, before it is routed.

use actix_web::HttpRequest;

/// The path as routes match it, decoded: a request for `/%61pi` is one for `/api`. Every decision by
/// path uses this one.
pub fn routed_path(request: &HttpRequest) -> &str {
    request.match_info().as_str()
}

/// Whether a path is a call's, and not the page's.
pub fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}
