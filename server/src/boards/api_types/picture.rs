//! What a board shows, and whether it shows what the server has.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::boards::BoardSelf;
use super::numbers::{integer, object, optional_object};
use super::screen::{MAX_SHOWN, Screen, Shows};
use crate::boards::display::cards::Card;
use crate::change_request::double_option;
use crate::error::ApiError;
use crate::limits::short_text;
use crate::text::OneLine;

/// Everything a board shows.
#[derive(Serialize, ToSchema)]
pub struct BoardPicture {
    /// The number of the newest event that is in it.
    pub seq: i64,
    pub board: BoardSelf,
    pub now: Timestamp,
    /// The shop's offsets from UTC, each from a moment on, the earliest first: a screen's own
    /// knowledge of time zones is as old as its browser.
    pub offsets: Vec<ZoneOffset>,
    /// The server's build; a board that runs another one reloads.
    pub version: String,
    /// By key.
    #[schema(value_type = Vec<Card>)]
    pub cards: Box<RawValue>,
    /// Of the shop floor, by name: the columns, and every other technician on a card; else empty. A
    /// card may name a technician who is not here yet: then ask for the picture again.
    pub technicians: Vec<BoardTechnician>,
    /// CRC-32 of the cards as they are here, sorted by key, and then of those technicians who are on
    /// a card or on the clock, by id, each with a line feed behind it; eight hexadecimal digits.
    pub checksum: String,
}

#[derive(Serialize, ToSchema)]
pub struct ZoneOffset {
    pub from: Timestamp,
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
    pub since: Timestamp,
}

/// What a board shows.
#[derive(Deserialize, ToSchema)]
pub struct BoardSays {
    /// The newest event that it knows.
    #[serde(deserialize_with = "integer")]
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
    #[serde(default, deserialize_with = "optional_object")]
    #[schema(value_type = Screen, required = false)]
    pub screen: Option<Screen>,
}

#[derive(Serialize, ToSchema)]
pub struct BoardVerdict {
    /// Whether the board shows what the server has; null where that is unknown, since one of the
    /// two knows newer events: ask again after the next tick.
    #[schema(required)]
    pub same: Option<bool>,
    /// The server's.
    pub seq: i64,
    pub checksum: String,
}

impl BoardSays {
    /// 400 `invalid-request`.
    pub fn checked(self) -> Result<Self, ApiError> {
        let Shows {
            orders,
            pages,
            page,
        } = self.shows;
        let number = |number| (0..=MAX_SHOWN).contains(&number);
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
