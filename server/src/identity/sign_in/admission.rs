//! Who is let in: the one rule for every call, every socket and every provider. A person needs a
//! verified email, a staff document, and at least one role in it.

use crate::error::{ApiError, ErrorCode};
use crate::identity::accounts::Account;
use crate::identity::provider::Verified;
use crate::identity::sessions::caller::Caller;
use crate::staff::{Role, StaffDocument};

/// Who an account is to the shop, on one of its sessions. 403 `no-role`.
pub(in crate::identity) fn admit(
    account: Account,
    document: Option<StaffDocument>,
    session_id: String,
) -> Result<Caller, ApiError> {
    let document = document.ok_or_else(no_role)?;
    let roles = require_role(&document)?.to_vec();
    Ok(Caller {
        uid: account.uid,
        email: account.email,
        name: document.name,
        roles,
        technician_id: document.technician_id,
        session_id,
    })
}

/// The same before there is a session, or even an account. 403 `unverified-email`, `no-role`.
pub(in crate::identity) fn require_admission(
    verified: &Verified,
    document: Option<&StaffDocument>,
) -> Result<(), ApiError> {
    if !verified.email_is_verified {
        return Err(ApiError::new(
            ErrorCode::UnverifiedEmail,
            "This email is not verified: ask for a link to a new password, which verifies it",
        ));
    }
    require_role(document.ok_or_else(no_role)?).map(|_| ())
}

fn require_role(document: &StaffDocument) -> Result<&[Role], ApiError> {
    match document.roles() {
        [] => Err(no_role()),
        roles => Ok(roles),
    }
}

fn no_role() -> ApiError {
    ApiError::new(
        ErrorCode::NoRole,
        "You have no role in this shop: ask an owner to give you one",
    )
}
