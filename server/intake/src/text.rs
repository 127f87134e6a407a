//! Checks of a text, whatever its field.

use dispatch_actors::text::quotable;

/// Whether a text is empty.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control())
}

/// The value as a reason repeats it: in quotes and not too long.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", quotable(text))
}
