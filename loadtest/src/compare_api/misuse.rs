//! A good request made wrong in every way there is: without sign-in, as somebody else, with another
//! body, content type, parameter or idempotency key.

use serde_json::{Value, json};

use super::requests::RecordedRequest;

/// People besides the one who signs; those of the demo, one a role.
const PEOPLE: [&str; 6] = ["owner", "admin", "advisor", "manager", "used", "tech"];

/// What takes the place of every value in a body.
fn wrong_values() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(""),
        json!("   "),
        json!("abc"),
        json!("0"),
        json!("-1"),
        json!("1.5"),
        json!("007"),
        json!("99999999999999999999"),
        json!("a\u{0}b"),
        json!("\u{fc}\u{202e}<b>"),
        json!("x".repeat(25_000)),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(99_999_999),
        json!(9_007_199_254_740_991_i64),
        json!(9_007_199_254_740_992_i64),
        json!([]),
        json!({}),
        json!([null]),
    ]
}

/// What takes the place of every parameter, percent-encoded.
const WRONG_PARAMETERS: [&str; 16] = [
    "0",
    "-1",
    "1.5",
    "abc",
    "007",
    "%20",
    "%00",
    "%C3%BC",
    "%FF",
    "99999999",
    "9007199254740991",
    "9007199254740992",
    "99999999999999999999",
    "00000000-0000-4000-8000-000000000000",
    "null",
    "2026-02-30",
];

const WRONG_KEYS: [&str; 4] = ["", " ", "a,b", "\u{7f}"];

/// In the order in which they are made, the good one first. `takes_key` says that the operation
/// knows the header Idempotency-Key, and `number` keeps keys apart.
pub fn with_misuse(good: &RecordedRequest, takes_key: bool, number: usize) -> Vec<RecordedRequest> {
    let mut requests = Vec::new();
    let key = format!("compare-api-{number}");
    if takes_key {
        requests.push(keyed(good, &key, &good.note, true));
        requests.push(keyed(good, &key, "the same key again", false));
        requests.push(other_body(good, &key));
        let mut elsewhere = keyed(good, &key, "somebody else's key", false);
        elsewhere.signed_in_as = Some("admin".to_owned());
        requests.push(elsewhere);
    } else {
        requests.push(good.clone());
    }
    requests.push(variant(good, "repeated", |_| {}));
    requests.extend(wrong_people(good));
    if takes_key {
        let long = "k".repeat(300);
        for wrong in WRONG_KEYS.into_iter().chain([long.as_str()]) {
            let note = format!("key {:?}", abbreviated(wrong));
            requests.push(keyed(good, wrong, &note, false));
        }
    }
    requests.extend(wrong_parameters(good));
    if good.method() != "GET" {
        requests.extend(wrong_bodies(good));
    }
    requests
}

fn variant(
    good: &RecordedRequest,
    note: &str,
    change: impl FnOnce(&mut RecordedRequest),
) -> RecordedRequest {
    let mut request = RecordedRequest {
        note: note.to_owned(),
        keep: Default::default(),
        choose: Default::default(),
        misuse: false,
        ..good.clone()
    };
    change(&mut request);
    request
}

fn keyed(good: &RecordedRequest, key: &str, note: &str, keeps: bool) -> RecordedRequest {
    let mut request = variant(good, note, |request| {
        request
            .headers
            .insert("idempotency-key".to_owned(), key.to_owned());
    });
    if keeps {
        request.keep.clone_from(&good.keep);
        request.choose.clone_from(&good.choose);
    }
    request
}

fn other_body(good: &RecordedRequest, key: &str) -> RecordedRequest {
    let mut request = keyed(good, key, "the same key for another body", false);
    match &mut request.body {
        Some(Value::Object(fields)) => {
            fields.insert("anotherField".to_owned(), json!(1));
            // A field that nobody knows may not make another request of it.
            let text = fields
                .values_mut()
                .find(|value| value.is_string() || value.is_i64());
            match text {
                Some(Value::String(text)) => text.push('1'),
                Some(value) => *value = json!(2),
                None => {}
            }
        }
        body => *body = Some(json!({ "expectedVersion": 987 })),
    }
    request
}

fn wrong_people(good: &RecordedRequest) -> Vec<RecordedRequest> {
    let mut requests = vec![
        variant(good, "without sign-in", |request| {
            request.signed_in_as = None
        }),
        variant(good, "with a token that is none", |request| {
            request.signed_in_as = None;
            let bearer = "Bearer nonsense".to_owned();
            request.headers.insert("authorization".to_owned(), bearer);
        }),
        variant(good, "with another scheme", |request| {
            request.signed_in_as = None;
            let basic = "Basic b3duZXI6b3duZXI=".to_owned();
            request.headers.insert("authorization".to_owned(), basic);
        }),
    ];
    let others = PEOPLE
        .into_iter()
        .filter(|name| good.signed_in_as.as_deref() != Some(name));
    // Reading may be tried by everybody; a change by who most often must not.
    for name in others.filter(|name| good.method() == "GET" || *name == "tech") {
        requests.push(variant(good, "as another", |request| {
            request.signed_in_as = Some(name.to_owned());
        }));
    }
    requests
}

fn wrong_parameters(good: &RecordedRequest) -> Vec<RecordedRequest> {
    let mut requests = Vec::new();
    for (name, value) in &good.path {
        let padded = format!("%20{value}%20");
        let zeros = format!("00{value}");
        let long = "9".repeat(300);
        let wrong = WRONG_PARAMETERS
            .into_iter()
            .chain([padded.as_str(), &zeros, &long]);
        for wrong in wrong {
            let note = format!("{name} is {}", abbreviated(wrong));
            requests.push(variant(good, &note, |request| {
                request.path.insert(name.clone(), wrong.to_owned());
            }));
        }
    }
    for name in good.query.keys() {
        requests.push(variant(good, &format!("without {name}"), |request| {
            request.query.remove(name);
        }));
        for wrong in WRONG_PARAMETERS.into_iter().chain([""]) {
            requests.push(variant(good, &format!("{name} is {wrong}"), |request| {
                request.query.insert(name.clone(), wrong.to_owned());
            }));
        }
    }
    requests.push(variant(good, "with a query that nobody knows", |request| {
        request.query.insert("unknown".to_owned(), "1".to_owned());
    }));
    requests
}

fn wrong_bodies(good: &RecordedRequest) -> Vec<RecordedRequest> {
    let mut requests = Vec::new();
    let mut as_text = |note: &str, text: &str, content_type: Option<&str>| {
        requests.push(variant(good, note, |request| {
            request.body = None;
            request.text = Some(text.to_owned());
            request.headers.remove("content-type");
            if let Some(content_type) = content_type {
                request
                    .headers
                    .insert("content-type".to_owned(), content_type.to_owned());
            }
        }));
    };
    const JSON: &str = "application/json";
    let text = match (&good.body, &good.text) {
        (Some(body), _) => body.to_string(),
        (None, Some(text)) => text.clone(),
        (None, None) => "{}".to_owned(),
    };
    as_text("no body", "", None);
    as_text("an empty body of JSON", "", Some(JSON));
    as_text("no content type", &text, None);
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=utf-8",
        "nonsense",
        "application/xml",
    ] {
        as_text(&format!("content type {kind}"), &text, Some(kind));
    }
    as_text("half a body", &text[..text.len() / 2], Some(JSON));
    as_text("more than a body", &format!("{text}}}"), Some(JSON));
    for body in ["null", "[]", "{}", "1", "\"text\"", "[[]]", "\u{feff}{}"] {
        as_text(&format!("body {body}"), body, Some(JSON));
    }
    as_text(
        "a deep body",
        &format!("{}1{}", "[".repeat(2_000), "]".repeat(2_000)),
        Some(JSON),
    );
    as_text(
        "a body of 300 KB",
        &format!("{{\"padding\":\"{}\"}}", "x".repeat(300 * 1024)),
        Some(JSON),
    );
    if let Some(body) = &good.body {
        if let Some(name) = body.as_object().and_then(|fields| fields.keys().next()) {
            let twice = text.replacen('{', &format!("{{\"{name}\":0,"), 1);
            as_text("a field twice", &twice, Some(JSON));
        }
        requests.extend(wrong_fields(good, body));
    }
    requests
}

fn wrong_fields(good: &RecordedRequest, body: &Value) -> Vec<RecordedRequest> {
    let with_body = |note: &str, body: Value| variant(good, note, |it| it.body = Some(body));
    let mut requests = Vec::new();
    if let Some(fields) = body.as_object() {
        let mut more = fields.clone();
        more.insert("unknownField".to_owned(), json!(1));
        requests.push(with_body("with a field that nobody knows", more.into()));
    }
    let mut pointers = Vec::new();
    collect_pointers(body, String::new(), &mut pointers);
    for pointer in pointers {
        let Some(value) = body.pointer(&pointer) else {
            continue;
        };
        requests.push(with_body(
            &format!("without {pointer}"),
            remove_field(body, &pointer),
        ));
        for wrong in other_spellings(value).into_iter().chain(wrong_values()) {
            let mut body = body.clone();
            let note = format!("{pointer} is {}", abbreviated(&wrong.to_string()));
            if let Some(place) = body.pointer_mut(&pointer) {
                *place = wrong;
            }
            requests.push(with_body(&note, body));
        }
    }
    requests
}

/// The same value as text or as a number, in spaces, and in too large a list.
fn other_spellings(value: &Value) -> Vec<Value> {
    match value {
        Value::String(text) => {
            let number = text.parse::<i64>().ok().map(Value::from);
            let padded = json!(format!("  {text} "));
            let entry = [padded, json!(text.to_uppercase()), json!([text])];
            entry.into_iter().chain(number).collect()
        }
        Value::Number(number) => vec![
            json!(number.to_string()),
            json!(format!(" {number} ")),
            json!(format!("00{number}")),
            json!(format!("{number}.0")),
            json!([number]),
        ],
        Value::Array(entries) => {
            let first = entries.first().cloned().unwrap_or(Value::Null);
            vec![json!(vec![first.clone(); 501]), json!([first, null]), first]
        }
        Value::Object(_) => vec![json!([value])],
        Value::Null | Value::Bool(_) => vec![json!("true")],
    }
}

fn remove_field(body: &Value, pointer: &str) -> Value {
    let mut body = body.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", pointer));
    match body.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            fields.remove(key);
        }
        Some(Value::Array(entries)) => {
            if let Ok(index) = key.parse::<usize>()
                && index < entries.len()
            {
                entries.remove(index);
            }
        }
        _ => {}
    }
    body
}

/// To everything in the body but the body itself. Of a list's entries the first stands for all.
fn collect_pointers(value: &Value, here: String, pointers: &mut Vec<String>) {
    let entries: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, it)| (name.clone(), it)).collect(),
        Value::Array(entries) => entries
            .iter()
            .take(1)
            .map(|it| ("0".to_owned(), it))
            .collect(),
        _ => Vec::new(),
    };
    for (name, value) in entries {
        let pointer = format!("{here}/{name}");
        pointers.push(pointer.clone());
        collect_pointers(value, pointer, pointers);
    }
}

fn abbreviated(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}... ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn good(body: Value) -> RecordedRequest {
        serde_json::from_value(json!({
            "call": "POST /api/boards/{id}",
            "as": "owner",
            "path": { "id": "7" },
            "body": body,
            "keep": { "board": "/result/boardId" },
            "misuse": true,
        }))
        .unwrap()
    }

    #[test]
    fn the_good_request_comes_first_and_is_the_only_one_whose_answer_is_kept() {
        let requests = with_misuse(&good(json!({ "name": "Bay" })), true, 1);
        assert!(requests[0].keep.contains_key("board"));
        assert_eq!(requests[0].note, "");
        assert!(
            requests[1..]
                .iter()
                .all(|it| it.keep.is_empty() && !it.note.is_empty())
        );
    }

    #[test]
    fn every_value_of_a_body_is_left_out_and_replaced() {
        let body = json!({ "data": [{ "number": "12" }, { "number": "13" }] });
        let requests = with_misuse(&good(body), false, 1);
        let bodies: BTreeSet<String> = requests
            .iter()
            .filter_map(|it| it.body.as_ref())
            .map(Value::to_string)
            .collect();
        for expected in [
            json!({}),
            json!({ "data": [{ "number": "13" }] }),
            json!({ "data": [{}, { "number": "13" }] }),
            json!({ "data": [{ "number": 12 }, { "number": "13" }] }),
            json!({ "data": [{ "number": "  12 " }, { "number": "13" }] }),
            json!({ "data": [null, { "number": "13" }] }),
        ] {
            assert!(bodies.contains(&expected.to_string()), "{expected}");
        }
    }
}
