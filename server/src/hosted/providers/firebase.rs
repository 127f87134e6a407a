//! Accounts in Firebase Authentication. What follows a sign-in is ours, as with every provider.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use dispatch_hosted::{Authentication, AuthenticationError, SignIn};

use super::{HostedError, project};
use crate::identity::{
    Email, IdentityProvider, PasswordPolicy, PasswordSet, ProviderError, Verified,
};
use crate::options::config::Google;

/// An owner waits for an invitation's mail.
const MAIL_TIMEOUT: Duration = Duration::from_secs(15);

pub struct Firebase {
    authentication: Arc<Authentication>,
    /// Where Google's own page leads when a password is set.
    continue_url: Arc<str>,
}

impl Firebase {
    /// `public_url`: where browsers reach this server.
    pub fn open(google: &Google, public_url: &str) -> Result<Self, HostedError> {
        let project = project(google, "--identity firebase")?;
        let authentication = match google.firebase_emulator {
            Some(address) => Authentication::at_emulator(&project, address)?,
            None => {
                let api_key = google.firebase_api_key.as_deref();
                Authentication::open(&project, api_key.ok_or(HostedError::NoApiKey)?)?
            }
        };
        Ok(Self {
            authentication: Arc::new(authentication),
            continue_url: format!("{}/login", public_url.trim_end_matches('/')).into(),
        })
    }
}

#[async_trait]
impl IdentityProvider for Firebase {
    async fn sign_in(&self, email: &Email, password: &str) -> Result<Verified, ProviderError> {
        let signed_in = self.authentication.sign_in(email.as_str(), password).await;
        verified(signed_in.map_err(provider_error)?)
    }

    /// Only Google knows: whoever has an account here has signed in with one, but for those who came by
    /// another provider.
    async fn has_password(&self, _uid: &str) -> Result<bool, ProviderError> {
        Ok(true)
    }

    async fn sign_up(
        &self,
        email: &Email,
        password: Option<&str>,
    ) -> Result<String, ProviderError> {
        let created = self.authentication.create_account(email.as_str(), password);
        created.await.map_err(provider_error)
    }

    /// In a task of its own: how long Google takes tells whether there is such an account.
    async fn mail_reset(&self, email: &Email, language: &str) -> Result<(), ProviderError> {
        let authentication = Arc::clone(&self.authentication);
        let continue_url = Arc::clone(&self.continue_url);
        let (email, language) = (email.clone(), language.to_owned());
        tokio::spawn(async move {
            let mailed = authentication.mail_reset_link(email.as_str(), &language, &continue_url);
            match mailed.await {
                Ok(()) | Err(AuthenticationError::NoSuchAccount) => {}
                Err(error) => tracing::error!(%error, "a link to a new password was not sent"),
            }
        });
        Ok(())
    }

    async fn invite(&self, email: &Email, _language: &str) -> Result<(), ProviderError> {
        match self.sign_up(email, None).await {
            // An account may be older than its document.
            Ok(_) | Err(ProviderError::EmailInUse) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn mail_invitation(&self, email: &Email, language: &str) -> Result<(), ProviderError> {
        let mailed =
            self.authentication
                .mail_reset_link(email.as_str(), language, &self.continue_url);
        match tokio::time::timeout(MAIL_TIMEOUT, mailed).await {
            Ok(Err(
                error @ (AuthenticationError::Unreachable(_) | AuthenticationError::Failed(_)),
            )) => Err(ProviderError::NotMailed(error.to_string())),
            Ok(mailed) => mailed.map_err(provider_error),
            Err(_) => Err(ProviderError::NotMailed("it does not answer".to_owned())),
        }
    }

    async fn confirm_link(
        &self,
        token: &str,
        password: &str,
    ) -> Result<PasswordSet, ProviderError> {
        let signed_in = self.authentication.reset_password(token, password).await;
        password_set(signed_in)
    }

    async fn change_password(
        &self,
        email: &Email,
        current: &str,
        new: &str,
        _session: &str,
    ) -> Result<PasswordSet, ProviderError> {
        let signed_in = self
            .authentication
            .change_password(email.as_str(), current, new);
        password_set(signed_in.await)
    }

    async fn check(&self, uid: &str, grant: Option<&str>) -> Result<Option<String>, ProviderError> {
        let Some(refresh_token) = grant else {
            // Signed in by another way: only the account itself can be looked at.
            let is_enabled = self.authentication.is_enabled(uid).await;
            return match is_enabled.map_err(provider_error)? {
                true => Ok(None),
                false => Err(ProviderError::Ended),
            };
        };
        let refreshed = self.authentication.refresh(refresh_token).await;
        let refreshed = refreshed.map_err(provider_error)?;
        if refreshed.uid != uid || !refreshed.email_is_verified {
            return Err(ProviderError::Ended);
        }
        Ok(Some(refreshed.refresh_token))
    }

    async fn delete(&self, uid: &str) -> Result<(), ProviderError> {
        match self.authentication.delete_account(uid).await {
            Err(AuthenticationError::NoSuchAccount) => Ok(()),
            deleted => deleted.map_err(provider_error),
        }
    }

    async fn policy(&self) -> Result<PasswordPolicy, ProviderError> {
        let rules = self.authentication.password_rules().await;
        let rules = rules.map_err(provider_error)?;
        Ok(PasswordPolicy {
            min_length: rules.min_length(),
            max_length: rules.max_length(),
            refuses_common: false,
        })
    }
}

fn verified(signed_in: SignIn) -> Result<Verified, ProviderError> {
    let email = Email::parse(&signed_in.email)
        .map_err(|_| ProviderError::Broken("the account has no email".to_owned()))?;
    Ok(Verified {
        lacks_code: true,
        uid: signed_in.uid,
        email,
        email_is_verified: signed_in.email_is_verified,
        grant: signed_in.refresh_token,
    })
}

/// Our sessions with the password before end at their next refresh, when Google refuses their grants.
fn password_set(
    signed_in: Result<SignIn, AuthenticationError>,
) -> Result<PasswordSet, ProviderError> {
    Ok(PasswordSet {
        verified: verified(signed_in.map_err(provider_error)?)?,
        ended: Vec::new(),
    })
}

fn provider_error(error: AuthenticationError) -> ProviderError {
    match error {
        AuthenticationError::WrongPassword => ProviderError::WrongPassword,
        AuthenticationError::NoSuchAccount => ProviderError::UserNotFound,
        AuthenticationError::Disabled | AuthenticationError::Ended => ProviderError::Ended,
        AuthenticationError::EmailInUse => ProviderError::EmailInUse,
        AuthenticationError::WeakPassword(sentence) => ProviderError::WeakPassword(sentence),
        AuthenticationError::TooManyAttempts => ProviderError::TooManyRequests,
        AuthenticationError::ExpiredLink => ProviderError::ExpiredLink,
        AuthenticationError::InvalidLink => ProviderError::InvalidLink,
        AuthenticationError::Unreachable(why) => ProviderError::Network(why),
        AuthenticationError::AdminsOnly
        | AuthenticationError::UnauthorizedDomain
        | AuthenticationError::NotEmulated
        | AuthenticationError::Failed(_) => ProviderError::Broken(error.to_string()),
    }
}
