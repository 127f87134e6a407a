//! Which methods a path has, from the document: for telling a wrong method from an unknown path.

use std::collections::HashMap;
use std::sync::LazyLock;

use actix_web::dev::ResourceDef;
use utoipa::openapi::path::PathItem;

use super::DOCUMENT;

type Methods = Vec<&'static str>;

#[derive(Default)]
struct Paths {
    written_out: HashMap<&'static str, Methods>,
    with_parameters: Vec<(ResourceDef, Methods)>,
}

static PATHS: LazyLock<Paths> = LazyLock::new(|| {
    let mut paths = Paths::default();
    for (path, item) in &DOCUMENT.paths.paths {
        if path.contains('{') {
            let pattern = ResourceDef::new(path.as_str());
            paths.with_parameters.push((pattern, methods(item)));
        } else {
            paths.written_out.insert(path, methods(item));
        }
    }
    paths
});

/// The methods of a path as it was asked for, in capitals and by name; none when there is no such path. A path
/// that is written out in the document counts before one with parameters.
pub fn methods_of(path: &str) -> &'static [&'static str] {
    let with_parameters = || {
        let mut paths = PATHS.with_parameters.iter();
        paths.find_map(|(pattern, methods)| pattern.is_match(path).then_some(methods))
    };
    let methods = PATHS.written_out.get(path).or_else(with_parameters);
    methods.map_or(&[], Vec::as_slice)
}

fn methods(item: &PathItem) -> Methods {
    [
        ("DELETE", &item.delete),
        ("GET", &item.get),
        ("PATCH", &item.patch),
        ("POST", &item.post),
        ("PUT", &item.put),
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
