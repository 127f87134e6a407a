//! Which file of options is read: the one that is named, else the machine's. Never one that only
//! happens to lie where the command is typed, which may be anybody's.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Read when no file is named.
pub const SYSTEM_FILE: &str = "/etc/dispatch/dispatch.toml";

/// In the working directory: not read.
const LOCAL_FILE: &str = "dispatch.toml";

#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {why}", path.display())]
pub struct UnreadableOptions {
    pub path: PathBuf,
    pub why: std::io::Error,
}

/// A file of options as it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct OptionsFile {
    pub path: PathBuf,
    pub text: String,
}

impl OptionsFile {
    /// Reads the file that is named, which must be there, or else the machine's, if it is there.
    pub fn read(named: Option<&Path>, system: &Path) -> Result<Option<Self>, UnreadableOptions> {
        let path = named.unwrap_or(system);
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(Some(Self {
                path: path.to_owned(),
                text,
            })),
            Err(why) if named.is_none() && why.kind() == ErrorKind::NotFound => Ok(None),
            Err(why) => Err(UnreadableOptions {
                path: path.to_owned(),
                why,
            }),
        }
    }

    /// Says where a file lies here that was not read.
    pub fn warn_of_another(read: Option<&Path>) {
        // Mostly there is none.
        let Ok(here) = Path::new(LOCAL_FILE).canonicalize() else {
            return;
        };
        let is_read = read.is_some_and(|path| path.canonicalize().is_ok_and(|it| it == here));
        if !is_read {
            tracing::warn!(
                "{} is not read; to use it say --config {LOCAL_FILE}, or move it to {SYSTEM_FILE}",
                here.display()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machines_file_is_read_where_none_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let [system, named] = ["system.toml", "named.toml"].map(|name| folder.path().join(name));
        assert_eq!(OptionsFile::read(None, &system).unwrap(), None);
        std::fs::write(&system, "demo = \"still\"\n").unwrap();
        std::fs::write(&named, "demo = \"moving\"\n").unwrap();
        let read = |named| OptionsFile::read(named, &system).unwrap().unwrap();
        assert_eq!(read(None).text, "demo = \"still\"\n");
        let file = read(Some(&named));
        assert_eq!(
            (file.path, file.text.as_str()),
            (named, "demo = \"moving\"\n")
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error_also_where_it_is_the_machines() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing.toml");
        assert!(OptionsFile::read(Some(&missing), folder.path()).is_err());
        let error = OptionsFile::read(None, folder.path()).unwrap_err();
        assert!(error.to_string().starts_with("cannot read /"), "{error}");
    }
}
