//! Firebase Authentication (Google Identity Platform): somebody else's accounts, asked over their
//! REST interface. What follows a sign-in is ours, as with every provider.

mod calls;
mod id_tokens;
mod policy;
mod refusals;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;

use super::email::Email;
use super::provider::{IdentityProvider, PasswordPolicy, PasswordSet, ProviderError, Verified};
use crate::config::Google;
use crate::google::BadGoogle;
use calls::{Calls, SignedIn};
use id_tokens::{Accepted, IdTokens};
use policy::StrengthRules;
use refusals::Refusal;

/// An owner waits for an invitation's mail.
const MAIL_TIMEOUT: Duration = Duration::from_secs(15);

pub struct Firebase {
    calls: Arc<Calls>,
    id_tokens: IdTokens,
    mails: Arc<Mails>,
}

/// Mails with a link to a password: Google writes them and keeps the page behind the link, in the
/// project's templates.
struct Mails {
    calls: Arc<Calls>,
    /// Where Google's own page leads when a password is set.
    continue_url: String,
}

impl Mails {
    async fn send(&self, email: &Email, language: &str) -> Result<(), Refusal> {
        let send = async |continue_url| {
            self.calls
                .send_reset_mail(email.as_str(), language, continue_url)
                .await
        };
        match send(Some(self.continue_url.as_str())).await {
            // The way back is a convenience; the mail is not.
            Err(Refusal::ForeignPage) => {
                tracing::warn!(
                    page = self.continue_url,
                    "this server's address is not among the project's authorised domains"
                );
                send(None).await
            }
            sent => sent,
        }
    }
}

impl Firebase {
    /// `public_url`: where browsers reach this server.
    pub fn open(google: &Google, public_url: &str) -> Result<Self, BadGoogle> {
        let project = google.project("--identity firebase")?;
        let calls = Arc::new(Calls::open(google, project)?);
        let accepted = match google.firebase_emulator {
            Some(address) if address.ip().is_loopback() => Accepted::UnsignedByEmulator,
            _ => Accepted::SignedByGoogle,
        };
        Ok(Self {
            id_tokens: IdTokens::new(calls.http(), project, accepted),
            mails: Arc::new(Mails {
                calls: Arc::clone(&calls),
                continue_url: format!("{}/login", public_url.trim_end_matches('/')),
            }),
            calls,
        })
    }

    /// Who an answer with tokens is about: what the ID token says under Google's signature, not
    /// what stands beside it.
    async fn verified(&self, signed_in: SignedIn) -> Result<Verified, ProviderError> {
        let SignedIn {
            local_id,
            email,
            id_token,
            refresh_token,
        } = signed_in;
        let id_token = id_token.ok_or_else(|| {
            ProviderError::Broken(
                "the account has a second factor with Google, which is not supported: use ours"
                    .to_owned(),
            )
        })?;
        let claims = self.id_tokens.verify(&id_token).await?;
        if claims.sub != local_id {
            return Err(ProviderError::Broken(
                "an ID token is about somebody else".to_owned(),
            ));
        }
        let email = Email::parse(claims.email.as_deref().unwrap_or(&email))
            .map_err(|_| ProviderError::Broken("the account has no email".to_owned()))?;
        Ok(Verified {
            lacks_code: true,
            uid: local_id,
            email,
            email_is_verified: claims.email_verified,
            grant: refresh_token,
        })
    }

    /// Google's word that a password is too weak comes without the rules: they are looked up, and
    /// the sentence says which are not met.
    async fn weak(&self, password: &str, said: String) -> ProviderError {
        let unmet = match self.calls.password_rules().await {
            Ok(rules) => rules.unmet(password),
            Err(error) => {
                tracing::warn!(%error, "the password policy cannot be read");
                StrengthRules::default().unmet(password)
            }
        };
        ProviderError::WeakPassword(unmet.unwrap_or(said))
    }

    async fn with_rules<T>(
        &self,
        password: &str,
        result: Result<T, Refusal>,
    ) -> Result<T, ProviderError> {
        match result {
            Ok(done) => Ok(done),
            Err(Refusal::WeakPassword(said)) => Err(self.weak(password, said).await),
            Err(refusal) => Err(refusal.into()),
        }
    }
}

#[async_trait]
impl IdentityProvider for Firebase {
    async fn sign_in(&self, email: &Email, password: &str) -> Result<Verified, ProviderError> {
        let signed_in = self.calls.sign_in(email.as_str(), password).await;
        let signed_in = signed_in.map_err(Refusal::at_sign_in);
        let signed_in = self.with_rules(password, signed_in).await?;
        self.verified(signed_in).await
    }

    /// Only Google knows: whoever has an account here has signed in with one, but for those who came
    /// by another provider.
    async fn has_password(&self, _uid: &str) -> Result<bool, ProviderError> {
        Ok(true)
    }

    async fn sign_up(
        &self,
        email: &Email,
        password: Option<&str>,
    ) -> Result<String, ProviderError> {
        let Some(password) = password else {
            let account = json!({ "email": email.as_str() });
            return Ok(self.calls.create(account).await?);
        };
        // Who gives somebody a password vouches for the email, too.
        let account =
            json!({ "email": email.as_str(), "password": password, "emailVerified": true });
        let created = self.calls.create(account).await;
        self.with_rules(password, created).await
    }

    /// By the way: how long Google takes tells whether there is such an account.
    async fn mail_reset(&self, email: &Email, language: &str) -> Result<(), ProviderError> {
        let mails = Arc::clone(&self.mails);
        let (email, language) = (email.clone(), language.to_owned());
        tokio::spawn(async move {
            match mails.send(&email, &language).await {
                Ok(()) | Err(Refusal::NoSuchAccount) => {}
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
        match tokio::time::timeout(MAIL_TIMEOUT, self.mails.send(email, language)).await {
            Ok(Err(refusal @ (Refusal::Unreachable(_) | Refusal::Broken(_)))) => {
                Err(ProviderError::NotMailed(refusal.to_string()))
            }
            Ok(sent) => Ok(sent?),
            Err(_) => Err(ProviderError::NotMailed("it does not answer".to_owned())),
        }
    }

    async fn confirm_link(
        &self,
        token: &str,
        password: &str,
    ) -> Result<PasswordSet, ProviderError> {
        let confirmed = self.calls.reset_password(token, password).await;
        let email = self.with_rules(password, confirmed).await?;
        let signed_in = self.calls.sign_in(&email, password).await?;
        Ok(PasswordSet {
            verified: self.verified(signed_in).await?,
            ended: Vec::new(),
        })
    }

    async fn change_password(
        &self,
        email: &Email,
        current: &str,
        new: &str,
        _session: &str,
    ) -> Result<PasswordSet, ProviderError> {
        let signed_in = self.calls.sign_in(email.as_str(), current).await;
        let signed_in = signed_in.map_err(Refusal::at_sign_in)?;
        let id_token = signed_in.id_token.clone().unwrap_or_default();
        let before = self.verified(signed_in).await?;
        let changed = self.calls.set_password(&id_token, new).await;
        self.with_rules(new, changed).await?;
        // What the provider gave the session was for the password before. Where it gives nothing new, the
        // password is another all the same, and all that goes with it ends: this session at its next
        // refresh.
        Ok(PasswordSet {
            verified: self.sign_in(email, new).await.unwrap_or(before),
            ended: Vec::new(),
        })
    }

    async fn check(&self, uid: &str, grant: Option<&str>) -> Result<Option<String>, ProviderError> {
        let Some(refresh_token) = grant else {
            // Signed in by another way: only the account itself can be looked at.
            return match self.calls.is_enabled(uid).await? {
                true => Ok(None),
                false => Err(ProviderError::Ended),
            };
        };
        let refreshed = self.calls.refresh(refresh_token).await?;
        let claims = self.id_tokens.verify(&refreshed.id_token).await?;
        if claims.sub != uid || !claims.email_verified {
            return Err(ProviderError::Ended);
        }
        Ok(Some(refreshed.refresh_token))
    }

    async fn delete(&self, uid: &str) -> Result<(), ProviderError> {
        match self.calls.delete(uid).await {
            Err(Refusal::NoSuchAccount) => Ok(()),
            deleted => Ok(deleted?),
        }
    }

    async fn policy(&self) -> Result<PasswordPolicy, ProviderError> {
        Ok(self.calls.password_rules().await?.policy())
    }
}
