//! Boards as clients see them: those who manage them, and the boards themselves.

use dispatch_actors::repair_order::RoNumber;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::cards::Card;
use super::layout::{Category, Layout, TextSize, Theme};
use crate::change_request::double_option;
use crate::error::ApiError;
use crate::ids::BoardId;
use crate::language::Language;
use crate::limits::short_text;
use crate::repair_orders::api_types::By;
use crate::text::OneLine;
use crate::typed_params::whole_number;

/// The largest number of pixels, cards or pages.
const MOST_SHOWN: i32 = 100_000;

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
    #[schema(format = DateTime, required)]
    pub last_seen_at: Option<String>,
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
    #[schema(format = DateTime, required)]
    pub paired_at: Option<String>,
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
    pub categories: Vec<Category>,
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
    #[schema(value_type = Vec<Category>, required = false, max_items = 20)]
    pub categories: Option<Vec<Category>>,
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

/// In CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = BoardScreen)]
pub struct Screen {
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 100_000)]
    pub width: i32,
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 100_000)]
    pub height: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = BoardShows)]
pub struct Shows {
    /// Cards, on all pages.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 100_000)]
    pub orders: i32,
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 100_000)]
    pub pages: i32,
    /// The one that is up, from 1.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 100_000)]
    pub page: i32,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewBoard {
    /// 1 to 100 characters.
    pub name: OneLine,
    pub layout: Layout,
    #[serde(default, deserialize_with = "given_object")]
    #[schema(value_type = SettingsFields, required = false)]
    pub settings: Option<SettingsFields>,
}

/// What is not sent stays as it is.
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
    #[serde(default, deserialize_with = "given_object")]
    #[schema(value_type = SettingsFields, required = false)]
    pub settings: Option<SettingsFields>,
    /// The `revision` that this was decided on: where it is another by now, nothing is changed.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub expected_revision: Option<OneLine>,
}

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
    #[schema(format = DateTime)]
    pub expires_at: String,
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
    #[schema(format = DateTime)]
    pub expires_at: String,
}

#[derive(Deserialize, ToSchema)]
pub struct Redeem {
    /// What stands behind `#link=`.
    #[schema(min_length = 1, max_length = 500)]
    pub link: String,
    /// The screen's own: 43 letters, digits, - and _ that it made up. Whoever sends it once more is
    /// given the same token, until that is used; without one an answer that is lost is lost.
    #[serde(default)]
    #[schema(nullable = false, min_length = 43, max_length = 43)]
    pub secret: Option<String>,
    /// The build of its page.
    pub version: OneLine,
    #[serde(deserialize_with = "object")]
    pub screen: Screen,
}

/// What a board is told about itself.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardSelf {
    #[schema(format = "uuid")]
    pub board_id: String,
    pub name: String,
    pub layout: Layout,
    pub settings: BoardSettings,
}

/// Everything a board shows.
#[derive(Serialize, ToSchema)]
pub struct BoardPicture {
    /// The number of the newest event that is in it.
    pub seq: i64,
    pub board: BoardSelf,
    #[schema(format = DateTime)]
    pub now: String,
    /// The shop's offsets from UTC, each from a moment on, the earliest first: a screen's own
    /// knowledge of time zones is as old as its browser.
    pub offsets: Vec<ZoneOffset>,
    /// The server's build; a board that runs another one reloads.
    pub version: String,
    /// By key.
    #[schema(value_type = Vec<Card>)]
    pub cards: Box<RawValue>,
    /// Of the shop floor, by name: the columns, and whoever else is on a card; else empty. A card may
    /// name one who is not here yet: then it is time to ask for the picture again.
    pub technicians: Vec<BoardTechnician>,
    /// CRC-32 of the cards as they are here, sorted by key, and then of those technicians who are on
    /// a card or on the clock, by id, each with a line feed behind it; eight hexadecimal digits.
    pub checksum: String,
}

#[derive(Serialize, ToSchema)]
pub struct ZoneOffset {
    #[schema(format = DateTime)]
    pub from: String,
    /// To be added to UTC.
    pub seconds: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BoardTechnician {
    pub id: i64,
    pub name: String,
    /// Null: off the clock.
    #[schema(required)]
    pub running: Option<BoardRunning>,
}

/// A clock that runs.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BoardRunning {
    /// The card worked on, which need not be on this board; null where the clock runs without a job.
    #[schema(required)]
    pub key: Option<String>,
    #[schema(format = DateTime)]
    pub since: String,
}

/// What a board shows.
#[derive(Deserialize, ToSchema)]
pub struct BoardSays {
    /// The newest event it has heard of.
    #[serde(deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    pub seq: i64,
    /// Of what it has, made as the picture's.
    #[schema(pattern = "^[0-9a-f]{8}$")]
    pub checksum: String,
    #[serde(deserialize_with = "object")]
    pub shows: Shows,
    /// The build of its page.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub version: Option<OneLine>,
    #[serde(default, deserialize_with = "given_object")]
    #[schema(value_type = Screen, required = false)]
    pub screen: Option<Screen>,
}

#[derive(Serialize, ToSchema)]
pub struct BoardVerdict {
    /// Whether the board shows what the server has; null where that cannot be said, since one of
    /// the two has heard of more: ask again after the next tick.
    #[schema(required)]
    pub same: Option<bool>,
    /// The server's.
    pub seq: i64,
    pub checksum: String,
}

/// Sent as `BOARD_CARD` to a board when one of its cards changed, came or went. Those that an event
/// made have its offset, and are replayed, with the card as it is then, to whoever missed them.
#[derive(Serialize, ToSchema)]
#[schema(as = BoardCard)]
pub struct BoardCardEvent<'a> {
    pub seq: i64,
    pub key: &'a str,
    /// Null: it is not on this board any more.
    #[schema(required)]
    pub card: Option<&'a Card>,
    #[schema(format = DateTime)]
    pub at: String,
}

/// Sent as `BOARD_CLOCK` to shop floors, without an offset, when a technician's clock began or
/// ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BoardClock)]
pub struct BoardClockEvent {
    #[serde(flatten)]
    pub technician: BoardTechnician,
    #[schema(format = DateTime)]
    pub at: String,
}

/// Sent as `BOARD_SETTINGS` to a board, without an offset, when it is to show something else or
/// otherwise: it asks for its picture again.
#[derive(Serialize, ToSchema)]
#[schema(as = BoardSettingsChanged)]
pub struct BoardSettingsEvent {
    pub board: BoardSelf,
}

/// Sent as `BOARD_RELOAD` to a board, without an offset: its page loads itself again.
#[derive(Serialize, ToSchema)]
#[schema(as = BoardReload)]
pub struct BoardReloadEvent {
    #[schema(format = DateTime)]
    pub at: String,
}

/// Sent as `BOARD_IDENTIFY` to a board, without an offset: it shows its name for a moment.
#[derive(Serialize, ToSchema)]
#[schema(as = BoardIdentify)]
pub struct BoardIdentifyEvent {
    pub name: String,
}

/// Sent as `BOARDS_CHANGED` to whoever hears everything, without an offset, when boards changed,
/// came or went: whoever shows them asks again.
#[derive(Serialize, ToSchema)]
#[schema(as = BoardsChanged)]
pub struct BoardsChangedEvent {
    /// Always `BOARDS_CHANGED`.
    pub r#type: &'static str,
    #[schema(format = DateTime)]
    pub timestamp: String,
}

/// A whole number; to JSON 5.0 is the same as 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeNumber(pub i64);

impl PartialSchema for WholeNumber {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        number.minimum(Some(0)).maximum(Some(RoNumber::MAX)).into()
    }
}

impl ToSchema for WholeNumber {}

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        whole_number(number)
            .map(Self)
            .ok_or_else(|| D::Error::custom(format!("{number} is not a whole number")))
    }
}

fn whole<'de, D: Deserializer<'de>, T: TryFrom<i64>>(deserializer: D) -> Result<T, D::Error> {
    let WholeNumber(number) = WholeNumber::deserialize(deserializer)?;
    T::try_from(number).map_err(|_| D::Error::custom(format!("{number} is too large")))
}

/// An object; of a struct serde would take a list of its values, too.
fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<T, D::Error> {
    let object = Map::<String, Value>::deserialize(deserializer)?;
    serde_json::from_value(Value::Object(object)).map_err(D::Error::custom)
}

fn given_object<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    object(deserializer).map(Some)
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

impl BoardSays {
    /// 400 `invalid-request`.
    pub fn checked(self) -> Result<Self, ApiError> {
        let Shows {
            orders,
            pages,
            page,
        } = self.shows;
        let number = |number| (0..=MOST_SHOWN).contains(&number);
        let digit = |digit: u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit);
        if self.seq < 0 || ![orders, pages, page].into_iter().all(number) {
            return Err(ApiError::invalid("seq and shows are numbers from 0"));
        }
        if self.checksum.len() != 8 || !self.checksum.bytes().all(digit) {
            return Err(ApiError::invalid("checksum is eight hexadecimal digits"));
        }
        let version = self.version.as_deref();
        let version = version.map(|version| short_text("The version", version).map(OneLine));
        Ok(Self {
            version: version.transpose()?,
            screen: self.screen.map(Screen::checked).transpose()?,
            ..self
        })
    }
}

impl Screen {
    /// 400 `invalid-request`.
    pub fn checked(self) -> Result<Self, ApiError> {
        let fits = |size| (1..=MOST_SHOWN).contains(&size);
        if fits(self.width) && fits(self.height) {
            Ok(self)
        } else {
            Err(ApiError::invalid(
                "A screen is 1 to 100000 pixels wide and high",
            ))
        }
    }
}
