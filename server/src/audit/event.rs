//! The kinds of events, and what is recorded of each.

use std::net::IpAddr;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::formats::text::plain;
use super::origin::{Origin, current_origin};

/// Milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Milliseconds for which a change is kept: a year, and time to look back at it, unless the options say
/// otherwise. It is written into each event, and no later option changes that.
static CHANGE_TTL: AtomicI64 = AtomicI64::new(400 * DAY);

/// Keeps what is done from now on for so many days.
pub fn keep_changes_for(days: u32) {
    CHANGE_TTL.store(i64::from(days) * DAY, Ordering::Relaxed);
}

/// Nobody lives that long.
pub fn keep_changes_for_good() {
    CHANGE_TTL.store(1_000 * 365 * DAY, Ordering::Relaxed);
}

pub(super) fn change_ttl() -> i64 {
    CHANGE_TTL.load(Ordering::Relaxed)
}

/// Milliseconds for which an attempt is kept: anybody may make some.
pub(super) const ATTEMPT_TTL: i64 = 30 * DAY;

macro_rules! named {
    ($(#[$meta:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        $(#[$meta])*
        pub enum $type {
            $($(#[$doc])* $variant,)*
        }

        impl $type {
            pub const ALL: &'static [$type] = &[$($type::$variant,)*];

            /// As the database, the log and the wire have it.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)*
                }
            }

            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}

named! {
    /// What an audit event is of.
    AuditKind {
        SignIn = "sign-in",
        /// The first owner, by the link that the server prints.
        SetUp = "set-up",
        /// Also of one's own sessions elsewhere; signing out is none.
        SessionEnded = "session-ended",
        /// A refresh token was used twice: its session is ended.
        RefreshTokenReused = "refresh-token-reused",
        SecondFactorOn = "second-factor-on",
        SecondFactorOff = "second-factor-off",
        RecoveryCodeUsed = "recovery-code-used",
        PasswordResetAsked = "password-reset-asked",
        PasswordChanged = "password-changed",
        /// An account was linked to an OpenID Connect provider's.
        ProviderLinked = "provider-linked",
        UserInvited = "user-invited",
        InvitationWithdrawn = "invitation-withdrawn",
        UserAdded = "user-added",
        UserRemoved = "user-removed",
        RolesChanged = "roles-changed",
        /// Which technician a person is.
        TechnicianLinkChanged = "technician-link-changed",
        /// Accounts and staff documents of a hosted provider.
        StaffImported = "staff-imported",
        IntakeKeyMade = "intake-key-made",
        IntakeKeyRevoked = "intake-key-revoked",
        /// A request had an invalid intake key.
        IntakeKeyRefused = "intake-key-refused",
        BoardPaired = "board-paired",
        BoardLinkMade = "board-link-made",
        BoardRevoked = "board-revoked",
        BoardDeleted = "board-deleted",
        /// A request had an invalid board token or link.
        BoardRefused = "board-refused",
        /// A signed-in user asked for something that none of their roles permits.
        Forbidden = "forbidden",
        TokenKeyRotated = "token-key-rotated",
        AuditExported = "audit-exported",
        /// All of a customer was written to a file.
        CustomerExported = "customer-exported",
        /// A customer was taken out of their repair orders.
        CustomerErased = "customer-erased",
        /// The database went back, or another one took its place.
        DatabaseRestored = "database-restored",
        /// The server was started with other options that make it safer or less safe.
        ConfigurationChanged = "configuration-changed",
    }
}

named! {
    #[schema(as = AuditOutcome)]
    Outcome {
        Done = "done",
        Refused = "refused",
    }
}

named! {
    /// Who has done something, or tried to.
    #[schema(as = AuditActor)]
    ActorKind {
        Person = "person",
        /// With an intake key.
        Program = "program",
        Board = "board",
        /// Somebody at the server's command line.
        CommandLine = "command-line",
        Server = "server",
        Unknown = "unknown",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub kind: ActorKind,
    /// A user id, or a key's or a board's id.
    pub id: Option<String>,
    /// An email, or a key's or a board's name.
    pub name: Option<String>,
}

impl Actor {
    pub fn person(uid: &str, email: &str) -> Self {
        Self {
            kind: ActorKind::Person,
            id: Some(plain(uid)),
            name: Some(plain(email)),
        }
    }

    /// A person who claims this email.
    pub fn claimed(email: &str) -> Self {
        Self {
            kind: ActorKind::Unknown,
            id: None,
            name: Some(plain(email)),
        }
    }

    pub fn board(id: &str, name: &str) -> Self {
        Self {
            kind: ActorKind::Board,
            id: Some(plain(id)),
            name: Some(plain(name)),
        }
    }

    pub fn server() -> Self {
        Self::nameless(ActorKind::Server)
    }

    pub fn command_line() -> Self {
        Self::nameless(ActorKind::CommandLine)
    }

    pub fn unknown() -> Self {
        Self::nameless(ActorKind::Unknown)
    }

    fn nameless(kind: ActorKind) -> Self {
        Self {
            kind,
            id: None,
            name: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    pub at: Timestamp,
    pub kind: AuditKind,
    pub outcome: Outcome,
    /// Why it was refused: the code of the answer.
    pub reason: Option<&'static str>,
    pub address: Option<IpAddr>,
    pub actor: Actor,
    /// The subject: the id of a user, a key or a board.
    pub subject_id: Option<String>,
    /// An email, or a key's or a board's name.
    pub subject_name: Option<String>,
    pub detail: Option<String>,
    /// How many there were of it: more than one for attempts that were only counted.
    pub count: i32,
    /// Milliseconds for which it is kept.
    pub(super) ttl: i64,
}

impl AuditEvent {
    /// Of what is being done, with the origin of now.
    pub fn done(kind: AuditKind) -> Self {
        Self::with_origin(kind, &current_origin())
    }

    /// Of what is refused with this code.
    pub fn refused(kind: AuditKind, reason: impl Into<&'static str>) -> Self {
        Self::done(kind).refused_with(reason)
    }

    pub(super) fn refused_with(self, reason: impl Into<&'static str>) -> Self {
        Self {
            outcome: Outcome::Refused,
            reason: Some(reason.into()),
            ttl: ATTEMPT_TTL,
            ..self
        }
    }

    pub fn with_origin(kind: AuditKind, origin: &Origin) -> Self {
        Self {
            at: Timestamp::now(),
            kind,
            outcome: Outcome::Done,
            reason: None,
            address: origin.address(),
            actor: origin.actor(),
            subject_id: None,
            subject_name: None,
            detail: None,
            count: 1,
            ttl: change_ttl(),
        }
    }

    pub fn by(mut self, actor: Actor) -> Self {
        self.actor = actor;
        self
    }

    #[cfg(test)]
    pub fn from_address(mut self, address: IpAddr) -> Self {
        self.address = Some(address);
        self
    }

    /// `id` may be empty.
    pub fn about(mut self, id: &str, name: &str) -> Self {
        let shown_text = |text: &str| Some(plain(text)).filter(|text| !text.is_empty());
        self.subject_id = shown_text(id);
        self.subject_name = shown_text(name);
        self
    }

    pub fn with_detail(mut self, detail: &str) -> Self {
        self.detail = Some(plain(detail)).filter(|text| !text.is_empty());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_one_name_in_the_database_and_on_the_wire() {
        for kind in AuditKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert_eq!(AuditKind::from_name(kind.name()), Some(*kind));
        }
        for outcome in Outcome::ALL {
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.name());
        }
        for actor in ActorKind::ALL {
            assert_eq!(serde_json::to_value(actor).unwrap(), actor.name());
        }
    }
}
