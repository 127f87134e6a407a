//! The files that this process may open, and what they are for: every screen is one, every HTTP
//! connection is one, and the database and the log need some, too.

use std::io;

/// Left for everything but sessions and HTTP connections.
const MIN_OTHER_FILES: u64 = 128;

/// Of the rest this part is for HTTP connections: a polling session has one, too.
const CONNECTIONS_SHARE: u64 = 3;

/// With fewer nothing works: the databases' connections alone are dozens.
const MIN_FILES: u64 = 256;

/// A limit under which fewer sessions than this fit is worth a word at start.
const FEW_SESSIONS: usize = 1_000;

/// HTTP connections of one thread where files are plenty: actix's own default.
const MAX_CONNECTIONS: u64 = 25_600;

#[derive(Debug, thiserror::Error)]
#[error(
    "may open only {files} files, and needs {MIN_FILES} at least: raise LimitNOFILE (systemd) or ulimit -n"
)]
pub struct TooFewFiles {
    files: u64,
}

/// How many files there are to share out: sessions, the connections of all threads and
/// [`MIN_OTHER_FILES`] are no more than these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenFiles {
    files: u64,
    /// As many as actix starts by itself.
    threads: u64,
}

impl OpenFiles {
    /// Raises this process's limit as far as it may be raised.
    pub fn raise_limit() -> Result<Self, TooFewFiles> {
        let raised = rlimit::increase_nofile_limit(u64::MAX);
        let files = raised.or_else(|error: io::Error| {
            tracing::warn!(%error, "the limit of open files was not raised");
            rlimit::Resource::NOFILE.get_soft()
        });
        // Where nobody knows the limit there may be none.
        Self::of_limit(files.unwrap_or(u64::MAX))
    }

    /// Shares of so many.
    pub fn of_limit(files: u64) -> Result<Self, TooFewFiles> {
        if files < MIN_FILES {
            return Err(TooFewFiles { files });
        }
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        Ok(Self {
            files,
            threads: threads as u64,
        })
    }

    /// Sessions of the stream at once, in all threads.
    pub fn sessions(self) -> usize {
        let others = self.connections_of_a_thread() * self.threads + MIN_OTHER_FILES;
        usize::try_from(self.files.saturating_sub(others)).unwrap_or(usize::MAX)
    }

    /// HTTP connections of each thread at once. A WebSocket's is a session's, and not counted here.
    pub fn connections(self) -> usize {
        usize::try_from(self.connections_of_a_thread()).unwrap_or(usize::MAX)
    }

    /// HTTP connections of all threads at once. A quarter less than all of them have: no thread is full
    /// before, although some have more than others, and who makes room needs a moment.
    pub fn shared_connections(self) -> usize {
        let all = self.connections_of_a_thread() * self.threads;
        usize::try_from(all.div_ceil(4) * 3).unwrap_or(usize::MAX)
    }

    fn connections_of_a_thread(self) -> u64 {
        let shared = self.files.saturating_sub(MIN_OTHER_FILES);
        (shared / CONNECTIONS_SHARE / self.threads).clamp(1, MAX_CONNECTIONS)
    }

    /// Whether screens may be turned away.
    pub fn are_few(self) -> bool {
        self.sessions() < FEW_SESSIONS
    }

    /// Says where screens may be turned away.
    pub fn warn_if_few(self) {
        if self.are_few() {
            tracing::warn!(
                "may open only {} files, so at most {} screens at once; raise LimitNOFILE (systemd) or \
                 ulimit -n",
                self.files,
                self.sessions()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_connections_and_128_others_fit_into_the_files() {
        for threads in [1, 2, 3, 16, 64] {
            for files in [256, 512, 1_024, 4_096, 20_000, 65_536, 1_048_576] {
                let shares = OpenFiles { files, threads };
                let (sessions, connections) = (shares.sessions(), shares.connections());
                let others = files - (sessions as u64 + connections as u64 * threads);
                assert!(sessions > 0 && connections > 0, "{shares:?}");
                assert!(others >= MIN_OTHER_FILES, "{shares:?}");
            }
        }
    }

    #[test]
    fn a_third_of_the_files_is_for_connections_and_at_most_25600_of_a_thread() {
        let shares = |files, threads| {
            let shares = OpenFiles { files, threads };
            (shares.sessions(), shares.connections())
        };
        assert_eq!(shares(256, 2), (86, 21));
        assert_eq!(shares(1_024, 2), (598, 149));
        assert_eq!(shares(20_000, 2), (13_248, 3_312));
        assert_eq!(shares(1_048_576, 2), (997_248, 25_600));
    }
}
