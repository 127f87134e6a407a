//! What a provider says of a person: `id_token` (whether it is genuine), `issuer` (who may sign),
//! `claims` (what is read of them).

pub(super) mod claims;
pub(super) mod id_token;
pub(super) mod issuer;
