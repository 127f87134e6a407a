//! What a path says of a request, before it is routed.

use actix_web::HttpRequest;

/// The path as routes match it, decoded: whoever asks for `/%61pi` asks for `/api`. What is decided by
/// a path is decided by this one.
pub fn routed_path(request: &HttpRequest) -> &str {
    request.match_info().as_str()
}

/// Whether a path is a call's, and not the page's.
pub fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}
