//! Adds users and changes what they may do, one change after the other.

use super::rights::{Documents, effective_document, own_account, removes_owner_role};
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};
use crate::identity::accounts::{self, Account};
use crate::identity::passwords::PasswordHash;
use crate::identity::provider::ProviderError;
use crate::identity::{Caller, Email, Identity};
use crate::limits;
use crate::staff::{Role, StaffDocument, StaffPatch, better};

/// Bytes of a document's id; hosted collections take more, and their user ids are shorter.
const MAX_ID_BYTES: usize = 254;

impl Identity {
    pub async fn count_accounts(&self) -> Result<u64, ApiError> {
        Ok(accounts::count(self.inner.store.reader()).await?)
    }

    pub async fn has_account(&self, email: &str) -> Result<bool, ApiError> {
        let email = Email::parse(email)?;
        let account = accounts::by_email(self.inner.store.reader(), &email).await?;
        Ok(account.is_some())
    }

    /// None where nobody has an account of this email.
    pub async fn uid_of(&self, email: &str) -> Result<Option<String>, ApiError> {
        let email = Email::parse(email)?;
        let account = accounts::by_email(self.inner.store.reader(), &email).await?;
        Ok(account.map(|account| account.uid))
    }

    /// Adds an account and its staff document, and gives the new user id. `technician_id` is the
    /// technician this person is. A document that waits under this email without an account is
    /// written over. 409 `email-already-in-use`, 400 `invalid-email`, `invalid-request` or
    /// `weak-password`.
    pub async fn add_user(
        &self,
        email: &str,
        name: &str,
        roles: &[Role],
        technician_id: Option<i64>,
        password: &str,
    ) -> Result<String, ApiError> {
        let email = Email::parse_new(email)?;
        let document = new_document(&email, name, roles, technician_id)?;
        let mut last_seen = self.lock_user_changes().await?;
        let made = self.inner.provider.sign_up(&email, Some(password)).await;
        let uid = made.map_err(|error| sign_up_error(&email, error))?;
        self.inner.staff.merge(email.as_str(), document).await?;
        self.refresh_rights(&mut last_seen, &[email.as_str()], None)
            .await?;
        Ok(uid)
    }

    /// For adding many users of the embedded provider who share a password: hashing it is the slow
    /// part.
    pub async fn add_user_with_hash(
        &self,
        email: &str,
        name: &str,
        roles: &[Role],
        technician_id: Option<i64>,
        password: &PasswordHash,
    ) -> Result<String, ApiError> {
        let email = Email::parse_new(email)?;
        let document = new_document(&email, name, roles, technician_id)?;
        let mut last_seen = self.lock_user_changes().await?;
        let made = accounts::add(self.inner.store.writer(), &email, Some(password)).await;
        let uid = made.map_err(|error| sign_up_error(&email, error))?;
        self.inner.staff.merge(email.as_str(), document).await?;
        self.refresh_rights(&mut last_seen, &[email.as_str()], None)
            .await?;
        Ok(uid)
    }

    /// The document of every person, by id: of two the one that counts.
    pub async fn users(&self) -> Result<Vec<StaffDocument>, ApiError> {
        let mut documents = self.documents().await?;
        let by_uid = |id: &&String| Email::parse(id).is_err();
        let uids: Vec<String> = documents.keys().filter(by_uid).cloned().collect();
        for uid in uids {
            let email = match self.account_of(&uid).await? {
                Some(account) => account.email,
                None => documents[&uid].email.clone(),
            };
            let (by_uid, by_email) = (documents.get(&uid), documents.get(&email));
            if by_email.is_some() {
                let uid_counts = better(by_uid, by_email) == by_uid;
                documents.remove(if uid_counts { &email } else { &uid });
            }
        }
        Ok(documents.into_values().collect())
    }

    /// The document with this id, else the one that counts for the account with this id. 404
    /// `unknown-user`.
    pub async fn user(&self, id: &str) -> Result<StaffDocument, ApiError> {
        let id = normalized_id(id)?;
        if let Some(document) = self.inner.staff.get(&id).await? {
            return Ok(document);
        }
        let found = match self.account_of(&id).await? {
            Some(account) => self.inner.staff.find(&account.uid, &account.email).await?,
            None => None,
        };
        found.ok_or_else(|| unknown_user(&id))
    }

    /// Writes what the patch names. `make` makes a document where an email or an account has none.
    /// 404 `unknown-user`, 409 `last-owner`, `own-account`.
    pub async fn write_user(
        &self,
        by: &Caller,
        id: &str,
        patch: StaffPatch,
        make: bool,
    ) -> Result<StaffDocument, ApiError> {
        let id = normalized_id(id)?;
        let (identity, by) = (self.clone(), by.clone());
        run_detached(async move {
            let mut last_seen = identity.lock_user_changes().await?;
            let _owners = identity.lock_owners().await?;
            let before = identity.reload_documents(&mut last_seen).await?;
            identity.require_user_manager(&by, &before).await?;
            let account = identity.account_of(&id).await?;
            let document = find_document(&before, &id, account.as_ref());
            let patch = match &document {
                Some(_) => patch,
                None if make => {
                    new_document_patch(patch, &id, account).ok_or_else(|| unknown_user(&id))?
                }
                None => return Err(unknown_user(&id)),
            };
            let id = document.map_or(id, |document| document.id.clone());
            let mut after = before.clone();
            let document = after.entry(id.clone()).or_insert_with(|| StaffDocument {
                id: id.clone(),
                ..StaffDocument::default()
            });
            patch.clone().apply(document);
            identity.require_remaining_owner(&before, &after).await?;
            if removes_owner_role(&by, &before, &after) {
                return Err(own_account(
                    "You cannot take the role Owner from yourself: ask another owner",
                ));
            }
            let written = identity.inner.staff.merge(&id, patch).await?;
            // The caller is still an owner and may do all they could before.
            identity
                .refresh_rights(&mut last_seen, &[id], Some(&by.uid))
                .await?;
            Ok(written)
        })
        .await
    }

    /// Gives a user these roles in place of those they have, and refuses nothing, as
    /// [`Self::remove_user`]. 404 `unknown-user`. True when it took the last owner who could sign
    /// in.
    pub async fn set_roles(&self, email: &str, roles: &[Role]) -> Result<bool, ApiError> {
        let email = Email::parse(email)?;
        let roles = Role::distinct(roles);
        let identity = self.clone();
        run_detached(async move {
            let mut last_seen = identity.lock_user_changes().await?;
            let before = identity.reload_documents(&mut last_seen).await?;
            let account = identity.account_of(email.as_str()).await?;
            let document = find_document(&before, email.as_str(), account.as_ref());
            let mut patch = StaffPatch {
                roles: Some(roles),
                ..StaffPatch::default()
            };
            let id = match (document, account) {
                (Some(document), _) => document.id.clone(),
                (None, Some(account)) => {
                    patch.email = Some(account.email.clone());
                    patch.name = Some(account.email.clone());
                    account.email
                }
                (None, None) => return Err(unknown_user(email.as_str())),
            };
            let mut after = before.clone();
            patch.clone().apply(after.entry(id.clone()).or_default());
            let last = identity.takes_last_owner(&before, &after).await?;
            identity.inner.staff.merge(&id, patch).await?;
            identity.refresh_rights(&mut last_seen, &[id], None).await?;
            Ok(last)
        })
        .await
    }
}

/// The id as documents have it.
pub(super) fn normalized_id(id: &str) -> Result<String, ApiError> {
    if let Ok(email) = Email::parse(id) {
        return Ok(email.as_str().to_owned());
    }
    let plausible = !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.contains(char::is_control);
    if plausible {
        Ok(id.to_owned())
    } else {
        Err(unknown_user(id))
    }
}

/// The document with this id, else the one that counts for the account with this id: another
/// beside it would hide it.
fn find_document<'a>(
    documents: &'a Documents,
    id: &str,
    account: Option<&Account>,
) -> Option<&'a StaffDocument> {
    let of_account = || account.and_then(|account| effective_document(documents, account));
    documents.get(id).or_else(of_account)
}

/// A document that is new says whose it is; none for who is not known and has no email.
fn new_document_patch(patch: StaffPatch, id: &str, account: Option<Account>) -> Option<StaffPatch> {
    let email = match account {
        Some(account) => account.email,
        None => Email::parse_new(id).ok()?.as_str().to_owned(),
    };
    Some(StaffPatch {
        name: patch.name.or_else(|| Some(email.clone())),
        email: Some(email),
        ..patch
    })
}

fn new_document(
    email: &Email,
    name: &str,
    roles: &[Role],
    technician_id: Option<i64>,
) -> Result<StaffPatch, ApiError> {
    Ok(StaffPatch {
        email: Some(email.as_str().to_owned()),
        name: Some(limits::short_text("The name", name)?),
        roles: Some(Role::distinct(roles)),
        skill: Some(None),
        technician_id: Some(technician_id),
        invited: Some(false),
        invited_at: Some(None),
        ..StaffPatch::default()
    })
}

/// Names the email that is in use: a caller who adds users may know which users there are.
fn sign_up_error(email: &Email, error: ProviderError) -> ApiError {
    let in_use = matches!(error, ProviderError::EmailInUse);
    let mut error = ApiError::from(error);
    if in_use {
        error.error = format!("There is already a user with the email {}", email.as_str());
    }
    error
}

pub(super) fn unknown_user(id: &str) -> ApiError {
    let id = crate::text::quotable(id);
    let what = if id.contains('@') { "email" } else { "id" };
    ApiError::new(
        ErrorCode::UnknownUser,
        format!("There is no user with the {what} {id}"),
    )
}
