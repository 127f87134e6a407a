//! Removes users: their accounts, their staff documents and their sessions.

use super::changes::{normalized_id, unknown_user};
use super::rights::{Documents, LastSeenStaff, own_account};
use crate::audit::{AuditEvent, AuditKind};
use crate::change_request::run_detached;
use crate::error::ApiError;
use crate::identity::accounts::{self, Account};
use crate::identity::sessions::SessionEndCause::AccountRemoved;
use crate::identity::{Caller, Email, Identity};

impl Identity {
    /// Removes the account, the staff documents and the sessions of a user. 404 `unknown-user`, 409
    /// `last-owner`, `own-account`.
    pub async fn delete_user(&self, by: &Caller, id: &str) -> Result<(), ApiError> {
        let id = normalized_id(id)?;
        let (identity, by) = (self.clone(), by.clone());
        run_detached(async move {
            let mut last_seen = identity.lock_user_changes().await?;
            let _owners = identity.lock_owners().await?;
            let before = identity.reload_documents(&mut last_seen).await?;
            identity.require_user_manager(&by, &before).await?;
            let removal = identity.removal(&id, &mut last_seen).await?;
            identity
                .require_remaining_owner(&removal.before, &removal.after())
                .await?;
            if removal.is_of(&by) {
                return Err(own_account(
                    "You cannot delete your own account: ask another owner",
                ));
            }
            identity.execute_removal(removal, &mut last_seen).await
        })
        .await
    }

    /// The same from the command line, for an operator who is locked out. Refuses nothing.
    /// True when it took the last owner who could sign in.
    pub async fn remove_user(&self, email: &str) -> Result<bool, ApiError> {
        let email = Email::parse(email)?;
        let identity = self.clone();
        run_detached(async move {
            let mut last_seen = identity.lock_user_changes().await?;
            let removal = identity.removal(email.as_str(), &mut last_seen).await?;
            let last = identity
                .takes_last_owner(&removal.before, &removal.after())
                .await?;
            identity.execute_removal(removal, &mut last_seen).await?;
            Ok(last)
        })
        .await
    }

    /// Finds everything there is of a user. 404 `unknown-user`.
    async fn removal(&self, id: &str, last_seen: &mut LastSeenStaff) -> Result<Removal, ApiError> {
        let before = self.reload_documents(last_seen).await?;
        let account = self.account_of(id).await?;
        let of_account = account.iter().flat_map(|a| [a.uid.as_str(), &a.email]);
        let mut ids: Vec<String> = of_account
            .chain([id])
            .filter(|id| before.contains_key(*id))
            .map(str::to_owned)
            .collect();
        ids.sort();
        ids.dedup();
        if ids.is_empty() && account.is_none() {
            return Err(unknown_user(id));
        }
        Ok(Removal {
            before,
            account,
            ids,
        })
    }

    async fn execute_removal(
        &self,
        removal: Removal,
        last_seen: &mut LastSeenStaff,
    ) -> Result<(), ApiError> {
        let inner = &self.inner;
        for id in &removal.ids {
            inner.staff.delete(id).await?;
        }
        if let Some(account) = &removal.account {
            // First, so that open sockets hear of it: deleting the account deletes its sessions.
            self.end_sessions_of(&account.uid, AccountRemoved).await?;
            inner.provider.delete(&account.uid).await?;
            accounts::delete(inner.store.writer(), &account.uid).await?;
            self.end_sessions_of(&account.uid, AccountRemoved).await?;
            if removal.ids.is_empty() {
                let event = AuditEvent::done(AuditKind::UserRemoved)
                    .about(&account.uid, &account.email)
                    .with_detail("account without a staff document");
                inner.audit.record(event).await;
            }
        } else {
            // Of somebody who never signed in here a hosted provider may know.
            for uid in removal.ids.iter().filter(|id| !id.contains('@')) {
                inner.provider.delete(uid).await?;
            }
        }
        self.refresh_rights(last_seen, &removal.ids, None).await
    }
}

/// The account and the staff documents of a user who is to be removed.
struct Removal {
    before: Documents,
    account: Option<Account>,
    ids: Vec<String>,
}

impl Removal {
    fn after(&self) -> Documents {
        let mut after = self.before.clone();
        after.retain(|id, _| !self.ids.contains(id));
        after
    }

    fn is_of(&self, caller: &Caller) -> bool {
        let account = self.account.as_ref();
        account.is_some_and(|account| account.uid == caller.uid)
    }
}
