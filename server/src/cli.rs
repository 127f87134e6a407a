//! The command line: what can be asked of the binary, each option also from `DISPATCH_*` and from
//! a file of options.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use dispatch_intake::FormatChoice;
use serde::Deserialize;
use url::Url;

use crate::address::Network;
use crate::host_check::HostName;
use crate::identity::oidc::Issuer;
use crate::push::PushService;
use crate::socket::Origin;
use crate::staff::Role;

/// Repair-order dispatch for a service department: the server behind the desk, the technicians'
/// portal and the boards.
#[derive(Debug, Parser)]
#[command(name = "dispatch", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server.
    Serve(Box<Serve>),
    /// Bring the database's schema up to date and stop.
    Migrate(Place),
    /// Take repair orders from files; beside a running server they appear on the open screens.
    Import(Import),
    /// Add a user, change a user's roles, or remove one.
    #[command(subcommand)]
    User(User),
    /// The key that signs ID tokens.
    #[command(subcommand)]
    TokenKey(TokenKey),
    /// Move accounts and staff records here from hosted services.
    #[command(subcommand)]
    Staff(Staff),
    /// Print the OpenAPI document.
    Openapi,
}

/// Where the shop's data is.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Place {
    /// Folder of the database, the lock and the local socket [default: data]
    #[arg(long, value_name = "DIR", env = "DISPATCH_DATA_DIR")]
    pub data_dir: Option<PathBuf>,

    /// Another database than the SQLite file in the data folder: sqlite:PATH or
    /// postgres://USER:PASSWORD@HOST/NAME
    #[arg(
        long,
        value_name = "URL",
        env = "DISPATCH_DATABASE_URL",
        hide_env_values = true
    )]
    pub database_url: Option<String>,

    /// The shop's time zone, as America/Chicago: times without one are read and shown in it
    /// [default: the machine's]
    #[arg(long, value_name = "ZONE", env = "DISPATCH_TIME_ZONE")]
    pub time_zone: Option<String>,

    /// File with these options, one `name = "value"` a line [default:
    /// /etc/dispatch/dispatch.toml, if it is there]
    #[arg(long, value_name = "FILE", env = "DISPATCH_CONFIG")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
}

/// Who people are and how they sign in.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[command(next_help_heading = "Who is who")]
pub struct People {
    /// Where browsers reach this server, such as https://dispatch.example.com: mailed links begin
    /// with it, and https makes the sign-in cookie Secure [default: the address it listens on]
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

/// Who interviews technicians for the stories of their jobs.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[command(next_help_heading = "Tech stories")]
pub struct Stories {
    /// Who interviews technicians and writes their stories; gemini and openai send what a job says to
    /// that provider [default: built-in]
    #[arg(long, value_name = "INTERVIEWER", env = "DISPATCH_STORY_PROVIDER")]
    pub story_provider: Option<InterviewerName>,

    /// The provider's model [default for gemini: gemini-2.5-flash]
    #[arg(long, value_name = "MODEL", env = "DISPATCH_STORY_MODEL")]
    pub story_model: Option<String>,

    /// The provider's base address, such as https://api.openai.com/v1 or, for a model on this machine,
    /// http://127.0.0.1:11434/v1 [default for gemini: Google's]
    #[arg(long, value_name = "URL", env = "DISPATCH_STORY_URL")]
    pub story_url: Option<Url>,

    /// The provider's key; rather by the variable, or by --story-key-file, than where `ps` shows it
    #[arg(
        long,
        value_name = "KEY",
        env = "DISPATCH_STORY_KEY",
        hide_env_values = true
    )]
    pub story_key: Option<String>,

    /// File that holds the provider's key and nothing else
    #[arg(long, value_name = "FILE", env = "DISPATCH_STORY_KEY_FILE")]
    pub story_key_file: Option<PathBuf>,

    /// Replies of the provider that one person may ask for in an hour [default: 30]
    #[arg(long, value_name = "NUMBER", env = "DISPATCH_STORY_CALLS_AN_HOUR")]
    pub story_calls_an_hour: Option<NonZeroU32>,

    /// Seconds until a reply of the provider has come, all attempts together [default: 60]
    #[arg(
        long,
        value_name = "SECONDS",
        env = "DISPATCH_STORY_TIMEOUT",
        value_parser = clap::value_parser!(u32).range(1..=600)
    )]
    pub story_timeout: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterviewerName {
    /// Ours: it works from a catalogue of questions, and asks nobody.
    BuiltIn,
    /// Google's Gemini.
    Gemini,
    /// Whatever speaks OpenAI's chat completions.
    Openai,
}

#[derive(Clone, Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    pub place: Place,

    #[command(flatten)]
    pub people: People,

    #[command(flatten)]
    pub stories: Stories,

    /// The debug page /test, which shows the staff collection to owners [default: only with --demo]
    #[arg(long, env = "DISPATCH_TEST_PAGE")]
    pub test_page: bool,

    /// A proxy whose X-Forwarded-For is believed: an address or a network such as 10.0.0.0/8; may
    /// be given several times, or with commas
    #[arg(
        long = "trusted-proxy",
        value_name = "NETWORK",
        env = "DISPATCH_TRUSTED_PROXY",
        value_delimiter = ','
    )]
    pub trusted_proxies: Vec<Network>,

    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR:PORT", env = "DISPATCH_LISTEN")]
    pub listen: Option<SocketAddr>,

    /// What the product is called on its screens [default: the product]
    #[arg(long, value_name = "NAME", env = "DISPATCH_BRAND_NAME")]
    pub brand_name: Option<String>,

    /// Who users write to for help, from the sign-in screen
    #[arg(long, value_name = "EMAIL", env = "DISPATCH_SUPPORT_EMAIL")]
    pub support_email: Option<String>,

    /// Folder whose files are taken in as they arrive, and then moved to done/ or rejected/ in it
    #[arg(long, value_name = "DIR", env = "DISPATCH_INTAKE_DIR")]
    pub intake_dir: Option<PathBuf>,

    /// Fill an empty database with a sample shop; `still` leaves out its movement. Listens on this
    /// machine only, since everybody knows the passwords
    #[arg(
        long,
        value_name = "MODE",
        env = "DISPATCH_DEMO",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "moving"
    )]
    pub demo: Option<Demo>,

    /// A name by which browsers ask for this server, such as desk.example.com, besides the public
    /// URL's, localhost and the machine's own; may be given several times, or with commas
    #[arg(
        long = "allowed-host",
        value_name = "NAME",
        env = "DISPATCH_ALLOWED_HOST",
        value_delimiter = ','
    )]
    pub allowed_hosts: Vec<HostName>,

    /// A page of another host that may open the stream, such as https://desk.example.com; may be
    /// given several times, or with commas
    #[arg(
        long = "allow-origin",
        value_name = "ORIGIN",
        env = "DISPATCH_ALLOW_ORIGIN",
        value_delimiter = ','
    )]
    pub allowed_origins: Vec<Origin>,

    /// A push service besides those of the known browsers, such as https://push.example.com: pushes
    /// are sent to no other host; may be given several times, or with commas
    #[arg(
        long = "push-service",
        value_name = "ORIGIN",
        env = "DISPATCH_PUSH_SERVICE",
        value_delimiter = ','
    )]
    pub push_services: Vec<PushService>,

    /// Changes that are made durable together at most; 1 makes each by itself, which is slower
    /// [default: 256]
    #[arg(
        long,
        value_name = "NUMBER",
        env = "DISPATCH_COMMIT_GROUP",
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    pub commit_group: Option<u16>,

    /// Days for which files are kept in done/ of the intake folder and in mail/ of the data folder; in
    /// rejected/ twice as long [default: 90]
    #[arg(long, value_name = "DAYS", env = "DISPATCH_KEEP_FILES_DAYS")]
    pub keep_files_days: Option<NonZeroU32>,

    /// Megabytes that each of these folders may hold, the oldest files are deleted first; rejected/
    /// twice as many [default: 1024]
    #[arg(long, value_name = "MB", env = "DISPATCH_KEEP_FILES_MB")]
    pub keep_files_mb: Option<NonZeroU32>,

    /// Megabytes on a disk below which owners are warned [default: a twentieth of the disk, 200 at
    /// least and 2048 at most]
    #[arg(long, value_name = "MB", env = "DISPATCH_LOW_DISK_MB")]
    pub low_disk_mb: Option<NonZeroU32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Demo {
    /// The shop works: orders arrive, change and leave.
    Moving,
    /// The same shop, in which nothing happens by itself.
    Still,
}

#[derive(Clone, Debug, Args)]
pub struct Import {
    #[command(flatten)]
    pub place: Place,

    /// Files to take, in this order; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How the files are written
    #[arg(long, value_enum, default_value = "auto")]
    pub format: FormatName,

    /// Say what would be created, changed, left and refused, and do nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Write refused rows, whole and with the reason, to this file
    /// [default: FILE.rejects.ndjson beside each file]
    #[arg(long, value_name = "FILE")]
    pub rejects: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// By the file's name, else by its first characters.
    Auto,
    /// An array, an object with `data`, or an object a line; ours, CDK's or STAR's.
    Json,
    /// Comma, semicolon or tab, with a header line.
    Csv,
    /// CDK Drive's service repair orders.
    Cdk,
    /// STAR 5's names, as JSON or CSV.
    Star,
}

impl From<FormatName> for FormatChoice {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Auto => FormatChoice::Auto,
            FormatName::Json => FormatChoice::Json,
            FormatName::Csv => FormatChoice::Csv,
            FormatName::Cdk => FormatChoice::Cdk,
            FormatName::Star => FormatChoice::Star,
        }
    }
}

#[derive(Clone, Debug, Subcommand)]
pub enum User {
    /// Add a user; the password is asked for, or read from standard input.
    Add(UserAdd),
    /// Give a user exactly these roles. Taking one away signs the user out everywhere. Unlike the
    /// screens it takes the role from the last owner, too, and only warns: here is the way back in
    /// for whoever is locked out.
    Role(UserRole),
    /// Remove a user and sign them out everywhere. Unlike the screens it removes the last owner,
    /// too, and only warns: here is the way back in for whoever is locked out.
    Remove(UserRemove),
    /// Turn two-factor authentication off for a user who has lost the phone, and sign them out
    /// everywhere.
    ResetTwoFactor(UserNamed),
    /// Sign a user out everywhere.
    SignOut(UserNamed),
}

#[derive(Clone, Debug, Subcommand)]
pub enum TokenKey {
    /// Sign ID tokens with a new key from now on.
    Rotate(Rotate),
}

#[derive(Clone, Debug, Args)]
pub struct Rotate {
    /// Refuse what the earlier keys have signed at once, as when one got out, and close the screens'
    /// connections that it opened; browsers get new tokens with their cookie. Otherwise it is good
    /// for its hour
    #[arg(long)]
    pub now: bool,

    /// End every session too, as when the database got out: everybody signs in again. Boards stay
    #[arg(long, requires = "now")]
    pub end_sessions: bool,

    #[command(flatten)]
    pub place: Place,

    #[command(flatten)]
    pub people: People,
}

#[derive(Clone, Debug, Args)]
pub struct UserAdd {
    pub email: String,

    /// What the user is called on screens [default: the part of the email before @]
    #[arg(long)]
    pub name: Option<String>,

    /// Admin, Technician, Advisor, Service_Manager, Used or Owner; may be given several times
    #[arg(long = "role", value_name = "ROLE", required = true)]
    pub roles: Vec<Role>,

    /// The number of the technician this user is
    #[arg(long, value_name = "NUMBER")]
    pub technician: Option<i64>,

    /// Read the password from standard input, up to the end of its first line
    #[arg(long)]
    pub password_stdin: bool,

    #[command(flatten)]
    pub place: Place,

    #[command(flatten)]
    pub people: People,
}

#[derive(Clone, Debug, Args)]
pub struct UserRole {
    pub email: String,

    /// Admin, Technician, Advisor, Service_Manager, Used or Owner; may be given several times;
    /// none takes all roles away
    #[arg(long = "role", value_name = "ROLE")]
    pub roles: Vec<Role>,

    #[command(flatten)]
    pub place: Place,

    #[command(flatten)]
    pub people: People,
}

#[derive(Clone, Debug, Args)]
pub struct UserRemove {
    pub email: String,

    #[command(flatten)]
    pub place: Place,

    #[command(flatten)]
    pub people: People,
}

#[derive(Clone, Debug, Args)]
pub struct UserNamed {
    pub email: String,

    #[command(flatten)]
    pub place: Place,

    #[command(flatten)]
    pub people: People,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Staff {
    /// Take accounts and staff records from exports of Firebase Authentication and Firestore; what
    /// is there already is left as it is.
    Import(StaffImport),
}

#[derive(Clone, Debug, Args)]
pub struct StaffImport {
    /// What `firebase auth:export FILE.json` wrote, or the collection 'users' as JSON: an object by
    /// id, or an array of objects with 'id'
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// File with the project's password hash parameters, as Firebase's console shows them under
    /// Authentication, Users; they hold a secret
    #[arg(long, value_name = "FILE")]
    pub hash_config: Option<PathBuf>,

    #[command(flatten)]
    pub place: Place,

    #[command(flatten)]
    pub people: People,
}
