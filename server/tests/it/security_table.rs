//! The documents about security say what is so: the tests and files they name are there, their
//! tables are the server's, and a requirement that no test holds says so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dispatch_server::staff::{Permission, Role};
use serde_json::json;

use crate::fixture::{PASSWORD, Server};

/// Of these folders of the project.
const SOURCES: [&str; 7] = [
    "actors/src",
    "actors/tests",
    "loadtest/src",
    "server/src",
    "server/tests/it",
    "web/src",
    "web/e2e",
];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(project().join(path)).unwrap()
}

fn documents() -> Vec<(String, String)> {
    let folder = std::fs::read_dir(project().join("docs")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let documents = names.filter(|name| name.ends_with(".md"));
    documents
        .map(|name| (name.clone(), read(&format!("docs/{name}"))))
        .collect()
}

fn sources_in(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources_in(&path, into);
        } else if path
            .extension()
            .is_some_and(|ending| ["rs", "ts", "tsx"].iter().any(|known| ending == *known))
        {
            into.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

fn sources() -> String {
    let mut sources = String::new();
    for folder in SOURCES {
        sources_in(&project().join(folder), &mut sources);
    }
    sources
}

/// What stands in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The title of a test in TypeScript, which another kind of quotation mark may surround.
fn is_sentence(name: &str) -> bool {
    let is_command = name.contains("--") || name.contains(['/', '=', '\n']);
    name.matches(' ').count() >= 4 && !is_command
}

fn is_function(name: &str) -> bool {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.matches('_').count() >= 3 && name.chars().all(is_name)
}

/// A test of this name, where it is one.
fn names_a_test(name: &str, sources: &str) -> Option<bool> {
    if is_function(name) {
        Some(sources.contains(&format!("fn {name}(")))
    } else if is_sentence(name) {
        let quotes = ["'", "\""].map(|quote| format!("{quote}{name}{quote}"));
        Some(quotes.iter().any(|sentence| sources.contains(sentence)))
    } else {
        None
    }
}

#[test]
fn every_test_and_file_that_a_document_names_is_there() {
    let sources = sources();
    let (mut tests, mut files) = (0, 0);
    for (document, text) in documents() {
        // Examples are not about this project's files.
        let prose = text.split("```").step_by(2);
        for name in prose.flat_map(quoted) {
            let is_source = [".rs", ".ts", ".tsx"]
                .iter()
                .any(|ending| name.ends_with(ending))
                && name.contains('/');
            if is_source {
                assert!(
                    project().join(name).exists(),
                    "{document}: there is no {name}"
                );
                files += 1;
            } else if let Some(is_there) = names_a_test(name, &sources) {
                assert!(is_there, "{document}: there is no test {name}");
                tests += 1;
            }
        }
    }
    assert!(tests > 150 && files > 4, "{tests} tests, {files} files");
}

/// With which a row begins that no test holds, or not all of it.
const PLAIN_WORDS: [&str; 4] = ["**No**", "**Document**", "**By reading**", "**Not here**"];

#[test]
fn every_row_of_the_asvs_names_a_test_or_says_why_not() {
    let sources = sources();
    let text = read("docs/asvs.md");
    let mut chapters = BTreeSet::new();
    let mut rows = 0;
    let is_row = |line: &&str| line.starts_with("| ") && *line != "| | |";
    for row in text.lines().filter(is_row) {
        let cells: Vec<&str> = row.trim_matches('|').splitn(2, " | ").collect();
        let [requirement, met] = cells[..] else {
            panic!("{row}");
        };
        let requirement = requirement.trim();
        let number: Vec<&str> = requirement.split('.').collect();
        chapters.insert(number[0].parse::<u8>().expect(row));
        let held = quoted(met).any(|name| names_a_test(name, &sources) == Some(true));
        let says_so = PLAIN_WORDS.iter().any(|word| met.starts_with(word));
        assert!(held || says_so, "no test, and no word about it: {row}");
        rows += 1;
    }
    assert_eq!(chapters, BTreeSet::from([4, 6, 7, 8, 9, 10, 14]));
    assert!(rows > 80, "{rows}");
}

#[test]
fn the_documents_table_of_permissions_is_the_servers() {
    let text = read("docs/security.md");
    let (_, section) = text.split_once("## What roles permit").unwrap();
    let (_, table) = section.split_once("| permission | roles |").unwrap();
    let table = table.split("\n\n").next().unwrap();
    let mut said: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let (names, roles) = row.trim_matches('|').split_once(" | ").unwrap();
        let roles: BTreeSet<&str> = match roles.trim() {
            "every role" => Role::ALL.iter().map(|role| role.name()).collect(),
            roles => roles.split(", ").collect(),
        };
        for name in quoted(names) {
            let twice = said.insert(name.to_owned(), roles.clone());
            assert!(twice.is_none(), "{name} stands there twice");
        }
    }
    for permission in Permission::ALL {
        let name = serde_json::to_value(permission).unwrap();
        let roles: BTreeSet<&str> = Role::ALL
            .iter()
            .filter(|role| permission.granted_to(&[**role]))
            .map(|role| role.name())
            .collect();
        let found = said.remove(name.as_str().unwrap());
        assert_eq!(found, Some(roles), "{name}");
    }
    assert!(said.is_empty(), "no such permission: {said:?}");
}

/// Rows of the table of limits by how they begin, and what the server calls them.
const LIMITS: [(&str, &[&str]); 9] = [
    (
        "passwords for one email from one network",
        &["PASSWORDS_OF_ACCOUNT_FROM_NETWORK"],
    ),
    (
        "the same from one site",
        &["PASSWORDS_OF_ACCOUNT_FROM_SITE"],
    ),
    ("the same from all strangers", &["PASSWORDS_OF_ACCOUNT"]),
    ("the same on a device", &["PASSWORDS_OF_DEVICE"]),
    (
        "passwords from one network, whatever",
        &["PASSWORDS_FROM_NETWORK"],
    ),
    ("passwords from one site", &["PASSWORDS_FROM_SITE"]),
    (
        "codes of a second factor",
        &["CODES_OF_ACCOUNT", "CODES_OF_DEVICES"],
    ),
    (
        "reset mails",
        &[
            "MAILS_TO_ACCOUNT_FROM_NETWORK",
            "MAILS_TO_ACCOUNT",
            "MAILS_FROM_NETWORK",
            "MAILS_FROM_SITE",
        ],
    ),
    (
        "refreshes",
        &[
            "REFRESHES_OF_SESSION",
            "UNSIGNED_REFRESHES_FROM_NETWORK",
            "UNSIGNED_REFRESHES_FROM_SITE",
        ],
    ),
];

/// The tries of a limit's tiers, as the server's code has them.
fn tries<'a>(code: &'a str, name: &str) -> Vec<&'a str> {
    let (_, tiers) = code
        .split_once(&format!("const {name}: &Tiers = &["))
        .unwrap();
    let tiers = tiers.split("];").next().unwrap().split('(').skip(1);
    tiers
        .map(|tier| tier.split(',').next().unwrap().trim())
        .collect()
}

#[test]
fn the_documents_limits_are_the_servers() {
    let code = read("server/src/identity/attempts.rs");
    let text = read("docs/security.md");
    let mut found = 0;
    for (start, names) in LIMITS {
        let row = text.lines().find_map(|line| {
            let row = line.strip_prefix("| ")?;
            row.starts_with(start).then_some(row)
        });
        let row = row.unwrap_or_else(|| panic!("no row: {start}"));
        let (_, numbers) = row.split_once(" | ").unwrap();
        let numbers: BTreeSet<String> = numbers
            .replace(',', "")
            .split(|c: char| !c.is_ascii_digit())
            .map(str::to_owned)
            .collect();
        for name in names {
            for tries in tries(&code, name) {
                let said = numbers.contains(&tries.replace('_', ""));
                assert!(said, "{name} has {tries} tries: {row}");
                found += 1;
            }
        }
    }
    assert!(found > 20, "{found}");
}

#[tokio::test]
async fn the_documents_words_of_the_trade_are_refused() {
    let code = read("server/src/identity/policy.rs");
    let (_, list) = code.split_once("const OF_THE_TRADE").unwrap();
    let list = list.split("];").next().unwrap();
    let ours: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    let text = read("docs/security.md");
    let (_, said) = text.split_once("marks around them:").unwrap();
    let said = said.split('*').nth(1).unwrap();
    let said: BTreeSet<&str> = said.split(',').map(str::trim).collect();
    assert_eq!(said, ours);
    let server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    for word in said {
        let new = format!("2026-{word}-{word}!");
        let body = json!({ "currentPassword": PASSWORD, "newPassword": new });
        let refused = owner.post("/api/auth/password", body).await;
        refused.refused(400, "common-password");
    }
}
