//! Firebase Authentication (Google Identity Platform): accounts that Google keeps, over its REST
//! interface. Whoever signs in is who the ID token says under Google's signature, not who the answer
//! names beside it.

mod error;
mod id_tokens;
mod identity_toolkit;
mod password_rules;

use std::net::SocketAddr;

use serde_json::json;

use crate::project::{OpenError, Project};
use id_tokens::{IdTokens, TokenIssuer};
use identity_toolkit::{IdentityToolkit, TokenAnswer};

pub use error::AuthenticationError;
pub use password_rules::PasswordRules;

/// The accounts of a project.
pub struct Authentication {
    toolkit: IdentityToolkit,
    id_tokens: IdTokens,
}

/// Somebody whose password was right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    pub uid: String,
    pub email: String,
    pub email_is_verified: bool,
    /// With which [`Authentication::refresh`] asks later whether the account is still good.
    pub refresh_token: Option<String>,
}

/// An account that is still good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshedSession {
    pub uid: String,
    pub email_is_verified: bool,
    /// For the next refresh.
    pub refresh_token: String,
}

impl Authentication {
    /// `api_key`: the project's Web API key.
    pub fn open(project: &Project, api_key: &str) -> Result<Self, OpenError> {
        let toolkit = IdentityToolkit::open(project, api_key)?;
        Ok(Self::new(project, toolkit, TokenIssuer::Google))
    }

    /// The accounts of an emulator. Only one on this machine may leave its tokens unsigned.
    pub fn at_emulator(project: &Project, address: SocketAddr) -> Result<Self, OpenError> {
        let issuer = match address.ip().is_loopback() {
            true => TokenIssuer::Emulator,
            false => TokenIssuer::Google,
        };
        let toolkit = IdentityToolkit::at_emulator(project, address)?;
        Ok(Self::new(project, toolkit, issuer))
    }

    fn new(project: &Project, toolkit: IdentityToolkit, issuer: TokenIssuer) -> Self {
        Self {
            id_tokens: IdTokens::new(toolkit.http(), &project.id, issuer),
            toolkit,
        }
    }

    /// An account that does not exist or is disabled has a wrong password.
    pub async fn sign_in(
        &self,
        email: &str,
        password: &str,
    ) -> Result<SignIn, AuthenticationError> {
        let answer = self.toolkit.sign_in(email, password).await;
        let answer = answer.map_err(AuthenticationError::at_sign_in);
        let answer = self.with_unmet_rules(password, answer).await?;
        self.verified(answer).await
    }

    async fn verified(&self, answer: TokenAnswer) -> Result<SignIn, AuthenticationError> {
        let TokenAnswer {
            local_id,
            email,
            id_token,
            refresh_token,
        } = answer;
        let id_token = id_token.ok_or_else(|| {
            AuthenticationError::Failed(
                "the account has a second factor with Google, which is not supported: use ours"
                    .to_owned(),
            )
        })?;
        let claims = self.id_tokens.verify(&id_token).await?;
        if claims.sub != local_id {
            return Err(AuthenticationError::Failed(
                "an ID token is about somebody else".to_owned(),
            ));
        }
        Ok(SignIn {
            uid: local_id,
            email: claims.email.unwrap_or(email),
            email_is_verified: claims.email_verified,
            refresh_token,
        })
    }

    /// As the project's administrator; gives the user id. Without a password the holder sets one by a
    /// mailed link. Whoever gives somebody a password vouches for the email, too.
    pub async fn create_account(
        &self,
        email: &str,
        password: Option<&str>,
    ) -> Result<String, AuthenticationError> {
        let Some(password) = password else {
            return self.toolkit.create(json!({ "email": email })).await;
        };
        let account = json!({ "email": email, "password": password, "emailVerified": true });
        let created = self.toolkit.create(account).await;
        self.with_unmet_rules(password, created).await
    }

    /// Google mails a link to a new password, in the project's template and `language` (two letters).
    /// Google's page behind the link leads back to `continue_url`, if that is one of the project's
    /// authorised domains.
    pub async fn mail_reset_link(
        &self,
        email: &str,
        language: &str,
        continue_url: &str,
    ) -> Result<(), AuthenticationError> {
        let mail = async |page| self.toolkit.mail_reset_link(email, language, page).await;
        match mail(Some(continue_url)).await {
            // The way back is a convenience; the mail is not.
            Err(AuthenticationError::UnauthorizedDomain) => {
                tracing::warn!(
                    page = continue_url,
                    "this server's address is not among the project's authorised domains"
                );
                mail(None).await
            }
            mailed => mailed,
        }
    }

    /// Sets a password by the code of a mailed link, and signs in with it.
    pub async fn reset_password(
        &self,
        code: &str,
        password: &str,
    ) -> Result<SignIn, AuthenticationError> {
        let reset = self.toolkit.reset_password(code, password).await;
        let email = self.with_unmet_rules(password, reset).await?;
        let answer = self.toolkit.sign_in(&email, password).await?;
        self.verified(answer).await
    }

    /// Sets another password for somebody who knows the one they have, and signs in with it.
    pub async fn change_password(
        &self,
        email: &str,
        current: &str,
        new: &str,
    ) -> Result<SignIn, AuthenticationError> {
        let answer = self.toolkit.sign_in(email, current).await;
        let answer = answer.map_err(AuthenticationError::at_sign_in)?;
        let id_token = answer.id_token.clone().unwrap_or_default();
        let before = self.verified(answer).await?;
        let changed = self.toolkit.set_password(&id_token, new).await;
        self.with_unmet_rules(new, changed).await?;
        // The password is changed, whatever follows. Where Google gives no new refresh token, the old one
        // is refused at its next use.
        Ok(self.sign_in(email, new).await.unwrap_or(before))
    }

    pub async fn refresh(
        &self,
        refresh_token: &str,
    ) -> Result<RefreshedSession, AuthenticationError> {
        let answer = self.toolkit.refresh(refresh_token).await?;
        let claims = self.id_tokens.verify(&answer.id_token).await?;
        Ok(RefreshedSession {
            uid: claims.sub,
            email_is_verified: claims.email_verified,
            refresh_token: answer.refresh_token,
        })
    }

    /// False also where there is no such account.
    pub async fn is_enabled(&self, uid: &str) -> Result<bool, AuthenticationError> {
        self.toolkit.is_enabled(uid).await
    }

    /// `NoSuchAccount` where it is gone already.
    pub async fn delete_account(&self, uid: &str) -> Result<(), AuthenticationError> {
        self.toolkit.delete(uid).await
    }

    pub async fn password_rules(&self) -> Result<PasswordRules, AuthenticationError> {
        self.toolkit.password_rules().await
    }

    /// Google's word that a password is too weak comes without the rules: this looks them up and says
    /// which are not met.
    async fn with_unmet_rules<T>(
        &self,
        password: &str,
        result: Result<T, AuthenticationError>,
    ) -> Result<T, AuthenticationError> {
        let Err(AuthenticationError::WeakPassword(sentence)) = result else {
            return result;
        };
        let rules = self.password_rules().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the password policy cannot be read");
            PasswordRules::default()
        });
        let unmet = rules.unmet(password);
        Err(AuthenticationError::WeakPassword(unmet.unwrap_or(sentence)))
    }
}
