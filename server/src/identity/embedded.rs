//! The provider that needs nothing: accounts in our own database.

use std::sync::Arc;

use async_trait::async_trait;
use dispatch_actors::store::Store;

use super::accounts;
use super::email::Email;
use super::passwords;
use super::provider::{IdentityProvider, LinkPurpose, PasswordPolicy, ProviderError, Verified};
use crate::mail::Mailer;

pub struct Embedded {
    store: Store,
    policy: PasswordPolicy,
    mailer: Mailer,
    /// What a mailed link begins with.
    public_url: Arc<str>,
}

impl Embedded {
    pub fn new(store: Store, policy: PasswordPolicy, mailer: Mailer, public_url: Arc<str>) -> Self {
        Self {
            store,
            policy,
            mailer,
            public_url,
        }
    }
}

#[async_trait]
impl IdentityProvider for Embedded {
    async fn sign_in(&self, email: &Email, password: &str) -> Result<Verified, ProviderError> {
        let account = accounts::by_email(self.store.reader(), email).await?;
        let kept = account
            .as_ref()
            .map(|account| account.password_hash.as_str())
            .filter(|kept| !kept.is_empty());
        let right = passwords::matches(password, kept).await?;
        let account = account
            .filter(|_| right)
            .ok_or(ProviderError::WrongPassword)?;
        Ok(Verified {
            uid: account.uid,
            email: email.clone(),
            grant: None,
        })
    }

    async fn sign_up(
        &self,
        email: &Email,
        password: Option<&str>,
    ) -> Result<String, ProviderError> {
        let hash = match password {
            Some(password) => Some(passwords::hash(password.to_owned()).await?),
            None => None,
        };
        accounts::add(self.store.writer(), email, hash.as_ref()).await
    }

    async fn send_link(
        &self,
        _email: &Email,
        _purpose: LinkPurpose,
        _language: &str,
    ) -> Result<(), ProviderError> {
        let _ = (&self.mailer, &self.public_url);
        Err(ProviderError::Broken("links are not there yet".to_owned()))
    }

    async fn confirm_link(&self, _token: &str, _password: &str) -> Result<Verified, ProviderError> {
        Err(ProviderError::InvalidLink)
    }

    async fn change_password(
        &self,
        email: &Email,
        current: &str,
        new: &str,
    ) -> Result<(), ProviderError> {
        let account = self.sign_in(email, current).await?;
        let hash = passwords::hash(new.to_owned()).await?;
        accounts::set_password(self.store.writer(), &account.uid, &hash).await?;
        Ok(())
    }

    async fn check(
        &self,
        uid: &str,
        _grant: Option<&str>,
    ) -> Result<Option<String>, ProviderError> {
        match accounts::by_uid(self.store.reader(), uid).await? {
            Some(_) => Ok(None),
            None => Err(ProviderError::Ended),
        }
    }

    async fn delete(&self, uid: &str) -> Result<(), ProviderError> {
        accounts::delete(self.store.writer(), uid).await?;
        Ok(())
    }

    async fn policy(&self) -> Result<PasswordPolicy, ProviderError> {
        Ok(self.policy.clone())
    }
}
