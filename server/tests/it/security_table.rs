//! The documents about security say what is so: the tests and files they name are there, their
//! tables are the server's, and a requirement that no test holds says so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dispatch_server::staff::{Permission, Role};
use serde_json::json;

use crate::fixture::{PASSWORD, Server};

/// Of these folders of the project.
const SOURCES: [&str; 10] = [
    "actors/src",
    "actors/tests",
    "loadtest/src",
    "server/hosted/src",
    "server/intake/src",
    "server/socketio/src",
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
        } else if path.extension().is_some_and(|ending| {
            ["rs", "ts", "tsx"]
                .iter()
                .any(|extension| ending == *extension)
        }) {
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
    // What is told to Prometheus is called otherwise.
    let is_metric = name.starts_with("dispatch_") || name.starts_with("process_");
    name.matches('_').count() >= 3 && name.chars().all(is_name) && !is_metric
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

/// The first words of a row that no test covers, or not all of it.
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
        let is_tested = quoted(met).any(|name| names_a_test(name, &sources) == Some(true));
        let says_so = PLAIN_WORDS.iter().any(|word| met.starts_with(word));
        assert!(is_tested || says_so, "no test, and no word about it: {row}");
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
    let mut documented: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let (names, roles) = row.trim_matches('|').split_once(" | ").unwrap();
        let roles: BTreeSet<&str> = match roles.trim() {
            "every role" => Role::ALL.iter().map(|role| role.name()).collect(),
            roles => roles.split(", ").collect(),
        };
        for name in quoted(names) {
            let twice = documented.insert(name.to_owned(), roles.clone());
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
        let found = documented.remove(name.as_str().unwrap());
        assert_eq!(found, Some(roles), "{name}");
    }
    assert!(documented.is_empty(), "no such permission: {documented:?}");
}

const ATTEMPTS: &str = "identity/sign_in/attempt_limits.rs";
const RETURNS: &str = "identity/oidc/limits.rs";
const BOARDS: &str = "boards/limits.rs";

/// The rows of the table of limits, and what the server calls each of their limits.
const LIMITS: [(&str, &[(&str, &str)]); 18] = [
    (
        "set-up links that are not good; the right one waits for nobody",
        &[
            (ATTEMPTS, "SET_UPS_FROM_NETWORK"),
            (ATTEMPTS, "SET_UPS_FROM_SITE"),
        ],
    ),
    (
        "passwords for one email from one network",
        &[(ATTEMPTS, "PASSWORDS_OF_ACCOUNT_FROM_NETWORK")],
    ),
    (
        "passwords for one email from one site",
        &[(ATTEMPTS, "PASSWORDS_OF_ACCOUNT_FROM_SITE")],
    ),
    (
        "passwords for one email from all strangers together",
        &[(ATTEMPTS, "PASSWORDS_OF_ACCOUNT")],
    ),
    (
        "passwords for one email on a known device; one's own password when signed in",
        &[(ATTEMPTS, "PASSWORDS_OF_DEVICE")],
    ),
    (
        "passwords from one network, whatever the emails",
        &[(ATTEMPTS, "PASSWORDS_FROM_NETWORK")],
    ),
    (
        "passwords from one site, whatever the emails",
        &[(ATTEMPTS, "PASSWORDS_FROM_SITE")],
    ),
    (
        "codes of a second factor for one account",
        &[
            (ATTEMPTS, "CODES_OF_ACCOUNT"),
            (ATTEMPTS, "CODES_OF_DEVICES"),
        ],
    ),
    (
        "reset mails",
        &[
            (ATTEMPTS, "MAILS_TO_ACCOUNT_FROM_NETWORK"),
            (ATTEMPTS, "MAILS_TO_ACCOUNT"),
            (ATTEMPTS, "MAILS_FROM_NETWORK"),
            (ATTEMPTS, "MAILS_FROM_SITE"),
        ],
    ),
    (
        "refreshes",
        &[
            (ATTEMPTS, "REFRESHES_OF_SESSION"),
            (ATTEMPTS, "UNSIGNED_REFRESHES_FROM_NETWORK"),
            (ATTEMPTS, "UNSIGNED_REFRESHES_FROM_SITE"),
        ],
    ),
    (
        "returns from the OpenID Connect provider, with our own cookie and state",
        &[
            (RETURNS, "FROM_DEVICE"),
            (RETURNS, "FROM_NETWORK"),
            (RETURNS, "FROM_SITE"),
        ],
    ),
    ("invitations", &[("users/invite.rs", "INVITATIONS")]),
    (
        "intake keys that are not good",
        &[("intake/keys.rs", "WRONG")],
    ),
    (
        "codes that somebody types to pair a screen",
        &[
            (BOARDS, "codes_of_user"),
            (BOARDS, "codes_from_address"),
            (BOARDS, "first_codes_of_user"),
            (BOARDS, "codes_of_all"),
        ],
    ),
    (
        "screens that ask for a code",
        &[
            (BOARDS, "pairings_from_address"),
            (BOARDS, "pairings_from_site"),
            (BOARDS, "first_pairings_from_site"),
            (BOARDS, "pairings_of_all"),
            ("boards/pairing/open_pairings.rs", "MAX_OPEN_PAIRINGS"),
        ],
    ),
    (
        "board links that are not good",
        &[(BOARDS, "links_from_address")],
    ),
    (
        "board tokens that are not good",
        &[(BOARDS, "tokens_from_address")],
    ),
    (
        "interviewers, who may cost money",
        &[("tech_story/interviews/limits.rs", "BUILT_IN_CALLS")],
    ),
];

/// Sentences of the document, and the constant whose value is in the place of `{}`.
const SENTENCES: [(&str, &str, &str); 14] = [
    (
        "identity/sign_in/limit.rs",
        "GENERATION",
        "which takes {} others",
    ),
    (
        "identity/passwords/hash_queue.rs",
        "MAX_HASHING",
        "**Passwords to hash.** {} are hashed at a time",
    ),
    (
        "identity/passwords/waiting.rs",
        "MAX_WAITING",
        "{} strangers may wait",
    ),
    (
        "identity/passwords/waiting.rs",
        "MAX_WAITING_OF_SITE",
        "may wait, {} of a site",
    ),
    (
        "identity/passwords/hash_queue.rs",
        "MAX_KNOWN_IN_A_ROW",
        "but after {} of them it is a stranger's turn",
    ),
    (
        "socket/sessions/session_slots.rs",
        "MAX_WAITING",
        "half of all slots, and at most {}",
    ),
    (
        "socket/sessions/session_slots.rs",
        "MIN_OF_ACCOUNT",
        "gives one up where it has more than {}",
    ),
    (
        "socket/mount.rs",
        "OPENS_PER_SECOND",
        "opens at most {} sessions a second for one site",
    ),
    (
        "../socketio/src/socket_io.rs",
        "MAX_REFUSALS",
        "closed after {} refused CONNECTs",
    ),
    (
        "identity/sessions/session_start.rs",
        "MAX_SESSIONS",
        "One account may have {} sessions",
    ),
    (
        "identity/sign_in/devices.rs",
        "MAX_DEVICES",
        "SHA-256, {} of an account",
    ),
    (
        "identity/sign_in/device_cookie.rs",
        "MAX_ACCOUNTS",
        "for each of up to {} accounts",
    ),
    (
        "identity/sign_in/device_cookie.rs",
        "TTL_DAYS",
        "kept for {} days",
    ),
    (
        "identity/account_mails/mail_queue.rs",
        "MAX_RESETS",
        "{} resets wait at most",
    ),
];

/// What stands in a source between a declaration and the sign that ends it.
fn declared<'a>(code: &'a str, declaration: &str, end: char) -> Option<&'a str> {
    let (_, rest) = code.split_once(declaration)?;
    rest.split(end).next()
}

/// The value of a product such as `5 * MINUTE`.
fn product(text: &str) -> u64 {
    let factor = |word: &str| match word.trim() {
        "MINUTE" => 60,
        "HOUR" => 3_600,
        "DAY" => 86_400,
        "FIRST" => 2,
        number => number.replace('_', "").parse().expect(text),
    };
    text.split('*').map(factor).product()
}

/// A number as the document writes it.
fn number(number: u64) -> String {
    match number {
        1_000.. => format!("{},{:03}", number / 1_000, number % 1_000),
        _ => number.to_string(),
    }
}

fn tier((count, seconds): (u64, u64)) -> String {
    let count = number(count);
    match seconds {
        60 => format!("{count} a minute"),
        3_600 => format!("{count} an hour"),
        86_400 => format!("{count} a day"),
        hours if hours % 3_600 == 0 => format!("{count} in {} hours", hours / 3_600),
        minutes if minutes % 60 == 0 => format!("{count} in {} minutes", minutes / 60),
        seconds => format!("{count} in {seconds} s"),
    }
}

/// A limit of the server's in the document's words.
fn limit(file: &str, name: &str) -> String {
    let code = read(&format!("server/src/{file}"));
    if let Some(tiers) = declared(&code, &format!("const {name}: &Tiers = &["), ']') {
        let tiers = tiers.split('(').skip(1).map(|pair| {
            let (count, seconds) = pair.split_once(',').unwrap();
            tier((product(count), product(seconds.split(')').next().unwrap())))
        });
        return tiers.collect::<Vec<_>>().join(", ");
    }
    match declared(&code, &format!(" {name}: limit("), ')') {
        // Behind its name.
        Some(count) => tier((product(count.rsplit(',').next().unwrap()), 60)),
        None => format!("{} at once", number(constant(&code, name))),
    }
}

fn constant(code: &str, name: &str) -> u64 {
    let types = ["usize", "u32", "u64", "i64"];
    let starts = types.map(|kind| format!("const {name}: {kind} = "));
    let value = starts.iter().find_map(|start| declared(code, start, ';'));
    let field = || declared(code, &format!(" {name}: "), ',');
    product(value.or_else(field).expect(name))
}

#[test]
fn the_documents_limits_are_the_servers() {
    assert!(read("server/src/boards/limits.rs").contains("const FIRST: u32 = 2;"));
    let text = read("docs/security.md");
    let (_, table) = text
        .split_once("| what | how often |\n|---|---|\n")
        .unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let mut rows: BTreeMap<&str, String> = rows
        .map(|row| {
            let (what, numbers) = row.trim_matches(['|', ' ']).split_once(" | ").unwrap();
            (what, numbers.to_owned())
        })
        .collect();
    for (what, limits) in LIMITS {
        let mut numbers = rows
            .remove(what)
            .unwrap_or_else(|| panic!("no row: {what}"));
        for (file, name) in limits {
            let limit = limit(file, name);
            assert!(
                numbers.contains(&limit),
                "{name} is {limit}: {what} | {numbers}"
            );
            numbers = numbers.replacen(&limit, "", 1);
        }
        let more = numbers.contains(|c: char| c.is_ascii_digit());
        assert!(!more, "the server has no such limit: {what} | {numbers}");
    }
    assert!(rows.is_empty(), "nobody compares {rows:?}");
}

#[test]
fn the_documents_sentences_have_the_servers_numbers() {
    let text = read("docs/security.md").replace('\n', " ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (file, name, sentence) in SENTENCES {
        let value = constant(&read(&format!("server/src/{file}")), name);
        let in_words = match value {
            2 => Some("Two"),
            3 => Some("three"),
            _ => None,
        };
        let value = in_words.map_or_else(|| number(value), str::to_owned);
        let sentence = sentence.replace("{}", &value);
        assert!(text.contains(&sentence), "{name}: {sentence}");
    }
}

#[tokio::test]
async fn the_documents_words_of_the_trade_are_refused() {
    let code = read("server/src/identity/passwords/policy.rs");
    let (_, list) = code.split_once("const OF_THE_TRADE").unwrap();
    let list = list.split("];").next().unwrap();
    let ours: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    let text = read("docs/security.md");
    let (_, documented) = text.split_once("marks around them:").unwrap();
    let documented = documented.split('*').nth(1).unwrap();
    let documented: BTreeSet<&str> = documented.split(',').map(str::trim).collect();
    assert_eq!(documented, ours);
    let server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    for word in documented {
        let new = format!("2026-{word}-{word}!");
        let body = json!({ "currentPassword": PASSWORD, "newPassword": new });
        let refused = owner.post("/api/auth/password", body).await;
        refused.refused(400, "common-password");
    }
}
