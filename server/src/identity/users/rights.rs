//! What people may do, as the server saw it last. A call, the command line or a hosted collection's own
//! screens may change a staff document. A person who loses rights by the change is signed out. Rights
//! that a person gains count from the next request on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dispatch_actors::store::WriteTransaction;
use tokio::sync::MutexGuard;

use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};
use crate::identity::accounts::{self, Account};
use crate::identity::email::Email;
use crate::identity::sessions::SessionEndCause;
use crate::identity::sessions::authentication::sign_in_again;
use crate::identity::{Caller, Identity, Visibility, sessions};
use crate::staff::{Permission, Role, StaffDocument, better, events_of};

/// The lock of whoever makes sure that an owner is left.
pub(in crate::identity) const OWNERS_LOCK: &str = "owners";

/// Every staff document by its id, as it was read last; none before the first read.
#[derive(Default)]
pub(in crate::identity) struct LastSeenStaff(Option<Documents>);

pub(in crate::identity) type Documents = BTreeMap<String, StaffDocument>;

/// Who has changed documents.
#[derive(Clone, Copy)]
enum Changer<'a> {
    /// This server, for somebody who may keep their own sessions.
    Ours { exempt_uid: Option<&'a str> },
    /// Another server, perhaps, for an owner who took another role from themselves. Who may keep their sessions it knows
    /// alone, and has ended the others'.
    Unknown,
}

impl Changer<'_> {
    /// Whether somebody who loses something goes on.
    fn exempts(self, uid: &str, was: Option<&StaffDocument>, is: Option<&StaffDocument>) -> bool {
        match self {
            Self::Ours { exempt_uid } => exempt_uid == Some(uid),
            // They may do all they could before.
            Self::Unknown => was.is_some_and(is_owner) && is.is_some_and(is_owner),
        }
    }
}

impl Identity {
    /// Locks users while one of them is changed, so that nobody else changes what is decided on.
    pub(in crate::identity) async fn lock_user_changes(
        &self,
    ) -> Result<MutexGuard<'_, LastSeenStaff>, ApiError> {
        let mut last_seen = self.inner.user_changes.lock().await;
        if last_seen.0.is_none() {
            last_seen.0 = Some(self.documents().await?);
        }
        Ok(last_seen)
    }

    /// The same among all servers of the database, for what is refused by who else is there: of two owners who take
    /// the role from each other at two servers one is left.
    pub(in crate::identity) async fn lock_owners(
        &self,
    ) -> Result<Option<WriteTransaction>, ApiError> {
        Ok(self.inner.store.lock_among_servers(OWNERS_LOCK).await?)
    }

    /// Every document as it is now. Applies what somebody else has changed since the last read, so that
    /// it does not count as part of the change to come.
    pub(in crate::identity) async fn reload_documents(
        &self,
        last_seen: &mut LastSeenStaff,
    ) -> Result<Documents, ApiError> {
        let documents = self.documents().await?;
        self.apply_documents(last_seen, documents.clone(), Changer::Unknown)
            .await?;
        Ok(documents)
    }

    /// Checks that the caller may still manage users after the changes before theirs. 401
    /// `unauthorized` when their session has ended meanwhile, 403 `forbidden`.
    pub(in crate::identity) async fn require_user_manager(
        &self,
        by: &Caller,
        documents: &Documents,
    ) -> Result<(), ApiError> {
        let session = sessions::live(self.inner.store.reader(), &by.session_id).await?;
        session.ok_or_else(sign_in_again)?;
        let roles = document_of(documents, &by.uid, &by.email).map_or(&[][..], |now| now.roles());
        if Permission::ManageUsers.granted_to(roles) {
            Ok(())
        } else {
            Err(ApiError::forbidden(Permission::ManageUsers.refusal()))
        }
    }

    /// Whether the account with this user id is somebody who may do that now.
    pub async fn is_still_permitted(
        &self,
        uid: &str,
        permission: Permission,
    ) -> Result<bool, ApiError> {
        let Some(account) = accounts::by_uid(self.inner.store.reader(), uid).await? else {
            return Ok(false);
        };
        let document = self.inner.staff.find(&account.uid, &account.email).await?;
        Ok(document.is_some_and(|document| permission.granted_to(document.roles())))
    }

    pub(in crate::identity) async fn documents(&self) -> Result<Documents, ApiError> {
        let all = self.inner.staff.all().await?;
        Ok(all
            .into_iter()
            .map(|document| (document.id.clone(), document))
            .collect())
    }

    /// Reads staff documents that somebody may have changed, all of them without `ids`.
    pub async fn reload_staff(&self, ids: Option<Vec<Arc<str>>>) -> Result<(), ApiError> {
        let identity = self.clone();
        run_detached(async move {
            let mut last_seen = identity.lock_user_changes().await?;
            match ids {
                Some(ids) => {
                    let documents = identity.documents_with(&last_seen, &ids).await?;
                    identity
                        .apply_documents(&mut last_seen, documents, Changer::Unknown)
                        .await
                }
                None => {
                    let documents = identity.documents().await?;
                    identity
                        .apply_documents(&mut last_seen, documents, Changer::Unknown)
                        .await
                }
            }
        })
        .await
    }

    /// Whether staff documents are others than those seen last, whoever wrote them. A collection that
    /// does not answer is asked again soon, and its failures are not logged each time.
    pub async fn is_staff_stale(&self) -> bool {
        let last_seen = self.inner.user_changes.lock().await;
        match (&last_seen.0, self.inner.staff.all().await) {
            (Some(last_seen), Ok(all)) => {
                last_seen.len() != all.len()
                    || all.iter().any(|now| last_seen.get(&now.id) != Some(now))
            }
            _ => false,
        }
    }

    /// Reads documents again after a change of our own. The user `exempt_uid` keeps their sessions.
    pub(in crate::identity) async fn refresh_rights(
        &self,
        last_seen: &mut LastSeenStaff,
        ids: &[impl AsRef<str>],
        exempt_uid: Option<&str>,
    ) -> Result<(), ApiError> {
        let documents = self.documents_with(last_seen, ids).await?;
        let changer = Changer::Ours { exempt_uid };
        self.apply_documents(last_seen, documents, changer).await
    }

    /// Those seen last, and these as they are now.
    async fn documents_with(
        &self,
        last_seen: &LastSeenStaff,
        ids: &[impl AsRef<str>],
    ) -> Result<Documents, ApiError> {
        let mut documents = last_seen.0.clone().unwrap_or_default();
        for id in ids.iter().map(AsRef::as_ref) {
            match self.inner.staff.get(id).await? {
                Some(document) => documents.insert(id.to_owned(), document),
                None => documents.remove(id),
            };
        }
        Ok(documents)
    }

    async fn apply_documents(
        &self,
        last_seen: &mut LastSeenStaff,
        now: Documents,
        changer: Changer<'_>,
    ) -> Result<(), ApiError> {
        let before = last_seen.0.take().unwrap_or_default();
        let changed: BTreeSet<&String> = before
            .keys()
            .chain(now.keys())
            .filter(|id| before.get(*id) != now.get(*id))
            .collect();
        let ended = self.end_where_lost(&changed, &before, &now, changer).await;
        if ended.is_ok() && !self.inner.staff.records_changes() {
            for id in changed {
                for event in events_of(before.get(id), now.get(id), false) {
                    self.inner.audit.record(event).await;
                }
            }
        }
        // Where that failed, the next look finds the same.
        last_seen.0 = Some(if ended.is_ok() { now } else { before });
        ended
    }

    async fn end_where_lost(
        &self,
        changed: &BTreeSet<&String>,
        before: &Documents,
        now: &Documents,
        changer: Changer<'_>,
    ) -> Result<(), ApiError> {
        let mut concerned = BTreeMap::new();
        for id in changed {
            if let Some(account) = self.account_of(id).await? {
                concerned.insert(account.uid.clone(), account);
            }
        }
        for account in concerned.into_values() {
            self.inner.callers.forget_user(&account.uid);
            let (was, is) = (
                effective_document(before, &account),
                effective_document(now, &account),
            );
            if loses(was, is) && !changer.exempts(&account.uid, was, is) {
                let cause = SessionEndCause::RightsChanged;
                self.end_sessions_of(&account.uid, cause).await?;
            }
        }
        Ok(())
    }

    /// The account that a document with this id is about.
    pub(in crate::identity) async fn account_of(
        &self,
        id: &str,
    ) -> Result<Option<Account>, ApiError> {
        let reader = self.inner.store.reader();
        if let Some(account) = accounts::by_uid(reader, id).await? {
            return Ok(Some(account));
        }
        match Email::parse(id) {
            Ok(email) => Ok(accounts::by_email(reader, &email).await?),
            Err(_) => Ok(None),
        }
    }

    /// The user ids of the owners who can sign in.
    async fn owners(&self, documents: &Documents) -> Result<BTreeSet<String>, ApiError> {
        let mut owners = BTreeSet::new();
        for document in documents.values().filter(|document| is_owner(document)) {
            let Some(account) = self.account_of(&document.id).await? else {
                continue;
            };
            let counts = effective_document(documents, &account);
            if counts.is_some_and(|document| is_owner(document) && !document.invited) {
                owners.insert(account.uid);
            }
        }
        Ok(owners)
    }

    /// Whether a change leaves nobody who could manage users.
    pub(in crate::identity) async fn takes_last_owner(
        &self,
        before: &Documents,
        after: &Documents,
    ) -> Result<bool, ApiError> {
        Ok(!self.owners(before).await?.is_empty() && self.owners(after).await?.is_empty())
    }

    /// 409 `last-owner`.
    pub(in crate::identity) async fn require_remaining_owner(
        &self,
        before: &Documents,
        after: &Documents,
    ) -> Result<(), ApiError> {
        if !self.takes_last_owner(before, after).await? {
            return Ok(());
        }
        Err(ApiError::new(
            ErrorCode::LastOwner,
            "This is the last owner who can sign in: make somebody else an owner first",
        ))
    }
}

/// Whether a change makes an owner of the shop none.
pub(in crate::identity) fn removes_owner_role(
    caller: &Caller,
    before: &Documents,
    after: &Documents,
) -> bool {
    let owns = |documents: &Documents| {
        document_of(documents, &caller.uid, &caller.email).is_some_and(is_owner)
    };
    owns(before) && !owns(after)
}

pub(in crate::identity) fn own_account(sentence: &str) -> ApiError {
    ApiError::new(ErrorCode::OwnAccount, sentence)
}

/// Of a person's two documents the one that counts.
pub(in crate::identity) fn effective_document<'a>(
    documents: &'a Documents,
    account: &Account,
) -> Option<&'a StaffDocument> {
    document_of(documents, &account.uid, &account.email)
}

fn document_of<'a>(documents: &'a Documents, uid: &str, email: &str) -> Option<&'a StaffDocument> {
    better(documents.get(uid), documents.get(email))
}

fn is_owner(document: &StaffDocument) -> bool {
    document.roles().contains(&Role::Owner)
}

/// Whether somebody has a role, or their own orders, no more; or sees less, as an advisor does who
/// becomes a technician, too.
fn loses(before: Option<&StaffDocument>, now: Option<&StaffDocument>) -> bool {
    let Some(before) = before else { return false };
    let (roles, technician) = now.map_or((&[][..], None), |now| (now.roles(), now.technician_id));
    let lost_role = before.roles().iter().any(|role| !roles.contains(role));
    let saw = Visibility::of(before.roles(), before.technician_id);
    lost_role
        || (before.technician_id.is_some() && before.technician_id != technician)
        || saw.is_narrowed_by(Visibility::of(roles, technician))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(roles: &[Role], technician_id: Option<i64>) -> StaffDocument {
        StaffDocument {
            roles: Some(roles.to_vec()),
            technician_id,
            ..StaffDocument::default()
        }
    }

    #[test]
    fn a_lost_role_or_technician_is_a_loss_of_rights() {
        let owner = document(&[Role::Owner, Role::Used], None);
        let technician = document(&[Role::Technician], Some(7));
        for (before, now, lost) in [
            (None, Some(&owner), false),
            (Some(&owner), None, true),
            (Some(&owner), Some(&owner), false),
            (Some(&owner), Some(&document(&[Role::Owner], None)), true),
            (Some(&document(&[Role::Owner], None)), Some(&owner), false),
            (
                Some(&technician),
                Some(&document(&[Role::Technician], Some(8))),
                true,
            ),
            (
                Some(&technician),
                Some(&document(&[Role::Technician], None)),
                true,
            ),
            (
                Some(&document(&[Role::Technician], None)),
                Some(&technician),
                false,
            ),
            (
                Some(&document(&[Role::Advisor], None)),
                Some(&document(&[Role::Advisor, Role::Technician], None)),
                true,
            ),
        ] {
            assert_eq!(loses(before, now), lost, "{before:?} {now:?}");
        }
    }
}
