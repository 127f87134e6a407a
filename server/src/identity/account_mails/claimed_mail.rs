//! A mail that this server has taken from the queue: what it is for, and what is in it.

use super::links::HOUR;
use super::notices::NoticeKind;
use super::queued_mails::QueuedMail;
use crate::identity::provider::LinkPurpose;

/// Milliseconds after which a reset is given up: its link is promised for an hour.
const RESET_TTL: i64 = HOUR;

/// Milliseconds after which an invitation is given up, as mail servers do (RFC 5321, section
/// 4.5.4.1: at least four to five days).
const INVITATION_TTL: i64 = 4 * 24 * HOUR;

const NOTICE_TTL: i64 = INVITATION_TTL;

/// A mail that this server has taken.
pub(super) struct ClaimedMail {
    pub(super) mail: QueuedMail,
    pub(super) uid: String,
    pub(super) content: Content,
}

/// What is in a mail.
pub(super) enum Content {
    Link { purpose: LinkPurpose, token: String },
    Notice(NoticeKind),
}

/// What a mail is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Link(LinkPurpose),
    Notice(NoticeKind),
}

impl Purpose {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let link = LinkPurpose::from_name(name).map(Self::Link);
        link.or_else(|| NoticeKind::from_name(name).map(Self::Notice))
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Link(purpose) => purpose.name(),
            Self::Notice(kind) => kind.name(),
        }
    }

    /// Milliseconds after which a mail is given up.
    pub(super) fn ttl(self) -> i64 {
        match self {
            Self::Link(LinkPurpose::PasswordReset) => RESET_TTL,
            Self::Link(LinkPurpose::Invitation) => INVITATION_TTL,
            Self::Notice(_) => NOTICE_TTL,
        }
    }
}

impl ClaimedMail {
    pub(super) fn purpose(&self) -> Purpose {
        match &self.content {
            Content::Link { purpose, .. } => Purpose::Link(*purpose),
            Content::Notice(kind) => Purpose::Notice(*kind),
        }
    }

    /// What nobody else may see; nothing in a notice.
    pub(super) fn secret(&self) -> Option<&str> {
        match &self.content {
            Content::Link { token, .. } => Some(token),
            Content::Notice(_) => None,
        }
    }
}
