//! The options that make a server safer or less safe, without secrets: the audit trail writes down which
//! of them changed.

use dispatch_actors::store::DatabaseUrl;
use url::Url;

use super::{Config, Shop};
use crate::audit::SafetyOptions;
use crate::mail::Mail;

impl Config {
    /// What the audit trail notes when it is another than at the last start.
    pub fn safety_options(&self) -> SafetyOptions {
        let identity = &self.shop.identity;
        let mut options = SafetyOptions::default();
        let url = identity.public_url.as_ref().map(ToString::to_string);
        options.add("public-url", url.unwrap_or_default());
        options.add("listen", self.listen.ip());
        let metrics = self.metrics_listen.map(|address| address.ip().to_string());
        options.add("metrics-listen", metrics.unwrap_or_default());
        options.add("trusted-proxy", listed(&self.trusted_proxies));
        options.add("allow-origin", listed(&self.allowed_origins));
        options.add("allowed-host", listed(&self.allowed_hosts));
        options.add("push-service", listed(&self.push_services));
        options.add("demo", self.demo.is_some());
        options.add("test-page", self.test_page);
        options.add("password-min-length", identity.password_min_length);
        options.add("allow-common-passwords", !identity.refuse_common_passwords);
        let limit = identity.sign_in_limit.map(|limit| limit.to_string());
        options.add("sign-in-limit", limit.unwrap_or_default());
        options.add(
            "identity",
            format!("{:?}", identity.identity).to_lowercase(),
        );
        options.add("staff", format!("{:?}", identity.staff).to_lowercase());
        self.add_services(&mut options);
        if let Some(oidc) = &identity.oidc {
            options.add("oidc-issuer", format!("{:?}", oidc.issuer));
            options.add("oidc-client-id", &oidc.client_id);
            options.add(
                "oidc-roles-claim",
                oidc.roles_claim.as_deref().unwrap_or_default(),
            );
        }
        options
    }

    /// What leaves the house, where data is, and whom is believed without a signature.
    fn add_services(&self, options: &mut SafetyOptions) {
        let identity = &self.shop.identity;
        options.add("database-url", database(&self.shop));
        let folder = self.intake_dir.as_ref();
        options.add(
            "intake-dir",
            folder.map_or_else(String::new, |folder| folder.display().to_string()),
        );
        let backups = self.backups.as_ref();
        let folder = backups.map(|backups| backups.folder.display().to_string());
        options.add("backup-dir", folder.unwrap_or_default());
        let is_encrypted = backups.is_some_and(|backups| backups.encryption.is_some());
        options.add("backup-encryption", is_encrypted);
        let copies = backups.and_then(|backups| backups.offsite.as_ref());
        let copies = copies.map(ToString::to_string);
        options.add("backup-s3", copies.unwrap_or_default());
        let (mails, from) = match &identity.mail {
            Mail::Folder { from } => ("folder".to_owned(), from.as_ref()),
            Mail::Server { server, from } => (server.safety(), Some(from)),
        };
        options.add("smtp-url", mails);
        options.add(
            "mail-from",
            from.map(ToString::to_string).unwrap_or_default(),
        );
        let google = &identity.google;
        options.add(
            "google-project",
            google.project.as_deref().unwrap_or_default(),
        );
        let emulator = |address: Option<std::net::SocketAddr>| {
            address
                .map(|address| address.to_string())
                .unwrap_or_default()
        };
        options.add("firebase-emulator", emulator(google.firebase_emulator));
        options.add("firestore-emulator", emulator(google.firestore_emulator));
        let provider = self.stories.provider.as_ref();
        options.add(
            "story-provider",
            provider.map_or_else(
                || "built-in".to_owned(),
                |provider| {
                    format!(
                        "{:?} {} {}",
                        provider.id,
                        provider.model,
                        bare(&provider.url)
                    )
                },
            ),
        );
    }
}

/// Without its password, and with what says how it is reached.
fn database(shop: &Shop) -> String {
    let mut text = shop.database.to_string();
    if let DatabaseUrl::Postgres(url) = &shop.database
        && let Ok(url) = url.parse::<Url>()
    {
        for (name, value) in url.query_pairs() {
            if name.starts_with("ssl") && name != "sslpassword" {
                text.push_str(&format!(" {name}={value}"));
            }
        }
    }
    text
}

/// Without a name and a password, and without a query, which may be a key.
fn bare(url: &Url) -> String {
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    let (scheme, host) = (url.scheme(), url.host_str().unwrap_or_default());
    format!("{scheme}://{host}{port}{}", url.path())
}

fn listed(values: &[impl std::fmt::Debug]) -> String {
    let bare = |value| {
        let text = format!("{value:?}");
        // Without the name of its type.
        let inner = text
            .split_once('(')
            .map_or(text.as_str(), |(_, inner)| inner);
        inner.trim_end_matches(')').trim_matches('"').to_owned()
    };
    let values: Vec<String> = values.iter().map(bare).collect();
    values.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_said_without_what_is_secret_in_it() {
        let url = "https://name:secret@models.example:8443/v1?key=secret"
            .parse()
            .unwrap();
        assert_eq!(bare(&url), "https://models.example:8443/v1");
    }
}
