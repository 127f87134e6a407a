//! Any request there can be: what schemathesis makes up from the OpenAPI document, and what people
//! have broken servers with before. Each is answered, in JSON, and never with a 5xx.

use std::env;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::time::timeout;

use crate::documented::{Call, documented};
use crate::fixture::{Answer, Desk, Server, WAIT_TIMEOUT, answer};
use crate::sample::sample_shop;
use crate::watched::raw;

/// It takes a minute or two; on a machine that is busy with other work many times as long.
const SCHEMATHESIS: Duration = Duration::from_secs(1_800);

/// The same requests every time, unless `SCHEMATHESIS_SEED` says others.
const SEED: &str = "20260714";

/// Requests made up for each call, beside those that the document's edges ask for; or as many as
/// `SCHEMATHESIS_EXAMPLES` says.
const EXAMPLES: &str = "12";

/// Nothing is remembered from one run to the next. What one answer has where the next call wants an
/// id may be null, which is sent as the text None: refusing that is right.
fn generation() -> String {
    let examples = setting("SCHEMATHESIS_EXAMPLES", EXAMPLES);
    format!(
        "[generation]\ndatabase = \"none\"\nmax-examples = {examples}\n\
         [phases.stateful.checks]\n\
         positive_data_acceptance.expected-statuses = \
         [\"2xx\", \"400\", \"401\", \"403\", \"404\", \"409\", \"429\"]\n"
    )
}

/// What the variable says, if there is one.
fn setting(variable: &str, otherwise: &str) -> String {
    env::var(variable).unwrap_or_else(|_| otherwise.to_owned())
}

/// Every call as the first of them; but signing out, and ending sessions that a call before it has
/// listed, is done as the other: the first stays signed in.
fn config([person, leaver]: &[&Desk; 2]) -> String {
    format!(
        "headers = {{ Authorization = \"Bearer {}\" }}\n{}{}{}{}{}{}{}{}",
        person.token,
        generation(),
        secrets(),
        moments(),
        made_before(),
        kept_when_deleted(),
        operation("/api/auth/sign-out", &leaver.token),
        operation("/api/auth/sign-out-everywhere", &leaver.token),
        operation("/api/auth/sessions/{id}", &leaver.token)
    )
}

/// Calls with a secret in them, which no document can describe: a made-up one is refused.
fn secrets() -> String {
    [
        "/api/auth/password",
        "/api/auth/password-reset",
        "/api/auth/password-reset/confirm",
        "/api/auth/two-factor/begin",
        "/api/auth/two-factor/confirm",
        "/api/auth/two-factor/end",
        "/api/set-up",
        "/api/set-up/check",
    ]
    .map(|path| {
        format!(
            "[[operations]]\ninclude-path = \"{path}\"\n[operations.checks]\n\
             positive_data_acceptance.expected-statuses = \
             [\"2xx\", \"400\", \"401\", \"409\", \"429\"]\n"
        )
    })
    .concat()
}

/// Calls with moments in them, of which no document can say what time it is: those that have not come,
/// or are long past, are refused.
fn moments() -> String {
    [
        "/api/technicians/{id}/clock",
        "/api/technicians/{id}/clock/entries",
        "/api/technicians/{id}/clock/entries/{entryId}",
    ]
    .map(|path| {
        format!(
            "[[operations]]\ninclude-path = \"{path}\"\n[operations.checks]\n\
             positive_data_acceptance.expected-statuses = \
             [\"2xx\", \"400\", \"403\", \"404\", \"409\"]\n"
        )
    })
    .concat()
}

/// What a repeated `Idempotency-Key` made: it is answered as before, also where that has been deleted since.
fn made_before() -> &'static str {
    "[[operations]]\ninclude-path = \"/api/views/{id}\"\n[operations.checks]\n\
     ensure_resource_availability.enabled = false\n"
}

/// A deleted stage stays in the list, and is brought back by changing it.
fn kept_when_deleted() -> &'static str {
    "[[operations]]\ninclude-path = \"/api/stages/{id}\"\n[operations.checks]\n\
     use_after_free.enabled = false\n"
}

/// A call that is sent a token of its own.
fn operation(path: &str, token: &str) -> String {
    format!(
        "[[operations]]\ninclude-path = \"{path}\"\n\
         headers = {{ Authorization = \"Bearer {token}\" }}\n"
    )
}

/// Runs schemathesis as it comes against the sample shop.
async fn schemathesis_finds_nothing(server: &Server, config: String, person: Option<&Desk>) {
    server.shop.write("schemathesis.toml", config);
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/python/bin/schemathesis");
    let seed = setting("SCHEMATHESIS_SEED", SEED);
    let run = Command::new(&program)
        .args(["--config-file", "schemathesis.toml", "run", "--no-color"])
        .args(["--seed", &seed])
        .arg(server.url("/api/openapi.json"))
        .current_dir(server.shop.path(""))
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let ran = timeout(SCHEMATHESIS, run)
        .await
        .expect("schemathesis ends")
        .unwrap_or_else(|error| {
            panic!(
                "{} does not run: {error}; run `make tools`",
                program.display()
            )
        });
    let report = String::from_utf8_lossy(&ran.stdout);
    let complaint = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{report}\n{complaint}");
    if let Some(person) = person {
        // Or all of it was about being refused.
        person.list().await;
    }
}

#[tokio::test]
async fn schemathesis_finds_nothing_without_signing_in() {
    let (server, _) = sample_shop().await;
    let outside: String = refused_to_strangers(&server)
        .await
        .iter()
        .map(|(call, _)| refused_call(call))
        .collect();
    let config = format!("{}{}{outside}", generation(), secrets());
    schemathesis_finds_nothing(&server, config, None).await;
}

/// Calls that ask for a token, and how they refuse a caller without one.
async fn refused_to_strangers(server: &Server) -> Vec<(Call, Answer)> {
    let mut refused = Vec::new();
    for call in documented(server).await.calls {
        let request = server.request(call.method.clone(), &call.path_as_an_example());
        let answered = match &call.body {
            Some(body) => in_time(request.json(body)).await,
            None => in_time(request).await,
        };
        if answered.body["code"] == "unauthorized" {
            refused.push((call, answered));
        }
    }
    refused
}

/// A call that reads nothing of a caller who is not signed in is left to
/// `a_caller_who_is_not_signed_in_always_gets_the_same_answer`, unless `SCHEMATHESIS_EXAMPLES` asks
/// for more than that.
fn refused_call(call: &Call) -> String {
    let requests = match env::var("SCHEMATHESIS_EXAMPLES") {
        Ok(examples) => format!("generation.max-examples = {examples}"),
        Err(_) => "enabled = false".to_owned(),
    };
    format!(
        "[[operations]]\ninclude-name = \"{} {}\"\n{requests}\n",
        call.method, call.path
    )
}

#[tokio::test]
async fn schemathesis_finds_nothing_as_a_technician() {
    let (server, _) = sample_shop().await;
    let technician = server.hire("tech@example.com", "Technician").await;
    let leaver = server.hire("leaver@example.com", "Technician").await;
    let config = config(&[&technician, &leaver]);
    schemathesis_finds_nothing(&server, config, Some(&technician)).await;
}

#[tokio::test]
async fn schemathesis_finds_nothing_as_an_owner() {
    let (server, owner) = sample_shop().await;
    let leaver = server.hire("leaver@example.com", "Owner").await;
    // Ending anybody's sessions would end the owner's own, too.
    let bystander = server.hire("bystander@example.com", "Advisor").await;
    let ending = format!(
        "[[operations]]\ninclude-path-regex = \"^/api/users/[^/]+/sessions\"\n\
         include-method = \"DELETE\"\nheaders = {{ Authorization = \"Bearer {}\" }}\n",
        bystander.token
    );
    let program = owner
        .post("/api/intake/keys", json!({ "name": "Any request" }))
        .await
        .result();
    let program = program["key"].as_str().unwrap();
    let accepts = |statuses: &str| {
        format!("[operations.checks]\npositive_data_acceptance.expected-statuses = [{statuses}]\n")
    };
    // Which kinds of events there are, several with commas, and which places answers gave.
    let audit_events = format!(
        "[[operations]]\ninclude-path-regex = \"^/api/audit\"\n{}",
        accepts("\"2xx\", \"400\"")
    );
    // The document cannot say what is in a file: a file without repair orders is refused as a
    // whole, whatever its schema says. Nor can it say how many have been invited just now.
    let config = format!(
        "{}{}{}{}{}[[operations]]\ninclude-path-regex = \"inviteUser$\"\n{}",
        config(&[&owner, &leaver]),
        ending,
        audit_events,
        operation("/api/intake/repair-orders", program),
        accepts("\"2xx\", \"400\""),
        accepts("\"2xx\", \"429\""),
    );
    schemathesis_finds_nothing(&server, config, Some(&owner)).await;
}

/// Values as they stand in a JSON text, some of which are malformed.
fn nasty_values() -> Vec<String> {
    let text = |text: &str| Value::from(text).to_string();
    let mut values: Vec<String> = [
        // Numbers beyond every range, and almost numbers.
        "-1",
        "0",
        "-0",
        "1.5",
        "1e5",
        "9007199254740992",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "1e308",
        "1e400",
        "-1e400",
        "0x10",
        "00",
        "1_000",
        "NaN",
        "Infinity",
        "123456789012345678901234567890123456789012345678901234567890",
        // Other kinds of values, and none.
        "null",
        "true",
        "{}",
        "[]",
        "[null]",
        "[[[]]]",
        r#"{"":""}"#,
        r#"{"a":1,"a":2}"#,
        "",
        "undefined",
        "'1'",
        // Half a character, a character that C ends at, and text that is cut off.
        r#""\ud800""#,
        r#""\udfff\ud800""#,
        r#""\u0000""#,
        r#""1\u0000""#,
        r#""\uZZZZ""#,
        "\"\0\"",
        "\"",
        "\"\\\"",
    ]
    .map(str::to_owned)
    .to_vec();
    values.extend(
        [
            "",
            " ",
            "\u{feff}",
            "\u{202e}txt.exe",
            "\u{1f468}\u{200d}\u{1f527}",
            "İıß",
            "'",
            "' OR '1'='1",
            "1; DROP TABLE repair_orders; --",
            "\"); DELETE FROM event_log; --",
            "<script>alert(1)</script>",
            "\"><img src=x onerror=alert(1)>",
            "javascript:alert(1)",
            "${jndi:ldap://localhost/x}",
            "{{7*7}}",
            "%s%s%n%x",
            "%00",
            "../../../../etc/passwd",
            "a\r\nSet-Cookie: dispatch_refresh=x",
            "=1+1",
            "9223372036854775808",
            "-1",
            "1e400",
            "१२३",
        ]
        .map(text),
    );
    values.push(text(&"9".repeat(5_000)));
    values.push(text(&"x".repeat(100_000)));
    values.push(format!("[{}0]", "0,".repeat(99_999)));
    values.push(format!("{}{}", "[".repeat(50_000), "]".repeat(50_000)));
    values.push(format!(
        "{}1{}",
        r#"{"a":"#.repeat(20_000),
        "}".repeat(20_000)
    ));
    values
}

/// Malformed bodies, wholly or in part, with the right or a wrong content type, made from a valid
/// one.
fn nasty_bodies(good: &Value) -> Vec<(&'static str, Vec<u8>)> {
    let text = good.to_string();
    let utf16 = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    vec![
        ("application/json", Vec::new()),
        (
            "application/json",
            text.as_bytes()[..text.len() - 1].to_vec(),
        ),
        ("application/json", format!("\u{feff}{text}").into_bytes()),
        ("application/json", format!("{text}{text}").into_bytes()),
        (
            "application/json",
            format!("{}{text}", " ".repeat(200_000)).into_bytes(),
        ),
        ("application/json", vec![0xff; 1_000]),
        ("application/json", vec![0; 1_000]),
        ("application/json; charset=utf-16", utf16),
        ("application/json", b"[".repeat(100_000)),
        ("application/json", br#"{"a":"#.repeat(20_000)),
        (
            "application/json",
            format!("{}1", "\"".repeat(1_001)).into_bytes(),
        ),
        ("text/plain", text.clone().into_bytes()),
        (
            "application/xml",
            b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>".to_vec(),
        ),
        (
            "application/x-www-form-urlencoded",
            b"data=1&data=2".to_vec(),
        ),
        (
            "multipart/form-data; boundary=x",
            b"--x\r\n\r\n\r\n--x--".to_vec(),
        ),
        ("multipart/form-data", b"--".to_vec()),
        ("nonsense", text.clone().into_bytes()),
        ("", text.clone().into_bytes()),
    ]
}

/// Sends a body as it stands.
async fn send(desk: &Desk, call: &Call, kind: &str, body: impl Into<reqwest::Body>) -> Answer {
    let request = desk.request(call.method.clone(), &call.path_as_an_example());
    in_time(request.header(CONTENT_TYPE, kind).body(body)).await
}

async fn in_time(request: RequestBuilder) -> Answer {
    timeout(WAIT_TIMEOUT, answer(request))
        .await
        .expect("the server answers")
}

#[track_caller]
fn is_an_answer(answered: &Answer, call: &Call, what: &str) {
    let what: String = what.chars().take(300).collect();
    assert!(answered.status < 500, "{call} with {what}: {answered:?}");
    // Several entries that were all refused are answered with 200 and false.
    let refused =
        answered.body["ok"] == json!(false) || answered.body["error"]["status"].is_string();
    let good = answered.status == 200 || refused;
    assert!(good, "{call} with {what}: {answered:?}");
}

/// The sample's orders are there, and signed-in users still are.
async fn all_is_well(server: &Server, owner: &Desk) {
    for number in [104_217, 104_218, 104_219] {
        let path = format!("/api/repair-orders/{number}");
        owner.get(&path).await.good();
    }
    server.get("/readyz").await.good();
}

#[tokio::test]
async fn every_field_of_every_body_takes_any_value() {
    let (server, owner) = sample_shop().await;
    let owner = owner.on_one_connection();
    let values = nasty_values();
    for call in documented(&server).await.calls {
        for field in call.fields() {
            for value in &values {
                let body = call.body_with(&field, value);
                let answered = send(&owner, &call, "application/json", body.clone()).await;
                is_an_answer(&answered, &call, &format!("{field} {value}"));
            }
        }
    }
    all_is_well(&server, &owner).await;
}

#[tokio::test]
async fn every_parameter_takes_any_text() {
    let (server, owner) = sample_shop().await;
    let owner = owner.on_one_connection();
    let encoded =
        |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("%{byte:02X}")).collect() };
    let mut texts: Vec<String> = nasty_values()
        .iter()
        .filter(|value| value.len() < 1_000)
        .map(|value| encoded(value.trim_matches('"').as_bytes()))
        .collect();
    texts.extend([
        encoded(&[0xff, 0xfe]),
        "%C0%AF".to_owned(),
        "9".repeat(5_000),
    ]);
    for call in documented(&server).await.calls {
        for parameter in call.parameters() {
            for text in &texts {
                let request = owner.request(call.method.clone(), &call.path_with(&parameter, text));
                is_an_answer(
                    &in_time(request).await,
                    &call,
                    &format!("{parameter} {text}"),
                );
            }
        }
    }
    all_is_well(&server, &owner).await;
}

#[tokio::test]
async fn every_call_that_takes_a_body_takes_any_body() {
    let (server, owner) = sample_shop().await;
    let owner = owner.on_one_connection();
    for call in documented(&server).await.calls {
        let Some(good) = &call.body else { continue };
        for (kind, body) in nasty_bodies(good) {
            let what = format!("{kind} {}", String::from_utf8_lossy(&body));
            is_an_answer(&send(&owner, &call, kind, body).await, &call, &what);
        }
    }
    all_is_well(&server, &owner).await;
}

#[tokio::test]
async fn a_caller_who_is_not_signed_in_always_gets_the_same_answer() {
    let (server, owner) = sample_shop().await;
    let mut stranger = Desk::at(&server, &owner).on_one_connection();
    stranger.token.clear();
    let texts = ["%FF%FE", "%00", "-1", "1e400", "%27", &"9".repeat(5_000)];
    for (call, refused) in refused_to_strangers(&server).await {
        let good = call.body.clone().unwrap_or_else(|| json!({}));
        for (kind, body) in nasty_bodies(&good) {
            let what = format!("{kind} {}", String::from_utf8_lossy(&body));
            let answered = send(&stranger, &call, kind, body).await;
            is_the_same(&answered, &refused, &call, &what);
        }
        for parameter in call.parameters() {
            for text in texts {
                let path = call.path_with(&parameter, text);
                let answered = in_time(stranger.request(call.method.clone(), &path)).await;
                is_the_same(&answered, &refused, &call, &path);
            }
        }
    }
    all_is_well(&server, &owner).await;
}

#[track_caller]
fn is_the_same(answered: &Answer, other: &Answer, call: &Call, what: &str) {
    let what: String = what.chars().take(300).collect();
    assert_eq!(
        (answered.status, &answered.body),
        (other.status, &other.body),
        "{call} with {what}"
    );
}

#[tokio::test]
async fn ten_megabytes_are_answered() {
    let (server, owner) = sample_shop().await;
    let calls = documented(&server).await.calls;
    // Each connection lingers, so that a client that still sends reads the answer: many at once.
    let answered = stream::iter(calls.iter().filter(|call| call.body.is_some()))
        .for_each_concurrent(8, async |call| {
            let body = format!("{{\"data\":[{}0]}}", "0,".repeat(5_000_000));
            let head = format!(
                "{} {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
                 Content-Type: application/json\r\n",
                call.method,
                call.path_as_an_example(),
                owner.token
            );
            let announced = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
            let chunked = format!(
                "{head}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
                body.len()
            );
            for request in [announced, chunked] {
                let answered = timeout(WAIT_TIMEOUT, raw(&server, &request)).await;
                is_an_answer(&answered.expect("the server answers"), call, "10 MB");
            }
        });
    answered.await;
    all_is_well(&server, &owner).await;
}

#[tokio::test]
async fn a_path_takes_no_method_but_its_own() {
    let (server, owner) = sample_shop().await;
    let document = documented(&server).await;
    for path in document.paths() {
        for method in [
            "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "BREW",
        ] {
            let allowed = document.methods_of(&path);
            if allowed.contains(&method.to_owned()) {
                continue;
            }
            let name = Method::from_bytes(method.as_bytes()).unwrap();
            let path = path.replace("{roNumber}", "104217");
            let request = owner.request(name, &path).json(&json!({}));
            if method == "HEAD" {
                // Its answer is the head alone.
                assert_eq!(request.send().await.unwrap().status(), 405, "{path}");
                continue;
            }
            let refused = answer(request).await;
            refused.refused(405, "wrong-method");
            let named = refused.headers["allow"].to_str().unwrap();
            assert_eq!(named, allowed.join(", "), "{method} {path}");
        }
    }
    all_is_well(&server, &owner).await;
}

#[tokio::test]
async fn a_malformed_request_head_is_answered() {
    let (server, owner) = sample_shop().await;
    let get = |path: &str, headers: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n")
    };
    let post = |headers: &str, body: &str| {
        format!(
            "POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\n{headers}\r\n{body}"
        )
    };
    let list = "/api/repair-orders";
    for request in [
        get(&format!("/api/{}", "1".repeat(60_000)), ""),
        get(&format!("/api/{}", "1".repeat(1_000_000)), ""),
        get(list, &format!("X: {}\r\n", "1".repeat(100_000))),
        get(list, &format!("X: {}\r\n", "1".repeat(1_000_000))),
        get(list, &"X: 1\r\n".repeat(1_000)),
        get(list, "X\0: 1\r\n"),
        get(list, "Authorization: Bearer \u{7f}\r\n"),
        get(list, "").replace("HTTP/1.1", "HTTP/9.9"),
        get("*", "").replace("GET", "OPTIONS"),
        get("dispatch:443", "").replace("GET", "CONNECT"),
        "nonsense\r\n\r\n".to_owned(),
        "\0\0\0\0\r\n\r\n".to_owned(),
        post("Content-Length: -5\r\n", ""),
        post("Content-Length: 5\r\nContent-Length: 6\r\n", "{}"),
        post(
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "0\r\n\r\n",
        ),
        post("Transfer-Encoding: chunked\r\n", "zz\r\n\r\n"),
        post("Content-Encoding: gzip\r\nContent-Length: 5\r\n", "abcde"),
        post("Content-Encoding: br\r\nContent-Length: 5\r\n", "abcde"),
    ] {
        let what: String = request.chars().take(200).collect();
        let mut tcp = TcpStream::connect(server.address).await.unwrap();
        // The server may answer, and close, before it has read everything.
        let _ = tcp.write_all(request.as_bytes()).await;
        let mut status = [0; 10];
        let read = timeout(WAIT_TIMEOUT, tcp.read_exact(&mut status)).await;
        read.expect("the server answers")
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(status, *b"HTTP/1.1 4", "{what}");
    }
    all_is_well(&server, &owner).await;
}
