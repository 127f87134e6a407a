//! The calls of the OpenAPI document, each with a request that would do: what a new call needs to
//! be tested without anybody thinking of it.

use std::fmt;

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::fixture::{Server, answer};

pub struct Documented {
    pub calls: Vec<Call>,
}

pub struct Call {
    pub method: Method,
    /// With its parameters in braces.
    pub path: String,
    /// A body that would do, with everything in it that may be; none where no JSON is taken.
    pub body: Option<Value>,
    /// Name, where it is (`path`, `query`), and an example.
    parameters: Vec<(String, String, String)>,
}

/// Stands for a field's value, to be written over.
const HERE: &str = "-here-";

pub async fn documented(server: &Server) -> Documented {
    let document = answer(server.request(Method::GET, "/api/openapi.json")).await;
    assert_eq!(document.status, 200);
    Documented::new(&document.body)
}

impl Documented {
    fn new(document: &Value) -> Self {
        let mut calls = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, call) in methods.as_object().unwrap() {
                let body = &call["requestBody"]["content"]["application/json"]["schema"];
                let parameters = call["parameters"].as_array().into_iter().flatten();
                calls.push(Call {
                    method: Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(),
                    path: path.clone(),
                    body: body.is_object().then(|| example(document, body)),
                    parameters: parameters.map(|it| parameter(document, it)).collect(),
                });
            }
        }
        assert!(!calls.is_empty());
        Self { calls }
    }

    pub fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = self.calls.iter().map(|call| call.path.clone()).collect();
        paths.dedup();
        paths
    }

    pub fn methods_of(&self, path: &str) -> Vec<String> {
        let calls = self.calls.iter().filter(|call| call.path == path);
        calls.map(|call| call.method.to_string()).collect()
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Call {
    /// JSON pointers to everything in the body, and to the body itself.
    pub fn fields(&self) -> Vec<String> {
        let mut fields = Vec::new();
        if let Some(body) = &self.body {
            pointers(body, String::new(), &mut fields);
        }
        fields
    }

    /// The body with `text`, which may be no JSON, in a field's place.
    pub fn body_with(&self, field: &str, text: &str) -> String {
        let mut body = self.body.clone().unwrap();
        *body.pointer_mut(field).unwrap() = json!(HERE);
        body.to_string().replace(&json!(HERE).to_string(), text)
    }

    /// Those of the path and the query.
    pub fn parameters(&self) -> Vec<String> {
        let parameters = self.parameters.iter();
        parameters
            .filter(|(_, place, _)| ["path", "query"].contains(&place.as_str()))
            .map(|(name, ..)| name.clone())
            .collect()
    }

    pub fn path_as_an_example(&self) -> String {
        self.path_with("", "")
    }

    /// The path with its parameters, one of which has this text, encoded already.
    pub fn path_with(&self, parameter: &str, text: &str) -> String {
        let mut path = self.path.clone();
        let mut query = Vec::new();
        for (name, place, example) in &self.parameters {
            let value = if name == parameter { text } else { example };
            match place.as_str() {
                "path" => path = path.replace(&format!("{{{name}}}"), value),
                "query" => query.push(format!("{name}={value}")),
                _ => {}
            }
        }
        if query.is_empty() {
            path
        } else {
            format!("{path}?{}", query.join("&"))
        }
    }
}

fn parameter(document: &Value, parameter: &Value) -> (String, String, String) {
    let parameter = resolved(document, parameter);
    let text = |name: &str| parameter[name].as_str().unwrap().to_owned();
    let example = match example(document, &parameter["schema"]) {
        Value::String(text) => text,
        other => other.to_string(),
    };
    (text("name"), text("in"), example)
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(place) => {
            let place = place.strip_prefix('#').unwrap();
            resolved(document, document.pointer(place).unwrap())
        }
        None => schema,
    }
}

/// A value that the schema describes, with every property.
fn example(document: &Value, schema: &Value) -> Value {
    let schema = resolved(document, schema);
    for ready in ["example", "const", "default"] {
        if let Some(ready) = schema.get(ready) {
            return ready.clone();
        }
    }
    for list in ["examples", "enum"] {
        if let Some(first) = schema[list].get(0) {
            return first.clone();
        }
    }
    for choice in ["anyOf", "oneOf"] {
        let all = schema[choice].as_array().into_iter().flatten();
        if let Some(one) = all.into_iter().find(|one| one["type"] != "null") {
            return example(document, one);
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|part| example(document, part));
        return parts
            .filter_map(|part| part.as_object().cloned())
            .flatten()
            .collect::<Map<_, _>>()
            .into();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds
            .iter()
            .find(|kind| *kind != "null")
            .unwrap_or(&Value::Null),
        kind => kind,
    };
    match (kind.as_str(), schema["format"].as_str()) {
        (Some("object"), _) => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            properties
                .map(|(name, schema)| (name.clone(), example(document, schema)))
                .collect::<Map<_, _>>()
                .into()
        }
        (Some("array"), _) => json!([example(document, &schema["items"])]),
        (Some("integer" | "number"), _) => schema.get("minimum").cloned().unwrap_or(json!(1)),
        (Some("boolean"), _) => json!(true),
        (_, Some("email")) => json!("somebody@example.com"),
        (_, Some("date-time")) => json!("2026-07-14T12:42:00Z"),
        (_, Some("date")) => json!("2026-07-14"),
        _ => json!("text"),
    }
}

fn pointers(value: &Value, here: String, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                pointers(value, format!("{here}/{name}"), all);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                pointers(value, format!("{here}/{index}"), all);
            }
        }
        _ => {}
    }
    all.push(here);
}
