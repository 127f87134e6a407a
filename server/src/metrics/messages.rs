//! What leaves the house: mails, pushes, and calls to the story provider.

use std::fmt;

use super::families::Families;
use super::sources::MetricSources;

pub(super) fn write(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    let mails = &sources.mails;
    families.counter(
        "dispatch_mail_attempts",
        "Attempts to send a mail: after which it was sent, is tried again (failed), or is not \
         (given-up).",
        [
            ([("outcome", "sent")], mails.sent.get()),
            ([("outcome", "failed")], mails.failed.get()),
            ([("outcome", "given-up")], mails.given_up.get()),
        ],
    )?;
    let pushes = &sources.pushes;
    families.counter(
        "dispatch_pushes",
        "Messages for technicians' browsers: taken by the browser's push service (sent), for a browser \
         that is no more (gone), refused, not taken in time (expired), or not sent because too many \
         were under way (left-out).",
        [
            ([("outcome", "sent")], pushes.sent.get()),
            ([("outcome", "gone")], pushes.gone.get()),
            ([("outcome", "refused")], pushes.refused.get()),
            ([("outcome", "expired")], pushes.expired.get()),
            ([("outcome", "left-out")], pushes.left_out.get()),
        ],
    )?;
    let calls = &sources.story_calls;
    families.counter(
        "dispatch_story_calls",
        "Calls to the story provider, each attempt by itself: it answered, said something unreadable, \
         could not be reached or had a fault (unavailable), refused, or took too long (timed-out).",
        [
            ([("outcome", "answered")], calls.answered.get()),
            ([("outcome", "unreadable")], calls.unreadable.get()),
            ([("outcome", "unavailable")], calls.unavailable.get()),
            ([("outcome", "refused")], calls.refused.get()),
            ([("outcome", "timed-out")], calls.timed_out.get()),
        ],
    )
}
