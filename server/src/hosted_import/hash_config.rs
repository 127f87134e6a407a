//! A project's password hash parameters, as Firebase's console shows them or its API gives them.

use std::collections::HashMap;

use crate::identity::firebase_scrypt::{HashParameters, PasswordHashError};

/// With these the hashes of an export can be verified.
#[derive(Clone, Debug)]
pub struct HashConfig(HashParameters);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashConfigError {
    #[error("the password hash parameters lack {0}")]
    Missing(&'static str),
    #[error("the password hash parameters are of {0}; only SCRYPT, Firebase's own, can be taken")]
    Algorithm(String),
    #[error("{0} in the password hash parameters is no number")]
    NotANumber(&'static str),
    #[error("the password hash parameters cannot be right: {0}")]
    Invalid(String),
}

impl HashConfig {
    /// Reads JSON, or the block `hash_config { name: value, ... }` that the console offers to copy.
    pub fn parse(text: &str) -> Result<Self, HashConfigError> {
        let values = values(text);
        let value = |names: &[&str], missing: &'static str| {
            names
                .iter()
                .find_map(|name| values.get(*name))
                .map(String::as_str)
                .ok_or(HashConfigError::Missing(missing))
        };
        if let Ok(algorithm) = value(&["algorithm"], "")
            && !algorithm.eq_ignore_ascii_case("scrypt")
        {
            return Err(HashConfigError::Algorithm(algorithm.to_owned()));
        }
        let rounds = value(&["rounds"], "rounds")?;
        let memory_cost = value(&["memcost", "memorycost"], "memCost")?;
        HashParameters::parse(
            value(&["signerkey", "base64signerkey"], "signerKey")?,
            value(&["saltseparator", "base64saltseparator"], "saltSeparator")?,
            rounds
                .parse()
                .map_err(|_| HashConfigError::NotANumber("rounds"))?,
            memory_cost
                .parse()
                .map_err(|_| HashConfigError::NotANumber("memCost"))?,
        )
        .map(Self)
        .map_err(|error| HashConfigError::Invalid(error.to_string()))
    }

    /// A hash and its salt in the form in which they are stored.
    pub(super) fn stored_hash(&self, hash: &str, salt: &str) -> Result<String, PasswordHashError> {
        self.0.stored_hash(hash, salt)
    }
}

/// By their names in lower case without underscores, since each source has its own spelling.
fn values(text: &str) -> HashMap<String, String> {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    if let Ok(serde_json::Value::Object(object)) = serde_json::from_str(text) {
        let object = match object.get("hashConfig") {
            Some(serde_json::Value::Object(inner)) => inner.clone(),
            _ => object,
        };
        return object
            .into_iter()
            .map(|(name, value)| match value {
                serde_json::Value::String(text) => (plain(&name), text),
                other => (plain(&name), other.to_string()),
            })
            .collect();
    }
    text.lines()
        .filter_map(|line| line.trim().trim_end_matches(',').split_once(':'))
        .map(|(name, value)| (plain(name.trim()), value.trim().to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "c2lnbmVy";

    #[test]
    fn the_console_and_the_api_give_the_same_parameters() {
        let console = format!(
            "hash_config {{\n  algorithm: SCRYPT,\n  base64_signer_key: {KEY},\n  \
             base64_salt_separator: Bw==,\n  rounds: 8,\n  mem_cost: 14,\n}}\n"
        );
        let api = format!(
            r#"{{"algorithm":"SCRYPT","signerKey":"{KEY}","saltSeparator":"Bw==","rounds":8,"memoryCost":14}}"#
        );
        let ours = format!(
            r#"{{"hashConfig":{{"signerKey":"{KEY}","saltSeparator":"Bw==","rounds":"8","memCost":"14"}}}}"#
        );
        let [console, api, ours] =
            [console, api, ours].map(|text| HashConfig::parse(&text).unwrap().0);
        assert!(console == api && api == ours);
    }

    #[test]
    fn a_missing_or_wrong_parameter_is_named() {
        let parse = |text: &str| HashConfig::parse(text).unwrap_err().to_string();
        assert_eq!(parse("{}"), "the password hash parameters lack rounds");
        assert_eq!(parse(""), "the password hash parameters lack rounds");
        assert_eq!(
            parse(r#"{"algorithm":"BCRYPT"}"#),
            "the password hash parameters are of BCRYPT; only SCRYPT, Firebase's own, can be taken"
        );
        assert_eq!(
            parse(r#"{"signerKey":"AA==","saltSeparator":"","rounds":"many","memCost":14}"#),
            "rounds in the password hash parameters is no number"
        );
        assert_eq!(
            parse(r#"{"signerKey":"AA==","saltSeparator":"","rounds":9,"memCost":14}"#),
            "the password hash parameters cannot be right: rounds must be 1 to 8"
        );
    }
}
