//! One server per data folder, and nobody else in it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::geteuid;

use crate::files::folder_handle::{FolderHandle, NewFile};
use crate::files::{log_mark, user_names};

/// The folder holds password hashes and the key that signs tokens.
const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
/// The permission bits of others than the owner.
const OTHERS: u32 = 0o077;
/// The permission bits by which others can create files there.
const OTHERS_WRITE: u32 = 0o022;

const LOCK_FILE: &str = "dispatch.lock";
/// The command of a server.
const SERVE: &str = "serve";
/// For so long a server that starts waits for a command to end.
const COMMAND_WAIT: Duration = Duration::from_secs(60);
const COMMAND_WAIT_STEP: Duration = Duration::from_millis(250);
/// The local socket, by which commands reach the running server.
pub const SOCKET: &str = "dispatch.sock";
/// The server's own files that may be links.
const DATABASE_FILES: [&str; 4] = [
    "dispatch.sqlite",
    "dispatch.sqlite-wal",
    "dispatch.sqlite-shm",
    "dispatch.sqlite-journal",
];
/// The server's own files that must not be links.
const OTHER_OWN_FILES: [&str; 4] = [LOCK_FILE, SOCKET, log_mark::FILE, log_mark::NEW_FILE];

/// Held while this process is the data folder's one writer; the system releases it when the
/// process ends, however it ends.
#[derive(Debug)]
pub struct DataLock {
    _file: File,
}

/// A process that works on a data folder, as it wrote itself into the lock's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    pub process: u32,
    /// The first word of its command line, such as `import`.
    pub command: String,
}

#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("the data folder {} is in use by {}; {}", path.display(), holder_name(holder.as_ref()), self.advice())]
    InUse {
        path: PathBuf,
        /// None where it could not be written or read.
        holder: Option<Holder>,
    },
    #[error("cannot use the data folder {}: {why}", path.display())]
    Inaccessible { path: PathBuf, why: io::Error },
    #[error("others on this machine can read {}, where passwords and keys are, and that cannot be changed ({why}): let the user that runs the server own it, or take the others' rights away with chmod go-rwx", path.display())]
    Exposed { path: PathBuf, why: io::Error },
    #[error("{}", foreign_sentence(path, *owner, *user))]
    Foreign {
        path: PathBuf,
        owner: u32,
        user: u32,
    },
    #[error("{} is a link, and others could write to its folder and put it there: see where it leads, and delete it unless you made it; then take the others' rights away with chmod go-w {}", path.display(), folder.display())]
    Planted { path: PathBuf, folder: PathBuf },
}

impl DataLock {
    /// Makes the folder if it is not there, takes its lock, and takes from everybody else the right
    /// to look into it.
    pub fn take(data_dir: &Path) -> Result<Self, LockError> {
        let inaccessible = |why| LockError::Inaccessible {
            path: data_dir.to_owned(),
            why,
        };
        DirBuilder::new()
            .recursive(true)
            .mode(FOLDER_MODE)
            .create(data_dir)
            .map_err(inaccessible)?;
        let folder = FolderHandle::open(data_dir).map_err(inaccessible)?;
        let about = folder.about().map_err(inaccessible)?;
        if about.st_uid != geteuid().as_raw() {
            // The machine's administrator may ask the server that runs there.
            if let Ok(file) = folder.lock_file(OsStr::new(LOCK_FILE), None)
                && matches!(file.try_lock(), Err(TryLockError::WouldBlock))
            {
                return Err(in_use(data_dir, file));
            }
            return Err(foreign(data_dir, about.st_uid));
        }
        let mut file = folder
            .lock_file(OsStr::new(LOCK_FILE), Some(NewFile::Private))
            .map_err(|why| {
                inaccessible(io::Error::new(why.kind(), format!("{LOCK_FILE}: {why}")))
            })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use(data_dir, file)),
            Err(TryLockError::Error(why)) => return Err(inaccessible(why)),
        }
        close_to_others(data_dir, FOLDER_MODE)?;
        let was_open = about.st_mode & OTHERS_WRITE != 0;
        let mut exposed = Vec::new();
        for name in folder.names().map_err(inaccessible)? {
            let path = data_dir.join(&name);
            let is_database = is_one_of(&DATABASE_FILES, &name);
            let is_own = is_database || is_one_of(&OTHER_OWN_FILES, &name);
            if is_own {
                refuse_foreign(&path)?;
                if path.is_symlink() && (was_open || !is_database) {
                    return Err(LockError::Planted {
                        path,
                        folder: data_dir.to_owned(),
                    });
                }
            }
            // A linked file is outside; a subfolder is protected by this folder's mode.
            let metadata = path.symlink_metadata();
            if !metadata.is_ok_and(|metadata| metadata.is_file()) {
                continue;
            }
            match close_to_others(&path, FILE_MODE) {
                // A backup, perhaps: the server does not open it.
                Err(_) if !is_own => exposed.push(name),
                closed => closed?,
            }
        }
        warn_of_exposed(data_dir, &exposed);
        // For messages alone: a disk that is full is no reason to refuse here.
        let _ = Holder::this_process().write(&mut file);
        Ok(Self { _file: file })
    }

    /// As [`DataLock::take`], but a command that works on the folder, such as an import, may end first.
    pub async fn take_after_command(data_dir: &Path) -> Result<Self, LockError> {
        let mut waited = Duration::ZERO;
        loop {
            let held = match Self::take(data_dir) {
                Err(held @ LockError::InUse { .. }) if waited < COMMAND_WAIT => held,
                done => return done,
            };
            if !held.is_by_command() {
                return Err(held);
            }
            if waited.is_zero() {
                tracing::info!("{held}; the start waits for it");
            }
            tokio::time::sleep(COMMAND_WAIT_STEP).await;
            waited += COMMAND_WAIT_STEP;
        }
    }
}

impl LockError {
    fn advice(&self) -> &'static str {
        match self.is_by_command() {
            true => "try again when it has ended",
            false => "stop it first, or use another --data-dir",
        }
    }

    fn is_by_command(&self) -> bool {
        matches!(self, Self::InUse { holder: Some(holder), .. } if holder.command != SERVE)
    }
}

impl Holder {
    fn this_process() -> Self {
        let command = std::env::args_os().nth(1).unwrap_or_default();
        Self {
            process: std::process::id(),
            command: command.to_string_lossy().into_owned(),
        }
    }

    fn write(&self, file: &mut File) -> io::Result<()> {
        // With a second name it is also something else, which others may have linked here.
        if file.metadata()?.nlink() != 1 {
            return Ok(());
        }
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "{} {}", self.process, self.command)
    }

    fn parse(text: &str) -> Option<Self> {
        let (process, command) = text.lines().next()?.split_once(' ')?;
        Some(Self {
            process: process.parse().ok()?,
            command: command.to_owned(),
        })
    }
}

fn in_use(data_dir: &Path, mut file: File) -> LockError {
    let mut text = String::new();
    let read = file.read_to_string(&mut text).ok();
    LockError::InUse {
        path: data_dir.to_owned(),
        holder: read.and_then(|_| Holder::parse(&text)),
    }
}

/// For sentences.
pub fn holder_name(holder: Option<&Holder>) -> String {
    match holder {
        Some(Holder { process, command }) if command != SERVE => {
            format!("dispatch {command} (process {process})")
        }
        Some(Holder { process, .. }) => format!("another dispatch server (process {process})"),
        None => "another dispatch".to_owned(),
    }
}

fn is_one_of(names: &[&str], name: &OsStr) -> bool {
    names.iter().any(|one| name == OsStr::new(one))
}

/// Nobody else gets into the folder any more, so that this is no reason not to start.
fn warn_of_exposed(data_dir: &Path, names: &[OsString]) {
    let Some((first, others)) = names.split_first() else {
        return;
    };
    let others = match others.len() {
        0 => String::new(),
        count => format!(" and {count} others"),
    };
    tracing::warn!(
        "other users have rights to {}{others}, and this user cannot take them away: move what is not \
         the server's out of {}, or give it to this user with chown",
        data_dir.join(first).display(),
        data_dir.display()
    );
}

/// Before a database file is opened: the user who runs the server must have made the link and must own
/// the file.
pub fn check_database(file: &Path) -> Result<(), LockError> {
    refuse_foreign(file)?;
    if !file.is_symlink() {
        return Ok(());
    }
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match fs::metadata(folder) {
        Ok(about) if about.permissions().mode() & OTHERS_WRITE != 0 => Err(LockError::Planted {
            path: file.to_owned(),
            folder: folder.to_owned(),
        }),
        // A folder that cannot be read cannot be opened, and opening reports that.
        _ => file
            .canonicalize()
            .map_or(Ok(()), |file| refuse_foreign(&file)),
    }
}

/// Closes a database that is a file somewhere else, with the files beside it.
pub fn close_database(file: &Path) -> Result<(), LockError> {
    // The operator named it, perhaps by a link; SQLite's own files are beside the link's target.
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let named = |ending: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    for path in ["", "-wal", "-shm", "-journal"].map(named) {
        close_to_others(&path, FILE_MODE)?;
    }
    Ok(())
}

/// Root is sent to the folder's user: what it writes there the server cannot use.
fn foreign_sentence(path: &Path, owner: u32, user: u32) -> String {
    let path = path.display();
    let (owner_name, user_name) = (user_names::user_name(owner), user_names::user_name(user));
    let belongs = format!("{path} belongs to the user {owner_name}, and this is {user_name}");
    if user == 0 {
        let owner = user_names::user_argument(owner);
        return format!(
            "{belongs}, whose files that user could not use: run it as that user, with \
             runuser -u {owner} -- dispatch ..."
        );
    }
    let give = format!("chown -R {} {path}", user_names::user_argument(user));
    match owner {
        0 => format!("{belongs}: root must not write here, and gives it back with {give}"),
        _ => {
            format!("{belongs}: run dispatch as {owner_name}, or let root give it away with {give}")
        }
    }
}

fn foreign(path: &Path, owner: u32) -> LockError {
    LockError::Foreign {
        path: path.to_owned(),
        owner,
        user: geteuid().as_raw(),
    }
}

/// Of the link itself where it is one.
fn refuse_foreign(path: &Path) -> Result<(), LockError> {
    match path.symlink_metadata() {
        Ok(about) if about.uid() != geteuid().as_raw() => Err(foreign(path, about.uid())),
        // A missing file belongs to nobody, and a file whose owner cannot be read cannot be opened
        // either.
        _ => Ok(()),
    }
}

/// Leaves what is closed already as it is: it may be on a disk that cannot be written to.
fn close_to_others(path: &Path, mode: u32) -> Result<(), LockError> {
    let exposed = |why| LockError::Exposed {
        path: path.to_owned(),
        why,
    };
    let closed = fs::symlink_metadata(path).and_then(|metadata| {
        if metadata.permissions().mode() & OTHERS == 0 {
            return Ok(());
        }
        fs::set_permissions(path, Permissions::from_mode(mode))
    });
    match closed {
        // Removed meanwhile, as SQLite removes its log when a command closes the database.
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
        closed => closed.map_err(exposed),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{chown, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_folder_that_others_can_read_is_closed_to_them_with_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("dispatch.sqlite");
        fs::write(&database, "").unwrap();
        fs::set_permissions(&database, Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let _lock = DataLock::take(folder.path()).unwrap();
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(&database), 0o600);
        assert_eq!(mode(&folder.path().join("dispatch.lock")), 0o600);
    }

    #[test]
    fn a_database_elsewhere_is_closed_with_the_files_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("shop.sqlite");
        let log = folder.path().join("shop.sqlite-wal");
        for file in [&database, &log] {
            fs::write(file, "").unwrap();
            fs::set_permissions(file, Permissions::from_mode(0o644)).unwrap();
        }
        close_database(&database).unwrap();
        assert_eq!((mode(&database), mode(&log)), (0o600, 0o600));
    }

    #[test]
    fn a_file_that_vanishes_while_it_is_closed_is_no_reason_to_refuse() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("dispatch.sqlite-wal");
        let ended = std::sync::atomic::AtomicBool::new(false);
        let order = std::sync::atomic::Ordering::Relaxed;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ended.load(order) {
                    fs::write(&log, "").unwrap();
                    fs::set_permissions(&log, Permissions::from_mode(0o644)).unwrap();
                    fs::remove_file(&log).unwrap();
                }
            });
            let refused: Vec<_> = (0..20_000)
                .filter_map(|_| close_to_others(&log, FILE_MODE).err())
                .collect();
            ended.store(true, order);
            assert!(refused.is_empty(), "{:?}", refused.first());
        });
    }

    #[test]
    fn a_database_behind_a_link_is_closed_where_it_is() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files =
            ["real.db", "real.db-wal", "real.db-shm"].map(|name| elsewhere.path().join(name));
        for file in &files {
            fs::write(file, "").unwrap();
            fs::set_permissions(file, Permissions::from_mode(0o644)).unwrap();
        }
        let link = folder.path().join("dispatch.sqlite");
        symlink(&files[0], &link).unwrap();
        let _lock = DataLock::take(folder.path()).unwrap();
        check_database(&link).unwrap();
        close_database(&link).unwrap();
        assert_eq!(files.map(|file| mode(&file)), [0o600; 3]);
    }

    #[test]
    fn files_that_others_put_into_the_folder_are_not_treated_as_the_servers() {
        for name in ["dispatch.sqlite", "dispatch.sqlite-wal", "log-mark.json"] {
            let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
            symlink(elsewhere.path().join("bait"), folder.path().join(name)).unwrap();
            let refused = DataLock::take(folder.path()).unwrap_err();
            assert!(
                matches!(refused, LockError::Planted { .. }),
                "{name}: {refused}"
            );
        }
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let bait = elsewhere.path().join("bait");
        symlink(&bait, folder.path().join(LOCK_FILE)).unwrap();
        let refused = DataLock::take(folder.path()).unwrap_err();
        assert!(
            matches!(refused, LockError::Inaccessible { .. }),
            "{refused}"
        );
        assert!(!bait.exists());

        let link = folder.path().join("shop.db");
        symlink(&bait, &link).unwrap();
        check_database(&link).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        let refused = check_database(&link).unwrap_err();
        assert!(matches!(refused, LockError::Planted { .. }), "{refused}");
    }

    /// Who runs the tests may give nothing away unless it is root.
    #[test]
    fn a_folder_or_file_of_another_user_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        if !geteuid().is_root() {
            let refused = DataLock::take(Path::new("/")).unwrap_err();
            assert!(
                matches!(refused, LockError::Foreign { owner: 0, .. }),
                "{refused}"
            );
            return;
        }
        let database = folder.path().join("dispatch.sqlite");
        fs::write(&database, "").unwrap();
        for path in [&database, folder.path()] {
            chown(path, Some(4389), None).unwrap();
            let refused = DataLock::take(folder.path()).unwrap_err().to_string();
            let expected = format!(
                "{} belongs to the user number 4389, and this is root, whose files that user could not use: \
                 run it as that user, with runuser -u 4389 -- dispatch ...",
                path.display()
            );
            assert_eq!(refused, expected);
            assert!(check_database(&database).is_err());
        }
    }

    #[test]
    fn nobody_is_told_to_give_the_servers_files_to_root() {
        let path = Path::new("/var/lib/dispatch");
        let sentence = |owner, user| foreign_sentence(path, owner, user);
        assert!(!sentence(4389, 0).contains("chown"));
        assert_eq!(
            sentence(0, 4389),
            "/var/lib/dispatch belongs to the user root, and this is number 4389: root must not write here, \
             and gives it back with chown -R 4389 /var/lib/dispatch"
        );
        assert_eq!(
            sentence(4388, 4389),
            "/var/lib/dispatch belongs to the user number 4388, and this is number 4389: run dispatch as \
             number 4388, or let root give it away with chown -R 4389 /var/lib/dispatch"
        );
    }

    /// As with the one before.
    #[test]
    fn a_backup_of_another_user_beside_the_database_does_not_stop_the_server() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["dispatch.sqlite.bak", "dispatch.sqlite-old", "log-mark.txt"] {
            let backup = folder.path().join(name);
            fs::write(&backup, "").unwrap();
            fs::set_permissions(&backup, Permissions::from_mode(0o644)).unwrap();
            if geteuid().is_root() {
                chown(&backup, Some(4389), None).unwrap();
            }
            let _lock = DataLock::take(folder.path()).unwrap();
            assert_eq!(mode(&backup), 0o600, "{name}");
        }
    }

    #[test]
    fn a_link_in_the_folder_changes_nothing_elsewhere() {
        let elsewhere = tempfile::NamedTempFile::new().unwrap();
        fs::set_permissions(elsewhere.path(), Permissions::from_mode(0o644)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        symlink(elsewhere.path(), folder.path().join("link")).unwrap();
        let _lock = DataLock::take(folder.path()).unwrap();
        assert_eq!(mode(elsewhere.path()), 0o644);
    }
}
