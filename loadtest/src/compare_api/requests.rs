//! The recorded requests, `loadtest/api-requests.json`, in the order in which they are made.
//!
//! `${name}` in a path, header or body is what an earlier answer kept under that name, on each
//! server its own; `${-2h}` is the moment two hours before the start, and `${totp:name}` the code that
//! an authenticator app shows for the secret of that name.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::error::LoadTestError;

const RECORDED: &str = include_str!("../../api-requests.json");

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RecordedRequest {
    /// The operation as the document names it: `PATCH /api/boards/{id}`.
    pub call: String,
    /// What this request is about, in its name.
    #[serde(default)]
    pub note: String,
    /// Who signs: the request has `Bearer ${token:NAME}`.
    #[serde(default, rename = "as")]
    pub signed_in_as: Option<String>,
    /// Values of the parameters in the path, percent-encoded already.
    #[serde(default)]
    pub path: BTreeMap<String, String>,
    #[serde(default)]
    pub query: BTreeMap<String, String>,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// A JSON body.
    #[serde(default)]
    pub body: Option<Value>,
    /// A body as it is, with the content type among the headers.
    #[serde(default)]
    pub text: Option<String>,
    /// Names for parts of the answer: a JSON pointer, `cookie:NAME`, `fragment:POINTER` for what a URL
    /// there has behind `#link=`, `mail:ADDRESS` for the token in the newest mail to somebody.
    #[serde(default)]
    pub keep: BTreeMap<String, String>,
    /// Names for values of entries that an answer's list has.
    #[serde(default)]
    pub choose: BTreeMap<String, Choice>,
    /// Whether the request is repeated and then made wrong in every way there is.
    #[serde(default)]
    pub misuse: bool,
}

/// The entries of the list at `from` that have all of `with`; of these the one at `index`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Choice {
    pub from: String,
    #[serde(default)]
    pub with: BTreeMap<String, Value>,
    #[serde(default)]
    pub index: usize,
    /// JSON pointer to the value within the entry.
    pub take: String,
}

impl RecordedRequest {
    pub fn method(&self) -> &str {
        self.call
            .split_once(' ')
            .map_or("GET", |(method, _)| method)
    }

    pub fn path_template(&self) -> &str {
        self.call.split_once(' ').map_or("/", |(_, path)| path)
    }

    /// What an accepted difference names it by.
    pub fn name(&self) -> String {
        let account = self.signed_in_as.as_deref().unwrap_or("nobody");
        let note = if self.note.is_empty() {
            "good"
        } else {
            &self.note
        };
        format!("{} [{account}, {note}]", self.call)
    }

    /// Path and query.
    pub fn target(&self) -> String {
        let mut target = self.path_template().to_owned();
        for (name, value) in &self.path {
            target = target.replace(&format!("{{{name}}}"), value);
        }
        let mut separator = '?';
        for (name, value) in &self.query {
            target.push_str(&format!("{separator}{name}={value}"));
            separator = '&';
        }
        target
    }
}

pub fn recorded_requests() -> Result<Vec<RecordedRequest>, LoadTestError> {
    serde_json::from_str(RECORDED)
        .map_err(|error| LoadTestError::Options(format!("loadtest/api-requests.json: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_requests_can_be_read_and_fill_every_parameter_of_their_paths() {
        let requests = recorded_requests().unwrap();
        assert!(!requests.is_empty());
        for request in requests {
            let path = request.target().replace("${", "");
            assert!(!path.contains('{'), "{}: {path}", request.name());
        }
    }
}
