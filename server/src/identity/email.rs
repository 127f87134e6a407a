//! An email address as the key of a person.

use crate::audit::is_hidden;
use crate::error::{ApiError, ErrorCode};

/// RFC 5321's path without its brackets.
const MAX_EMAIL_BYTES: usize = 254;

/// An email address as the key of a person: lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Mail servers know best which addresses exist; this only keeps out what cannot be one.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        let email = text.trim().to_lowercase();
        let plausible = email.len() <= MAX_EMAIL_BYTES
            && !email.chars().any(|c| c.is_whitespace() || c.is_control())
            && email.split_once('@').is_some_and(|(mailbox, host)| {
                !mailbox.is_empty() && !host.is_empty() && !host.contains('@')
            });
        plausible
            .then_some(Self(email))
            .ok_or_else(|| refused("This is not an email address: write it like name@example.com"))
    }

    /// Of an account that is to be made: besides, it looks like no other, and a mail to it goes to one
    /// mailbox. Accounts that were there before go on as they are.
    pub fn parse_new(text: &str) -> Result<Self, ApiError> {
        let email = Self::parse(text)?;
        if email.has_hidden() {
            return Err(refused(
                "This email address has a character that cannot be seen: type it instead of pasting it",
            ));
        }
        let (mailbox, host) = email.0.split_once('@').unwrap_or_default();
        let is_of_host = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let is_plain = !mailbox.contains(['<', '>', ',', ';', ':', '"', '\\', '(', ')'])
            && host
                .split('.')
                .all(|label| !label.is_empty() && label.chars().all(is_of_host));
        is_plain
            .then_some(email)
            .ok_or_else(|| refused("This is not an email address: write it like name@example.com"))
    }

    /// It looks like another one.
    pub fn has_hidden(&self) -> bool {
        self.0.chars().any(is_hidden)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn refused(sentence: &str) -> ApiError {
    ApiError::new(ErrorCode::InvalidEmail, sentence)
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
    fn an_account_that_is_made_looks_like_no_other_and_one_that_is_there_stays() {
        for text in [
            "owner\u{200b}@example.com",
            "owner@exam\u{ad}ple.com",
            "\u{202e}owner@example.com",
            "<owner@example.com>",
            "a,b@example.com",
            "a@example.com>",
            "a@example..com",
            "a@.example.com",
            "a@example.com,b",
            "s3cr3t@passw0rd!",
        ] {
            assert_eq!(
                Email::parse_new(text).unwrap_err().code,
                ErrorCode::InvalidEmail,
                "{text}"
            );
            Email::parse(text).unwrap();
        }
        for text in [
            "o'neil+desk@sub.example.com",
            "j\u{fc}rgen@m\u{fc}ller.example",
            "ann@localhost",
            "ann@shop",
        ] {
            assert_eq!(Email::parse_new(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn an_impossible_email_is_refused() {
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
                ErrorCode::InvalidEmail,
                "{text}"
            );
        }
    }
}
