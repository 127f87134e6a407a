//! Session ids: which thread has the session, its number there, and enough chance that nobody
//! guesses one.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use engineioxide_core::Sid;
use rand::Rng;

/// A session's number, of all its server's sessions.
pub type SessionId = u64;

/// A new session's number, and its id: the thread (2 bytes), the number (8), and 2 more, all but
/// the thread by chance.
pub(crate) fn new_sid(thread: u16) -> (SessionId, Sid) {
    let mut bytes = [0; 12];
    rand::rng().fill(&mut bytes[2..]);
    bytes[..2].copy_from_slice(&thread.to_be_bytes());
    let text = URL_SAFE_NO_PAD.encode(bytes);
    // Twelve bytes are sixteen characters of the right alphabet.
    let sid: Sid = text.parse().unwrap_or_default();
    (session_id_of(&sid), sid)
}

pub(crate) fn thread_of(sid: &Sid) -> usize {
    let bytes = bytes_of(sid);
    usize::from(u16::from_be_bytes([bytes[0], bytes[1]]))
}

pub(crate) fn session_id_of(sid: &Sid) -> SessionId {
    let bytes = bytes_of(sid);
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[2..10]);
    SessionId::from_be_bytes(number)
}

fn bytes_of(sid: &Sid) -> [u8; 12] {
    let mut bytes = [0; 12];
    // A sid that is not our base64 is invented, and has no session.
    let _ = URL_SAFE_NO_PAD.decode_slice(sid.as_str(), &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_sid_says_which_thread_has_the_session() {
        let (session, sid) = new_sid(513);
        assert_eq!((thread_of(&sid), session_id_of(&sid)), (513, session));
        let (other, other_sid) = new_sid(513);
        assert!(session != other && sid != other_sid);
    }

    #[test]
    fn an_invented_sid_belongs_to_no_session() {
        let invented: Sid = "________________".parse().unwrap();
        assert_eq!(thread_of(&invented), 65_535);
    }

    proptest! {
        #[test]
        fn every_sid_says_where_its_session_is(thread in any::<u16>()) {
            let (session, sid) = new_sid(thread);
            prop_assert_eq!((thread_of(&sid), session_id_of(&sid)), (usize::from(thread), session));
            prop_assert_eq!(sid.as_str().parse::<Sid>().ok(), Some(sid));
        }

        #[test]
        fn any_text_is_a_valid_sid_or_no_sid(text in "[A-Za-z0-9_-]{16}|\\PC{0,20}") {
            if let Ok(sid) = text.parse::<Sid>() {
                prop_assert_eq!(sid.as_str(), text);
                prop_assert!(thread_of(&sid) <= usize::from(u16::MAX));
                session_id_of(&sid);
            }
        }
    }
}
