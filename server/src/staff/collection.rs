//! The staff collection, wherever it is kept: one document a person, whose id is their email in
//! lower case or their user id.

use std::borrow::Borrow;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use dispatch_actors::store::TopicListener;
use jiff::Timestamp;
use sea_orm::DbErr;
use tokio::sync::broadcast;

use super::Role;
use crate::error::ApiError;

/// A person's staff record; how they sign in is kept elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StaffDocument {
    /// An email in lower case, or a user id.
    pub id: String,
    pub email: String,
    pub name: String,
    /// None where the document has no roles: another document of the same person counts.
    pub roles: Option<Vec<Role>>,
    pub skill: Option<String>,
    pub technician_id: Option<i64>,
    /// Invited, and not signed in yet.
    pub invited: bool,
    pub invited_at: Option<Timestamp>,
    /// What the debug page writes. It is shown there, and grants nothing.
    pub role: Option<String>,
    pub created_at: Option<Timestamp>,
}

impl StaffDocument {
    /// Empty where the document has no roles.
    pub fn roles(&self) -> &[Role] {
        self.roles.as_deref().unwrap_or_default()
    }
}

/// The fields that a write names; all others stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StaffPatch {
    pub email: Option<String>,
    pub name: Option<String>,
    pub roles: Option<Vec<Role>>,
    pub skill: Option<Option<String>>,
    pub technician_id: Option<Option<i64>>,
    pub invited: Option<bool>,
    pub invited_at: Option<Option<Timestamp>>,
    pub role: Option<Option<String>>,
    pub created_at: Option<Option<Timestamp>>,
}

impl StaffPatch {
    pub fn apply(self, document: &mut StaffDocument) {
        fn put<T>(field: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *field = value;
            }
        }
        put(&mut document.email, self.email);
        put(&mut document.name, self.name);
        if let Some(roles) = self.roles {
            document.roles = Some(roles);
        }
        put(&mut document.skill, self.skill);
        put(&mut document.technician_id, self.technician_id);
        put(&mut document.invited, self.invited);
        put(&mut document.invited_at, self.invited_at);
        put(&mut document.role, self.role);
        put(&mut document.created_at, self.created_at);
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StaffError {
    #[error("the database did not answer: {0}")]
    Database(#[from] DbErr),
    /// A hosted collection.
    #[error("the staff collection cannot be reached: {0}")]
    Unreachable(String),
}

impl From<StaffError> for ApiError {
    fn from(error: StaffError) -> Self {
        tracing::error!(%error, "the staff collection failed");
        Self::unavailable()
    }
}

/// A document was written or deleted, by whomever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffChange {
    /// None: any may have changed.
    pub id: Option<Arc<str>>,
}

#[async_trait]
pub trait StaffCollection: Send + Sync {
    async fn get(&self, id: &str) -> Result<Option<StaffDocument>, StaffError>;

    /// Every document, by id.
    async fn all(&self) -> Result<Vec<StaffDocument>, StaffError>;

    /// The documents whose roles contain this one, by id.
    async fn with_role(&self, role: Role) -> Result<Vec<StaffDocument>, StaffError>;

    /// Writes the fields the patch names; makes the document where there is none.
    async fn merge(&self, id: &str, patch: StaffPatch) -> Result<StaffDocument, StaffError>;

    /// The same, but nothing where there is no document.
    async fn update(
        &self,
        id: &str,
        patch: StaffPatch,
    ) -> Result<Option<StaffDocument>, StaffError>;

    /// False when there was none.
    async fn delete(&self, id: &str) -> Result<bool, StaffError>;

    /// Whether each change also writes the audit trail; else the trail is written when the change
    /// is seen.
    fn records_changes(&self) -> bool {
        false
    }

    /// Changes from here on, by every process; or by this process alone, and then
    /// [`Self::reread_interval`] says how soon the others' changes are found.
    fn changes(&self) -> broadcast::Receiver<StaffChange>;

    /// What other servers say of the collection, from this call on.
    fn change_listener(&self) -> TopicListener {
        TopicListener::default()
    }

    /// How often everything is read for changes of other processes; none where those are received.
    fn reread_interval(&self) -> Option<Duration> {
        None
    }

    /// The document of an account: the one with its user id, else the one with its email; a
    /// document without roles gives way to one with roles.
    async fn find(&self, uid: &str, email: &str) -> Result<Option<StaffDocument>, StaffError> {
        let by_uid = self.get(uid).await?;
        if by_uid
            .as_ref()
            .is_some_and(|document| document.roles.is_some())
        {
            return Ok(by_uid);
        }
        Ok(better(by_uid, self.get(email).await?))
    }
}

/// The one of a person's two documents that counts.
pub(crate) fn better<T: Borrow<StaffDocument>>(
    by_uid: Option<T>,
    by_email: Option<T>,
) -> Option<T> {
    match (by_uid, by_email) {
        (Some(by_uid), Some(by_email)) if by_uid.borrow().roles.is_none() => Some(by_email),
        (Some(by_uid), _) => Some(by_uid),
        (None, by_email) => by_email,
    }
}
