//! What the project demands of a password, as Google's services tell it.

use serde::Deserialize;

/// Google's defaults, where a project sets none.
const DEFAULT_MIN_LENGTH: u32 = 6;
const DEFAULT_MAX_LENGTH: u32 = 4_096;

/// A project's rules for passwords; the default is Google's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PasswordRules {
    custom_strength_options: StrengthOptions,
    allowed_non_alphanumeric_characters: Vec<String>,
    /// `OFF`: the options are there, but only the default length counts.
    enforcement_state: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct StrengthOptions {
    min_password_length: Option<u32>,
    max_password_length: Option<u32>,
    contains_lowercase_character: bool,
    contains_uppercase_character: bool,
    contains_numeric_character: bool,
    contains_non_alphanumeric_character: bool,
}

impl PasswordRules {
    /// Characters.
    pub fn min_length(&self) -> u32 {
        let set = self.options().min_password_length;
        set.unwrap_or(DEFAULT_MIN_LENGTH)
    }

    /// Characters.
    pub fn max_length(&self) -> u32 {
        let set = self.options().max_password_length;
        set.unwrap_or(DEFAULT_MAX_LENGTH)
    }

    fn options(&self) -> StrengthOptions {
        match self.enforcement_state.as_str() {
            "OFF" => StrengthOptions::default(),
            _ => self.custom_strength_options.clone(),
        }
    }

    /// A sentence with the rules that this password does not meet; `None` when it meets all that are
    /// known here.
    pub(super) fn unmet(&self, password: &str) -> Option<String> {
        let options = self.options();
        let (min_length, max_length) = (self.min_length(), self.max_length());
        let length = u32::try_from(password.chars().count()).unwrap_or(u32::MAX);
        let lacks = |is: fn(char) -> bool| !password.contains(is);
        let mut unmet = Vec::new();
        if length < min_length {
            unmet.push(format!("at least {min_length} characters"));
        }
        if length > max_length {
            unmet.push(format!("at most {max_length} characters"));
        }
        if options.contains_lowercase_character && lacks(|c| c.is_ascii_lowercase()) {
            unmet.push("a lower-case letter".to_owned());
        }
        if options.contains_uppercase_character && lacks(|c| c.is_ascii_uppercase()) {
            unmet.push("an upper-case letter".to_owned());
        }
        if options.contains_numeric_character && lacks(|c| c.is_ascii_digit()) {
            unmet.push("a digit".to_owned());
        }
        if options.contains_non_alphanumeric_character && !self.has_symbol(password) {
            unmet.push("a symbol such as ! or ?".to_owned());
        }
        let last = unmet.pop()?;
        Some(if unmet.is_empty() {
            format!("The password needs {last}")
        } else {
            format!("The password needs {} and {last}", unmet.join(", "))
        })
    }

    fn has_symbol(&self, password: &str) -> bool {
        let allowed = &self.allowed_non_alphanumeric_characters;
        if allowed.is_empty() {
            return password.contains(|c: char| c.is_ascii_punctuation());
        }
        allowed
            .iter()
            .any(|symbol| password.contains(symbol.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn strict() -> PasswordRules {
        serde_json::from_value(json!({
            "customStrengthOptions": {
                "minPasswordLength": 8,
                "maxPasswordLength": 20,
                "containsLowercaseCharacter": true,
                "containsUppercaseCharacter": true,
                "containsNumericCharacter": true,
                "containsNonAlphanumericCharacter": true,
            },
            "allowedNonAlphanumericCharacters": ["!", "?"],
            "enforcementState": "ENFORCE",
            "schemaVersion": 1,
        }))
        .unwrap()
    }

    #[test]
    fn the_sentence_names_the_rules_that_are_not_met() {
        for (password, sentence) in [
            (
                "",
                "The password needs at least 8 characters, a lower-case letter, \
                 an upper-case letter, a digit and a symbol such as ! or ?",
            ),
            (
                "lowercase",
                "The password needs an upper-case letter, a digit and a symbol such as ! or ?",
            ),
            ("Lowercase1", "The password needs a symbol such as ! or ?"),
            ("Lowercase1#", "The password needs a symbol such as ! or ?"),
            (
                "Lowercase1!Lowercase1!",
                "The password needs at most 20 characters",
            ),
        ] {
            assert_eq!(strict().unmet(password).unwrap(), sentence, "{password}");
        }
        assert_eq!(strict().unmet("Lowercase1!"), None);
    }

    #[test]
    fn rules_that_are_not_enforced_do_not_count() {
        let off = PasswordRules {
            enforcement_state: "OFF".to_owned(),
            ..strict()
        };
        for rules in [off, PasswordRules::default()] {
            assert_eq!(
                rules.unmet("12345").unwrap(),
                "The password needs at least 6 characters"
            );
            assert_eq!(rules.unmet("123456"), None);
            assert_eq!((rules.min_length(), rules.max_length()), (6, 4_096));
        }
        assert_eq!((strict().min_length(), strict().max_length()), (8, 20));
    }
}
