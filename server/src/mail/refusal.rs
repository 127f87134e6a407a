//! What a mail server's refusal is about: this mail, permanently, or something that may pass.

use lettre::transport::smtp::Error;

use super::SendError;

pub(super) fn refused(error: &Error, is_permanent: bool) -> SendError {
    SendError::Server {
        why: error.to_string(),
        is_permanent,
    }
}

/// Whether the answer to a recipient, or to the mail itself, refuses this mail permanently (5xx). A
/// refusal because of who we are (a sender that may not send, a relay, a wrong password) also comes as
/// an answer to the recipient, and is corrected in a configuration.
pub(super) fn is_about_the_mail(error: &Error) -> bool {
    let Some(code) = error.status().filter(|_| error.is_permanent()) else {
        return false;
    };
    let text = std::error::Error::source(error).map(ToString::to_string);
    is_code_about_the_mail(code.into(), text.as_deref().unwrap_or_default())
}

/// By the enhanced code that the text begins with (RFC 3463), else by the code alone (RFC 5321).
pub(super) fn is_code_about_the_mail(code: u16, text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let parts: Vec<Option<u16>> = word.split('.').map(|part| part.parse().ok()).collect();
    match parts[..] {
        // The destination's address; 7 and 8 are the sender's.
        [Some(5), Some(1), Some(detail)] => !matches!(detail, 7 | 8),
        // The destination's mailbox; a mail that is too large; its content.
        [Some(5), Some(2), Some(_)] | [Some(5), Some(3), Some(4)] | [Some(5), Some(6), Some(_)] => {
            true
        }
        [Some(5), Some(_), Some(_)] => false,
        _ => matches!(code, 550..=553),
    }
}
