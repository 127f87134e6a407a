//! The data folder: that it is there, whose it is, and that nobody else gets into it.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::Patient;
use super::access::{OTHERS, ServerUser, is_anothers, mode, quoted, this_user};
use super::finding::Finding;
use crate::files::user_names::{self, user_argument, user_name};

const CHECK: &str = "data folder";

/// Whom the package makes, to run the service.
const PACKAGE_USER: &str = "dispatch";

/// Names that are listed of several.
const MAX_NAMED: usize = 3;

pub(super) fn check(patient: &Patient) -> Vec<Finding> {
    let folder = &patient.config.shop.data_dir;
    let about = match folder.metadata() {
        Ok(about) if about.is_dir() => about,
        Ok(_) => {
            let found = format!("{} is no folder", folder.display());
            return vec![Finding::wrong(CHECK, found, "name another with --data-dir")];
        }
        Err(why) if why.kind() == ErrorKind::NotFound => return vec![missing(folder)],
        Err(why) => {
            let found = format!("{} cannot be looked at: {why}", folder.display());
            let advice = "run this as the user that runs the server, or as root";
            return vec![Finding::wrong(CHECK, found, advice)];
        }
    };
    let findings = [
        owner(folder, &about, patient.server.is_some()),
        rights(folder, &about),
        files(folder, &about),
    ];
    let findings: Vec<Finding> = findings.into_iter().flatten().collect();
    if findings.is_empty() {
        let found = format!("{} is closed to other users", folder.display());
        return vec![Finding::ok(CHECK, found)];
    }
    findings
}

fn missing(folder: &Path) -> Finding {
    let found = format!(
        "{} is not there: the first start makes it",
        folder.display()
    );
    Finding::warning(
        CHECK,
        found,
        "if the shop has one already, name it with --data-dir",
    )
}

fn owner(folder: &Path, about: &Metadata, has_server: bool) -> Option<Finding> {
    let (owner, user) = (about.uid(), this_user());
    let shown = folder.display();
    if is_anothers(about) && user != 0 {
        let found = format!(
            "{shown} belongs to the user {}, and this is {}",
            user_name(owner),
            user_name(user)
        );
        let advice = match owner {
            0 => format!(
                "as root: chown -R {} {}",
                user_argument(user),
                quoted(folder)
            ),
            _ => format!(
                "run dispatch as that user, with runuser -u {} -- dispatch",
                user_argument(owner)
            ),
        };
        return Some(Finding::wrong(CHECK, found, advice));
    }
    if let Some(why) = ServerUser::of(folder).cannot_write(folder) {
        let found = format!("nothing can be written to {shown}: {why}");
        let advice = format!(
            "chmod u+rwx {}, or mount its disk for writing",
            quoted(folder)
        );
        return Some(Finding::wrong(CHECK, found, advice));
    }
    if owner == 0 && !has_server && user_names::is_known(PACKAGE_USER) {
        let found = format!(
            "{shown} belongs to root, and the service of the package runs as {PACKAGE_USER}, who cannot use it"
        );
        let advice = format!(
            "as root: chown -R {PACKAGE_USER}:{PACKAGE_USER} {}; or run dispatch serve as root, by itself",
            quoted(folder)
        );
        return Some(Finding::warning(CHECK, found, advice));
    }
    is_anothers(about).then(|| {
        let found = format!(
            "{shown} belongs to the user {}, who has to run the server",
            user_name(owner)
        );
        Finding::ok(CHECK, found)
    })
}

fn rights(folder: &Path, about: &Metadata) -> Option<Finding> {
    let mode = mode(about);
    (mode & OTHERS != 0).then(|| {
        Finding::warning(
            CHECK,
            format!(
                "other users get into {} ({mode:04o}), where password hashes and keys are",
                folder.display()
            ),
            format!("chmod 700 {}; the next start does it, too", quoted(folder)),
        )
    })
}

/// A command that was run as root leaves files that the server cannot write.
fn files(folder: &Path, about: &Metadata) -> Option<Finding> {
    let entries = folder.read_dir().ok()?;
    let mut foreign = Vec::new();
    for entry in entries.flatten() {
        // The file system's own, where the folder is a disk by itself.
        let is_of_disk = entry.file_name() == "lost+found";
        let is_foreign = entry.metadata().is_ok_and(|file| file.uid() != about.uid());
        if is_foreign && !is_of_disk {
            foreign.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    if foreign.is_empty() {
        return None;
    }
    foreign.sort();
    let others = foreign.len().saturating_sub(MAX_NAMED);
    let mut named = foreign[..foreign.len() - others].join(", ");
    if others > 0 {
        named.push_str(&format!(" and {others} more"));
    }
    Some(Finding::wrong(
        CHECK,
        format!(
            "{named} in {} belong to another user than the folder",
            folder.display()
        ),
        format!(
            "as root: chown -R {} {}",
            user_argument(about.uid()),
            quoted(folder)
        ),
    ))
}
