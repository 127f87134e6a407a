//! What a new password must be. Length is what counts: no kind of character is asked for, and every
//! one is taken.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use crate::audit::is_hidden;
use crate::identity::provider::{PasswordPolicy, ProviderError};

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

/// As whoever guesses writes it: small letters of the plain kind, without spaces and without what is not
/// seen. The password itself stays as it is.
fn plainly(text: &str) -> String {
    let shown = text.nfkc().filter(|c| !is_hidden(*c));
    let small: String = shown.flat_map(char::to_lowercase).collect();
    small.nfkc().filter(|c| !c.is_whitespace()).collect()
}

/// It is on the list, or repeats what is, or two letters or figures.
fn is_common(plain: &str) -> bool {
    let repeats = |length: usize| {
        let unit = plain.get(..length)?;
        plain.replace(unit, "").is_empty().then_some(unit)
    };
    let is_short =
        |unit: &str| unit.chars().count() <= 2 && unit.chars().all(char::is_alphanumeric);
    COMMON.contains(plain)
        || (1..=plain.len() / 2)
            .filter_map(repeats)
            .any(|unit| is_short(unit) || COMMON.contains(unit))
}

/// Its letters are one of those words, once or several times.
fn is_made_of<'a>(plain: &str, words: impl IntoIterator<Item = &'a str>) -> bool {
    let letters = letters(plain);
    let mut words = words.into_iter().filter(|word| !word.is_empty());
    words.any(|word| !letters.is_empty() && letters.replace(word, "").is_empty())
}

fn letters(plain: &str) -> String {
    plain.chars().filter(|c| c.is_alphabetic()).collect()
}

/// It is the email or the name of whose password it is, whatever figures and marks are around it.
fn is_own(plain: &str, owner: &[&str]) -> bool {
    owner.iter().any(|own| {
        let own = plainly(own);
        let mailbox = own.split('@').next().unwrap_or_default();
        [own.as_str(), mailbox]
            .into_iter()
            .any(|own| plain == own || is_made_of(plain, [letters(own).as_str()]))
    })
}

impl PasswordPolicy {
    /// `owner`: email and name of whose it is to be. `WeakPassword`, `CommonPassword`.
    pub(in crate::identity) fn allow(
        &self,
        password: &str,
        owner: &[&str],
    ) -> Result<(), ProviderError> {
        let Self {
            min_length,
            max_length,
            refuses_common,
        } = *self;
        let shown = password.chars().filter(|c| !is_hidden(*c)).count();
        if shown < min_length as usize {
            return Err(ProviderError::WeakPassword(format!(
                "The password needs at least {min_length} characters"
            )));
        }
        if password.len() > max_length as usize {
            return Err(ProviderError::WeakPassword(format!(
                "The password is longer than {max_length} bytes"
            )));
        }
        let plain = plainly(password);
        let is_guessed = plain.is_empty()
            || is_common(&plain)
            || is_made_of(&plain, OF_THE_TRADE)
            || is_own(&plain, owner);
        if refuses_common && is_guessed {
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
            let refused = POLICY.allow(password, &[]).unwrap_err();
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
            longer.allow("elevenchars", &[]).unwrap_err().to_string(),
            "The password needs at least 12 characters"
        );
    }

    #[test]
    fn every_character_is_taken_and_none_is_asked_for() {
        for password in ["äöüßéñ", "a b c d", "🔧🔧🔧🔧🔧🔧", "kwvzpq", "\u{1}kwvzpq"]
        {
            POLICY.allow(password, &[]).unwrap();
        }
    }

    #[test]
    fn the_most_common_passwords_are_refused_however_they_are_written() {
        for password in [
            "123456", "password", "PassWord", "QWERTY", "michael", "iloveyou",
        ] {
            let refused = POLICY.allow(password, &[]).unwrap_err();
            assert!(
                matches!(refused, ProviderError::CommonPassword),
                "{password}"
            );
            let lenient = PasswordPolicy {
                refuses_common: false,
                ..POLICY
            };
            lenient.allow(password, &[]).unwrap();
        }
        // As many as OWASP asks for are no shorter than passwords must be here.
        let of_eight = COMMON.iter().filter(|one| one.chars().count() >= 8);
        assert!(of_eight.count() >= 3_000);
    }

    #[test]
    fn a_disguise_makes_no_common_password_another_one() {
        for password in [
            "password\u{200b}",
            "pass\u{ad}word",
            "\u{ff50}\u{ff41}\u{ff53}\u{ff53}\u{ff57}\u{ff4f}\u{ff52}\u{ff44}",
            "p a s s w o r d",
            "passwordpassword",
            "Password PASSWORD password",
            "        ",
            "\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}",
            "aaaaaaaaaaaaaaa",
            "121212121212",
        ] {
            let refused = POLICY.allow(password, &[]).unwrap_err();
            assert!(
                matches!(refused, ProviderError::CommonPassword),
                "{password:?}"
            );
        }
        let hidden = "\u{200b}".repeat(8);
        let refused = POLICY.allow(&hidden, &[]).unwrap_err();
        assert!(
            matches!(refused, ProviderError::WeakPassword(_)),
            "{refused}"
        );
        for password in ["password of the week", "kwvzpq kwvzpq", "passwordpasswort"] {
            POLICY.allow(password, &[]).unwrap();
        }
    }

    #[test]
    fn the_email_and_the_name_of_whose_it_is_are_refused() {
        let owner = ["ann.miller7@example.com", "Ann Miller"];
        for password in [
            "ann.miller7@example.com",
            "Ann.Miller7@Example.com",
            "ann.miller7",
            "annmiller2026!",
            "ANN MILLER",
            "\u{ff41}nnmiller",
            "annmillerannmiller",
        ] {
            let refused = POLICY.allow(password, &owner).unwrap_err();
            assert!(
                matches!(refused, ProviderError::CommonPassword),
                "{password:?}"
            );
        }
        for password in ["ann is no miller", "bob.miller7@example.com"] {
            POLICY.allow(password, &owner).unwrap();
        }
    }

    #[test]
    fn the_words_of_the_trade_are_refused_whatever_stands_around_them() {
        for password in [
            "Dispatch2026!",
            "service-service",
            "1_Technician_1",
            "RepairOrder",
        ] {
            assert!(POLICY.allow(password, &[]).is_err(), "{password}");
        }
        for password in ["dispatch-demo", "my dispatch desk", "2026!2026!"] {
            POLICY.allow(password, &[]).unwrap();
        }
    }
}
