//! The files: what `firebase auth:export` writes, and the collection `users` as JSON, an object by
//! id or an array of objects with `id`.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::entry::{Document, Entry, EntryContent};
use super::hash_config::HashConfig;
use crate::identity::Email;
use crate::staff::Role;

/// A file's entries, in their order.
#[derive(Debug, PartialEq, Eq)]
pub struct Export {
    pub entries: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    #[error("it is not JSON: {0}")]
    NotJson(String),
    #[error(
        "it is neither what firebase auth:export writes as JSON, nor the collection 'users' as an object by id or an array of objects with 'id'"
    )]
    UnknownContent,
    #[error(
        "it holds password hashes: name a file with the project's password hash parameters by --hash-config (Firebase's console shows them under Authentication, Users)"
    )]
    NeedsHashConfig,
}

type Members<'a> = indexmap::IndexMap<String, &'a RawValue>;

impl Export {
    pub fn parse(text: &str, hashes: Option<&HashConfig>) -> Result<Self, ExportError> {
        let whole: &RawValue =
            serde_json::from_str(text).map_err(|error| ExportError::NotJson(error.to_string()))?;
        let line = |part: &RawValue| {
            let at = part.get().as_ptr().addr() - text.as_ptr().addr();
            1 + text[..at].matches('\n').count()
        };
        let entries = if let Ok(documents) = serde_json::from_str::<Vec<&RawValue>>(whole.get()) {
            let documents = documents.into_iter();
            documents.map(|raw| listed(line(raw), raw)).collect()
        } else {
            let members: Members =
                serde_json::from_str(whole.get()).map_err(|_| ExportError::UnknownContent)?;
            match members.get("users").map(|users| users.get()) {
                Some(users) if users.starts_with('[') => {
                    let users: Vec<&RawValue> =
                        serde_json::from_str(users).map_err(|_| ExportError::UnknownContent)?;
                    let users = users.into_iter();
                    users
                        .map(|raw| account(line(raw), raw, hashes))
                        .collect::<Result<_, _>>()?
                }
                Some(users) => by_id(
                    serde_json::from_str(users).map_err(|_| ExportError::UnknownContent)?,
                    line,
                )?,
                None => by_id(members, line)?,
            }
        };
        Ok(Self { entries })
    }
}

fn by_id(
    members: Members<'_>,
    line: impl Fn(&RawValue) -> usize,
) -> Result<Vec<Entry>, ExportError> {
    if members
        .values()
        .any(|member| !member.get().starts_with('{'))
    {
        return Err(ExportError::UnknownContent);
    }
    let entry = |(id, raw): (String, &RawValue)| document(line(raw), &id, raw);
    Ok(members.into_iter().map(entry).collect())
}

fn listed(line: usize, raw: &RawValue) -> Entry {
    #[derive(Deserialize)]
    struct Id {
        id: String,
    }
    match serde_json::from_str::<Id>(raw.get()) {
        Ok(Id { id }) => document(line, &id, raw),
        Err(_) => Entry {
            line,
            name: "a document".to_owned(),
            content: EntryContent::Refused("it has no 'id'".to_owned()),
        },
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedUser {
    local_id: String,
    email: Option<String>,
    password_hash: Option<String>,
    salt: Option<String>,
    #[serde(default)]
    disabled: bool,
}

fn account(line: usize, raw: &RawValue, hashes: Option<&HashConfig>) -> Result<Entry, ExportError> {
    let user: ExportedUser = match serde_json::from_str(raw.get()) {
        Ok(user) => user,
        Err(_) => {
            return Ok(Entry {
                line,
                name: "an account".to_owned(),
                content: EntryContent::Refused("it has no 'localId'".to_owned()),
            });
        }
    };
    let ExportedUser {
        local_id: uid,
        email,
        password_hash,
        salt,
        disabled,
    } = user;
    let name = email.clone().unwrap_or_else(|| uid.clone());
    let password_hash = password_hash.filter(|hash| !hash.is_empty());
    let password = match (password_hash, hashes) {
        (Some(_), None) => return Err(ExportError::NeedsHashConfig),
        (Some(hash), Some(hashes)) => {
            Some(hashes.stored_hash(&hash, salt.as_deref().unwrap_or_default()))
        }
        (None, _) => None,
    };
    let content = match (email, password.transpose()) {
        _ if disabled => EntryContent::Left("it is disabled".to_owned()),
        (None, _) => EntryContent::Refused("it has no email".to_owned()),
        (_, Err(error)) => EntryContent::Refused(format!("its password cannot be taken: {error}")),
        (Some(email), Ok(password)) => EntryContent::Account {
            uid,
            email,
            password,
        },
    };
    Ok(Entry {
        line,
        name,
        content,
    })
}

/// Bytes of a document's id.
const MAX_ID_BYTES: usize = 254;

fn document(line: usize, id: &str, raw: &RawValue) -> Entry {
    let content = match serde_json::from_str(raw.get()) {
        _ if id.is_empty() || id.len() > MAX_ID_BYTES || id.chars().any(char::is_control) => {
            EntryContent::Refused("its id cannot be a document's".to_owned())
        }
        Ok(Value::Object(fields)) => match fields_of(id, &Value::Object(fields)) {
            Ok(document) => EntryContent::Document(document),
            Err(why) => EntryContent::Refused(why),
        },
        _ => EntryContent::Refused("it is no object".to_owned()),
    };
    Entry {
        line,
        name: id.to_owned(),
        content,
    }
}

fn fields_of(id: &str, fields: &Value) -> Result<Document, String> {
    // Emails are kept in lower case; a user id is as it is.
    let id = Email::parse(id).map_or_else(|_| id.to_owned(), |email| email.as_str().to_owned());
    let email = text(fields, "email")?.unwrap_or_else(|| match id.contains('@') {
        true => id.clone(),
        false => String::new(),
    });
    Ok(Document {
        name: text(fields, "name")?.unwrap_or_else(|| email.clone()),
        email: email.to_lowercase(),
        roles: roles(fields)?,
        skill: text(fields, "skill")?,
        technician_id: number(fields, "technicianId")?,
        invited: fields["invited"] == true,
        invited_at: time(fields, "invitedAt")?,
        role: text(fields, "role")?,
        created_at: time(fields, "createdAt")?,
        id,
    })
}

fn roles(fields: &Value) -> Result<Option<Vec<Role>>, String> {
    let names = match &fields["roles"] {
        Value::Null => return Ok(None),
        Value::Array(names) => names,
        _ => return Err("its roles are no list".to_owned()),
    };
    names
        .iter()
        .map(|name| {
            let name = name.as_str().ok_or("one of its roles is no text")?;
            name.parse::<Role>().map_err(|error| error.to_string())
        })
        .collect::<Result<_, _>>()
        .map(Some)
}

fn text(fields: &Value, name: &str) -> Result<Option<String>, String> {
    match &fields[name] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Value::Number(number) => Ok(Some(number.to_string())),
        _ => Err(format!("its '{name}' is no text")),
    }
}

fn number(fields: &Value, name: &str) -> Result<Option<i64>, String> {
    match text(fields, name)? {
        None => Ok(None),
        Some(text) => match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!("its '{name}' is no number")),
        },
    }
}

/// A text, or how Firestore's libraries write a timestamp into JSON.
fn time(fields: &Value, name: &str) -> Result<Option<Timestamp>, String> {
    let value = match &fields[name] {
        Value::Object(tagged) => tagged.get("value").unwrap_or(&fields[name]),
        value => value,
    };
    let part = |name: &str| value[name].as_i64().or_else(|| value[&name[1..]].as_i64());
    let time = match value {
        Value::Null => return Ok(None),
        Value::String(text) => text.parse().ok(),
        Value::Object(_) => part("_seconds").and_then(|seconds| {
            let nanos = part("_nanoseconds").unwrap_or_default();
            Timestamp::new(seconds, i32::try_from(nanos).ok()?).ok()
        }),
        _ => None,
    };
    time.map(Some)
        .ok_or_else(|| format!("its '{name}' is no time"))
}

#[cfg(test)]
mod tests;
