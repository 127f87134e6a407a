//! Which methods a path has, from the document: for telling a wrong method from an unknown path.

use std::sync::LazyLock;

use actix_web::dev::ResourceDef;
use utoipa::openapi::path::PathItem;

use super::DOCUMENT;

static PATHS: LazyLock<Vec<(ResourceDef, Vec<&'static str>)>> = LazyLock::new(|| {
    let paths = DOCUMENT.paths.paths.iter();
    paths
        .map(|(path, item)| (ResourceDef::new(path.as_str()), methods(item)))
        .collect()
});

/// The methods of a path as it was asked for, in capitals; none when there is no such path. A path
/// that is written out in the document counts before one with parameters.
pub fn methods_of(path: &str) -> &'static [&'static str] {
    let mut found = PATHS.iter().filter(|(pattern, _)| pattern.is_match(path));
    let written_out = found
        .clone()
        .find(|(pattern, _)| pattern.pattern() == Some(path));
    written_out
        .or_else(|| found.next())
        .map_or(&[], |(_, methods)| methods)
}

fn methods(item: &PathItem) -> Vec<&'static str> {
    [
        ("GET", &item.get),
        ("PUT", &item.put),
        ("POST", &item.post),
        ("DELETE", &item.delete),
        ("PATCH", &item.patch),
    ]
    .into_iter()
    .filter_map(|(name, call)| call.as_ref().map(|_| name))
    .collect()
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
