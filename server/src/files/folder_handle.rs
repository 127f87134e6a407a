//! A folder that other users may write to. What is done in it is done relative to its open handle
//! and follows no link, so that nothing outside it can be read, written, moved or deleted by way of
//! it, whatever is put there meanwhile.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, RenameFlags, Stat, fchmod, fstat, mkdirat, openat,
    renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::umask;

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

/// What a new file may be to others.
#[derive(Clone, Copy, Debug)]
pub enum NewFile {
    /// For this user alone.
    Private,
    /// As the umask has it that the process was started with.
    Shared,
}

/// That umask, once it is another.
static UMASK: OnceLock<Mode> = OnceLock::new();

/// From here on every file that the process creates is private to its user, also those of the
/// database's library. To be called before any file is created.
pub fn make_files_private() {
    let before = umask(Mode::from_raw_mode(0o077));
    // Set already: then this was called before, and what that one found counts.
    let _ = UMASK.set(before);
}

/// Gives others what they would have had without [`make_files_private`].
fn share(made: impl AsFd, mode: Mode) -> io::Result<()> {
    match UMASK.get() {
        Some(umask) => Ok(fchmod(made, mode & !*umask)?),
        None => Ok(()),
    }
}

impl NewFile {
    fn mode(self) -> Mode {
        Mode::from_raw_mode(match self {
            Self::Private => 0o600,
            Self::Shared => 0o666,
        })
    }
}

/// An open folder; cheap to clone.
#[derive(Clone, Debug)]
pub struct FolderHandle {
    handle: Arc<OwnedFd>,
    /// For messages.
    path: PathBuf,
}

impl FolderHandle {
    /// The folder that the operator named; it may be a link.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::at(CWD, path.as_os_str(), path.to_owned(), FOLDER)
    }

    /// A folder whose last part must not be a link.
    pub fn open_unlinked(path: &Path) -> io::Result<Self> {
        let opened = Self::at(
            CWD,
            path.as_os_str(),
            path.to_owned(),
            FOLDER | OFlags::NOFOLLOW,
        );
        opened.map_err(|error| or_link(CWD, path.as_os_str(), error))
    }

    /// A folder in it.
    pub fn folder(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        let name = name.as_ref();
        let path = self.path.join(name);
        let opened = Self::at(&*self.handle, name, path, FOLDER | OFlags::NOFOLLOW);
        opened.map_err(|error| or_link(&*self.handle, name, error))
    }

    /// A folder in it, made where there is none.
    pub fn folder_or_new(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        let name = name.as_ref();
        match self.folder(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mode = Mode::from_raw_mode(0o777);
                match mkdirat(&*self.handle, name, mode) {
                    Ok(()) => {
                        let made = self.folder(name)?;
                        share(&*made.handle, mode)?;
                        Ok(made)
                    }
                    Err(Errno::EXIST) => self.folder(name),
                    Err(error) => Err(error.into()),
                }
            }
            opened => opened,
        }
    }

    /// The folder that the operator named for others to write to; it is created where there is none.
    pub fn open_or_new(path: &Path) -> io::Result<Self> {
        match Self::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                    return Err(error);
                };
                let parent = match parent.as_os_str().is_empty() {
                    true => Self::open(Path::new("."))?,
                    false => Self::open_or_new(parent)?,
                };
                parent.folder_or_new(name)?;
                Self::open(path)
            }
            opened => opened,
        }
    }

    fn at(parent: impl AsFd, name: &OsStr, path: PathBuf, flags: OFlags) -> io::Result<Self> {
        let handle = Arc::new(openat(parent, name, flags, Mode::empty())?);
        Ok(Self { handle, path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Of itself.
    pub fn about(&self) -> io::Result<Stat> {
        Ok(fstat(&*self.handle)?)
    }

    /// Its entries, in no order.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&*self.handle)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(OsStr::from_bytes(name).to_owned());
            }
        }
        Ok(names)
    }

    /// Of the link itself where it is one; none where nothing is.
    pub fn stat(&self, name: &OsStr) -> io::Result<Option<Stat>> {
        match statat(&*self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(about) => Ok(Some(about)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A plain file to read; none where there is none, or something else: opening a pipe or a
    /// device could block.
    pub fn read(&self, name: &OsStr) -> io::Result<Option<(File, Stat)>> {
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = match openat(&*self.handle, name, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT | Errno::LOOP | Errno::NXIO | Errno::NODEV) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let about = fstat(&file)?;
        Ok(is_file(&about).then_some((file, about)))
    }

    /// A file that was not there before.
    pub fn create(&self, name: &OsStr, new: NewFile) -> io::Result<File> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&*self.handle, name, flags, new.mode())?;
        if let NewFile::Shared = new {
            share(&file, new.mode())?;
        }
        Ok(File::from(file))
    }

    /// A plain file to hold a lock on; made where there is none and `new` says so.
    pub fn lock_file(&self, name: &OsStr, new: Option<NewFile>) -> io::Result<File> {
        let mut flags =
            OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        flags.set(OFlags::CREATE, new.is_some());
        let mode = new.map_or(Mode::empty(), NewFile::mode);
        let file = File::from(openat(&*self.handle, name, flags, mode)?);
        if is_file(&fstat(&file)?) {
            Ok(file)
        } else {
            Err(io::Error::other("it is no file"))
        }
    }

    /// The same, in the place of what has the name now, which is the server's own of an attempt that
    /// broke off, or planted by another user.
    pub fn create_anew(&self, name: &OsStr, new: NewFile) -> io::Result<File> {
        self.remove(name)?;
        self.create(name, new)
    }

    /// Whether it was there.
    pub fn remove(&self, name: &OsStr) -> io::Result<bool> {
        match unlinkat(&*self.handle, name, AtFlags::empty()) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Moves what is called so to a name that is free there, if the file system can see to that.
    pub fn move_to(&self, name: &OsStr, folder: &Self, new_name: &OsStr) -> io::Result<()> {
        let (from, to) = (&*self.handle, &*folder.handle);
        match renameat_with(from, name, to, new_name, RenameFlags::NOREPLACE) {
            // Some network file systems cannot.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                if folder.stat(new_name)?.is_some() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                Ok(renameat(from, name, to, new_name)?)
            }
            result => Ok(result?),
        }
    }

    /// Gives a file of it another name, in the place of what had that.
    pub fn rename(&self, name: &OsStr, new_name: &OsStr) -> io::Result<()> {
        Ok(renameat(&*self.handle, name, &*self.handle, new_name)?)
    }

    /// Makes its name durable.
    pub fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&*self.handle)?)
    }
}

pub fn is_file(about: &Stat) -> bool {
    FileType::from_raw_mode(about.st_mode) == FileType::RegularFile
}

/// Reports a link as a link: the system only reports that it is not a folder.
fn or_link(parent: impl AsFd, name: &OsStr, error: io::Error) -> io::Error {
    let about = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW);
    let is_link =
        about.is_ok_and(|about| FileType::from_raw_mode(about.st_mode) == FileType::Symlink);
    if is_link {
        let sentence = "it is a link, and none is followed here: put a folder in its place, or mount \
                        the other disk there";
        io::Error::new(io::ErrorKind::NotADirectory, sentence)
    } else {
        error
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn name(text: &str) -> &OsStr {
        OsStr::new(text)
    }

    #[test]
    fn a_link_is_neither_read_nor_written_nor_entered() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let secret = outside.path().join("secret");
        fs::write(&secret, "theirs").unwrap();
        symlink(&secret, inside.path().join("file")).unwrap();
        symlink(outside.path(), inside.path().join("folder")).unwrap();
        let folder = FolderHandle::open(inside.path()).unwrap();

        assert!(folder.read(name("file")).unwrap().is_none());
        assert!(folder.create(name("file"), NewFile::Private).is_err());
        let refused = folder.folder("folder").unwrap_err().to_string();
        assert!(refused.starts_with("it is a link"), "{refused}");
        assert!(folder.folder_or_new("folder").is_err());
        assert!(FolderHandle::open_unlinked(&inside.path().join("folder")).is_err());
        assert!(FolderHandle::open(&inside.path().join("folder")).is_ok());

        drop(folder.create_anew(name("file"), NewFile::Private).unwrap());
        assert_eq!(fs::read_to_string(&secret).unwrap(), "theirs");
        let made = inside.path().join("file").symlink_metadata().unwrap();
        assert!(made.is_file());
        assert_eq!(made.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_pipe_is_not_read_as_a_file() {
        let root = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(root.path().join("pipe"))
            .status();
        assert!(made.unwrap().success());
        let folder = FolderHandle::open(root.path()).unwrap();
        assert!(folder.read(name("pipe")).unwrap().is_none());
        assert!(folder.read(name("nothing")).unwrap().is_none());
    }

    #[test]
    fn a_moved_file_does_not_replace_another() {
        let root = tempfile::tempdir().unwrap();
        for file in ["one", "two"] {
            fs::write(root.path().join(file), file).unwrap();
        }
        let folder = FolderHandle::open(root.path()).unwrap();
        assert!(folder.move_to(name("one"), &folder, name("two")).is_err());
        folder.move_to(name("one"), &folder, name("three")).unwrap();
        let read = |file: &str| fs::read_to_string(root.path().join(file)).unwrap();
        assert_eq!((read("two"), read("three")), ("two".into(), "one".into()));
    }

    #[test]
    fn a_folder_stays_the_same_whatever_takes_its_name() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = FolderHandle::open(root.path()).unwrap();
        let done = folder.folder_or_new("done").unwrap();
        let path = |file: &str| root.path().join(file);
        let made = fs::metadata(path("done")).unwrap().ino();
        fs::rename(path("done"), path("elsewhere")).unwrap();
        symlink(outside.path(), path("done")).unwrap();
        drop(done.create(name("file"), NewFile::Private).unwrap());
        assert_eq!(fs::metadata(path("elsewhere")).unwrap().ino(), made);
        assert!(path("elsewhere/file").exists());
        assert_eq!(outside.path().read_dir().unwrap().count(), 0);
    }
}
