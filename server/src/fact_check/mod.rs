//! What a story may state, held by `dispatch_stories`, at the doors where stories are saved: `confirmation` is
//! what has to be confirmed before, `api_types` the refusal's shape.

mod api_types;
mod confirmation;

pub use api_types::Unconfirmed;
pub use confirmation::{provenance_by_hand, require_confirmed};
