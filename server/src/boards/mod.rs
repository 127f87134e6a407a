//! Boards on the shop's walls: screens without a user, that show some of the orders and hear of
//! nothing else.

pub mod calls;
pub mod cards;
pub mod layout;
pub mod screen_calls;
pub mod wire;

use actix_web::http::StatusCode;

use crate::error::ApiError;

fn not_yet() -> ApiError {
    ApiError::new(
        StatusCode::NOT_IMPLEMENTED,
        "not-implemented",
        "This call is not there yet",
    )
}
