//! How a screen becomes a board: by the code it shows, or by a link.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::boards::BoardFields;
use super::numbers::object;
use super::screen::Screen;
use crate::change_request::double_option;
use crate::ids::BoardId;
use crate::text::OneLine;

/// A screen that wants to be a board.
#[derive(Deserialize, ToSchema)]
pub struct NewPairing {
    /// The build of its page.
    pub version: OneLine,
    #[serde(deserialize_with = "object")]
    pub screen: Screen,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pairing {
    /// The screen's secret, by which it asks what became of it.
    pub pairing_id: String,
    /// What it shows: six signs of 23456789ABCDEFGHJKMNPQRSTUVWXYZ.
    pub code: String,
    pub expires_at: Timestamp,
}

#[derive(Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum PairingState {
    /// Nobody has typed the code yet.
    Waiting,
    /// Too old, not known, or its token is in use already.
    Expired,
    /// Said until the token is used for the first time.
    Paired(Paired),
}

/// A screen is a board now.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Paired {
    pub token: String,
    #[schema(format = "uuid")]
    pub board_id: String,
    pub name: String,
}

/// Makes the screen that shows the code a board, a new one or one there is. What is left out of
/// one there is stays as it is; a new one is called Board and shows the shop floor.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PairingClaim {
    /// As it is read from the screen, in any case, with or without spaces and hyphens.
    pub code: OneLine,
    #[serde(flatten)]
    pub target: BoardTarget,
}

/// Which board it shall be, and how.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardTarget {
    /// One there is: the screen it was before ends.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub board_id: Option<BoardId>,
    #[serde(flatten)]
    pub fields: BoardFields,
}

/// A link that makes the screen on which it is opened a board.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardLink {
    #[schema(format = "uuid")]
    pub board_id: String,
    /// To be put behind the server's address: `/board#link=...`. Good once.
    pub url: String,
    pub expires_at: Timestamp,
}

#[derive(Deserialize, ToSchema)]
pub struct Redeem {
    /// What stands behind `#link=`.
    #[schema(min_length = 1, max_length = 500)]
    pub link: String,
    /// The screen's own: 43 letters, digits, - and _ that it made up. A screen that sends it once
    /// more gets the same token, until that is used; without it a lost answer is lost.
    #[serde(default)]
    #[schema(nullable = false, min_length = 43, max_length = 43)]
    pub secret: Option<String>,
    /// The build of its page.
    pub version: OneLine,
    #[serde(deserialize_with = "object")]
    pub screen: Screen,
}

/// A screen asks what became of its pairing.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PairingQuestion {
    /// The screen's secret; in no address, which servers and proxies write down.
    #[schema(value_type = PairingText)]
    pub pairing_id: String,
}

/// A pairing's secret.
pub struct PairingText;

impl utoipa::PartialSchema for PairingText {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, Type};
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.pattern(Some("^[A-Za-z0-9_-]{43}$")).into()
    }
}

impl ToSchema for PairingText {}
