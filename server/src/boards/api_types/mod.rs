//! Boards as clients see them: those who manage them, and the boards themselves.
//!
//! `boards` (the register), `pairing`, `picture` (what a board shows), `screen`, `events` (live),
//! `numbers` (how bodies are read).

mod boards;
mod events;
mod numbers;
mod pairing;
mod picture;
mod screen;

pub use boards::{
    Board, BoardFields, BoardSelf, BoardSettings, BoardState, NewBoard, SettingsFields,
};
pub use events::{
    BoardCardEvent, BoardClockEvent, BoardIdentifyEvent, BoardReloadEvent, BoardSettingsEvent,
    BoardsChangedEvent,
};
pub use numbers::WholeNumber;
pub use pairing::{
    BoardLink, BoardTarget, NewPairing, Paired, Pairing, PairingClaim, PairingQuestion,
    PairingState, PairingText, Redeem,
};
pub use picture::{
    BoardPicture, BoardRunning, BoardSays, BoardTechnician, BoardVerdict, ZoneOffset,
};
pub use screen::{Screen, Shows};
