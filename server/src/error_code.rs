//! Every code that an error answer can carry, and the HTTP status that goes with it.
//!
//! Programs switch on the code, people read the sentence beside it. The codes are an enum of the
//! OpenAPI document, so the compiler checks the web's switches against this list.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One table: each status with its codes. The text of a code is its name in kebab case; the test below holds
/// that the two spellings agree.
macro_rules! error_codes {
    ($($status:ident { $($(#[$doc:meta])* $name:ident = $text:literal,)* })*) => {
        /// What went wrong, for programs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum ErrorCode {
            $($($(#[$doc])* $name,)*)*
        }

        impl ErrorCode {
            pub const ALL: &[Self] = &[$($(Self::$name,)*)*];

            /// The HTTP status of an answer with this code.
            pub fn status(self) -> StatusCode {
                match self {
                    $($(Self::$name)|* => StatusCode::$status,)*
                }
            }

            /// As it stands in answers.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($(Self::$name => $text,)*)*
                }
            }
        }
    };
}

error_codes! {
    BAD_REQUEST {
        ClockEndsBeforeItBegins = "clock-ends-before-it-begins",
        ClockInFuture = "clock-in-future",
        ClockTooOld = "clock-too-old",
        CommonPassword = "common-password",
        ExpiredLink = "expired-link",
        IncompleteSkill = "incomplete-skill",
        InvalidEmail = "invalid-email",
        InvalidFormat = "invalid-format",
        InvalidLink = "invalid-link",
        InvalidOpcodePattern = "invalid-opcode-pattern",
        InvalidPriority = "invalid-priority",
        InvalidRequest = "invalid-request",
        InvalidRoNumber = "invalid-ro-number",
        InvalidSkillLevel = "invalid-skill-level",
        InvalidSkillName = "invalid-skill-name",
        InvalidStatus = "invalid-status",
        LinkExpired = "link-expired",
        UnreadableFile = "unreadable-file",
        WeakPassword = "weak-password",
    }
    UNAUTHORIZED {
        BoardRevoked = "board-revoked",
        SecondFactorRequired = "second-factor-required",
        Unauthorized = "unauthorized",
        /// 400 where somebody is signed in already: 401 would tell them to sign in.
        WrongCode = "wrong-code",
        /// 400 where somebody is signed in already: 401 would tell them to sign in.
        WrongPassword = "wrong-password",
    }
    FORBIDDEN {
        CrossSite = "cross-site",
        Forbidden = "forbidden",
        NoRole = "no-role",
        UnverifiedEmail = "unverified-email",
    }
    NOT_FOUND {
        UnknownBoard = "unknown-board",
        UnknownCode = "unknown-code",
        UnknownConversation = "unknown-conversation",
        UnknownEntry = "unknown-entry",
        UnknownEvent = "unknown-event",
        UnknownHold = "unknown-hold",
        UnknownJob = "unknown-job",
        UnknownKey = "unknown-key",
        UnknownLevel = "unknown-level",
        UnknownLink = "unknown-link",
        UnknownMatch = "unknown-match",
        UnknownReceipt = "unknown-receipt",
        UnknownRepairOrder = "unknown-repair-order",
        UnknownRoute = "unknown-route",
        UnknownRule = "unknown-rule",
        UnknownSession = "unknown-session",
        UnknownSkill = "unknown-skill",
        UnknownStage = "unknown-stage",
        UnknownTechnician = "unknown-technician",
        UnknownUser = "unknown-user",
        UnknownVersion = "unknown-version",
        UnknownView = "unknown-view",
        UserNotFound = "user-not-found",
    }
    METHOD_NOT_ALLOWED {
        WrongMethod = "wrong-method",
    }
    CONFLICT {
        AlreadySetUp = "already-set-up",
        BoardChanged = "board-changed",
        BoardPaired = "board-paired",
        CannotUndo = "cannot-undo",
        ChangedSince = "changed-since",
        ClockOverlaps = "clock-overlaps",
        Closed = "closed",
        ConversationEnded = "conversation-ended",
        ConversationMovedOn = "conversation-moved-on",
        EmailAlreadyInUse = "email-already-in-use",
        EtlTechnician = "etl-technician",
        IdempotencyKeyReused = "idempotency-key-reused",
        InterviewerNotConfigured = "interviewer-not-configured",
        LastOwner = "last-owner",
        LevelExists = "level-exists",
        LevelInUse = "level-in-use",
        NoProposal = "no-proposal",
        NotAssigned = "not-assigned",
        NotLinked = "not-linked",
        NothingToCallAbout = "nothing-to-call-about",
        NothingToUndo = "nothing-to-undo",
        NumberCollision = "number-collision",
        OnHold = "on-hold",
        OwnAccount = "own-account",
        OwnNumber = "own-number",
        /// The kept answer of a request has a code that this version of the server does not know.
        Refused = "refused",
        RepairOrderClosed = "repair-order-closed",
        Repeated = "repeated",
        RuleExists = "rule-exists",
        SkillExists = "skill-exists",
        SkillInUse = "skill-in-use",
        StagesOff = "stages-off",
        StaleVersion = "stale-version",
        StoryNotFinished = "story-not-finished",
        TechnicianExists = "technician-exists",
        TechnicianInUse = "technician-in-use",
        TooManyBoards = "too-many-boards",
        TooManyKeys = "too-many-keys",
        TooManyQuestions = "too-many-questions",
        TooManyStages = "too-many-stages",
        TooManyViews = "too-many-views",
        TwoFactorOff = "two-factor-off",
        TwoFactorOn = "two-factor-on",
        UnknownPushService = "unknown-push-service",
        ViewExists = "view-exists",
    }
    GONE {
        ConversationExpired = "conversation-expired",
    }
    PAYLOAD_TOO_LARGE {
        TooLarge = "too-large",
    }
    UNSUPPORTED_MEDIA_TYPE {
        UnsupportedEncoding = "unsupported-encoding",
    }
    MISDIRECTED_REQUEST {
        UnknownHost = "unknown-host",
    }
    UNPROCESSABLE_ENTITY {
        Unconfirmed = "unconfirmed",
    }
    TOO_MANY_REQUESTS {
        TooManyRequests = "too-many-requests",
    }
    BAD_GATEWAY {
        UnusableReply = "unusable-reply",
    }
    SERVICE_UNAVAILABLE {
        Busy = "busy",
        InterviewerUnavailable = "interviewer-unavailable",
        NetworkRequestFailed = "network-request-failed",
        NoPage = "no-page",
        OidcFailed = "oidc-failed",
        Unavailable = "unavailable",
    }
    GATEWAY_TIMEOUT {
        DeadlineExceeded = "deadline-exceeded",
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<ErrorCode> for &'static str {
    fn from(code: ErrorCode) -> Self {
        code.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_spelled_as_its_variant_in_kebab_case() {
        for code in ErrorCode::ALL {
            let mut kebab = String::new();
            for letter in format!("{code:?}").chars() {
                if letter.is_uppercase() && !kebab.is_empty() {
                    kebab.push('-');
                }
                kebab.push(letter.to_ascii_lowercase());
            }
            assert_eq!(code.as_str(), kebab);
            assert_eq!(serde_json::json!(code), code.as_str());
        }
    }
}
