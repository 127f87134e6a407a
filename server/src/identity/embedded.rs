//! The provider that needs nothing: accounts in our own database.

use async_trait::async_trait;
use dispatch_actors::store::Store;
use sha2::{Digest, Sha256};

use super::account_mails::links;
use super::account_mails::mail_queue::MailQueue;
use super::account_mails::queued_mails;
use super::accounts::{self, Account};
use super::email::Email;
use super::passwords::hash_queue::Requester;
use super::passwords::{self, PasswordCheck, PasswordHash};
use super::provider::{
    IdentityProvider, LinkPurpose, PasswordPolicy, PasswordSet, ProviderError, Verified,
};
use super::sessions::SessionEndCause;
use super::sign_in::devices;
use super::{sessions, trail};
use crate::audit::{self, Actor, AuditEvent, AuditKind};
use crate::staff::{StaffCollection, StaffDocuments};

pub struct Embedded {
    store: Store,
    policy: PasswordPolicy,
    mails: MailQueue,
}

impl Embedded {
    pub fn new(store: Store, policy: PasswordPolicy, mails: MailQueue) -> Self {
        Self {
            store,
            policy,
            mails,
        }
    }

    async fn new_hash(
        &self,
        requester: Requester,
        email: &str,
        password: &str,
    ) -> Result<PasswordHash, ProviderError> {
        let document = StaffDocuments::new(self.store.clone()).get(email).await;
        let name = document.ok().flatten().map(|document| document.name);
        self.policy
            .allow(password, &[email, name.as_deref().unwrap_or_default()])?;
        passwords::hash_for(requester, password.to_owned()).await
    }

    /// Sessions, but for the one it is changed in, devices and links go with the password before, and
    /// mails that would bring more.
    async fn set_password(
        &self,
        mut account: Account,
        password: &PasswordHash,
        by: PasswordProof<'_>,
    ) -> Result<PasswordSet, ProviderError> {
        let uid = &account.uid.clone();
        let (link, session) = match by {
            PasswordProof::Link(link) => (Some(link), None),
            PasswordProof::Session(session) => (None, Some(session)),
            PasswordProof::Operator => (None, None),
        };
        let transaction = self.store.begin_write().await?;
        // Before links, as whoever sends mails takes them.
        queued_mails::delete_links_of(&transaction, &account.email).await?;
        let mut is_invitation = false;
        if let Some(link) = link {
            is_invitation = links::is_invitation(&transaction, link).await?;
            links::take(&transaction, link).await?;
        }
        links::delete_all_of(&transaction, uid).await?;
        if !accounts::set_password(&transaction, uid, password, None).await? {
            return Err(ProviderError::Ended);
        }
        account.password_hash = password.as_str().to_owned();
        let cause = SessionEndCause::PasswordChanged;
        let ended = sessions::end_all_of(&transaction, uid, session, cause).await?;
        if let Some(session) = session {
            sessions::set_grant(&transaction, session, Some(grant(&account))).await?;
        }
        devices::forget_all(&transaction, uid).await?;
        if link.is_some() {
            audit::act_as(Actor::person(uid, &account.email));
        }
        let email = Email::parse(&account.email)
            .map_err(|error| ProviderError::Broken(error.to_string()))?;
        let recorded = if is_invitation {
            let event = AuditEvent::done(AuditKind::PasswordChanged)
                .about(uid, &account.email)
                .with_detail("the first one, by an invitation");
            audit::record(&transaction, event).await?
        } else {
            let detail = link.map_or("", |_| "by a mailed link");
            trail::password_changed(&transaction, uid, &email, detail).await?
        };
        transaction.commit().await?;
        recorded.announce();
        Ok(PasswordSet {
            verified: verified(account, &email),
            ended,
        })
    }

    /// Whose email and password these are.
    async fn check_password(
        &self,
        requester: Requester,
        email: &Email,
        password: &str,
    ) -> Result<Account, ProviderError> {
        // First, so that whoever there is no room for costs nothing more.
        let place = passwords::hash_permit(requester).await?;
        let account = accounts::by_email(self.store.reader(), email).await?;
        let imported = accounts::an_imported_hash(self.store.reader()).await?;
        let kept = account
            .as_ref()
            .map(|account| account.password_hash.as_str())
            .filter(|kept| !kept.is_empty());
        let checked = passwords::check(place, password, kept, imported).await?;
        let Some(mut account) = account else {
            return Err(ProviderError::WrongPassword);
        };
        match checked {
            PasswordCheck::Right => {}
            PasswordCheck::RightByImported(hash) => {
                let before = Some(account.password_hash.as_str());
                let writer = self.store.writer();
                if !accounts::set_password(writer, &account.uid, &hash, before).await? {
                    return Err(ProviderError::WrongPassword);
                }
                account.password_hash = hash.as_str().to_owned();
            }
            PasswordCheck::Wrong => return Err(ProviderError::WrongPassword),
        }
        Ok(account)
    }
}

/// By what somebody may set a password.
enum PasswordProof<'a> {
    /// A mailed one, which is used up.
    Link(&'a str),
    /// A session of whoever knows the password before, which goes on.
    Session(&'a str),
    /// The command line of the machine.
    Operator,
}

/// The account, with a grant that is good for as long as its password stays.
fn verified(account: Account, email: &Email) -> Verified {
    Verified {
        lacks_code: true,
        grant: Some(grant(&account)),
        uid: account.uid,
        email: email.clone(),
        // Accounts are made by owners and by the command line alone.
        email_is_verified: true,
    }
}

fn grant(account: &Account) -> String {
    format!("{:x}", Sha256::digest(&account.password_hash))
}

#[async_trait]
impl IdentityProvider for Embedded {
    async fn sign_in(&self, email: &Email, password: &str) -> Result<Verified, ProviderError> {
        let requester = Requester::account(email.as_str());
        self.sign_in_for(requester, email, password).await
    }

    async fn sign_in_for(
        &self,
        requester: Requester,
        email: &Email,
        password: &str,
    ) -> Result<Verified, ProviderError> {
        let account = self.check_password(requester, email, password).await?;
        Ok(verified(account, email))
    }

    fn max_password_bytes(&self) -> usize {
        self.policy.max_length as usize
    }

    fn records_changes(&self) -> bool {
        true
    }

    /// The password may have changed while it was looked at.
    async fn require_unchanged(&self, verified: &Verified) -> Result<(), ProviderError> {
        let grant = verified.grant.as_deref();
        self.check(&verified.uid, grant).await.map(|_| ())
    }

    async fn has_password(&self, uid: &str) -> Result<bool, ProviderError> {
        let account = accounts::by_uid(self.store.reader(), uid).await?;
        Ok(account.is_some_and(|account| !account.password_hash.is_empty()))
    }

    async fn sign_up(
        &self,
        email: &Email,
        password: Option<&str>,
    ) -> Result<String, ProviderError> {
        let hash = match password {
            Some(password) => Some(
                self.new_hash(Requester::operator(), email.as_str(), password)
                    .await?,
            ),
            None => None,
        };
        accounts::add(self.store.writer(), email, hash.as_ref()).await
    }

    /// Queued for whatever email, so that nobody can tell from the answer or its time; the queue
    /// finds out whose it is.
    async fn mail_reset(&self, email: &Email, language: &str) -> Result<(), ProviderError> {
        self.mails.add_reset(email, language).await
    }

    async fn invite(&self, email: &Email, language: &str) -> Result<(), ProviderError> {
        let transaction = self.store.begin_write().await?;
        accounts::add_invited(&transaction, email).await?;
        queued_mails::queue_mail(&transaction, email, LinkPurpose::Invitation, language).await?;
        transaction.commit().await?;
        self.mails.announce();
        Ok(())
    }

    async fn confirm_link(
        &self,
        token: &str,
        password: &str,
    ) -> Result<PasswordSet, ProviderError> {
        let uid = links::holder(self.store.reader(), token).await?;
        let account = accounts::by_uid(self.store.reader(), &uid)
            .await?
            .ok_or(ProviderError::InvalidLink)?;
        let requester = Requester::account(&account.email);
        let hash = self.new_hash(requester, &account.email, password).await?;
        self.set_password(account, &hash, PasswordProof::Link(token))
            .await
    }

    async fn change_password(
        &self,
        email: &Email,
        current: &str,
        new: &str,
        session: &str,
    ) -> Result<PasswordSet, ProviderError> {
        let requester = Requester::account(email.as_str());
        let account = self.check_password(requester, email, current).await?;
        let hash = self.new_hash(requester, email.as_str(), new).await?;
        self.set_password(account, &hash, PasswordProof::Session(session))
            .await
    }

    async fn replace_password(
        &self,
        email: &Email,
        new: &str,
    ) -> Result<PasswordSet, ProviderError> {
        let account = accounts::by_email(self.store.reader(), email).await?;
        let account = account.ok_or(ProviderError::UserNotFound)?;
        let hash = self
            .new_hash(Requester::operator(), email.as_str(), new)
            .await?;
        self.set_password(account, &hash, PasswordProof::Operator)
            .await
    }

    async fn check(
        &self,
        uid: &str,
        expected_grant: Option<&str>,
    ) -> Result<Option<String>, ProviderError> {
        match accounts::by_uid(self.store.reader(), uid).await? {
            Some(account)
                if expected_grant
                    .is_none_or(|expected_grant| expected_grant == grant(&account)) =>
            {
                Ok(expected_grant.map(str::to_owned))
            }
            _ => Err(ProviderError::Ended),
        }
    }

    async fn delete(&self, uid: &str) -> Result<(), ProviderError> {
        let transaction = self.store.begin_write().await?;
        if let Some(account) = accounts::by_uid(&transaction, uid).await? {
            queued_mails::delete_all_of(&transaction, &account.email).await?;
            accounts::delete(&transaction, uid).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn policy(&self) -> Result<PasswordPolicy, ProviderError> {
        Ok(self.policy.clone())
    }
}
