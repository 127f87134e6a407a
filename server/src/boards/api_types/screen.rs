//! A screen, and what it shows.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::numbers::integer;
use crate::error::ApiError;

/// The largest number of pixels, cards or pages.
pub(in crate::boards) const MAX_SHOWN: i32 = 100_000;

/// In CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = BoardScreen)]
pub struct Screen {
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 1, maximum = 100_000)]
    pub width: i32,
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 1, maximum = 100_000)]
    pub height: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = BoardShows)]
pub struct Shows {
    /// Cards, on all pages.
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 0, maximum = 100_000)]
    pub orders: i32,
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 0, maximum = 100_000)]
    pub pages: i32,
    /// The one that is up, from 1.
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 0, maximum = 100_000)]
    pub page: i32,
}

impl Screen {
    /// 400 `invalid-request`.
    pub fn checked(self) -> Result<Self, ApiError> {
        let fits = |size| (1..=MAX_SHOWN).contains(&size);
        if fits(self.width) && fits(self.height) {
            Ok(self)
        } else {
            Err(ApiError::invalid(
                "A screen is 1 to 100000 pixels wide and high",
            ))
        }
    }
}
