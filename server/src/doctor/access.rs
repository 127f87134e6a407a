//! Who may do what with a file, without trying it out.

use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::Access;
use rustix::io::Errno;
use rustix::process::{getegid, geteuid};

use crate::files::user_names;

/// The permission bits of others than the owner.
pub(super) const OTHERS: u32 = 0o077;

pub(super) fn mode(about: &Metadata) -> u32 {
    about.permissions().mode() & 0o7777
}

pub(super) fn this_user() -> u32 {
    geteuid().as_raw()
}

/// The user that runs the server: who owns the data folder, and else whoever asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerUser {
    uid: u32,
    gid: u32,
}

impl ServerUser {
    pub(super) fn of(data_dir: &Path) -> Self {
        match data_dir.metadata() {
            Ok(about) => Self {
                uid: about.uid(),
                gid: about.gid(),
            },
            Err(_missing) => Self {
                uid: this_user(),
                gid: getegid().as_raw(),
            },
        }
    }

    /// The command that makes a folder this user's own.
    pub(super) fn make_folder(self, folder: &Path) -> String {
        let (user, group) = self.names();
        format!("install -d -o {user} -g {group} {}", quoted(folder))
    }

    /// The command that gives a file or folder to this user.
    pub(super) fn own(self, path: &Path) -> String {
        let (user, group) = self.names();
        format!(
            "let the server's user own it: chown {user}:{group} {}",
            quoted(path)
        )
    }

    fn names(self) -> (String, String) {
        let user = user_names::user_argument(self.uid);
        (user, user_names::group_argument(self.gid))
    }

    /// Why this user cannot list a folder and write to it; none where they can.
    pub(super) fn cannot_write(self, folder: &Path) -> Option<io::Error> {
        self.refusal(folder, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK)
    }

    /// Why this user cannot read and write a file; none where they can, or where there is none.
    pub(super) fn cannot_change(self, file: &Path) -> Option<io::Error> {
        self.refusal(file, Access::READ_OK | Access::WRITE_OK)
            .filter(|why| why.kind() != ErrorKind::NotFound)
    }

    /// What the system says to whoever asks. Root is refused next to nothing, so of another user than the one who asks
    /// owner, group and mode say it.
    fn refusal(self, path: &Path, wanted: Access) -> Option<io::Error> {
        let asked = rustix::fs::access(path, wanted);
        if self.uid == this_user() || matches!(asked, Err(Errno::ROFS)) {
            return asked.err().map(io::Error::from);
        }
        let about = match path.metadata() {
            Ok(about) => about,
            Err(why) => return Some(why),
        };
        if self.has_rights(&about, wanted) || has_access_list(path) {
            return None;
        }
        Some(io::Error::new(
            ErrorKind::PermissionDenied,
            format!(
                "the server's user is {}, and it belongs to {} and has {:04o}",
                user_names::user_name(self.uid),
                user_names::user_name(about.uid()),
                mode(&about)
            ),
        ))
    }

    fn has_rights(self, about: &Metadata, wanted: Access) -> bool {
        let mode = mode(about);
        let rights = if about.uid() == self.uid {
            mode >> 6
        } else if about.gid() == self.gid || user_names::is_member(self.uid, about.gid()) {
            mode >> 3
        } else {
            mode
        };
        self.uid == 0 || Access::from_bits_truncate(rights).contains(wanted)
    }
}

/// Whether more is said of who may do what than owner, group and mode.
fn has_access_list(folder: &Path) -> bool {
    let mut nothing: [u8; 0] = [];
    rustix::fs::getxattr(folder, "system.posix_acl_access", &mut nothing).is_ok()
}

/// Whether it is for this user to say: the machine's administrator may look, and the server runs as somebody else.
pub(super) fn is_anothers(about: &Metadata) -> bool {
    about.uid() != this_user()
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

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions};

    use super::*;

    #[test]
    fn what_the_servers_user_may_do_is_read_from_owner_group_and_mode() {
        let folder = tempfile::tempdir().unwrap();
        let about = folder.path().metadata().unwrap();
        let (nobody, other) = (4_000_000_001, 4_000_000_002);
        for (mode, gid, may) in [
            (0o755, other, false),
            (0o757, other, true),
            (0o753, other, false),
            (0o775, about.gid(), true),
            (0o775, other, false),
        ] {
            set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
            let user = ServerUser { uid: nobody, gid };
            let why = user.cannot_write(folder.path());
            assert_eq!(why.is_none(), may, "{mode:o}: {why:?}");
        }
        let user = ServerUser {
            uid: nobody,
            gid: other,
        };
        assert_eq!(
            user.make_folder(Path::new("/srv/in tray")),
            "install -d -o 4000000001 -g 4000000002 '/srv/in tray'"
        );
    }
}
