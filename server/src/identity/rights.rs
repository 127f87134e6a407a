//! What people may do, as it was seen last. Whatever changes a staff document, a call, the command
//! line or a hosted collection's own screens: whoever loses something by it is signed out, and what
//! somebody gains counts from the next request on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::sync::MutexGuard;

use super::accounts::{self, Account};
use super::email::Email;
use super::{Caller, Identity, Visibility, sessions, sign_in_again};
use crate::audit::{self, AuditEvent};
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};
use crate::staff::{Permission, Role, StaffDocument, better, events_of};

/// Every staff document by its id; none before the first look.
#[derive(Default)]
pub(super) struct Seen(Option<Documents>);

pub(super) type Documents = BTreeMap<String, StaffDocument>;

impl Identity {
    /// To be held while a user is changed: what is decided on is what is changed.
    pub(super) async fn changing(&self) -> Result<MutexGuard<'_, Seen>, ApiError> {
        let mut seen = self.inner.changing.lock().await;
        if seen.0.is_none() {
            seen.0 = Some(self.documents().await?);
        }
        Ok(seen)
    }

    /// Every document as it is now. What somebody else has changed since the last look is seen to
    /// first, so that it is not taken for part of the change to come.
    pub(super) async fn up_to_date(&self, seen: &mut Seen) -> Result<Documents, ApiError> {
        let documents = self.documents().await?;
        self.saw(seen, documents.clone(), None).await?;
        Ok(documents)
    }

    /// Whoever asked for a change while others were made may still manage users. 401 `unauthorized`
    /// where their session has ended meanwhile, 403 `forbidden`.
    pub(super) async fn require_still(
        &self,
        by: &Caller,
        documents: &Documents,
    ) -> Result<(), ApiError> {
        let session = sessions::live(self.inner.store.reader(), &by.session_id).await?;
        session.ok_or_else(sign_in_again)?;
        let roles = documents_of(documents, &by.uid, &by.email).map_or(&[][..], |now| now.roles());
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

    pub(super) async fn documents(&self) -> Result<Documents, ApiError> {
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
            let mut seen = identity.changing().await?;
            match ids {
                Some(ids) => identity.look(&mut seen, &ids, None).await,
                None => {
                    let documents = identity.documents().await?;
                    identity.saw(&mut seen, documents, None).await
                }
            }
        })
        .await
    }

    /// Whether staff documents are others than those seen last, whoever wrote them. A collection that
    /// does not answer is asked again soon, and its failures are not logged each time.
    pub async fn is_staff_stale(&self) -> bool {
        let seen = self.inner.changing.lock().await;
        match (&seen.0, self.inner.staff.all().await) {
            (Some(seen), Ok(all)) => {
                seen.len() != all.len() || all.iter().any(|now| seen.get(&now.id) != Some(now))
            }
            _ => false,
        }
    }

    /// Looks at documents after a change of one's own. `spared` goes on whatever they lose.
    pub(super) async fn look(
        &self,
        seen: &mut Seen,
        ids: &[impl AsRef<str>],
        spared: Option<&str>,
    ) -> Result<(), ApiError> {
        let mut documents = seen.0.clone().unwrap_or_default();
        for id in ids.iter().map(AsRef::as_ref) {
            match self.inner.staff.get(id).await? {
                Some(document) => documents.insert(id.to_owned(), document),
                None => documents.remove(id),
            };
        }
        self.saw(seen, documents, spared).await
    }

    async fn saw(
        &self,
        seen: &mut Seen,
        now: Documents,
        spared: Option<&str>,
    ) -> Result<(), ApiError> {
        let before = seen.0.take().unwrap_or_default();
        let changed: BTreeSet<&String> = before
            .keys()
            .chain(now.keys())
            .filter(|id| before.get(*id) != now.get(*id))
            .collect();
        let ended = self.end_where_lost(&changed, &before, &now, spared).await;
        if ended.is_ok() && !self.inner.staff.records_changes() {
            for id in changed {
                for event in events_of(before.get(id), now.get(id), false) {
                    self.inner.audit.record(event).await;
                }
            }
        }
        // Where that failed, the next look finds the same.
        seen.0 = Some(if ended.is_ok() { now } else { before });
        ended
    }

    async fn end_where_lost(
        &self,
        changed: &BTreeSet<&String>,
        before: &Documents,
        now: &Documents,
        spared: Option<&str>,
    ) -> Result<(), ApiError> {
        let mut concerned = BTreeMap::new();
        for id in changed {
            if let Some(account) = self.account_of(id).await? {
                concerned.insert(account.uid.clone(), account);
            }
        }
        for account in concerned.into_values() {
            self.inner.callers.forget_user(&account.uid);
            let lost = loses(that_counts(before, &account), that_counts(now, &account));
            if lost && spared != Some(&account.uid) {
                self.end_sessions_of(&account.uid).await?;
            }
        }
        Ok(())
    }

    /// Ends every session of a user, here and on every screen.
    pub(super) async fn end_sessions_of(&self, uid: &str) -> Result<(), ApiError> {
        self.end_sessions_with(uid, None).await
    }

    /// The same, with what the audit trail is told of it.
    pub(super) async fn end_sessions_with(
        &self,
        uid: &str,
        event: Option<AuditEvent>,
    ) -> Result<(), ApiError> {
        let transaction = self.inner.store.begin_write().await?;
        let ended = sessions::end_all_of(&transaction, uid, None).await?;
        let events = event.into_iter().collect();
        let recorded = audit::record_all(&transaction, events).await?;
        transaction.commit().await?;
        audit::announce_all(recorded);
        self.inner.callers.forget_user(uid);
        self.announce_ended(ended);
        Ok(())
    }

    /// The account that a document with this id is about.
    pub(super) async fn account_of(&self, id: &str) -> Result<Option<Account>, ApiError> {
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
            let counts = that_counts(documents, &account);
            if counts.is_some_and(|document| is_owner(document) && !document.invited) {
                owners.insert(account.uid);
            }
        }
        Ok(owners)
    }

    /// Whether a change leaves nobody who could manage users.
    pub(super) async fn takes_last_owner(
        &self,
        before: &Documents,
        after: &Documents,
    ) -> Result<bool, ApiError> {
        Ok(!self.owners(before).await?.is_empty() && self.owners(after).await?.is_empty())
    }

    /// 409 `last-owner`.
    pub(super) async fn keep_an_owner(
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
pub(super) fn demotes(caller: &Caller, before: &Documents, after: &Documents) -> bool {
    let owns = |documents: &Documents| {
        documents_of(documents, &caller.uid, &caller.email).is_some_and(is_owner)
    };
    owns(before) && !owns(after)
}

pub(super) fn own_account(sentence: &str) -> ApiError {
    ApiError::new(ErrorCode::OwnAccount, sentence)
}

/// Of a person's two documents the one that counts.
pub(super) fn that_counts<'a>(
    documents: &'a Documents,
    account: &Account,
) -> Option<&'a StaffDocument> {
    documents_of(documents, &account.uid, &account.email)
}

fn documents_of<'a>(documents: &'a Documents, uid: &str, email: &str) -> Option<&'a StaffDocument> {
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
    fn who_has_a_role_or_their_orders_no_more_has_lost_something() {
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
