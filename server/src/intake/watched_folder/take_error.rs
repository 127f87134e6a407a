//! Why a file stays in the folder for now, and what that means for the files after it.

use std::io;
use std::time::Duration;

use super::folder_calls::is_folder_timeout;

/// The sentence of each goes to the log, behind the file's name.
#[derive(Debug, thiserror::Error)]
pub(super) enum TakeError {
    /// It may be imported in part.
    #[error(
        "{0}; it is tried again every minute, and the files after it wait until it is imported or somebody moves it away"
    )]
    NotImported(#[from] io::Error),
    /// The file itself may be the reason. It is moved away in the end, since others would wait for ever.
    #[error(
        "{0}; it is tried again every minute, and the files after it wait; after ten minutes it goes to rejected/"
    )]
    Refused(String),
    /// It was read to where it can be.
    #[error(
        "{0}; only its move is tried again, and the files after it wait until that works or somebody moves it away"
    )]
    NotMoved(io::Error),
}

impl TakeError {
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(_))
    }

    /// Nothing can be done in the folder for now.
    pub(super) fn is_folder_timeout(&self) -> bool {
        matches!(self, Self::NotImported(error) if is_folder_timeout(error))
    }

    pub(super) fn retry_pause(&self) -> Duration {
        Duration::from_secs(match self {
            Self::NotImported(_) | Self::Refused(_) => 60,
            // It costs little, and all others wait for it.
            Self::NotMoved(_) => 5,
        })
    }
}
