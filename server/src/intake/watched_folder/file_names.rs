//! The names of files in the watched folder and in the folders that files are moved to.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use jiff::Timestamp;

use crate::files::folder_handle::FolderHandle;
use crate::files::folder_retention::OwnFile;

/// The reasons for a file's refusal are beside it, under its name with these endings.
pub(super) const REJECTED_ROWS: &str = ".rejects.ndjson";
pub(super) const REASON: &str = ".reason.txt";

/// How a file in `rejected/` begins and ends while another is being taken; nobody can take its name
/// before.
pub(super) const HIDDEN: [&str; 2] = [".rejects-", ".part"];

/// Bytes; file systems allow 255, and something is put behind it.
const MAX_NAME_BYTES: usize = 200;

/// How files are called that are still being written.
const UNFINISHED: [&str; 3] = [".tmp", ".part", ".filepart"];

/// Everything that may have been taken in, with what is wrong with it.
pub(super) fn own_file_of(name: &str) -> Option<OwnFile> {
    let mut endings = [REJECTED_ROWS, REASON].into_iter();
    let group = endings.find_map(|ending| name.strip_suffix(ending));
    (is_leftover(name) || !is_unfinished(OsStr::new(name))).then(|| OwnFile {
        group: group.unwrap_or(name).to_owned(),
        made: None,
    })
}

pub(super) fn is_leftover(name: &str) -> bool {
    let [begins, ends] = HIDDEN;
    name.starts_with(begins) && name.ends_with(ends)
}

pub(super) fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    name.starts_with('.') || UNFINISHED.iter().any(|ending| name.ends_with(ending))
}

/// A name under which nothing is in the folder yet, nor anything about it: the name itself, else
/// with the time in it. This server is the only one who puts files there.
pub(super) fn free_name(folder: &FolderHandle, name: &OsStr) -> io::Result<OsString> {
    let is_free = |name: &OsStr| -> io::Result<bool> {
        for ending in ["", REJECTED_ROWS, REASON] {
            if folder.stat(&with_ending(name, ending))?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    if name.len() <= MAX_NAME_BYTES && is_free(name)? {
        return Ok(name.to_owned());
    }
    loop {
        let free = name_with_time(name);
        if is_free(&free)? {
            return Ok(free);
        }
    }
}

pub(super) fn name_with_time(name: &OsStr) -> OsString {
    let path = Path::new(name);
    let [stem, ending] = [path.file_stem(), path.extension()].map(|part| {
        let part = part.unwrap_or_default().to_string_lossy();
        // Of four bytes at most each.
        part.chars().take(MAX_NAME_BYTES / 10).collect::<String>()
    });
    let now = Timestamp::now().strftime("%Y%m%dT%H%M%S%.6fZ");
    OsString::from(if ending.is_empty() {
        format!("{stem}-{now}")
    } else {
        format!("{stem}-{now}.{ending}")
    })
}

pub(super) fn with_ending(name: &OsStr, ending: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(ending);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_unfinished_files_are_left_alone() {
        for name in [".orders.csv", "orders.csv.tmp", "orders.PART", "a.filepart"] {
            assert!(is_unfinished(OsStr::new(name)), "{name}");
        }
        for name in ["orders.csv", "part", "tmp", "orders.tmp.csv", "orders"] {
            assert!(!is_unfinished(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn a_refused_file_and_its_reasons_are_one_group() {
        for name in ["a.csv", "a.csv.reason.txt", "a.csv.rejects.ndjson"] {
            assert_eq!(own_file_of(name).unwrap().group, "a.csv");
        }
        let hidden = HIDDEN.join("1");
        assert_eq!(own_file_of(&hidden).unwrap().group, hidden);
        assert_eq!(own_file_of(".hidden.csv"), None);
    }

    #[test]
    fn a_taken_name_gets_the_time_and_a_long_one_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let handle = FolderHandle::open(folder.path()).unwrap();
        let free = |name: &str| free_name(&handle, OsStr::new(name)).unwrap();
        assert_eq!(free("orders.csv"), "orders.csv");
        for name in ["orders.csv", "broken.csv.reason.txt"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        for (name, start) in [("orders.csv", "orders-2"), ("broken.csv", "broken-2")] {
            let free = free(name).into_string().unwrap();
            assert!(free.starts_with(start) && free.ends_with("Z.csv"), "{free}");
        }
        let long = free(&format!("{}.csv", "é".repeat(120)));
        assert!(long.len() < 100, "{long:?}");
        assert!(!free("noending").is_empty());
    }
}
