//! Who users are and how they sign in.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use url::Url;

use super::ConfigError;
use crate::identity::oidc::OidcOptions;
use crate::mail::{Mail, SmtpServer};
use crate::options::cli::{IdentityName, IdentityOptions, StaffName};

/// Who people are and how they sign in.
#[derive(Clone, Debug)]
pub struct IdentityConfig {
    /// None: where the server is found by the address it listens at.
    pub public_url: Option<Url>,
    pub mail: Mail,
    pub password_min_length: u32,
    pub refuse_common_passwords: bool,
    pub sign_in_limit: Option<NonZeroU32>,
    pub identity: IdentityName,
    pub staff: StaffName,
    pub google: Google,
    pub oidc: Option<OidcOptions>,
}

/// A Google Cloud project.
#[derive(Clone, Debug, Default)]
pub struct Google {
    pub project: Option<String>,
    pub credentials: Option<PathBuf>,
    pub firebase_api_key: Option<String>,
    pub firebase_emulator: Option<SocketAddr>,
    pub firestore_emulator: Option<SocketAddr>,
}

/// What OWASP's ASVS 5.0 asks for at least (6.2.1).
const PASSWORD_MIN_LENGTH: u32 = 8;

impl IdentityConfig {
    /// Whether mails go out with links to an address that nobody has named.
    pub fn mails_without_public_url(&self) -> bool {
        self.public_url.is_none() && matches!(self.mail, Mail::Server { .. })
    }

    pub(super) fn merge(args: IdentityOptions, file: IdentityOptions) -> Result<Self, ConfigError> {
        let google = Google {
            project: args.google_project.or(file.google_project),
            credentials: args.google_credentials.or(file.google_credentials),
            firebase_api_key: args.firebase_api_key.or(file.firebase_api_key),
            firebase_emulator: args.firebase_emulator.or(file.firebase_emulator),
            firestore_emulator: args.firestore_emulator.or(file.firestore_emulator),
        };
        for emulator in [google.firebase_emulator, google.firestore_emulator] {
            if let Some(address) = emulator
                && !address.ip().is_loopback()
            {
                return Err(ConfigError::EmulatorElsewhere(address));
            }
        }
        let issuer = args.oidc_issuer.or(file.oidc_issuer);
        let client_id = args.oidc_client_id.or(file.oidc_client_id);
        let client_secret = args.oidc_client_secret.or(file.oidc_client_secret);
        let oidc = match (issuer, client_id) {
            (Some(issuer), Some(client_id)) => Some(OidcOptions {
                name: args
                    .oidc_name
                    .or(file.oidc_name)
                    .unwrap_or_else(|| issuer.host().to_owned()),
                issuer,
                client_id,
                client_secret,
                roles_claim: args.oidc_roles_claim.or(file.oidc_roles_claim),
            }),
            (None, None) => None,
            _ => return Err(ConfigError::HalfOpenId),
        };
        let public_url = args.public_url.or(file.public_url);
        if let Some(url) = &public_url
            && !is_site_root(url)
        {
            return Err(ConfigError::PublicUrl(url.clone()));
        }
        let config = Self {
            public_url,
            mail: mail_config(
                args.smtp_url.or(file.smtp_url),
                args.mail_from.or(file.mail_from),
            )?,
            password_min_length: args
                .password_min_length
                .or(file.password_min_length)
                .unwrap_or(PASSWORD_MIN_LENGTH),
            refuse_common_passwords: args.refuse_common_passwords
                || file.refuse_common_passwords
                || !(args.allow_common_passwords || file.allow_common_passwords),
            sign_in_limit: args.sign_in_limit.or(file.sign_in_limit),
            identity: args
                .identity
                .or(file.identity)
                .unwrap_or(IdentityName::Embedded),
            staff: args.staff.or(file.staff).unwrap_or(StaffName::Embedded),
            google,
            oidc,
        };
        config.require_hosted(cfg!(feature = "hosted"))?;
        Ok(config)
    }

    /// A build without the hosted providers takes none of their options.
    pub(super) fn require_hosted(&self, is_built_in: bool) -> Result<(), HostedLeftOut> {
        if is_built_in {
            return Ok(());
        }
        let google = &self.google;
        let hosted_options = [
            (
                self.identity == IdentityName::Firebase,
                "--identity firebase",
            ),
            (self.staff == StaffName::Firestore, "--staff firestore"),
            (google.project.is_some(), "--google-project"),
            (google.credentials.is_some(), "--google-credentials"),
            (google.firebase_api_key.is_some(), "--firebase-api-key"),
            (google.firebase_emulator.is_some(), "--firebase-emulator"),
            (google.firestore_emulator.is_some(), "--firestore-emulator"),
        ];
        match hosted_options.into_iter().find(|(is_used, _)| *is_used) {
            Some((_, option)) => Err(HostedLeftOut(option)),
            None => Ok(()),
        }
    }
}

/// An option of the hosted providers, given to a build without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this dispatch was built without the hosted providers: leave out {0}, or use a dispatch built with its \
     feature 'hosted', as it is by default"
)]
pub struct HostedLeftOut(pub &'static str);

fn mail_config(server: Option<Url>, from: Option<String>) -> Result<Mail, ConfigError> {
    let from = from.map(|text| {
        let parsed = text.parse();
        parsed.map_err(|_| ConfigError::MailFrom(text))
    });
    let from = from.transpose()?;
    match server {
        None => Ok(Mail::Folder { from }),
        Some(url) => Ok(Mail::Server {
            server: SmtpServer::new(&url)?,
            from: from.ok_or(ConfigError::NoMailFrom)?,
        }),
    }
}

/// The page's own addresses begin at the root.
fn is_site_root(url: &Url) -> bool {
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let is_root = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    is_web && is_root && url.username().is_empty() && url.password().is_none()
}

#[cfg(test)]
mod tests;
