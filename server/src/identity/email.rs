//! An email address as the key of a person.

use actix_web::http::StatusCode;

use crate::error::ApiError;

/// RFC 5321's path without its brackets.
const LONGEST_EMAIL: usize = 254;

/// An email address as the key of a person: lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Mail servers know best which addresses exist; this only keeps out what cannot be one.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        let email = text.trim().to_lowercase();
        let plausible = email.len() <= LONGEST_EMAIL
            && !email.chars().any(|c| c.is_whitespace() || c.is_control())
            && email.split_once('@').is_some_and(|(mailbox, host)| {
                !mailbox.is_empty() && !host.is_empty() && !host.contains('@')
            });
        if plausible {
            Ok(Self(email))
        } else {
            Err(ApiError::new(
                StatusCode::BAD_REQUEST,
                "invalid-email",
                "This is not an email address: write it like name@example.com",
            ))
        }
    }

    /// An address that no account can have.
    pub(super) fn nobodys() -> Self {
        Self(String::new())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_is_trimmed_and_lower_case() {
        assert_eq!(
            Email::parse(" Ann@Example.COM ").unwrap().as_str(),
            "ann@example.com"
        );
    }

    #[test]
    fn what_cannot_be_an_email_is_refused() {
        let long = format!("{}@example.com", "x".repeat(243));
        for text in [
            "",
            "ann",
            "@",
            "ann@",
            "@example.com",
            "a@b@c",
            "a b@c",
            "a\u{7}@c",
            &long,
        ] {
            assert_eq!(
                Email::parse(text).unwrap_err().code,
                "invalid-email",
                "{text}"
            );
        }
    }
}
