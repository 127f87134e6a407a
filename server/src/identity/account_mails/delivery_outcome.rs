//! What became of an attempt to send a mail, and when it is tried again.

use std::time::Duration;

use rand::Rng;

use super::claimed_mail::{ClaimedMail, Purpose};
use super::queued_mails::QueuedMail;
use crate::mail::SendError;
use crate::moments::now_ms;
use crate::text;

/// After the first failure; three times that after the next.
const FIRST_PAUSE: Duration = Duration::from_secs(5);

const MAX_PAUSE: Duration = Duration::from_secs(30 * 60);

/// Pauses are stretched by up to this, so that what failed together is not tried together.
const MAX_STRETCH: f64 = 1.2;

/// Characters of a failure that are kept.
const MAX_FAILURE: usize = 300;

/// The result of an attempt to send a mail.
pub(super) enum Outcome {
    Sent,
    Failed {
        failure: String,
        /// Milliseconds; none to give up.
        next: Option<i64>,
    },
}

impl Outcome {
    pub(super) fn of(claimed: &ClaimedMail, sent: Result<(), SendError>) -> Self {
        let Err(error) = sent else {
            return Self::Sent;
        };
        let ClaimedMail { mail, .. } = claimed;
        let purpose = claimed.purpose();
        // A mail server may quote what it does not like.
        let failure = match claimed.secret() {
            Some(secret) => error.to_string().replace(secret, "..."),
            None => error.to_string(),
        };
        let failure = text::one_line(&failure);
        let failure: String = failure.chars().take(MAX_FAILURE).collect();
        let next = now_ms() + pause_after(mail.attempts).as_millis() as i64;
        // Twice in a row: a server that is always late has it by now, as often as it was given it.
        let is_late_again = matches!(error, SendError::Unanswered)
            && mail.failure.as_deref() == Some(failure.as_str());
        let gives_up = error.is_permanent() || is_late_again || next >= deadline(mail, purpose);
        let (purpose, attempts) = (purpose.name(), mail.attempts);
        if gives_up {
            tracing::error!(
                mail = mail.id,
                purpose,
                attempts,
                why = failure,
                "a mail was given up"
            );
        } else {
            tracing::warn!(
                mail = mail.id,
                purpose,
                attempts,
                why = failure,
                "a mail is tried again"
            );
        }
        Self::Failed {
            failure,
            next: (!gives_up).then_some(next),
        }
    }
}

/// In milliseconds.
pub(super) fn deadline(mail: &QueuedMail, purpose: Purpose) -> i64 {
    mail.queued_at + purpose.ttl()
}

fn pause_after(attempts: i32) -> Duration {
    let exponent = u32::try_from(attempts - 1).unwrap_or_default();
    let factor = 3_u32.saturating_pow(exponent);
    let pause = FIRST_PAUSE.saturating_mul(factor).min(MAX_PAUSE);
    pause.mul_f64(rand::rng().random_range(1.0..MAX_STRETCH))
}

#[cfg(test)]
mod tests {
    use super::super::claimed_mail::Content;
    use super::super::mail_delivery::HORIZON;
    use super::*;
    use crate::identity::provider::LinkPurpose;

    #[test]
    fn a_mail_server_that_never_says_that_it_has_a_mail_gets_it_twice() {
        let claimed = |failure: Option<&str>| ClaimedMail {
            mail: QueuedMail {
                email: "ann@example.com".to_owned(),
                purpose: "invitation".to_owned(),
                id: "1".to_owned(),
                language: "en".to_owned(),
                queued_at: now_ms(),
                due_at: Some(now_ms()),
                attempts: 3,
                tried_at: None,
                failure: failure.map(str::to_owned),
                facts: None,
            },
            uid: "u".to_owned(),
            content: Content::Link {
                purpose: LinkPurpose::Invitation,
                token: "secret".to_owned(),
            },
        };
        let after = |failure: Option<&str>| match Outcome::of(
            &claimed(failure),
            Err(SendError::Unanswered),
        ) {
            Outcome::Failed { failure, next } => (failure, next.is_some()),
            Outcome::Sent => panic!("it is not known to be sent"),
        };
        let (late, is_tried_again) = after(None);
        assert!(is_tried_again && after(Some("connection refused")).1);
        assert!(!after(Some(&late)).1);
    }

    #[test]
    fn pauses_grow_from_seconds_to_half_an_hour() {
        let least = |attempts| pause_after(attempts).as_secs_f64() / MAX_STRETCH;
        let most = |attempts| pause_after(attempts).as_secs_f64();
        for (attempts, seconds) in [
            (1, 5.0),
            (2, 15.0),
            (3, 45.0),
            (7, 1_800.0),
            (i32::MAX, 1_800.0),
        ] {
            assert!(
                least(attempts) <= seconds && seconds <= most(attempts),
                "{attempts}"
            );
        }
        assert!(MAX_PAUSE.mul_f64(MAX_STRETCH) < HORIZON);
    }
}
