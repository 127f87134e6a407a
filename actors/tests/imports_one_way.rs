//! Imports run one way: migrations and the Socket.IO server know nobody, actors know migrations at
//! most, the server and the load test know actors.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::collections::BTreeSet;

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
        ("actors", set(&["dispatch-actors", "dispatch-migrations"])),
        (
            "server",
            set(&[
                "dispatch-actors",
                "dispatch-hosted",
                "dispatch-intake",
                "dispatch-migrations",
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
