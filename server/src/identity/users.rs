//! Adding and removing users and changing what they may do, decided and carried out one after the
//! other.

use super::accounts::{self, Account};
use super::email::Email;
use super::passwords::PasswordHash;
use super::provider::ProviderError;
use super::rights::{Documents, Seen, demotes, own_account, that_counts};
use super::{Caller, Identity, devices, sessions, trail, two_factor};
use crate::answer::Answer;
use crate::audit::{AuditEvent, AuditKind};
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};
use crate::identity::own_account_routes::SessionView;
use crate::identity::own_account_routes::session_views;
use crate::limits;
use crate::staff::{Role, StaffDocument, StaffPatch, better};

/// Bytes of a document's id; hosted collections take more, and their user ids are shorter.
const LONGEST_ID: usize = 254;

impl Identity {
    pub async fn count_accounts(&self) -> Result<u64, ApiError> {
        Ok(accounts::count(self.inner.store.reader()).await?)
    }

    pub async fn has_account(&self, email: &str) -> Result<bool, ApiError> {
        let email = Email::parse(email)?;
        let account = accounts::by_email(self.inner.store.reader(), &email).await?;
        Ok(account.is_some())
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
        let mut seen = self.changing().await?;
        let made = self.inner.provider.sign_up(&email, Some(password)).await;
        let uid = made.map_err(|error| about(&email, error))?;
        self.inner.staff.merge(email.as_str(), document).await?;
        self.look(&mut seen, &[email.as_str()], None).await?;
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
        let mut seen = self.changing().await?;
        let made = accounts::add(self.inner.store.writer(), &email, Some(password)).await;
        let uid = made.map_err(|error| about(&email, error))?;
        self.inner.staff.merge(email.as_str(), document).await?;
        self.look(&mut seen, &[email.as_str()], None).await?;
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
        let id = normal(id)?;
        if let Some(document) = self.inner.staff.get(&id).await? {
            return Ok(document);
        }
        let found = match self.account_of(&id).await? {
            Some(account) => self.inner.staff.find(&account.uid, &account.email).await?,
            None => None,
        };
        found.ok_or_else(|| unknown(&id))
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
        let id = normal(id)?;
        let (identity, by) = (self.clone(), by.clone());
        run_detached(async move {
            let mut seen = identity.changing().await?;
            let before = identity.up_to_date(&mut seen).await?;
            identity.require_still(&by, &before).await?;
            let account = identity.account_of(&id).await?;
            let known = known(&before, &id, account.as_ref());
            let patch = match &known {
                Some(_) => patch,
                None if make => begun(patch, &id, account).ok_or_else(|| unknown(&id))?,
                None => return Err(unknown(&id)),
            };
            let id = known.map_or(id, |document| document.id.clone());
            let mut after = before.clone();
            let document = after.entry(id.clone()).or_insert_with(|| StaffDocument {
                id: id.clone(),
                ..StaffDocument::default()
            });
            patch.clone().apply(document);
            identity.keep_an_owner(&before, &after).await?;
            if demotes(&by, &before, &after) {
                return Err(own_account(
                    "You cannot take the role Owner from yourself: ask another owner",
                ));
            }
            let written = identity.inner.staff.merge(&id, patch).await?;
            // Whoever stays an owner may do all they could before.
            identity.look(&mut seen, &[id], Some(&by.uid)).await?;
            Ok(written)
        })
        .await
    }

    /// Removes the account, the staff documents and the sessions of a user. 404 `unknown-user`, 409
    /// `last-owner`, `own-account`.
    pub async fn delete_user(&self, by: &Caller, id: &str) -> Result<(), ApiError> {
        let id = normal(id)?;
        let (identity, by) = (self.clone(), by.clone());
        run_detached(async move {
            let mut seen = identity.changing().await?;
            let before = identity.up_to_date(&mut seen).await?;
            identity.require_still(&by, &before).await?;
            let removal = identity.removal(&id, &mut seen).await?;
            identity
                .keep_an_owner(&removal.before, &removal.after())
                .await?;
            if removal.is_of(&by) {
                return Err(own_account(
                    "You cannot delete your own account: ask another owner",
                ));
            }
            identity.carry_out(removal, &mut seen).await
        })
        .await
    }

    /// The same from the command line, the way out for whoever is locked out: refuses nothing.
    /// True when it took the last owner who could sign in.
    pub async fn remove_user(&self, email: &str) -> Result<bool, ApiError> {
        let email = Email::parse(email)?;
        let identity = self.clone();
        run_detached(async move {
            let mut seen = identity.changing().await?;
            let removal = identity.removal(email.as_str(), &mut seen).await?;
            let last = identity
                .takes_last_owner(&removal.before, &removal.after())
                .await?;
            identity.carry_out(removal, &mut seen).await?;
            Ok(last)
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
            let mut seen = identity.changing().await?;
            let before = identity.up_to_date(&mut seen).await?;
            let account = identity.account_of(email.as_str()).await?;
            let known = known(&before, email.as_str(), account.as_ref());
            let mut patch = StaffPatch {
                roles: Some(roles),
                ..StaffPatch::default()
            };
            let id = match (known, account) {
                (Some(document), _) => document.id.clone(),
                (None, Some(account)) => {
                    patch.email = Some(account.email.clone());
                    patch.name = Some(account.email.clone());
                    account.email
                }
                (None, None) => return Err(unknown(email.as_str())),
            };
            let mut after = before.clone();
            patch.clone().apply(after.entry(id.clone()).or_default());
            let last = identity.takes_last_owner(&before, &after).await?;
            identity.inner.staff.merge(&id, patch).await?;
            identity.look(&mut seen, &[id], None).await?;
            Ok(last)
        })
        .await
    }

    /// Ends every session of somebody. 404 `unknown-user`.
    pub async fn sign_out_user(&self, email: &str) -> Result<(), ApiError> {
        let email = Email::parse(email)?;
        let account = accounts::by_email(self.inner.store.reader(), &email).await?;
        let account = account.ok_or_else(|| unknown(email.as_str()))?;
        let identity = self.clone();
        run_detached(async move {
            let event = trail::sessions_ended(&account.uid, &account.email, "all");
            identity.end_sessions_with(&account.uid, Some(event)).await
        })
        .await
    }

    /// The sessions of somebody on the staff, the last used first. 404 `unknown-user`.
    pub async fn sessions_of_user(
        &self,
        by: &Caller,
        id: &str,
    ) -> Result<Answer<Vec<SessionView>>, ApiError> {
        let sessions = match self.account_of_user(id).await? {
            Some(account) => sessions::all_of(self.inner.store.reader(), &account.uid).await?,
            None => Vec::new(),
        };
        session_views(by, sessions)
    }

    /// Ends one of somebody's sessions. 404 `unknown-user`, `unknown-session`.
    pub async fn end_session_of_user(&self, id: &str, session: &str) -> Result<(), ApiError> {
        let account = self.account_of_user(id).await?;
        let reader = self.inner.store.reader();
        let is_theirs = |found: &sessions::Session| {
            account
                .as_ref()
                .is_some_and(|account| account.uid == found.uid)
        };
        let found = sessions::live(reader, session).await?.filter(is_theirs);
        let (Some(account), Some(found)) = (&account, found) else {
            return Err(ApiError::new(
                ErrorCode::UnknownSession,
                "This session has ended already, or is not this person's",
            ));
        };
        let event = trail::sessions_ended(&account.uid, &account.email, "one, by an owner");
        self.end_session_with(found.id, Some(event)).await
    }

    /// Signs somebody out everywhere. 404 `unknown-user`.
    pub async fn end_sessions_of_user(&self, id: &str) -> Result<(), ApiError> {
        let Some(account) = self.account_of_user(id).await? else {
            return Ok(());
        };
        let identity = self.clone();
        run_detached(async move {
            let event = trail::sessions_ended(&account.uid, &account.email, "all, by an owner");
            identity.end_sessions_with(&account.uid, Some(event)).await
        })
        .await
    }

    /// None for who is on the staff and has no account yet. 404 `unknown-user`.
    async fn account_of_user(&self, id: &str) -> Result<Option<Account>, ApiError> {
        let id = normal(id)?;
        match self.account_of(&id).await? {
            Some(account) => Ok(Some(account)),
            // A record may be under another id than its account's.
            None => match Email::parse(&self.user(&id).await?.email) {
                Ok(email) => Ok(accounts::by_email(self.inner.store.reader(), &email).await?),
                Err(_) => Ok(None),
            },
        }
    }

    /// Takes the second factor from a user who has lost it, and signs them out everywhere: whoever
    /// has it should not go on. 404 `unknown-user`, 409 `two-factor-off`.
    pub async fn reset_two_factor(&self, email: &str) -> Result<(), ApiError> {
        let email = Email::parse(email)?;
        let identity = self.clone();
        run_detached(async move {
            let store = &identity.inner.store;
            let account = accounts::by_email(store.reader(), &email)
                .await?
                .ok_or_else(|| unknown(email.as_str()))?;
            let state = two_factor::state(store.reader(), &account.uid).await?;
            if state != two_factor::State::On {
                return Err(super::own_account::two_factor_off());
            }
            let transaction = store.begin_write().await?;
            let recorded = two_factor::end(&transaction, &account.uid).await?;
            devices::forget_all(&transaction, &account.uid).await?;
            transaction.commit().await?;
            recorded.announce();
            identity.end_sessions_of(&account.uid).await
        })
        .await
    }

    /// What there is of a user. 404 `unknown-user`.
    async fn removal(&self, id: &str, seen: &mut Seen) -> Result<Removal, ApiError> {
        let before = self.up_to_date(seen).await?;
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
            return Err(unknown(id));
        }
        Ok(Removal {
            before,
            account,
            ids,
        })
    }

    async fn carry_out(&self, removal: Removal, seen: &mut Seen) -> Result<(), ApiError> {
        let inner = &self.inner;
        for id in &removal.ids {
            inner.staff.delete(id).await?;
        }
        if let Some(account) = &removal.account {
            // Before the account goes and takes them along, so that they can be told.
            self.end_sessions_of(&account.uid).await?;
            inner.provider.delete(&account.uid).await?;
            accounts::delete(inner.store.writer(), &account.uid).await?;
            self.end_sessions_of(&account.uid).await?;
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
        self.look(seen, &removal.ids, None).await
    }
}

/// What of a user is to be removed.
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

/// The id as documents have it.
fn normal(id: &str) -> Result<String, ApiError> {
    if let Ok(email) = Email::parse(id) {
        return Ok(email.as_str().to_owned());
    }
    let plausible = !id.is_empty() && id.len() <= LONGEST_ID && !id.contains(char::is_control);
    if plausible {
        Ok(id.to_owned())
    } else {
        Err(unknown(id))
    }
}

/// The document with this id, else the one that counts for the account with this id: another
/// beside it would hide it.
fn known<'a>(
    documents: &'a Documents,
    id: &str,
    account: Option<&Account>,
) -> Option<&'a StaffDocument> {
    let of_account = || account.and_then(|account| that_counts(documents, account));
    documents.get(id).or_else(of_account)
}

/// A document that is new says whose it is; none for who is not known and has no email.
fn begun(patch: StaffPatch, id: &str, account: Option<Account>) -> Option<StaffPatch> {
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

/// Whoever adds users may know which there are.
fn about(email: &Email, error: ProviderError) -> ApiError {
    let in_use = matches!(error, ProviderError::EmailInUse);
    let mut error = ApiError::from(error);
    if in_use {
        error.error = format!("There is already a user with the email {}", email.as_str());
    }
    error
}

fn unknown(id: &str) -> ApiError {
    let id = crate::text::quotable(id);
    let what = if id.contains('@') { "email" } else { "id" };
    ApiError::new(
        ErrorCode::UnknownUser,
        format!("There is no user with the {what} {id}"),
    )
}
