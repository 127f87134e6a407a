//! The limit of open files: of the running server, else of this shell.

use super::Patient;
use super::finding::Finding;
use crate::capacity::open_files::OpenFiles;

const CHECK: &str = "open files";
const ADVICE: &str = "LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536 in the shell";

pub(super) fn check(patient: &Patient) -> Finding {
    let of_server = patient
        .server
        .and_then(|server| server.pid)
        .and_then(limit_of);
    let (files, whose) = match of_server {
        Some(files) => (files, "the server"),
        None => match rlimit::Resource::NOFILE.get_hard() {
            Ok(files) => (files, "a server from this shell"),
            Err(why) => return Finding::skipped(CHECK, format!("the limit is not known: {why}")),
        },
    };
    match OpenFiles::of_limit(files) {
        Err(error) => Finding::wrong(CHECK, format!("{whose} {error}"), ADVICE),
        Ok(shares) if shares.are_few() => Finding::warning(
            CHECK,
            format!(
                "{whose} may open {files}: enough for {} screens at once",
                shares.sessions()
            ),
            ADVICE,
        ),
        Ok(shares) => Finding::ok(
            CHECK,
            format!(
                "{whose} may open {files}: enough for {} screens at once",
                shares.sessions()
            ),
        ),
    }
}

/// The hard limit of a process, up to which a server raises its own.
fn limit_of(pid: i32) -> Option<u64> {
    let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"))?;
    match line.split_whitespace().nth(4)? {
        "unlimited" => Some(u64::MAX),
        number => number.parse().ok(),
    }
}
