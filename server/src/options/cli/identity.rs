//! Who users are and how they sign in.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Deserialize;
use url::Url;

use crate::identity::oidc::Issuer;

/// Who people are and how they sign in.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[command(next_help_heading = "Who is who")]
pub struct IdentityOptions {
    /// Where browsers reach this server, such as https://dispatch.example.com: mailed links begin
    /// with it, and https makes the sign-in cookie Secure [default: the address it listens on, or this machine's name where that is all
    /// of them]
    #[arg(long, value_name = "URL", env = "DISPATCH_PUBLIC_URL")]
    pub public_url: Option<Url>,

    /// Mail server, such as smtp://USER:PASSWORD@mail.example.com:587?tls=required or smtps://...;
    /// tls=opportunistic goes on without TLS where there is none, ca=FILE trusts an authority of
    /// one's own. Without a server, mails are written to mail/ in the data folder
    #[arg(
        long,
        value_name = "URL",
        env = "DISPATCH_SMTP_URL",
        hide_env_values = true
    )]
    pub smtp_url: Option<Url>,

    /// Who mails are from, such as Dispatch <dispatch@example.com>; needed with a mail server
    #[arg(long, value_name = "ADDRESS", env = "DISPATCH_MAIL_FROM")]
    pub mail_from: Option<String>,

    /// Characters that a new password needs at least [default: 8]
    #[arg(
        long,
        value_name = "NUMBER",
        env = "DISPATCH_PASSWORD_MIN_LENGTH",
        value_parser = clap::value_parser!(u32).range(6..=128)
    )]
    pub password_min_length: Option<u32>,

    /// Take the most common passwords, too, which are guessed first
    #[arg(long, env = "DISPATCH_ALLOW_COMMON_PASSWORDS")]
    pub allow_common_passwords: bool,

    /// What is so without it now
    #[arg(long, hide = true, env = "DISPATCH_REFUSE_COMMON_PASSWORDS")]
    pub refuse_common_passwords: bool,

    /// Attempts to sign in that an address or an account has at once, to measure with; guesses are
    /// let through, too [default: 100 and 10, and longer and longer waits]
    #[arg(long, value_name = "NUMBER", env = "DISPATCH_SIGN_IN_LIMIT")]
    pub sign_in_limit: Option<NonZeroU32>,

    /// Who keeps the accounts [default: embedded]
    #[arg(long, value_name = "PROVIDER", env = "DISPATCH_IDENTITY")]
    pub identity: Option<IdentityName>,

    /// Where the staff collection is [default: embedded]
    #[arg(long, value_name = "COLLECTION", env = "DISPATCH_STAFF")]
    pub staff: Option<StaffName>,

    /// Google Cloud project of Firebase Authentication and Firestore
    #[arg(long, value_name = "ID", env = "DISPATCH_GOOGLE_PROJECT")]
    pub google_project: Option<String>,

    /// Key file of a service account in that project
    #[arg(long, value_name = "FILE", env = "DISPATCH_GOOGLE_CREDENTIALS")]
    pub google_credentials: Option<PathBuf>,

    /// Web API key of that project
    #[arg(
        long,
        value_name = "KEY",
        env = "DISPATCH_FIREBASE_API_KEY",
        hide_env_values = true
    )]
    pub firebase_api_key: Option<String>,

    /// Firebase's Authentication emulator on this machine; its tokens are not signed
    #[arg(long, value_name = "ADDR:PORT", env = "DISPATCH_FIREBASE_EMULATOR")]
    pub firebase_emulator: Option<SocketAddr>,

    /// A Firestore emulator on this machine
    #[arg(long, value_name = "ADDR:PORT", env = "DISPATCH_FIRESTORE_EMULATOR")]
    pub firestore_emulator: Option<SocketAddr>,

    /// An OpenID Connect provider, such as https://login.example.com
    #[arg(long, value_name = "URL", env = "DISPATCH_OIDC_ISSUER")]
    pub oidc_issuer: Option<Issuer>,

    /// What this server is called there
    #[arg(long, value_name = "ID", env = "DISPATCH_OIDC_CLIENT_ID")]
    pub oidc_client_id: Option<String>,

    #[arg(
        long,
        value_name = "SECRET",
        env = "DISPATCH_OIDC_CLIENT_SECRET",
        hide_env_values = true,
        help = "The secret that goes with it"
    )]
    pub oidc_client_secret: Option<String>,

    /// What the provider is called on the sign-in screen [default: its host]
    #[arg(long, value_name = "NAME", env = "DISPATCH_OIDC_NAME")]
    pub oidc_name: Option<String>,

    /// The claim that lists a person's roles; without it, the staff record has them
    #[arg(long, value_name = "CLAIM", env = "DISPATCH_OIDC_ROLES_CLAIM")]
    pub oidc_roles_claim: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdentityName {
    /// Our own database.
    Embedded,
    /// Firebase Authentication, or Google Identity Platform.
    Firebase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaffName {
    /// Our own database.
    Embedded,
    /// Cloud Firestore.
    Firestore,
}
