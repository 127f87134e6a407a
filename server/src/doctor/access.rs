//! Who may do what with a file, without trying it out.

use std::fs::Metadata;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::Access;
use rustix::process::geteuid;

/// The permission bits of others than the owner.
pub(super) const OTHERS: u32 = 0o077;

pub(super) fn mode(about: &Metadata) -> u32 {
    about.permissions().mode() & 0o7777
}

pub(super) fn this_user() -> u32 {
    geteuid().as_raw()
}

/// Whether it is for this user to say: the machine's administrator may look, and the server runs as somebody else.
pub(super) fn is_anothers(about: &Metadata) -> bool {
    about.uid() != this_user()
}

/// Why this user cannot list a folder and write to it; none where they can.
pub(super) fn cannot_write(folder: &Path) -> Option<String> {
    let wanted = Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK;
    let refused = rustix::fs::access(folder, wanted).err()?;
    Some(std::io::Error::from(refused).to_string())
}

/// Why this user cannot read and write a file; none where they can, or where there is none.
pub(super) fn cannot_change(file: &Path) -> Option<String> {
    let refused = rustix::fs::access(file, Access::READ_OK | Access::WRITE_OK).err()?;
    let why = std::io::Error::from(refused);
    (why.kind() != std::io::ErrorKind::NotFound).then(|| why.to_string())
}

/// For a shell.
pub(super) fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    match path.chars().all(plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}
