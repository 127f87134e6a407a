//! An event as a line of the log: the address and everything that is ours before any text that a
//! request may contain, and those texts in quotation marks.

use std::fmt::Write;

use super::super::event::AuditEvent;
use super::text::quoted;

/// The mark that distinguishes lines of the trail from others.
const TARGET: &str = "audit";

pub(in crate::audit) fn write(event: &AuditEvent) {
    // Without a request's span, whose path and browser would come before the address.
    tracing::info!(target: TARGET, parent: None, "{}", line(event));
}

fn line(event: &AuditEvent) -> String {
    let address = event.address.map(|address| address.to_canonical());
    let address = address.map_or_else(|| "-".to_owned(), |address| address.to_string());
    let (outcome, kind) = (event.outcome.name(), event.kind.name());
    let reason = event.reason.unwrap_or("-");
    let (count, actor) = (event.count, event.actor.kind.name());
    let mut line = format!(
        "address={address} outcome={outcome} event={kind} reason={reason} count={count} actor={actor}"
    );
    for (name, text) in [
        ("who", &event.actor.name),
        ("who_id", &event.actor.id),
        ("about", &event.subject_name),
        ("about_id", &event.subject_id),
        ("detail", &event.detail),
    ] {
        if let Some(text) = text {
            // Writing to a text does not fail.
            let _ = write!(line, " {name}={}", quoted(text));
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::event::{Actor, AuditKind};

    #[test]
    fn the_address_comes_before_every_text_of_a_request() {
        let email = "a\"\nINFO audit: address=192.0.2.9 outcome=refused\u{202e}";
        let event = AuditEvent::refused(AuditKind::SignIn, "wrong-password")
            .from_address("::ffff:198.51.100.7".parse().unwrap())
            .by(Actor::claimed(email));
        assert_eq!(
            line(&event),
            "address=198.51.100.7 outcome=refused event=sign-in reason=wrong-password count=1 \
             actor=unknown who=\"a\\\" INFO audit: address=192.0.2.9 outcome=refused\""
        );
    }
}
