//! What stands behind all entries of a JSON file.

use serde_json::{Map, Value};

use super::Around;
use crate::row::ParsedRow;
use crate::syntax::Buffer;

/// Bytes that are kept of it.
pub(super) const MAX_TRAILER_BYTES: usize = 1024 * 1024;

const BEHIND_LIST: &str =
    "This stands behind the list and was not read: put all entries into one list";

/// At the end of the file, rejects what does not belong behind the entries.
pub(super) fn trailer(around: Around, buffer: &mut Buffer, at_end: bool) -> Option<ParsedRow> {
    buffer.skip_space();
    buffer.truncate(MAX_TRAILER_BYTES + 1);
    if !at_end {
        return None;
    }
    let is_cut = buffer.rest().len() > MAX_TRAILER_BYTES;
    let rest = String::from_utf8_lossy(buffer.rest());
    let rest = rest.trim();
    let belongs = match around {
        _ if rest.is_empty() => true,
        Around::Nothing => false,
        Around::Object => {
            // Its other members, read as an object of their own.
            let members = rest.strip_prefix(',').unwrap_or(rest);
            !is_cut && serde_json::from_str::<Map<String, Value>>(&format!("{{{members}")).is_ok()
        }
    };
    let rejected = (!belongs).then(|| ParsedRow::broken("the end".to_owned(), rest, BEHIND_LIST));
    buffer.skip(buffer.rest().len());
    rejected
}
