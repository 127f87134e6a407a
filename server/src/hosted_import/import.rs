//! Imports entries: what is there already stays as it is.

use std::sync::Arc;

use super::entry::{Document, Entry, EntryContent, Outcome};
use crate::audit;
use crate::error::ApiError;
use crate::identity::Email;
use crate::identity::Identity;
use crate::identity::hosted_import::ImportedAccount;
use crate::staff::StaffCollection;
use crate::staff::StaffPatch;
use crate::technician_names::TechnicianDirectory;
use crate::technicians::NewTechnician;
use crate::technicians::Technicians;

/// Entries of a request to a running server: far below the largest body.
pub const BATCH_SIZE: usize = 100;

/// What an import writes to.
#[derive(Clone)]
pub struct HostedImport {
    pub identity: Identity,
    pub staff: Arc<dyn StaffCollection>,
    pub technicians: Technicians,
    pub directory: TechnicianDirectory,
}

/// Gives what became of each entry, in their order. Stops at a fault of ours only.
pub async fn import_entries(
    state: &HostedImport,
    entries: Vec<Entry>,
) -> Result<Vec<Outcome>, ApiError> {
    audit::act_within(audit::Origin::command_line(), import_all(state, entries)).await
}

async fn import_all(state: &HostedImport, entries: Vec<Entry>) -> Result<Vec<Outcome>, ApiError> {
    let mut outcomes = Vec::with_capacity(entries.len());
    for entry in entries {
        outcomes.push(match entry.content {
            EntryContent::Account {
                uid,
                email,
                password,
            } => import_account(state, &uid, &email, password.as_deref()).await?,
            EntryContent::Document(document) => import_document(state, document).await?,
            EntryContent::Refused(why) => Outcome::Refused(why),
            EntryContent::Left(why) => Outcome::Left(why),
        });
    }
    state.directory.reload().await?;
    Ok(outcomes)
}

async fn import_account(
    state: &HostedImport,
    uid: &str,
    email: &str,
    password: Option<&str>,
) -> Result<Outcome, ApiError> {
    let email = match Email::parse_new(email) {
        Ok(email) => email,
        Err(refused) => return Ok(Outcome::Refused(refused.error)),
    };
    let imported = state.identity.import_account(uid, &email, password).await?;
    Ok(match imported {
        ImportedAccount::Created => Outcome::Created,
        ImportedAccount::SameId => {
            Outcome::Left("there is an account with this user id".to_owned())
        }
        ImportedAccount::SameEmail => {
            Outcome::Left("there is an account with this email".to_owned())
        }
    })
}

async fn import_document(state: &HostedImport, document: Document) -> Result<Outcome, ApiError> {
    if state.staff.get(&document.id).await?.is_some() {
        return Ok(Outcome::Left("there is a document with this id".to_owned()));
    }
    // Whoever has a technician's number is a technician, also one the shop's list does not have.
    if let Some(id) = document.technician_id {
        let technician = NewTechnician {
            id,
            display_name: document.name.clone(),
            ..NewTechnician::default()
        };
        state.technicians.set_up(vec![], vec![technician]).await?;
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
    state.staff.merge(&id, patch).await?;
    Ok(Outcome::Created)
}
