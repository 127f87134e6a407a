//! Files that were moved lately. A copy that stopped for a while may continue in the file where it is now.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::time::{Duration, Instant};

use super::file_stamp::FileStamp;
use super::intake_folder::{IntakeFolder, MovedTo};

/// A copy that was interrupted for longer continues in the file after the move: moved files are
/// rechecked for so long, so often, and so many of them.
pub(super) const RECHECK_TIME: Duration = Duration::from_secs(10 * 60);
pub(super) const RECHECK_INTERVAL: Duration = Duration::from_secs(5);
pub(super) const MAX_MOVED_FILES: usize = 1_000;

#[derive(Clone)]
pub(super) struct MovedFile {
    pub(super) place: MovedTo,
    pub(super) stamp: FileStamp,
    pub(super) at: Instant,
}

/// Where a file was filed, and where it was put back to.
pub(super) type ReturnedFile = (MovedTo, io::Result<OsString>);

/// The files unchanged since their move, and the place where each of the others was put back.
pub(super) fn put_back(
    folder: &IntakeFolder,
    filed: VecDeque<MovedFile>,
) -> (VecDeque<MovedFile>, Vec<ReturnedFile>) {
    let (mut same, mut grown) = (VecDeque::new(), Vec::new());
    // Looked at again.
    let Ok(folder) = folder.open_now() else {
        return (filed, grown);
    };
    for file in filed {
        match folder.stamp_at(&file.place) {
            Ok(Some(stamp)) if stamp == file.stamp => same.push_back(file),
            // Somebody took it away.
            Ok(None) => {}
            Ok(Some(_)) => {
                let back = folder.return_file(&file.place);
                grown.push((file.place, back));
            }
            // Looked at again.
            Err(_) => same.push_back(file),
        }
    }
    (same, grown)
}
