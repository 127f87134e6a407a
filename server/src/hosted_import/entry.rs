//! What an export holds, and what becomes of it.

use serde::{Deserialize, Serialize};

use crate::staff::Role;

/// An account or a document of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Where it begins in its file.
    pub line: usize,
    /// An email or an id, for whoever reads what became of it.
    pub name: String,
    #[serde(rename = "what")]
    pub content: EntryContent,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryContent {
    Account {
        uid: String,
        email: String,
        /// A hash in the form in which it is stored.
        password: Option<String>,
    },
    Document(Document),
    /// An entry that cannot be imported, and why.
    Refused(String),
    /// An entry that is not to be imported, and why.
    Left(String),
}

/// A staff document as it was exported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub id: String,
    pub email: String,
    pub name: String,
    pub roles: Option<Vec<Role>>,
    pub skill: Option<String>,
    pub technician_id: Option<i64>,
    pub invited: bool,
    pub invited_at: Option<jiff::Timestamp>,
    pub role: Option<String>,
    pub created_at: Option<jiff::Timestamp>,
}

/// What became of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Created,
    /// Left as it was, and why.
    Left(String),
    Refused(String),
}
