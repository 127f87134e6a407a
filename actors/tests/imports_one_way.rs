//! Imports run one way: migrations and the Socket.IO server know nobody, actors know migrations at
//! most, the server and the load test know actors. In the server, an area imports only areas below it.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::collections::BTreeSet;
use std::path::Path;

fn ours_in(crate_folder: &str) -> BTreeSet<String> {
    let manifest = format!(
        "{}/../{crate_folder}/Cargo.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&manifest).unwrap();
    text.lines()
        .filter(|line| line.starts_with("dispatch-"))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .map(str::to_owned)
        .collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn imports_between_crates_run_one_way() {
    // A crate may name itself: with its test databases, in its own tests.
    let allowed = [
        ("migrations", set(&[])),
        ("server/socketio", set(&[])),
        ("server/hosted", set(&[])),
        ("server/intake", set(&["dispatch-actors"])),
        ("server/stories", set(&["dispatch-actors"])),
        ("actors", set(&["dispatch-actors", "dispatch-migrations"])),
        (
            "server",
            set(&[
                "dispatch-actors",
                "dispatch-hosted",
                "dispatch-intake",
                "dispatch-migrations",
                "dispatch-stories",
            ]),
        ),
        ("loadtest", set(&["dispatch-actors"])),
    ];
    for (folder, allowed) in allowed {
        let ours = ours_in(folder);
        assert!(ours.is_subset(&allowed), "{folder} depends on {ours:?}");
    }
    assert!(
        ours_in("server").contains("dispatch-actors"),
        "the manifests are read"
    );
}

/// Repair orders know no HTTP and no sockets.
#[test]
fn actors_know_no_http() {
    let manifest = format!("{}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(manifest).unwrap();
    for name in [
        "actix-web",
        "actix-http",
        "reqwest",
        "engineioxide",
        "socketioxide",
    ] {
        assert!(!text.contains(name), "{name} in actors/Cargo.toml");
    }
}

/// The successor of `actix-web-actors` can be put in its place in one crate.
#[test]
fn only_the_socket_io_crate_names_actix_web_actors() {
    fn walk(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && std::fs::read_to_string(&path)
                    .unwrap()
                    .contains("actix_web_actors")
            {
                found.push(path.display().to_string());
            }
        }
    }
    let mut found = Vec::new();
    let server = format!("{}/../server", env!("CARGO_MANIFEST_DIR"));
    walk(std::path::Path::new(&server), &mut found);
    assert!(!found.is_empty());
    assert!(
        found.iter().all(|path| path.contains("/socketio/src/")),
        "{found:?}"
    );
}

/// The modules of the server that know no area, from the bottom up: each may import those before it.
const FOUNDATIONS: &[&str] = &[
    "error_code",
    "error",
    "http::address",
    "realtime::announcer",
    "capacity::crowds",
    "capacity::connections",
    "options::environment",
    "options::suggestions",
    "settings",
    "shop_settings",
    "http::request_id",
    "version",
    "traces",
    "log_lines",
    "audit",
    "limits",
    "capacity::arriving_bodies",
    "text",
    "answer",
    "calls",
    "typed_params",
    "ids",
    "moments",
    "change_request",
    "change_signal",
    "seen_version",
    "first_failure",
    "publisher",
    "public_url",
    "files::folder_handle",
    "files::folder_retention",
    "mail",
    "http::proxy_notices",
    "http::paths",
    "http::page",
    "realtime::frames",
    "realtime::live_sockets",
    "http::host_check",
    "options::options_file",
    "capacity::open_files",
    "files::log_mark",
    "files::user_names",
    "files::lock",
    "backup",
    "http::request_counts",
    "http::request_span",
    "fact_check",
    "http::health",
];

/// The server's areas from the bottom up, each with the areas that it may import beside the foundations.
const AREAS: &[(&str, &[&str])] = &[
    ("staff", &[]),
    ("identity", &["staff"]),
    ("technician_names", &["staff"]),
    ("repair_orders", &["staff", "identity", "technician_names"]),
    ("views", &["staff", "identity", "repair_orders"]),
    (
        "clocks",
        &["staff", "identity", "technician_names", "repair_orders"],
    ),
    (
        "stages",
        &["staff", "identity", "technician_names", "clocks"],
    ),
    ("desk_figures", &["identity", "clocks"]),
    ("skills", &["staff", "identity", "repair_orders"]),
    (
        "technicians",
        &[
            "staff",
            "identity",
            "technician_names",
            "repair_orders",
            "clocks",
            "skills",
        ],
    ),
    (
        "promises",
        &[
            "staff",
            "identity",
            "technician_names",
            "clocks",
            "technicians",
        ],
    ),
    (
        "users",
        &[
            "staff",
            "identity",
            "technician_names",
            "skills",
            "technicians",
        ],
    ),
    (
        "receipts",
        &["identity", "technician_names", "repair_orders"],
    ),
    ("push", &["staff", "identity", "clocks", "receipts"]),
    (
        "boards",
        &[
            "staff",
            "identity",
            "technician_names",
            "repair_orders",
            "clocks",
            "stages",
        ],
    ),
    (
        "socket",
        &[
            "staff",
            "identity",
            "technician_names",
            "repair_orders",
            "boards",
        ],
    ),
    (
        "intake",
        &[
            "staff",
            "identity",
            "technician_names",
            "stages",
            "technicians",
        ],
    ),
    ("retention", &["clocks", "receipts"]),
    ("server_status", &["staff", "identity", "socket", "intake"]),
    ("about", &["identity"]),
    (
        "options::cli",
        &["staff", "identity", "push", "retention", "socket"],
    ),
    (
        "tech_story",
        &[
            "staff",
            "identity",
            "repair_orders",
            "skills",
            "options::cli",
        ],
    ),
    ("audit::routes", &["staff", "identity"]),
];

/// What puts the areas together, from the bottom up: each may import everything before it.
const ASSEMBLY: &[&str] = &[
    "options::config",
    "database",
    "hosted",
    "hosted_import",
    "demo",
    "log_generation",
    "customers",
    "control",
    "http::cross_site",
    "routes",
    "openapi",
    "http::request_body",
    "http",
    "metrics",
    "doctor",
    "app",
];

/// Imports against the table, each with its reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[(
    "skills",
    "technicians",
    "A call about skills gives them to technicians, and both announce their changes as one.",
)];

/// The program, and the lists of modules: each module in them has a place of its own.
const PROGRAM: &[&str] = &["lib", "main", "program"];

/// The folders of whose modules every one has a place of its own.
const MODULE_LISTS: &[&str] = &["capacity", "files", "options", "realtime"];

/// The files of a folder and of the folders in it, by their paths from it, without tests.
fn sources(folder: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "tests" {
            sources(&path, &format!("{prefix}{name}/"), found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            let text = std::fs::read_to_string(&path).unwrap();
            // An area's tests may use what is built on it.
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            found.push((
                format!("{prefix}{name}"),
                code.collect::<Vec<_>>().join("\n"),
            ));
        }
    }
}

/// The area of a path: `boards` of `boards/views.rs`, and of `boards::views::LiveViews`.
fn area_of(path: &str) -> String {
    let path = path.trim_end_matches(".rs").replace("::", "/");
    let mut parts = path.split('/');
    let area = parts.next().unwrap();
    // A folder may have parts with places of their own in the table.
    let part = format!("{area}::{}", parts.next().unwrap_or_default());
    if places().contains(&*part) {
        part
    } else {
        area.to_owned()
    }
}

/// What a source names by `crate::`, each path of braces by itself: `crate::{a, b::{c, d}}` is `a`, `b::c`
/// and `b::d`.
fn imports_of(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        add_paths("", &code[at + "crate::".len()..], &mut found);
    }
    found
}

/// The paths with which a text begins: one, or those of a list in braces. Gives the rest of the text.
fn add_paths<'a>(prefix: &str, text: &'a str, found: &mut Vec<String>) -> &'a str {
    let text = text.trim_start();
    let Some(mut list) = text.strip_prefix('{') else {
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let end = text.find(|c| !is_path(c)).unwrap_or(text.len());
        let (path, rest) = text.split_at(end);
        let path = format!("{prefix}{path}");
        if path.ends_with("::") && rest.starts_with('{') {
            return add_paths(&path, rest, found);
        }
        found.push(path);
        return rest;
    };
    loop {
        list = list.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if let Some(rest) = list.strip_prefix('}') {
            return rest;
        }
        let rest = add_paths(prefix, list, found).trim_start();
        // Also behind `as name`, and behind `*`.
        let end = rest.find([',', '}']).unwrap_or(rest.len());
        list = &rest[end..];
        if list.is_empty() {
            return list;
        }
    }
}

#[test]
fn imports_in_braces_are_read_one_by_one() {
    let code =
        "use crate::{a, b::{c, d::{self, E as _}}};\nlet x = crate::f::g();\nuse crate::h::*;";
    assert_eq!(
        imports_of(code),
        ["a", "b::c", "b::d::self", "b::d::E", "f::g", "h::"]
    );
}

fn may_import(from: &str, to: &str) -> bool {
    let place = |list: &[&str], name| list.iter().position(|field| *field == name);
    let areas: Vec<&str> = AREAS.iter().map(|(area, _)| *area).collect();
    if let Some(from) = place(FOUNDATIONS, from) {
        return place(FOUNDATIONS, to).is_some_and(|to| to < from);
    }
    if place(FOUNDATIONS, to).is_some() {
        return true;
    }
    if let Some((_, allowed)) = AREAS.iter().find(|(area, _)| *area == from) {
        return allowed.contains(&to);
    }
    let earlier = place(ASSEMBLY, from).unwrap_or_default();
    areas.contains(&to) || place(ASSEMBLY, to).is_some_and(|to| to < earlier)
}

fn server_sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let folder = format!("{}/../server/src", env!("CARGO_MANIFEST_DIR"));
    sources(Path::new(&folder), "", &mut found);
    found.retain(|(path, _)| {
        let list = path.strip_suffix("/mod.rs").unwrap_or_default();
        !PROGRAM.contains(&&*area_of(path)) && !MODULE_LISTS.contains(&list)
    });
    found
}

#[test]
fn imports_between_the_servers_areas_run_one_way() {
    let places = places();
    let mut wrong = Vec::new();
    let mut used_exceptions = BTreeSet::new();
    for (path, code) in server_sources() {
        let from = area_of(&path);
        for import in imports_of(&code) {
            let to = area_of(&import);
            if from == to || !places.contains(&*to) || may_import(&from, &to) {
                continue;
            }
            let is_exception = |(a, b, _): &&(&str, &str, &str)| *a == from && *b == to;
            match EXCEPTIONS.iter().find(is_exception) {
                Some(exception) => drop(used_exceptions.insert(exception)),
                None => wrong.push(format!("{path} imports {import}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        used_exceptions.len(),
        EXCEPTIONS.len(),
        "an exception is not needed any more"
    );
}

fn places() -> BTreeSet<&'static str> {
    let areas = AREAS.iter().map(|(area, _)| *area);
    let all = FOUNDATIONS.iter().chain(ASSEMBLY).copied().chain(areas);
    all.collect()
}

#[test]
fn every_module_of_the_server_has_its_place() {
    let found: BTreeSet<String> = server_sources()
        .iter()
        .map(|(path, _)| area_of(path))
        .collect();
    let places: BTreeSet<String> = places().into_iter().map(str::to_owned).collect();
    assert_eq!(found, places);
}

/// Otherwise there could be a circle.
#[test]
fn an_area_may_import_only_areas_below_it() {
    for (place, (area, allowed)) in AREAS.iter().enumerate() {
        for other in *allowed {
            let below = AREAS[..place].iter().any(|(below, _)| below == other);
            assert!(below, "{area} may not import {other}");
        }
    }
}

/// The test above reads imports by `crate::` alone.
#[test]
fn other_areas_are_named_from_the_root() {
    for (path, code) in server_sources() {
        let depth = path.matches('/').count() + usize::from(!path.ends_with("mod.rs"));
        let depth_of_area = area_of(&path).matches("::").count();
        let out_of_area = "super::".repeat(depth - depth_of_area);
        assert!(!code.contains(&out_of_area), "{path} has {out_of_area}");
    }
}
