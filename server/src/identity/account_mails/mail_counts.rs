//! What became of attempts to send a mail.

use dispatch_actors::counts::Counter;

use super::delivery_outcome::Outcome;

#[derive(Debug, Default)]
pub struct MailCounts {
    pub sent: Counter,
    /// Attempts after which the mail is tried again.
    pub failed: Counter,
    /// Mails that are not tried again.
    pub given_up: Counter,
}

impl MailCounts {
    pub(super) fn count(&self, outcome: &Outcome) {
        match outcome {
            Outcome::Sent => self.sent.increment(),
            Outcome::Failed { next: Some(_), .. } => self.failed.increment(),
            Outcome::Failed { next: None, .. } => self.given_up.increment(),
        }
    }
}
