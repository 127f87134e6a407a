//! Who checks passwords: the seam between our sessions and whoever keeps the accounts.
//!
//! Whatever the provider, what follows a sign-in is ours: the session, its tokens, the second
//! factor, the limits.

use async_trait::async_trait;
use sea_orm::DbErr;

use super::email::Email;
use super::passwords::hash_queue::Requester;
use crate::error::{ApiError, ErrorCode};

/// Of the longest password that a hosted provider takes, 4,096 characters.
const MAX_PASSWORD_BYTES: usize = 16_384;

/// Somebody whose password was right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub uid: String,
    pub email: Email,
    /// Whether somebody has shown that the email is theirs, or an owner has said so.
    pub email_is_verified: bool,
    /// Whether no code of a second factor was given, so that none may be on when the session begins.
    pub lacks_code: bool,
    /// With which a hosted provider is asked later whether the account is still good.
    pub grant: Option<String>,
}

/// Whose password is another one now.
#[derive(Debug)]
pub struct PasswordSet {
    /// With the new one.
    pub verified: Verified,
    /// Their sessions that were ended with the one before, by a provider whose accounts are kept here.
    pub ended: Vec<String>,
}

/// What a mailed link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPurpose {
    PasswordReset,
    /// Its holder has no password yet.
    Invitation,
}

impl LinkPurpose {
    /// As the database has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::PasswordReset => "reset",
            Self::Invitation => "invitation",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::PasswordReset, Self::Invitation]
            .into_iter()
            .find(|purpose| purpose.name() == name)
    }
}

/// What a new password must be.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordPolicy {
    /// Characters.
    pub min_length: u32,
    /// Bytes.
    pub max_length: u32,
    /// Whether the most common passwords are refused.
    pub refuses_common: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// Or there is no such account: nobody is told which.
    #[error("The email or password is not correct")]
    WrongPassword,
    #[error("There is no user with this email")]
    UserNotFound,
    #[error("There is already a user with this email")]
    EmailInUse,
    /// With the rule that is not met.
    #[error("{0}")]
    WeakPassword(String),
    #[error("This password is one of the most common ones; choose another")]
    CommonPassword,
    #[error("Too many attempts; wait a few seconds and try again")]
    TooManyRequests,
    #[error("Too many people are signing in just now; wait a few seconds and try again")]
    Busy,
    #[error("The identity provider cannot be reached: {0}")]
    Network(String),
    #[error("This link has been used, or was replaced by a newer one; ask for a new one")]
    InvalidLink,
    #[error("This link is too old; ask for a new one")]
    ExpiredLink,
    /// The account is gone, disabled, or its password has changed elsewhere.
    #[error("Your sign-in has expired or was ended; sign in again")]
    Ended,
    /// A hosted provider would not send it, and why.
    #[error("the identity provider sent no mail: {0}")]
    NotMailed(String),
    #[error("Passwords are kept by the identity provider: set another one there")]
    KeptElsewhere,
    #[error(transparent)]
    Database(#[from] DbErr),
    /// Not the caller's fault.
    #[error("the identity provider failed: {0}")]
    Broken(String),
}

impl From<ProviderError> for ApiError {
    fn from(error: ProviderError) -> Self {
        let code = match &error {
            ProviderError::WrongPassword => ErrorCode::WrongPassword,
            ProviderError::UserNotFound => ErrorCode::UserNotFound,
            ProviderError::EmailInUse => ErrorCode::EmailAlreadyInUse,
            ProviderError::WeakPassword(_) => ErrorCode::WeakPassword,
            ProviderError::CommonPassword => ErrorCode::CommonPassword,
            ProviderError::TooManyRequests => ErrorCode::TooManyRequests,
            ProviderError::Busy => ErrorCode::Busy,
            ProviderError::InvalidLink => ErrorCode::InvalidLink,
            ProviderError::ExpiredLink => ErrorCode::ExpiredLink,
            ProviderError::Ended => ErrorCode::Unauthorized,
            ProviderError::KeptElsewhere => ErrorCode::InvalidRequest,
            ProviderError::Network(why) => {
                tracing::warn!(%why, "the identity provider cannot be reached");
                return ApiError::new(
                    ErrorCode::NetworkRequestFailed,
                    "The identity provider cannot be reached just now; please try again",
                );
            }
            ProviderError::NotMailed(_) | ProviderError::Database(_) | ProviderError::Broken(_) => {
                tracing::error!(%error, "an account could not be looked at");
                return ApiError::unavailable();
            }
        };
        ApiError::new(code, error.to_string())
    }
}

#[async_trait]
pub trait IdentityProvider: Send + Sync {
    /// Whose email and password these are. An unknown email takes the same work as a known one.
    async fn sign_in(&self, email: &Email, password: &str) -> Result<Verified, ProviderError>;

    /// The same for somebody who waits among others where passwords are hashed here. `Busy`.
    async fn sign_in_for(
        &self,
        _requester: Requester,
        email: &Email,
        password: &str,
    ) -> Result<Verified, ProviderError> {
        self.sign_in(email, password).await
    }

    /// Bytes of the longest password that anybody can have; a longer one is nobody's.
    fn max_password_bytes(&self) -> usize {
        MAX_PASSWORD_BYTES
    }

    /// Whether the audit trail is told with each change of a password; else whoever asks for one tells
    /// it.
    fn records_changes(&self) -> bool {
        false
    }

    /// Whether what was verified still stands now that its session is there; `Ended` when not. For
    /// providers whose accounts change here.
    async fn require_unchanged(&self, _verified: &Verified) -> Result<(), ProviderError> {
        Ok(())
    }

    /// Whether somebody may know a password of this account.
    async fn has_password(&self, uid: &str) -> Result<bool, ProviderError>;

    /// Makes an account and gives its user id; without a password, its holder sets one by a link.
    async fn sign_up(&self, email: &Email, password: Option<&str>)
    -> Result<String, ProviderError>;

    /// Sees to it that whoever has forgotten a password is mailed a link to a new one. `language`:
    /// two letters. Neither what this gives nor how long it takes tells whether there is such an
    /// account.
    async fn mail_reset(&self, email: &Email, language: &str) -> Result<(), ProviderError>;

    /// Makes sure of an account, without a password where it is new. A provider that queues its mails
    /// queues the invitation with it. `language`: two letters.
    async fn invite(&self, email: &Email, language: &str) -> Result<(), ProviderError>;

    /// Mails the invitation to the holder of an account that [`invite`](Self::invite) made sure of,
    /// where that did not queue it. May take seconds: not to be called while others wait.
    /// `NotMailed` when there is no mail.
    async fn mail_invitation(&self, _email: &Email, _language: &str) -> Result<(), ProviderError> {
        Ok(())
    }

    /// Sets a password by a link's token, which is used up. A provider whose accounts are kept here ends
    /// all sessions and forgets all devices of the account with it.
    async fn confirm_link(&self, token: &str, password: &str)
    -> Result<PasswordSet, ProviderError>;

    /// Sets another password for somebody who knows the one they have, in a session of theirs, which goes
    /// on. The others end, as above.
    async fn change_password(
        &self,
        email: &Email,
        current: &str,
        new: &str,
        session: &str,
    ) -> Result<PasswordSet, ProviderError>;

    /// Sets another password for somebody who need not know the one they have. All their sessions end.
    /// `UserNotFound`, `WeakPassword`, `CommonPassword`; `KeptElsewhere` where passwords are not kept here.
    async fn replace_password(
        &self,
        _email: &Email,
        _new: &str,
    ) -> Result<PasswordSet, ProviderError> {
        Err(ProviderError::KeptElsewhere)
    }

    /// Whether the account is still good for a session that goes on; `Ended` when not. Gives the
    /// grant to ask with the next time.
    async fn check(&self, uid: &str, grant: Option<&str>) -> Result<Option<String>, ProviderError>;

    /// Removes the account; one that is gone already is no error.
    async fn delete(&self, uid: &str) -> Result<(), ProviderError>;

    async fn policy(&self) -> Result<PasswordPolicy, ProviderError>;
}
