//! The passphrase of encrypted backups. It is in a file, since options are shown by `ps`.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Its debug text does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Passphrase {
    text: String,
    file: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum PassphraseError {
    #[error("cannot read {} (--backup-passphrase-file): {why}", path.display())]
    Unreadable { path: PathBuf, why: io::Error },
    #[error(
        "everybody on this machine can read {shown} (--backup-passphrase-file): chmod o-rwx {shown}, and let the \
         group of the server's user own it", shown = path.display()
    )]
    Exposed { path: PathBuf },
    #[error(
        "{} (--backup-passphrase-file) is empty: write a passphrase into it, such as openssl rand -base64 24 \
         gives", .0.display()
    )]
    Empty(PathBuf),
    #[error(
        "{} (--backup-passphrase-file) has a passphrase of fewer than {MIN_LENGTH} characters, which whoever has a backup \
         could find by trying: write one such as openssl rand -base64 24 gives", .0.display()
    )]
    TooShort(PathBuf),
    #[error(
        "{} (--backup-passphrase-file) has more than a passphrase in it: write one line of text into it", .0.display()
    )]
    NotOneLine(PathBuf),
}

/// Characters.
const MIN_LENGTH: usize = 8;

/// The permission bits of everybody.
const EVERYBODY: u32 = 0o007;

impl Passphrase {
    /// The one line of a file that not everybody can read.
    pub fn read(file: &Path) -> Result<Self, PassphraseError> {
        let unreadable = |why| PassphraseError::Unreadable {
            path: file.to_owned(),
            why,
        };
        let about = file.metadata().map_err(unreadable)?;
        if about.permissions().mode() & EVERYBODY != 0 {
            let path = file.to_owned();
            return Err(PassphraseError::Exposed { path });
        }
        let text = fs::read(file).map_err(unreadable)?;
        let text = String::from_utf8(text);
        let text = text.map_err(|_| PassphraseError::NotOneLine(file.to_owned()))?;
        let text = text.trim();
        if text.is_empty() {
            return Err(PassphraseError::Empty(file.to_owned()));
        }
        if text.chars().any(char::is_control) {
            return Err(PassphraseError::NotOneLine(file.to_owned()));
        }
        if text.chars().count() < MIN_LENGTH {
            return Err(PassphraseError::TooShort(file.to_owned()));
        }
        Ok(Self {
            text: text.to_owned(),
            file: file.to_owned(),
        })
    }

    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// Where it was read.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Passphrase of {}", self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;

    use super::*;

    #[test]
    fn a_passphrase_is_one_line_of_a_file_that_not_everybody_reads() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("passphrase");
        let with = |text: &[u8], mode| {
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            Passphrase::read(&file)
        };
        for mode in [0o600, 0o640] {
            let passphrase = with(b" correct horse\n", mode).unwrap();
            assert_eq!(passphrase.reveal(), "correct horse");
            assert!(!format!("{passphrase:?}").contains("horse"));
        }
        let why = |text, mode| with(text, mode).unwrap_err().to_string();
        assert!(why(b"correct horse", 0o644).starts_with("everybody"));
        assert!(why(b" \n", 0o600).contains("is empty"));
        assert!(why(b"7 chars", 0o600).contains("fewer than 8 characters"));
        assert!(why(b"one\ntwo\n", 0o600).contains("more than a passphrase"));
        assert!(why(b"\xff\xfe", 0o600).contains("more than a passphrase"));
        let missing = Passphrase::read(&folder.path().join("absent")).unwrap_err();
        assert!(missing.to_string().starts_with("cannot read"), "{missing}");
    }
}
