//! Which files of the folder are taken now. They are taken in the order of their names, and a file that is to be tried
//! again holds up those after it: its rows are older than theirs, and must not be imported over them.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::file_stamp::FileStamp;
use super::take_error::TakeError;

/// A file that was written to more recently may not be whole: a copy over a network stops for seconds.
const MIN_QUIET_TIME: Duration = Duration::from_secs(10);

/// Some programs make an empty file first and fill it when they have something to say.
const MIN_EMPTY_TIME: Duration = Duration::from_secs(60);

/// A file that is itself the reason why it cannot be imported may hold up others for so long: somebody can still give it
/// the rights that it lacks, or end what holds its order locked.
const MAX_REFUSAL_TIME: Duration = Duration::from_secs(10 * 60);

#[derive(Default)]
pub(super) struct FileQueue {
    /// The files of the last scan, and since when each is unchanged.
    last_scan: HashMap<OsString, (FileStamp, Instant)>,
    retries: HashMap<OsString, Retry>,
}

/// A file that is to be tried again.
struct Retry {
    /// As it was.
    stamp: FileStamp,
    due: Instant,
    /// None: the file is not the reason.
    refused_since: Option<Instant>,
}

impl FileQueue {
    /// The files to take, after a scan that found these, in the order of names; `clock` is the time at `now`. Each is
    /// whole, and none is after a file that is to be tried again later.
    pub(super) fn ready_files(
        &mut self,
        found: Vec<(OsString, FileStamp)>,
        now: Instant,
        clock: Timestamp,
    ) -> Vec<(OsString, FileStamp)> {
        let mut previous = std::mem::take(&mut self.last_scan);
        let (mut ready, mut is_held_up) = (Vec::new(), false);
        for (name, stamp) in found {
            let before = previous.remove(&name);
            let before = before.filter(|(before, _)| *before == stamp);
            let since = before.map_or(now, |(_, since)| since);
            let is_unchanged = before.is_some();
            let is_ready = is_unchanged
                && is_whole(&stamp, now.duration_since(since), clock)
                && self.is_due(&name, stamp, now);
            is_held_up |= !is_ready && self.retries.contains_key(&name);
            if is_ready && !is_held_up {
                ready.push((name.clone(), stamp));
            }
            self.last_scan.insert(name, (stamp, since));
        }
        let last_scan = &self.last_scan;
        self.retries.retain(|name, _| last_scan.contains_key(name));
        ready
    }

    /// A file that was written again meanwhile is another, and due at once.
    fn is_due(&self, name: &OsStr, stamp: FileStamp, now: Instant) -> bool {
        let retry = self.retries.get(name);
        retry.is_none_or(|retry| retry.stamp != stamp || retry.due <= now)
    }

    /// The file holds up those after it until it was taken, or is not there any more.
    pub(super) fn retry(
        &mut self,
        name: &OsStr,
        stamp: FileStamp,
        error: &TakeError,
        now: Instant,
    ) {
        let refused_since = self.refused_since(name, stamp).unwrap_or(now);
        let retry = Retry {
            stamp,
            due: now + error.retry_pause(),
            refused_since: error.is_refusal().then_some(refused_since),
        };
        self.retries.insert(name.to_owned(), retry);
    }

    /// Whether it has been refused for so long that no other is to wait for it any more.
    pub(super) fn is_given_up(&self, name: &OsStr, stamp: FileStamp, now: Instant) -> bool {
        let refused_since = self.refused_since(name, stamp);
        refused_since.is_some_and(|since| now.duration_since(since) >= MAX_REFUSAL_TIME)
    }

    fn refused_since(&self, name: &OsStr, stamp: FileStamp) -> Option<Instant> {
        let retry = self.retries.get(name);
        retry.filter(|retry| retry.stamp == stamp)?.refused_since
    }

    pub(super) fn has_retries(&self) -> bool {
        !self.retries.is_empty()
    }

    /// Whether the last scan found it, with this stamp.
    pub(super) fn has(&self, name: &OsStr, stamp: FileStamp) -> bool {
        let found = self.last_scan.get(name);
        found.is_some_and(|(found, _)| *found == stamp)
    }

    pub(super) fn remove(&mut self, name: &OsStr) {
        self.last_scan.remove(name);
        self.retries.remove(name);
    }
}

/// Whether nobody writes any more to a file that two scans found unchanged, for `still`. By its own time
/// or by ours: a file server's clock may be ahead.
fn is_whole(stamp: &FileStamp, still: Duration, now: Timestamp) -> bool {
    if stamp.size == 0 {
        return still >= MIN_EMPTY_TIME;
    }
    stamp.age(now) >= MIN_QUIET_TIME || still >= MIN_QUIET_TIME
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    const NAMES: [&str; 3] = ["1.csv", "2.csv", "3.csv"];

    /// Of so many bytes; files of different sizes have different stamps.
    fn stamp_of_file(size: usize) -> FileStamp {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), vec![b'x'; size]).unwrap();
        FileStamp::of(&rustix::fs::stat(file.path()).unwrap())
    }

    /// A queue, and scans of it at seconds from its beginning. All files were written long ago.
    struct Scans {
        queue: FileQueue,
        start: Instant,
        clock: Timestamp,
    }

    impl Scans {
        fn new() -> Self {
            Self {
                queue: FileQueue::default(),
                start: Instant::now(),
                clock: Timestamp::now() + SignedDuration::from_hours(1),
            }
        }

        fn at(&self, second: u64) -> Instant {
            self.start + Duration::from_secs(second)
        }

        fn fail(&mut self, second: u64, file: (&OsStr, FileStamp), error: &TakeError) {
            let now = self.at(second);
            self.queue.retry(file.0, file.1, error, now);
        }

        fn ready(&mut self, second: u64, found: &[(&str, FileStamp)]) -> Vec<String> {
            let found = found.iter();
            let found = found.map(|(name, stamp)| (OsString::from(*name), *stamp));
            let now = self.at(second);
            let ready = self.queue.ready_files(found.collect(), now, self.clock);
            let names = ready.into_iter().map(|(name, _)| name);
            names.map(|name| name.into_string().unwrap()).collect()
        }
    }

    #[test]
    fn files_after_one_that_is_to_be_tried_again_wait_until_it_is_taken() {
        let (old, new) = (stamp_of_file(1), stamp_of_file(2));
        let found = |second| NAMES.map(|name| (name, if name == "2.csv" { second } else { old }));
        let mut scans = Scans::new();
        assert_eq!(scans.ready(0, &found(old)), [""; 0], "found once");
        assert_eq!(scans.ready(1, &found(old)), NAMES);

        let failed = OsStr::new("2.csv");
        let outage = TakeError::NotImported(std::io::Error::other("an outage"));
        scans.fail(1, (failed, old), &outage);
        for second in [2, 60] {
            assert_eq!(scans.ready(second, &found(old)), ["1.csv"], "{second}");
        }
        assert_eq!(scans.ready(61, &found(old)), NAMES, "it is due");
        assert!(scans.queue.has_retries());

        // Who writes to it again does not let the others pass.
        scans.fail(61, (failed, old), &outage);
        assert_eq!(scans.ready(62, &found(new)), ["1.csv"], "just written");
        assert_eq!(scans.ready(63, &found(new)), NAMES, "another is due");
        assert!(scans.queue.has_retries());

        scans.queue.remove(failed);
        let left = [(NAMES[0], old), (NAMES[2], old)];
        assert_eq!(scans.ready(64, &left), ["1.csv", "3.csv"]);
        assert!(!scans.queue.has_retries());
    }

    #[test]
    fn a_file_that_somebody_moves_away_holds_up_no_other() {
        let stamp = stamp_of_file(1);
        let [first, second, _] = NAMES.map(|name| (name, stamp));
        let mut scans = Scans::new();
        scans.ready(0, &[first, second]);
        let failed = OsStr::new(first.0);
        let unmoved = TakeError::NotMoved(std::io::Error::other("a full disk"));
        scans.fail(0, (failed, stamp), &unmoved);
        assert_eq!(scans.ready(1, &[first, second]), [""; 0]);
        assert!(scans.queue.has(failed, stamp));
        assert_eq!(scans.ready(2, &[second]), ["2.csv"]);
        assert!(!scans.queue.has_retries() && !scans.queue.has(failed, stamp));
    }

    #[test]
    fn a_file_that_is_itself_the_reason_is_given_up_after_ten_minutes() {
        let (old, new) = (stamp_of_file(1), stamp_of_file(2));
        let (mut scans, failed) = (Scans::new(), OsStr::new("1.csv"));
        let refused = TakeError::Refused("no right to read it".to_owned());
        let outage = TakeError::NotImported(std::io::Error::other("an outage"));
        let is_given_up = |scans: &Scans, stamp, second| {
            let now = scans.at(second);
            scans.queue.is_given_up(failed, stamp, now)
        };
        assert!(!is_given_up(&scans, old, 0));
        for second in [0, 60, 540] {
            scans.fail(second, (failed, old), &refused);
        }
        assert!(!is_given_up(&scans, old, 599));
        assert!(is_given_up(&scans, old, 600));
        assert!(!is_given_up(&scans, new, 600), "it was written again");
        // An outage is no fault of the file, however long it lasts.
        scans.fail(600, (failed, old), &outage);
        assert!(!is_given_up(&scans, old, 9_999));
        scans.fail(9_999, (failed, old), &refused);
        assert!(!is_given_up(&scans, old, 10_000));
    }

    #[test]
    fn a_file_that_was_just_written_to_is_not_whole() {
        let path = tempfile::NamedTempFile::new().unwrap();
        let stamp = || FileStamp::of(&rustix::fs::stat(path.path()).unwrap());
        let second = Duration::from_secs(1);
        let at = |seconds: i64| {
            let modified = path.path().metadata().unwrap().modified().unwrap();
            Timestamp::try_from(modified).unwrap() + SignedDuration::from_secs(seconds)
        };
        assert!(!is_whole(&stamp(), 20 * second, at(20)), "it is empty");
        assert!(is_whole(&stamp(), 60 * second, at(60)));
        std::fs::write(path.path(), "number\n").unwrap();
        for (still, after, whole) in [
            (1, 2, false),
            (8, 9, false),
            (1, 10, true),
            (9, -3_600, false),
            (10, -3_600, true),
        ] {
            assert_eq!(
                is_whole(&stamp(), still * second, at(after)),
                whole,
                "{still} {after}"
            );
        }
    }
}
