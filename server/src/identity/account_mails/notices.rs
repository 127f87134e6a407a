//! What the holder of an account is told of by mail, so that somebody else does not do it unseen. None
//! of these mails has a link: nobody is to learn to follow one.

use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};

use super::queued_mails;
use crate::audit::{ActorKind, Origin, current_origin};
use crate::identity::client::browser;
use crate::identity::email::Email;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoticeKind {
    /// A sign-in in a browser, and from a network, in which this account was not signed in before.
    NewDevice,
    PasswordChanged,
    SecondFactorOn,
    SecondFactorOff,
    /// An OpenID Connect provider's account signs in here from now on.
    ProviderLinked,
}

impl NoticeKind {
    pub(in crate::identity) const ALL: [Self; 5] = [
        Self::NewDevice,
        Self::PasswordChanged,
        Self::SecondFactorOn,
        Self::SecondFactorOff,
        Self::ProviderLinked,
    ];

    /// As the database has it.
    pub(in crate::identity) fn name(self) -> &'static str {
        match self {
            Self::NewDevice => "new-device",
            Self::PasswordChanged => "password-changed",
            Self::SecondFactorOn => "second-factor-on",
            Self::SecondFactorOff => "second-factor-off",
            Self::ProviderLinked => "provider-linked",
        }
    }

    pub(in crate::identity) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// When something happened, and where it was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::identity) struct NoticeFacts {
    /// Milliseconds.
    pub(in crate::identity) at: i64,
    /// None at the server's command line.
    pub(in crate::identity) address: Option<String>,
    /// A short name such as Firefox on Windows.
    pub(in crate::identity) browser: Option<String>,
    pub(in crate::identity) at_command_line: bool,
}

impl NoticeFacts {
    fn of(origin: &Origin) -> Self {
        Self {
            at: Timestamp::now().as_millisecond(),
            address: origin
                .address()
                .map(|address| address.to_canonical().to_string()),
            browser: origin.user_agent().and_then(browser),
            at_command_line: origin.actor().kind == ActorKind::CommandLine,
        }
    }
}

/// Puts a notice in, as a part of what it is about. The queue is to be woken after the commit.
pub(in crate::identity) async fn queue_notice(
    transaction: &WriteTransaction,
    email: &Email,
    kind: NoticeKind,
) -> Result<(), DbErr> {
    let origin = current_origin();
    let language = origin.language();
    let language = language.as_deref().unwrap_or("en");
    queued_mails::queue_notice(transaction, email, kind, NoticeFacts::of(&origin), language).await
}
