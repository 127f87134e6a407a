//! What Google's identity services answer when they do not do what they were asked.

use serde::Deserialize;

use crate::identity::provider::ProviderError;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
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
    TooMany,
    #[error("the link has expired")]
    ExpiredLink,
    #[error("the link is not good")]
    InvalidLink,
    /// The project's own settings forbid people to do this by themselves.
    #[error("only administrators may do this")]
    AdminsOnly,
    /// A page outside the project's authorised domains.
    #[error("the page to continue at is not among the project's authorised domains")]
    ForeignPage,
    /// The emulator cannot do all that the service can.
    #[error("the emulator cannot do this")]
    NotEmulated,
    #[error("{0}")]
    Unreachable(String),
    /// Our fault, or the project's: what was said of it.
    #[error("{0}")]
    Broken(String),
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

impl Refusal {
    /// Of an answer other than 2xx.
    pub(super) fn of(status: u16, body: &[u8]) -> Self {
        match serde_json::from_slice(body) {
            Ok(ErrorBody { error }) => Self::said(status, &error.message),
            Err(_) if status == 429 => Self::TooMany,
            Err(_) => Self::Unreachable(format!("status {status}")),
        }
    }

    /// A message is a code, and perhaps a sentence behind a colon.
    fn said(status: u16, message: &str) -> Self {
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
                Self::WeakPassword(sentence(detail))
            }
            "TOO_MANY_ATTEMPTS_TRY_LATER" | "RESET_PASSWORD_EXCEED_LIMIT" | "QUOTA_EXCEEDED" => {
                Self::TooMany
            }
            "EXPIRED_OOB_CODE" => Self::ExpiredLink,
            "INVALID_OOB_CODE" | "MISSING_OOB_CODE" => Self::InvalidLink,
            "ADMIN_ONLY_OPERATION" => Self::AdminsOnly,
            "UNAUTHORIZED_DOMAIN" | "INVALID_CONTINUE_URI" => Self::ForeignPage,
            _ if status == 429 => Self::TooMany,
            _ if status == 501 => Self::NotEmulated,
            _ if status >= 500 => Self::Unreachable(format!("status {status}: {message}")),
            _ => Self::Broken(format!("status {status}: {message}")),
        }
    }

    /// At a sign-in nobody is told whether there is an account, or whether it is a disabled one.
    pub(super) fn at_sign_in(self) -> Self {
        match self {
            Self::NoSuchAccount | Self::Disabled => Self::WrongPassword,
            Self::Broken(why) if is_about_what_was_typed(&why) => Self::WrongPassword,
            other => other,
        }
    }
}

fn is_about_what_was_typed(why: &str) -> bool {
    ["INVALID_EMAIL", "MISSING_EMAIL", "MISSING_PASSWORD"]
        .iter()
        .any(|code| why.ends_with(code))
}

fn sentence(detail: &str) -> String {
    match detail.trim() {
        "" => "The password does not meet the requirements".to_owned(),
        detail => detail.to_owned(),
    }
}

impl From<Refusal> for ProviderError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::WrongPassword => Self::WrongPassword,
            Refusal::NoSuchAccount => Self::UserNotFound,
            Refusal::Disabled | Refusal::Ended => Self::Ended,
            Refusal::EmailInUse => Self::EmailInUse,
            Refusal::WeakPassword(said) => Self::WeakPassword(said),
            Refusal::TooMany => Self::TooManyRequests,
            Refusal::ExpiredLink => Self::ExpiredLink,
            Refusal::InvalidLink => Self::InvalidLink,
            Refusal::Unreachable(why) => Self::Network(why),
            Refusal::AdminsOnly
            | Refusal::ForeignPage
            | Refusal::NotEmulated
            | Refusal::Broken(_) => Self::Broken(refusal.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, message: &str) -> Refusal {
        let body = serde_json::json!({ "error": { "code": status, "message": message } });
        Refusal::of(status, body.to_string().as_bytes())
    }

    #[test]
    fn every_code_has_its_meaning() {
        for (message, refusal) in [
            ("INVALID_PASSWORD", Refusal::WrongPassword),
            ("INVALID_LOGIN_CREDENTIALS", Refusal::WrongPassword),
            ("EMAIL_NOT_FOUND", Refusal::NoSuchAccount),
            ("USER_NOT_FOUND", Refusal::NoSuchAccount),
            ("USER_DISABLED", Refusal::Disabled),
            ("TOKEN_EXPIRED", Refusal::Ended),
            ("INVALID_REFRESH_TOKEN", Refusal::Ended),
            ("EMAIL_EXISTS", Refusal::EmailInUse),
            ("EXPIRED_OOB_CODE", Refusal::ExpiredLink),
            ("INVALID_OOB_CODE", Refusal::InvalidLink),
            (
                "TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been disabled.",
                Refusal::TooMany,
            ),
            (
                "WEAK_PASSWORD : Password should be at least 6 characters",
                Refusal::WeakPassword("Password should be at least 6 characters".to_owned()),
            ),
            ("ADMIN_ONLY_OPERATION", Refusal::AdminsOnly),
            (
                "UNAUTHORIZED_DOMAIN : Domain not allowlisted",
                Refusal::ForeignPage,
            ),
        ] {
            assert_eq!(of(400, message), refusal, "{message}");
        }
    }

    #[test]
    fn what_is_not_known_is_nobody_s_wrong_password() {
        assert!(matches!(
            of(400, "API key not valid. Please pass a valid API key."),
            Refusal::Broken(_)
        ));
        assert!(matches!(
            of(503, "The service is currently unavailable."),
            Refusal::Unreachable(_)
        ));
        assert_eq!(of(429, "Resource has been exhausted"), Refusal::TooMany);
        assert!(matches!(
            Refusal::of(502, b"<html>Bad gateway</html>"),
            Refusal::Unreachable(_)
        ));
    }

    #[test]
    fn at_a_sign_in_an_account_that_is_not_there_or_disabled_is_a_wrong_password() {
        for message in [
            "EMAIL_NOT_FOUND",
            "USER_DISABLED",
            "INVALID_EMAIL",
            "MISSING_PASSWORD",
        ] {
            let refusal = of(400, message).at_sign_in();
            assert_eq!(refusal, Refusal::WrongPassword, "{message}");
        }
        assert_eq!(of(400, "QUOTA_EXCEEDED").at_sign_in(), Refusal::TooMany);
    }
}
