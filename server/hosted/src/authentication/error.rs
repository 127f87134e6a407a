//! Why Google's identity services did not do what they were asked.

use serde::Deserialize;

use super::id_tokens::VerifyError;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthenticationError {
    #[error("the password is wrong")]
    WrongPassword,
    #[error("there is no such account")]
    NoSuchAccount,
    #[error("the account is disabled")]
    Disabled,
    #[error("the session has ended")]
    Ended,
    #[error("the email is in use")]
    EmailInUse,
    /// With what was said of it.
    #[error("the password is too weak: {0}")]
    WeakPassword(String),
    #[error("too many attempts")]
    TooManyAttempts,
    #[error("the link has expired")]
    ExpiredLink,
    #[error("the link is not good")]
    InvalidLink,
    /// The project's own settings forbid people to do this by themselves.
    #[error("only administrators may do this")]
    AdminsOnly,
    /// A page outside the project's authorised domains.
    #[error("the page to continue at is not among the project's authorised domains")]
    UnauthorizedDomain,
    /// The emulator cannot do all that the service can.
    #[error("the emulator cannot do this")]
    NotEmulated,
    #[error("{0}")]
    Unreachable(String),
    /// Our fault, or the project's: what was said of it.
    #[error("{0}")]
    Failed(String),
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ErrorDetail,
}

#[derive(Deserialize)]
struct ErrorDetail {
    #[serde(default)]
    message: String,
}

impl AuthenticationError {
    /// Of an answer other than 2xx.
    pub(super) fn from_answer(status: u16, body: &[u8]) -> Self {
        match serde_json::from_slice(body) {
            Ok(ErrorBody { error }) => Self::from_message(status, &error.message),
            Err(_) if status == 429 => Self::TooManyAttempts,
            Err(_) => Self::Unreachable(format!("status {status}")),
        }
    }

    /// A message is a code, and perhaps a sentence behind a colon.
    fn from_message(status: u16, message: &str) -> Self {
        let (code, detail) = message.split_once(':').unwrap_or((message, ""));
        match code.trim() {
            "INVALID_PASSWORD" | "INVALID_LOGIN_CREDENTIALS" => Self::WrongPassword,
            "EMAIL_NOT_FOUND" | "USER_NOT_FOUND" => Self::NoSuchAccount,
            "USER_DISABLED" => Self::Disabled,
            "TOKEN_EXPIRED"
            | "INVALID_REFRESH_TOKEN"
            | "MISSING_REFRESH_TOKEN"
            | "INVALID_ID_TOKEN"
            | "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" => Self::Ended,
            "EMAIL_EXISTS" | "DUPLICATE_EMAIL" => Self::EmailInUse,
            "WEAK_PASSWORD" | "PASSWORD_DOES_NOT_MEET_REQUIREMENTS" => {
                Self::WeakPassword(weakness(detail))
            }
            "TOO_MANY_ATTEMPTS_TRY_LATER" | "RESET_PASSWORD_EXCEED_LIMIT" | "QUOTA_EXCEEDED" => {
                Self::TooManyAttempts
            }
            "EXPIRED_OOB_CODE" => Self::ExpiredLink,
            "INVALID_OOB_CODE" | "MISSING_OOB_CODE" => Self::InvalidLink,
            "ADMIN_ONLY_OPERATION" => Self::AdminsOnly,
            "UNAUTHORIZED_DOMAIN" | "INVALID_CONTINUE_URI" => Self::UnauthorizedDomain,
            _ if status == 429 => Self::TooManyAttempts,
            _ if status == 501 => Self::NotEmulated,
            _ if status >= 500 => Self::Unreachable(format!("status {status}: {message}")),
            _ => Self::Failed(format!("status {status}: {message}")),
        }
    }

    /// At a sign-in nobody is told whether there is an account, or whether it is a disabled one.
    pub(super) fn at_sign_in(self) -> Self {
        match self {
            Self::NoSuchAccount | Self::Disabled => Self::WrongPassword,
            Self::Failed(why) if is_about_the_input(&why) => Self::WrongPassword,
            other => other,
        }
    }
}

fn is_about_the_input(why: &str) -> bool {
    ["INVALID_EMAIL", "MISSING_EMAIL", "MISSING_PASSWORD"]
        .iter()
        .any(|code| why.ends_with(code))
}

fn weakness(detail: &str) -> String {
    match detail.trim() {
        "" => "The password does not meet the requirements".to_owned(),
        detail => detail.to_owned(),
    }
}

impl From<VerifyError> for AuthenticationError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Token(_) => Self::Failed(error.to_string()),
            VerifyError::Keys(_) => Self::Unreachable(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(status: u16, message: &str) -> AuthenticationError {
        let body = serde_json::json!({ "error": { "code": status, "message": message } });
        AuthenticationError::from_answer(status, body.to_string().as_bytes())
    }

    #[test]
    fn every_code_has_its_meaning() {
        for (message, error) in [
            ("INVALID_PASSWORD", AuthenticationError::WrongPassword),
            (
                "INVALID_LOGIN_CREDENTIALS",
                AuthenticationError::WrongPassword,
            ),
            ("EMAIL_NOT_FOUND", AuthenticationError::NoSuchAccount),
            ("USER_NOT_FOUND", AuthenticationError::NoSuchAccount),
            ("USER_DISABLED", AuthenticationError::Disabled),
            ("TOKEN_EXPIRED", AuthenticationError::Ended),
            ("INVALID_REFRESH_TOKEN", AuthenticationError::Ended),
            ("EMAIL_EXISTS", AuthenticationError::EmailInUse),
            ("EXPIRED_OOB_CODE", AuthenticationError::ExpiredLink),
            ("INVALID_OOB_CODE", AuthenticationError::InvalidLink),
            (
                "TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been disabled.",
                AuthenticationError::TooManyAttempts,
            ),
            (
                "WEAK_PASSWORD : Password should be at least 6 characters",
                AuthenticationError::WeakPassword(
                    "Password should be at least 6 characters".to_owned(),
                ),
            ),
            ("ADMIN_ONLY_OPERATION", AuthenticationError::AdminsOnly),
            (
                "UNAUTHORIZED_DOMAIN : Domain not allowlisted",
                AuthenticationError::UnauthorizedDomain,
            ),
        ] {
            assert_eq!(refusal(400, message), error, "{message}");
        }
    }

    #[test]
    fn an_unknown_code_is_no_wrong_password() {
        assert!(matches!(
            refusal(400, "API key not valid. Please pass a valid API key."),
            AuthenticationError::Failed(_)
        ));
        assert!(matches!(
            refusal(503, "The service is currently unavailable."),
            AuthenticationError::Unreachable(_)
        ));
        assert_eq!(
            refusal(429, "Resource has been exhausted"),
            AuthenticationError::TooManyAttempts
        );
        assert!(matches!(
            AuthenticationError::from_answer(502, b"<html>Bad gateway</html>"),
            AuthenticationError::Unreachable(_)
        ));
    }

    #[test]
    fn at_a_sign_in_a_missing_or_disabled_account_is_a_wrong_password() {
        for message in [
            "EMAIL_NOT_FOUND",
            "USER_DISABLED",
            "INVALID_EMAIL",
            "MISSING_PASSWORD",
        ] {
            let error = refusal(400, message).at_sign_in();
            assert_eq!(error, AuthenticationError::WrongPassword, "{message}");
        }
        assert_eq!(
            refusal(400, "QUOTA_EXCEEDED").at_sign_in(),
            AuthenticationError::TooManyAttempts
        );
    }
}
