//! The file of options: that it is read, that all in it is an option, and that others do not read its secrets.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::getegid;

use super::access::{mode, quoted};
use super::finding::Finding;
use crate::files::user_names::{group_argument, user_argument};
use crate::options::config::{secret_options_in, unknown_options_in};
use crate::options::options_file::{OptionsFile, SYSTEM_FILE, UnreadableOptions};

const CHECK: &str = "options file";

pub(super) fn check(named: Option<&Path>) -> Vec<Finding> {
    let file = match OptionsFile::read(named, Path::new(SYSTEM_FILE)) {
        Ok(Some(file)) => file,
        Ok(None) => {
            let found = format!("none is named, and {SYSTEM_FILE} is not there");
            return vec![Finding::ok(CHECK, found)];
        }
        Err(error) => {
            return vec![unreadable(&error)];
        }
    };
    let path = file.path.display();
    let unknown = match unknown_options_in(&file.text) {
        Ok(unknown) => unknown,
        Err(why) => {
            let advice = "correct the line";
            return vec![Finding::wrong(CHECK, format!("{path}: {why}"), advice)];
        }
    };
    let mut findings: Vec<Finding> = unknown
        .into_iter()
        .map(|sentence| {
            let advice = "correct the name, or delete the line";
            Finding::wrong(CHECK, format!("{path}: {sentence}"), advice)
        })
        .collect();
    findings.extend(exposed_secrets(&file));
    if findings.is_empty() {
        findings.push(Finding::ok(CHECK, format!("{path} is read")));
    }
    findings
}

fn unreadable(error: &UnreadableOptions) -> Finding {
    let path = &error.path;
    let about = path.metadata().ok();
    if let Some(about) = about.filter(|_| error.why.kind() == ErrorKind::PermissionDenied) {
        let rights = format!(
            "it belongs to {}, of the group {}, and has {:04o}",
            user_argument(about.uid()),
            group_argument(about.gid()),
            mode(&about)
        );
        let (group, path) = (group_argument(getegid().as_raw()), quoted(path));
        let advice = format!("as root: chgrp {group} {path}; chmod 640 {path}");
        return Finding::wrong(CHECK, format!("{error}: {rights}"), advice);
    }
    let advice = "name a file that this user can read with --config, or leave it out";
    Finding::wrong(CHECK, error, advice)
}

fn exposed_secrets(file: &OptionsFile) -> Option<Finding> {
    let secrets = secret_options_in(&file.text);
    let is_open = file
        .path
        .metadata()
        .is_ok_and(|about| mode(&about) & 0o004 != 0);
    let path = &file.path;
    (is_open && !secrets.is_empty()).then(|| {
        Finding::warning(
            CHECK,
            format!(
                "everybody on this machine can read {}, which has {}",
                path.display(),
                secrets.join(" and ")
            ),
            format!(
                "chmod o-rwx {}, and let the group of the server's user own it",
                quoted(path)
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_refuses_is_shown_with_its_rights_and_given_to_the_servers_group() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dispatch.toml");
        std::fs::write(&path, "").unwrap();
        let refused = |kind: ErrorKind| UnreadableOptions {
            path: path.clone(),
            why: kind.into(),
        };
        let finding = unreadable(&refused(ErrorKind::PermissionDenied));
        assert!(finding.found.contains("it belongs to "), "{finding:?}");
        let advice = finding.advice.unwrap();
        let shown = path.display();
        assert!(
            advice.ends_with(&format!("{shown}; chmod 640 {shown}")),
            "{advice}"
        );
        let missing = unreadable(&refused(ErrorKind::NotFound)).advice.unwrap();
        assert!(missing.contains("--config"), "{missing}");
    }
}
