//! Boards as those who manage them see and change them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::numbers::{WholeNumber, optional_object};
use super::screen::{Screen, Shows};
use crate::boards::display::layout::{Layout, TextSize, Theme};
use crate::change_request::double_option;
use crate::repair_orders::api_types::By;
use crate::text::OneLine;
use dispatch_actors::repair_order::DisplayedStatus;
use dispatch_stories::Language;

/// A board on a wall.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Board {
    #[schema(format = "uuid")]
    pub board_id: String,
    pub name: String,
    pub layout: Layout,
    pub settings: BoardSettings,
    /// Another one whenever name, layout or settings are: a change may say which it was made on.
    pub revision: String,
    pub state: BoardState,
    /// May be a minute behind; null while it was never seen.
    #[schema(required)]
    pub last_seen_at: Option<Timestamp>,
    /// Whether it is connected now.
    pub live: bool,
    /// The build it runs, as it said last.
    #[schema(required)]
    pub version: Option<String>,
    #[schema(required)]
    pub screen: Option<Screen>,
    /// What is on it, as it said last; null until it has.
    #[schema(required)]
    pub shows: Option<Shows>,
    #[schema(required)]
    pub paired_at: Option<Timestamp>,
    #[schema(required)]
    pub paired_by: Option<By>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoardState {
    /// It has a token.
    Paired,
    /// It never had one: a link was made for it, or nothing yet.
    Unpaired,
    /// Its token was taken away.
    Revoked,
}

/// How a board shows its layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardSettings {
    /// Statuses as the desk shows them; empty: all that the layout can show. One that the layout
    /// cannot show changes nothing.
    pub categories: Vec<DisplayedStatus>,
    /// Empty: all.
    pub technicians: Vec<i64>,
    /// Null: as many as fit.
    #[schema(required, minimum = 1, maximum = 12)]
    pub columns: Option<i32>,
    pub text_size: TextSize,
    #[schema(minimum = 5, maximum = 120)]
    pub page_seconds: i32,
    pub theme: Theme,
    /// By the shop's clock; null: it is never dimmed.
    #[schema(required)]
    pub dim_from: Option<String>,
    #[schema(required)]
    pub dim_until: Option<String>,
    /// Null: the screen's own.
    #[serde(default)]
    #[schema(required)]
    pub language: Option<Language>,
}

/// Settings as they are sent; what is left out stays as it is, and is the layout's own for a new
/// board.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BoardSettingsFields)]
pub struct SettingsFields {
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = Vec<DisplayedStatus>, required = false, max_items = 20)]
    pub categories: Option<Vec<DisplayedStatus>>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = Vec<WholeNumber>, required = false, max_items = 200)]
    pub technicians: Option<Vec<WholeNumber>>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = Option<i32>, required = false, minimum = 1, maximum = 12)]
    pub columns: Option<Option<WholeNumber>>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = TextSize, required = false)]
    pub text_size: Option<TextSize>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = i32, required = false, minimum = 5, maximum = 120)]
    pub page_seconds: Option<WholeNumber>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = Theme, required = false)]
    pub theme: Option<Theme>,
    /// Such as 19:00.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = Option<String>, required = false, pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    pub dim_from: Option<Option<String>>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = Option<String>, required = false, pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    pub dim_until: Option<Option<String>>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = Option<Language>, required = false)]
    pub language: Option<Option<Language>>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewBoard {
    /// 1 to 100 characters.
    pub name: OneLine,
    pub layout: Layout,
    #[serde(default, deserialize_with = "optional_object")]
    #[schema(value_type = SettingsFields, required = false)]
    pub settings: Option<SettingsFields>,
}

/// A field that is not sent stays unchanged.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardFields {
    /// 1 to 100 characters.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub name: Option<OneLine>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(value_type = Layout, required = false)]
    pub layout: Option<Layout>,
    #[serde(default, deserialize_with = "optional_object")]
    #[schema(value_type = SettingsFields, required = false)]
    pub settings: Option<SettingsFields>,
    /// The `revision` that this was decided on: where it is another by now, nothing is changed.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub expected_revision: Option<OneLine>,
}

/// What a board gets about itself.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardSelf {
    #[schema(format = "uuid")]
    pub board_id: String,
    pub name: String,
    pub layout: Layout,
    pub settings: BoardSettings,
}
