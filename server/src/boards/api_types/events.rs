//! What boards, and those who show boards, are sent.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::boards::BoardSelf;
use super::picture::BoardTechnician;
use crate::boards::display::cards::Card;

/// Sent as `BOARD_CARD` to a board when one of its cards changed, came or went. Those that an event
/// made have its offset, and are replayed, with the card as it is then, to boards that missed them.
#[derive(Serialize, ToSchema)]
#[schema(as = BoardCard)]
pub struct BoardCardEvent<'a> {
    pub seq: i64,
    pub key: &'a str,
    /// Null: it is not on this board any more.
    #[schema(required)]
    pub card: Option<&'a Card>,
    pub at: Timestamp,
}

/// Sent as `BOARD_CLOCK` to shop floors, without an offset, when a technician's clock began or
/// ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BoardClock)]
pub struct BoardClockEvent {
    #[serde(flatten)]
    pub technician: BoardTechnician,
    pub at: Timestamp,
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
    pub at: Timestamp,
}

/// Sent as `BOARD_IDENTIFY` to a board, without an offset: it shows its name for a moment.
#[derive(Serialize, ToSchema)]
#[schema(as = BoardIdentify)]
pub struct BoardIdentifyEvent {
    pub name: String,
}

/// Sent as `BOARDS_CHANGED` to sessions that receive all events, without an offset, when boards
/// changed, came or went: clients that show them ask again.
#[derive(Serialize, ToSchema)]
#[schema(as = BoardsChanged)]
pub struct BoardsChangedEvent {
    /// Always `BOARDS_CHANGED`.
    pub r#type: &'static str,
    pub timestamp: Timestamp,
}
