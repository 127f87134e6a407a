//! What a new password must be. Length is what counts: no kind of character is asked for, and every
//! one is taken.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::provider::{PasswordPolicy, ProviderError};

static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("common_passwords.txt")
        .lines()
        .filter(|line| !line.starts_with("# "))
        .collect()
});

/// What anybody would guess first here. With figures and marks around it a word is no better.
const OF_THE_TRADE: [&str; 24] = [
    "advisor",
    "automobile",
    "automotive",
    "autohaus",
    "cars",
    "customer",
    "dealer",
    "dealership",
    "dispatch",
    "dispatcher",
    "foreman",
    "garage",
    "manager",
    "mechanic",
    "owner",
    "repair",
    "repairorder",
    "service",
    "servicedepartment",
    "servicemanager",
    "taller",
    "technician",
    "vehicle",
    "workshop",
];

/// Its letters are one of those words, once or several times.
fn is_of_the_trade(password: &str) -> bool {
    let letters: String = password.chars().filter(|c| c.is_alphabetic()).collect();
    OF_THE_TRADE
        .iter()
        .any(|word| !letters.is_empty() && letters.replace(word, "").is_empty())
}

impl PasswordPolicy {
    /// `WeakPassword`, `CommonPassword`.
    pub(super) fn allow(&self, password: &str) -> Result<(), ProviderError> {
        let Self {
            min_length,
            max_length,
            refuses_common,
        } = *self;
        if password.chars().count() < min_length as usize {
            return Err(ProviderError::WeakPassword(format!(
                "The password needs at least {min_length} characters"
            )));
        }
        if password.len() > max_length as usize {
            return Err(ProviderError::WeakPassword(format!(
                "The password is longer than {max_length} bytes"
            )));
        }
        let lower = password.to_lowercase();
        if refuses_common && (COMMON.contains(lower.as_str()) || is_of_the_trade(&lower)) {
            return Err(ProviderError::CommonPassword);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: PasswordPolicy = PasswordPolicy {
        min_length: 6,
        max_length: 1_000,
        refuses_common: true,
    };

    #[test]
    fn too_short_and_too_long_passwords_are_refused() {
        for password in ["", "1a2b3", "     ", "äöüßé", &"x".repeat(1_001)] {
            let refused = POLICY.allow(password).unwrap_err();
            assert!(
                matches!(refused, ProviderError::WeakPassword(_)),
                "{refused}"
            );
        }
        let longer = PasswordPolicy {
            min_length: 12,
            ..POLICY
        };
        assert_eq!(
            longer.allow("elevenchars").unwrap_err().to_string(),
            "The password needs at least 12 characters"
        );
    }

    #[test]
    fn every_character_is_taken_and_none_is_asked_for() {
        for password in [
            "äöüßéñ",
            "      ",
            "a b c d",
            "🔧🔧🔧🔧🔧🔧",
            "kwvzpq",
            "\u{1}234567",
        ] {
            POLICY.allow(password).unwrap();
        }
    }

    #[test]
    fn the_most_common_passwords_are_refused_however_they_are_written() {
        for password in [
            "123456", "password", "PassWord", "QWERTY", "michael", "iloveyou",
        ] {
            let refused = POLICY.allow(password).unwrap_err();
            assert!(
                matches!(refused, ProviderError::CommonPassword),
                "{password}"
            );
            let lenient = PasswordPolicy {
                refuses_common: false,
                ..POLICY
            };
            lenient.allow(password).unwrap();
        }
        assert!(COMMON.len() > 10_000);
    }

    #[test]
    fn the_words_of_the_trade_are_refused_whatever_stands_around_them() {
        for password in [
            "Dispatch2026!",
            "service-service",
            "1_Technician_1",
            "RepairOrder",
        ] {
            assert!(POLICY.allow(password).is_err(), "{password}");
        }
        for password in ["dispatch-demo", "my dispatch desk", "2026!2026!"] {
            POLICY.allow(password).unwrap();
        }
    }
}
