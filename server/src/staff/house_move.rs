//! Moving house: accounts and staff documents out of what Firebase exports. Parsed where the file
//! is, and taken by the one writer, which leaves alone whatever is there already: importing again is
//! safe.

mod export;
mod hash_config;

use serde::{Deserialize, Serialize};

use super::{Role, StaffPatch};
use crate::app::Services;
use crate::audit;
use crate::error::ApiError;
use crate::identity::Email;
use crate::identity::take_over::TakenOver;
use crate::technicians::NewTechnician;

pub use export::{Export, Unreadable};
pub use hash_config::{BadHashConfig, HashConfig};

/// Entries of a request to a running server: far below the largest body.
pub const AT_ONCE: usize = 100;

/// Something that an export holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Where it begins in its file.
    pub line: usize,
    /// An email or an id, for who reads what became of it.
    pub name: String,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    Account {
        uid: String,
        email: String,
        /// A hash in the form in which it is kept.
        password: Option<String>,
    },
    Document(Document),
    /// That nobody could take, and why.
    Refused(String),
    /// That is not to be taken, and why.
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Created,
    /// Left as it was, and why.
    Left(String),
    Refused(String),
}

/// What became of each entry, in their order. Stops at a fault of ours only.
pub async fn take(services: &Services, entries: Vec<Entry>) -> Result<Vec<Outcome>, ApiError> {
    audit::act_within(audit::Origin::command_line(), take_all(services, entries)).await
}

async fn take_all(services: &Services, entries: Vec<Entry>) -> Result<Vec<Outcome>, ApiError> {
    let mut outcomes = Vec::with_capacity(entries.len());
    for entry in entries {
        outcomes.push(match entry.what {
            What::Account {
                uid,
                email,
                password,
            } => take_account(services, &uid, &email, password.as_deref()).await?,
            What::Document(document) => take_document(services, document).await?,
            What::Refused(why) => Outcome::Refused(why),
            What::Left(why) => Outcome::Left(why),
        });
    }
    services
        .names
        .reload(&services.store, &*services.staff)
        .await?;
    Ok(outcomes)
}

async fn take_account(
    services: &Services,
    uid: &str,
    email: &str,
    password: Option<&str>,
) -> Result<Outcome, ApiError> {
    let email = match Email::parse_new(email) {
        Ok(email) => email,
        Err(refused) => return Ok(Outcome::Refused(refused.error)),
    };
    let taken = services.identity.take_over(uid, &email, password).await?;
    Ok(match taken {
        TakenOver::Created => Outcome::Created,
        TakenOver::KnownById => Outcome::Left("there is an account with this user id".to_owned()),
        TakenOver::KnownByEmail => Outcome::Left("there is an account with this email".to_owned()),
    })
}

async fn take_document(services: &Services, document: Document) -> Result<Outcome, ApiError> {
    if services.staff.get(&document.id).await?.is_some() {
        return Ok(Outcome::Left("there is a document with this id".to_owned()));
    }
    // Whoever has a technician's number is a technician, also one the shop's list does not have.
    if let Some(id) = document.technician_id {
        let technician = NewTechnician {
            id,
            display_name: document.name.clone(),
            ..NewTechnician::default()
        };
        services
            .technicians
            .set_up(vec![], vec![technician])
            .await?;
    }
    let Document {
        id,
        email,
        name,
        roles,
        skill,
        technician_id,
        invited,
        invited_at,
        role,
        created_at,
    } = document;
    let patch = StaffPatch {
        email: Some(email),
        name: Some(name),
        roles,
        skill: Some(skill),
        technician_id: Some(technician_id),
        invited: Some(invited),
        invited_at: Some(invited_at),
        role: Some(role),
        created_at: Some(created_at),
    };
    services.staff.merge(&id, patch).await?;
    Ok(Outcome::Created)
}
