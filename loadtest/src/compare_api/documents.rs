//! The differences of two OpenAPI documents, by operation and JSON path.
//!
//! References are followed, so that a schema which was only renamed is no difference. A difference
//! in a shared schema is reported once, with the operations that reach it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// Lists whose order means nothing.
const SETS: [&str; 5] = ["required", "enum", "tags", "type", "security"];

/// Objects whose keys are names and no keywords.
const MAPS: [&str; 7] = [
    "properties",
    "paths",
    "responses",
    "content",
    "headers",
    "mapping",
    "scopes",
];

/// Lists of schemas of which one, some or all hold.
const ALTERNATIVES: [&str; 4] = ["oneOf", "anyOf", "allOf", "prefixItems"];

/// Values that are compared as a whole, whatever their keys are called.
const LITERALS: [&str; 4] = ["example", "examples", "default", "const"];

/// What is written for people alone.
const WORDING: [&str; 3] = ["description", "summary", "title"];

/// What stands beside the operations of a path.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// Values longer than this are cut in the output.
const MAX_VALUE_CHARS: usize = 160;

#[derive(Debug)]
pub struct DocumentDifference {
    /// `schema Row: properties.vin.pattern`, `POST /api/boards: responses.409`.
    pub place: String,
    pub change: String,
    /// Those that reach it; none for what belongs to no operation.
    pub operations: BTreeSet<String>,
    pub is_wording: bool,
}

#[derive(Debug, Default)]
pub struct DocumentComparison {
    pub differences: Vec<DocumentDifference>,
    /// Old and new names of schemas that stand at the same place.
    pub renamed: BTreeSet<(String, String)>,
    /// Names of schemas that only one document has and that are no renamed ones.
    pub only_old: BTreeSet<String>,
    pub only_new: BTreeSet<String>,
}

pub fn compare_documents(old: &Value, new: &Value) -> DocumentComparison {
    let mut comparer = Comparer {
        old,
        new,
        operation: None,
        visited: BTreeSet::new(),
        renamed: BTreeSet::new(),
        found: BTreeMap::new(),
    };
    comparer.compare_root();
    let names = |document: &Value| -> BTreeSet<String> {
        let schemas = document.pointer("/components/schemas");
        let schemas = schemas.and_then(Value::as_object);
        schemas
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect()
    };
    let (old_names, new_names) = (names(old), names(new));
    let renamed: BTreeSet<_> = comparer
        .renamed
        .into_iter()
        .filter(|(old, new)| !new_names.contains(old) || !old_names.contains(new))
        .collect();
    let only_old = old_names.difference(&new_names);
    let only_new = new_names.difference(&old_names);
    DocumentComparison {
        only_old: only_old
            .filter(|name| !renamed.iter().any(|(old, _)| old == *name))
            .cloned()
            .collect(),
        only_new: only_new
            .filter(|name| !renamed.iter().any(|(_, new)| new == *name))
            .cloned()
            .collect(),
        renamed,
        differences: comparer.found.into_values().collect(),
    }
}

struct Comparer<'a> {
    old: &'a Value,
    new: &'a Value,
    operation: Option<String>,
    /// Pairs of references that this operation has been followed through.
    visited: BTreeSet<(String, String)>,
    renamed: BTreeSet<(String, String)>,
    found: BTreeMap<(String, String), DocumentDifference>,
}

impl<'a> Comparer<'a> {
    fn compare_root(&mut self) {
        let (Value::Object(old), Value::Object(new)) = (self.old, self.new) else {
            let change = "one of the documents is no object".to_owned();
            return self.report("document", change, false);
        };
        for key in keys(old, new) {
            match key {
                "paths" => self.compare_paths(),
                // Schemas, parameters and answers are compared where they are used.
                "components" => self.compare_pair(
                    "document: components.securitySchemes",
                    self.old.pointer("/components/securitySchemes"),
                    self.new.pointer("/components/securitySchemes"),
                ),
                _ => self.compare_pair(&format!("document: {key}"), old.get(key), new.get(key)),
            }
        }
    }

    fn compare_paths(&mut self) {
        let (old, new) = (operations(self.old), operations(self.new));
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names {
            self.operation = Some(name.clone());
            self.visited.clear();
            match (old.get(name), new.get(name)) {
                (Some(old), Some(new)) => self.compare(&format!("{name}: "), old, new),
                (Some(_), None) => self.report(name, "the operation is removed".to_owned(), false),
                (None, _) => self.report(name, "the operation is added".to_owned(), false),
            }
        }
        self.operation = None;
    }

    fn compare_pair(&mut self, place: &str, old: Option<&'a Value>, new: Option<&'a Value>) {
        match (old, new) {
            (Some(old), Some(new)) => self.compare(place, old, new),
            (Some(old), None) => {
                self.report(place, format!("removed: {}", shown(old)), is_wording(place))
            }
            (None, Some(new)) => {
                self.report(place, format!("added: {}", shown(new)), is_wording(place))
            }
            (None, None) => {}
        }
    }

    fn compare(&mut self, place: &str, old: &'a Value, new: &'a Value) {
        let (old_reference, new_reference) = (reference(old), reference(new));
        if let (Some(old_pointer), Some(new_pointer)) = (old_reference, new_reference) {
            self.compare_siblings(place, old, new);
            let (old_name, new_name) = (last_segment(old_pointer), last_segment(new_pointer));
            if old_name != new_name {
                self.renamed
                    .insert((old_name.to_owned(), new_name.to_owned()));
            }
            let pair = (old_pointer.to_owned(), new_pointer.to_owned());
            if self.visited.insert(pair) {
                let (old, new) = (target(self.old, old_pointer), target(self.new, new_pointer));
                self.compare_pair(&format!("schema {old_name}: "), old, new);
            }
            return;
        }
        let old_target = unwrap_reference(self.old, old);
        let new_target = unwrap_reference(self.new, new);
        match (old_target, new_target) {
            (Value::Object(old), Value::Object(new)) => self.compare_objects(place, old, new),
            (Value::Array(old), Value::Array(new)) => self.compare_lists(place, old, new),
            (old, new) if old == new => {}
            (old, new) => {
                let change = format!("{} -> {}", shown(old), shown(new));
                self.report(place, change, is_wording(place));
            }
        }
    }

    /// What stands beside a reference, such as a description of its own.
    fn compare_siblings(&mut self, place: &str, old: &'a Value, new: &'a Value) {
        if let (Value::Object(old), Value::Object(new)) = (old, new) {
            for key in keys(old, new).into_iter().filter(|key| *key != "$ref") {
                self.compare_pair(&join(place, key), old.get(key), new.get(key));
            }
        }
    }

    fn compare_objects(
        &mut self,
        place: &str,
        old: &'a Map<String, Value>,
        new: &'a Map<String, Value>,
    ) {
        for key in keys(old, new) {
            let here = join(place, key);
            let (old, new) = (old.get(key), new.get(key));
            match (old, new) {
                (Some(Value::Object(old)), Some(Value::Object(new))) if MAPS.contains(&key) => {
                    self.compare_maps(&here, old, new);
                }
                _ if LITERALS.contains(&key) => self.compare_literals(&here, old, new),
                _ if SETS.contains(&key) => self.compare_sets(&here, old, new),
                (Some(Value::Array(old)), Some(Value::Array(new))) if key == "parameters" => {
                    self.compare_parameters(&here, old, new);
                }
                (Some(Value::Array(old)), Some(Value::Array(new)))
                    if ALTERNATIVES.contains(&key) =>
                {
                    self.compare_alternatives(&here, old, new);
                }
                _ => self.compare_pair(&here, old, new),
            }
        }
    }

    fn compare_maps(
        &mut self,
        place: &str,
        old: &'a Map<String, Value>,
        new: &'a Map<String, Value>,
    ) {
        for key in keys(old, new) {
            let here = format!("{place}.{key}");
            match (old.get(key), new.get(key)) {
                (Some(old), Some(new)) => self.compare(&here, old, new),
                (Some(old), None) => self.report(&here, format!("removed: {}", shown(old)), false),
                (None, Some(new)) => self.report(&here, format!("added: {}", shown(new)), false),
                (None, None) => {}
            }
        }
    }

    fn compare_literals(&mut self, place: &str, old: Option<&Value>, new: Option<&Value>) {
        if old != new {
            let shown = |value: Option<&Value>| value.map_or("none".to_owned(), shown);
            self.report(place, format!("{} -> {}", shown(old), shown(new)), false);
        }
    }

    fn compare_sets(&mut self, place: &str, old: Option<&Value>, new: Option<&Value>) {
        let (old, new) = (as_set(old), as_set(new));
        for value in old.difference(&new) {
            self.report(place, format!("removed: {value}"), false);
        }
        for value in new.difference(&old) {
            self.report(place, format!("added: {value}"), false);
        }
    }

    fn compare_parameters(&mut self, place: &str, old: &'a [Value], new: &'a [Value]) {
        let old = named_parameters(self.old, old);
        let new = named_parameters(self.new, new);
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names {
            let here = format!("{place}.{name}");
            self.compare_pair(&here, old.get(name).copied(), new.get(name).copied());
        }
    }

    /// Those with the same name belong together, and the others in the order they have.
    fn compare_alternatives(&mut self, place: &str, old: &'a [Value], new: &'a [Value]) {
        let mut rest: Vec<(usize, &Value)> = new.iter().enumerate().collect();
        let mut unpaired = Vec::new();
        for (index, value) in old.iter().enumerate() {
            let same = rest.iter().position(|(_, other)| match reference(value) {
                Some(name) => reference(other) == Some(name),
                None => *other == value,
            });
            match same {
                Some(at) => {
                    let (_, other) = rest.remove(at);
                    self.compare(&format!("{place}[{index}]"), value, other);
                }
                None => unpaired.push((index, value)),
            }
        }
        let mut rest = rest.into_iter();
        for (index, value) in unpaired {
            let other = rest.next().map(|(_, other)| other);
            self.compare_pair(&format!("{place}[{index}]"), Some(value), other);
        }
        for (index, other) in rest {
            self.compare_pair(&format!("{place}[{index}]"), None, Some(other));
        }
    }

    fn compare_lists(&mut self, place: &str, old: &'a [Value], new: &'a [Value]) {
        for index in 0..old.len().max(new.len()) {
            let here = format!("{place}[{index}]");
            self.compare_pair(&here, old.get(index), new.get(index));
        }
    }

    fn report(&mut self, place: &str, change: String, is_wording: bool) {
        let place = place.trim_end_matches([':', ' ']).to_owned();
        let difference = self
            .found
            .entry((place.clone(), change.clone()))
            .or_insert_with(|| DocumentDifference {
                place,
                change,
                operations: BTreeSet::new(),
                is_wording,
            });
        difference.operations.extend(self.operation.clone());
    }
}

/// `GET /api/boards` and what the document says of it.
fn operations(document: &Value) -> BTreeMap<String, &Value> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods
            .filter(|(method, _)| METHODS.contains(&method.as_str()))
            .map(move |(method, operation)| {
                (format!("{} {path}", method.to_uppercase()), operation)
            })
    });
    operations.collect()
}

fn keys<'a>(old: &'a Map<String, Value>, new: &'a Map<String, Value>) -> BTreeSet<&'a str> {
    old.keys().chain(new.keys()).map(String::as_str).collect()
}

fn join(place: &str, key: &str) -> String {
    let separator = if place.ends_with(' ') { "" } else { "." };
    format!("{place}{separator}{key}")
}

fn is_wording(place: &str) -> bool {
    WORDING
        .iter()
        .any(|word| place.ends_with(&format!(".{word}")) || place.ends_with(&format!(": {word}")))
}

fn reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()
}

fn target<'a>(document: &'a Value, reference: &str) -> Option<&'a Value> {
    document.pointer(reference.strip_prefix('#')?)
}

fn last_segment(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or(reference)
}

/// The schema itself where one document has a reference and the other writes it out.
fn unwrap_reference<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match reference(value).and_then(|pointer| target(document, pointer)) {
        Some(value) => unwrap_reference(document, value),
        None => value,
    }
}

fn as_set(value: Option<&Value>) -> BTreeSet<String> {
    match value {
        Some(Value::Array(values)) => values.iter().map(Value::to_string).collect(),
        Some(value) => [value.to_string()].into(),
        None => BTreeSet::new(),
    }
}

/// By where they stand and what they are called, as `query.limit`.
fn named_parameters<'a>(document: &'a Value, list: &'a [Value]) -> BTreeMap<String, &'a Value> {
    let named = list.iter().map(|parameter| {
        let content = unwrap_reference(document, parameter);
        let text = |key: &str| content[key].as_str().unwrap_or("?");
        (format!("{}.{}", text("in"), text("name")), parameter)
    });
    named.collect()
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_VALUE_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(schema_name: &str, schema: &Value) -> Value {
        let mut document = json!({
            "openapi": "3.1.0",
            "paths": { "/orders": { "get": {
                "parameters": [{ "in": "query", "name": "limit", "schema": { "type": "integer" } }],
                "responses": { "200": { "content": { "application/json": {
                    "schema": { "$ref": format!("#/components/schemas/{schema_name}") }
                } } } }
            } } },
            "components": { "schemas": {} }
        });
        document["components"]["schemas"][schema_name] = schema.clone();
        document
    }

    fn row() -> Value {
        json!({
            "type": "object",
            "required": ["number", "version"],
            "properties": {
                "number": { "type": "integer", "description": "The RO number." },
                "version": { "type": ["integer", "null"] },
                "description": { "type": "string", "pattern": "^[a-z]+$" }
            }
        })
    }

    fn changes(old: &Value, new: &Value) -> Vec<(String, String, bool)> {
        let compared = compare_documents(old, new);
        let differences = compared.differences.into_iter();
        differences
            .map(|it| (it.place, it.change, it.is_wording))
            .collect()
    }

    #[test]
    fn a_renamed_schema_with_equal_content_is_no_difference_but_is_listed() {
        let compared = compare_documents(&document("Row", &row()), &document("OrderRow", &row()));
        assert!(
            compared.differences.is_empty(),
            "{:?}",
            compared.differences
        );
        assert_eq!(
            compared.renamed,
            [("Row".to_owned(), "OrderRow".to_owned())].into()
        );
        assert!(compared.only_old.is_empty() && compared.only_new.is_empty());
    }

    #[test]
    fn a_schema_that_is_written_out_equals_its_reference() {
        let old = document("Row", &row());
        let mut new = old.clone();
        new["paths"]["/orders"]["get"]["responses"]["200"]["content"]["application/json"]["schema"] =
            row();
        assert_eq!(changes(&old, &new), []);
    }

    #[test]
    fn the_order_of_required_types_and_enums_means_nothing() {
        let mut other = row();
        other["required"] = json!(["version", "number"]);
        other["properties"]["version"]["type"] = json!(["null", "integer"]);
        assert_eq!(
            changes(&document("Row", &row()), &document("Row", &other)),
            []
        );
    }

    #[test]
    fn each_kind_of_change_is_found_with_its_place() {
        let at = |place: &str, change: &str| (place.to_owned(), change.to_owned(), false);
        let edits: [(&str, Value, _); 5] = [
            (
                "/properties/version/type",
                json!("integer"),
                at("schema Row: properties.version.type", "removed: \"null\""),
            ),
            (
                "/required",
                json!(["number"]),
                at("schema Row: required", "removed: \"version\""),
            ),
            (
                "/properties/description/pattern",
                json!("^[A-Z]+$"),
                at(
                    "schema Row: properties.description.pattern",
                    "\"^[a-z]+$\" -> \"^[A-Z]+$\"",
                ),
            ),
            (
                "/properties/description",
                json!({ "type": "string" }),
                at(
                    "schema Row: properties.description.pattern",
                    "removed: \"^[a-z]+$\"",
                ),
            ),
            (
                "/properties/number",
                json!({ "type": "integer", "format": "int64", "description": "The RO number." }),
                at("schema Row: properties.number.format", "added: \"int64\""),
            ),
        ];
        for (pointer, value, expected) in edits {
            let mut other = row();
            *other.pointer_mut(pointer).unwrap() = value;
            assert_eq!(
                changes(&document("Row", &row()), &document("Row", &other)),
                [expected]
            );
        }
    }

    #[test]
    fn parameters_statuses_and_operations_are_compared_by_name() {
        let old = document("Row", &row());
        let mut new = old.clone();
        let get = &mut new["paths"]["/orders"]["get"];
        get["parameters"][0]["name"] = json!("most");
        get["responses"]["404"] = json!({});
        new["paths"]["/orders"]["delete"] = json!({});
        let places: Vec<String> = changes(&old, &new)
            .into_iter()
            .map(|(place, ..)| place)
            .collect();
        assert_eq!(
            places,
            [
                "DELETE /orders",
                "GET /orders: parameters.query.limit",
                "GET /orders: parameters.query.most",
                "GET /orders: responses.404",
            ]
        );
    }

    #[test]
    fn a_description_is_ignored_and_a_property_named_description_is_compared() {
        let mut other = row();
        other["properties"]["number"]["description"] = json!("Its number.");
        other["properties"]
            .as_object_mut()
            .unwrap()
            .remove("description");
        let found = changes(&document("Row", &row()), &document("Row", &other));
        let is_wording: Vec<bool> = found.iter().map(|(.., is_wording)| *is_wording).collect();
        assert_eq!(is_wording, [false, true], "{found:?}");
    }

    #[test]
    fn a_schema_that_contains_itself_ends() {
        let list = json!({ "properties": { "next": { "$ref": "#/components/schemas/Row" } } });
        assert_eq!(
            changes(&document("Row", &list), &document("Row", &list)),
            []
        );
    }
}
