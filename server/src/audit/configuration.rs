//! The options that make a server safer or less safe: an event of each that is another than at the last
//! start.

use std::collections::BTreeMap;

use sea_orm::DbErr;
use sha2::{Digest, Sha256};

use super::event::{AuditEvent, AuditKind};
use super::origin::Origin;
use super::{AuditTrail, announce_all, record_all};
use crate::settings;

const SETTING: &str = "audit-configuration";

/// What most servers are started with, and what is not worth an event at their first start.
const DEFAULTS: &[(&str, &str)] = &[
    ("allow-common-passwords", "false"),
    ("backup-dir", ""),
    ("backup-encryption", "false"),
    ("backup-s3", ""),
    ("demo", "false"),
    ("identity", "embedded"),
    ("listen", "127.0.0.1"),
    ("password-min-length", "8"),
    ("smtp-url", "folder"),
    ("staff", "embedded"),
    ("story-provider", "built-in"),
    ("test-page", "false"),
];

/// Where a start before did not write these down, an older version does not have them: nothing is known to have changed.
const ADDED_LATER: [&str; 3] = ["backup-dir", "backup-encryption", "backup-s3"];

/// Characters of a value in an event.
const MAX_SHOWN: usize = 100;

/// Names and values, without secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SafetyOptions(BTreeMap<String, String>);

impl SafetyOptions {
    pub fn add(&mut self, name: &str, value: impl ToString) {
        self.0.insert(name.to_owned(), value.to_string());
    }

    fn text(&self) -> String {
        serde_json::json!(self.0).to_string()
    }

    /// Tells two sets of options apart.
    fn digest(&self) -> String {
        let digest = format!("{:x}", Sha256::digest(self.text()));
        digest[..16].to_owned()
    }

    /// The changed options, one text each, so that none pushes another out of an event.
    fn differences(&self, before: &Self) -> Vec<String> {
        let mut names: Vec<&String> = self.0.keys().chain(before.0.keys()).collect();
        names.sort();
        names.dedup();
        let value = |options: &Self, name: &String| {
            let value = options.0.get(name).filter(|value| !value.is_empty());
            value.map_or_else(|| "none".to_owned(), Clone::clone)
        };
        let changed = names
            .into_iter()
            .filter(|name| before.0.contains_key(*name) || !ADDED_LATER.contains(&name.as_str()))
            .map(|name| (name, value(before, name), value(self, name)))
            .filter(|(_, before, now)| before != now);
        changed
            .map(|(name, before, now)| {
                format!(
                    "{name}: {} -> {}",
                    truncated_value(&before),
                    truncated_value(&now)
                )
            })
            .collect()
    }

    /// Of servers that were never started before.
    fn defaults(&self) -> Self {
        let mut defaults = Self::default();
        for (name, value) in DEFAULTS {
            defaults.add(name, value);
        }
        // Every server has one.
        let database = self.0.get("database-url").map_or("", String::as_str);
        defaults.add("database-url", database);
        defaults
    }
}

/// A long one without its end.
fn truncated_value(value: &str) -> String {
    let mut shown: String = value.chars().take(MAX_SHOWN).collect();
    if shown.len() < value.len() {
        shown.push_str("...");
    }
    shown
}

impl AuditTrail {
    /// Writes an event of each option that is another than at the last start; at the first, of each that
    /// is not as it is without saying so.
    pub async fn note_configuration(&self, options: &SafetyOptions) -> Result<(), DbErr> {
        let store = &self.inner.store;
        let (text, nothing) = (options.text(), "{}".to_owned());
        if settings::get_or_set(store, SETTING, nothing).await? == text {
            return Ok(());
        }
        let transaction = store.begin_write().await?;
        let before = settings::hold(&transaction, SETTING).await?;
        let before = before.unwrap_or_default();
        if before == text {
            return Ok(());
        }
        settings::set(&transaction, SETTING, &text).await?;
        let before = SafetyOptions(serde_json::from_str(&before).unwrap_or_default());
        let changes = match before.0.is_empty() {
            true => {
                let first = vec!["the first start".to_owned()];
                [first, options.differences(&options.defaults())].concat()
            }
            false => options.differences(&before),
        };
        let events = changes.iter().map(|change| {
            AuditEvent::with_origin(AuditKind::ConfigurationChanged, &Origin::server())
                .about(&options.digest(), "")
                .with_detail(change)
        });
        let recorded = record_all(&transaction, events.collect()).await?;
        transaction.commit().await?;
        announce_all(recorded);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_options_are_recorded() {
        let mut before = SafetyOptions::default();
        before.add("demo", false);
        before.add("public-url", "");
        before.add("password-min-length", 10);
        let mut now = before.clone();
        now.add("password-min-length", 6);
        now.add("public-url", "https://desk.example.com/");
        assert_eq!(
            now.differences(&before),
            [
                "password-min-length: 10 -> 6",
                "public-url: none -> https://desk.example.com/"
            ]
        );
        assert_ne!(now.digest(), before.digest());
        let unmentioned = now.clone();
        now.add("backup-dir", "/mnt/backups");
        assert_eq!(now.differences(&unmentioned), Vec::<String>::new());
        let with_backups = now.clone();
        now.add("backup-dir", "");
        let lost = "backup-dir: /mnt/backups -> none";
        assert_eq!(now.differences(&with_backups), [lost]);
        assert!(before.differences(&before).is_empty());
        let long = "https://desk.example.com ".repeat(40);
        now.add("allow-origin", &long);
        let differences = now.differences(&before);
        assert_eq!(differences.len(), 3);
        assert!(
            differences
                .iter()
                .all(|one| one.len() < 200 && one.contains(" -> ")),
            "{differences:?}"
        );
    }
}
