//! Repair orders as clients see them.
//!
//! `rows` (the API's rows, and details), `messages` (live), `changes` (what clients send to change an
//! order), `stages` (the same of its stage and holds).

mod changes;
mod messages;
mod rows;
mod stages;

pub use changes::{
    ConflictBody, JobEdit, OfVersion, PriorityEntry, Refusals, StatusEntry, UpdatePriority,
    UpdateStatus,
};
pub use messages::{
    RoModified, RoModifiedHint, RoNotice, RoOpen, RoPresence, RoPresences, StreamState,
};
pub use rows::{By, Current, Details, JobDetails, JobLine, Row, Source, rows};
pub use stages::{MAX_NOTE_CHARS, RecordCall, SetStage, Span, StartHold, Strip};
