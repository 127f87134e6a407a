//! Which methods a path has, as the document says: a wrong method is told from an unknown path.

use std::collections::HashMap;
use std::sync::LazyLock;

use actix_web::body::MessageBody;
use actix_web::dev::{ResourceDef, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{App, web};

use crate::calls::{Calls, MethodsOfPaths};
use crate::error::ApiError;
use crate::http::page::ShopFacts;
use crate::http::paths::routed_path;
use crate::users::test_page;

type Methods = Vec<&'static str>;

#[derive(Default)]
struct Paths {
    written_out: HashMap<String, Methods>,
    with_parameters: Vec<(ResourceDef, Methods)>,
}

static PATHS: LazyLock<Paths> = LazyLock::new(|| {
    let mut listed = MethodsOfPaths::new();
    let _ =
        App::new().configure(|config| super::add_calls(&mut Calls::listed(config, &mut listed)));
    let mut paths = Paths::default();
    for (path, mut methods) in listed {
        methods.sort_unstable();
        if path.contains('{') {
            let pattern = ResourceDef::new(path);
            paths.with_parameters.push((pattern, methods));
        } else {
            paths.written_out.insert(path, methods);
        }
    }
    paths
});

/// Answers 405 for a path of the document with a method it does not have there. Routing alone would
/// say 404, or hand a path that is written out to a route with a parameter in its place.
pub async fn known_methods(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let methods = if is_hidden(&request) {
        &[][..]
    } else {
        methods_of(routed_path(request.request()))
    };
    if methods.is_empty() || methods.contains(&request.method().as_str()) {
        return next
            .call(request)
            .await
            .map(ServiceResponse::map_into_left_body);
    }
    let answer = ApiError::wrong_method(request.request(), methods);
    Ok(request.into_response(answer).map_into_right_body())
}

/// Nothing tells that there could be a debug page.
fn is_hidden(request: &ServiceRequest) -> bool {
    let facts = request.app_data::<web::Data<ShopFacts>>();
    routed_path(request.request()).starts_with(test_page::PATHS)
        && !facts.is_some_and(|facts| facts.test_page)
}

/// The methods of a path as it was asked for, in capitals and by name; none when there is no such path. A path
/// that is written out in the document counts before one with parameters.
fn methods_of(path: &str) -> &'static [&'static str] {
    let with_parameters = || {
        let mut paths = PATHS.with_parameters.iter();
        paths.find_map(|(pattern, methods)| pattern.is_match(path).then_some(methods))
    };
    let methods = PATHS.written_out.get(path).or_else(with_parameters);
    methods.map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::methods_of;

    #[test]
    fn a_path_that_is_written_out_counts_before_one_with_parameters() {
        assert_eq!(methods_of("/api/repair-orders/update-status"), ["POST"]);
        assert_eq!(methods_of("/api/repair-orders/1002"), ["GET"]);
        assert_eq!(methods_of("/api/repair-orders/technicians"), ["GET"]);
    }

    #[test]
    fn an_unknown_path_has_none() {
        for path in ["/api", "/api/nothing", "/api/repair-orders/1/2", "/"] {
            assert!(methods_of(path).is_empty(), "{path}");
        }
    }
}
