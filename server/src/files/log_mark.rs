//! How far the log was, kept beside the database: a small file in the data folder. A server that finds
//! a log without that event knows that the database went back while nobody looked: a file that was put
//! back, a write-ahead log that was deleted, a standby that lagged.
//!
//! It is written some time after the events, and never before they are durable, so that a crash leaves
//! a mark that is too low and never one that is too high.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use dispatch_actors::store::{LogPosition, Store, StoreError};
use dispatch_actors::ticks::ticks;
use serde::{Deserialize, Serialize};

use crate::files::folder_handle::{FolderHandle, NewFile};

/// The file's name in the data folder.
pub const FILE: &str = "log-mark.json";
/// Of the next one while it is written.
pub const NEW_FILE: &str = "log-mark.json.new";

/// From one look at how far the log is to the next.
const WRITE_INTERVAL: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mark {
    generation: String,
    /// The newest event that was announced, as [`LogPosition`] writes it.
    position: String,
    /// Names that the log had before, which come back with a backup from that time; the oldest first.
    #[serde(default)]
    past_generations: Vec<String>,
}

/// Begins another generation of the log if it does not have the event that the mark names, or has again
/// a name that it had before. To be called before anything is read of the log; the store must be
/// migrated.
pub async fn check(store: &Store, data_dir: &Path) -> Result<(), StoreError> {
    let Some(mark) = read(data_dir) else {
        return Ok(());
    };
    let Ok(position) = mark.position.parse::<LogPosition>() else {
        return Ok(());
    };
    for generation in &mark.past_generations {
        store.status().add_past_generation(generation);
    }
    let head = store.head().await?;
    let generation = if mark.past_generations.contains(&head.generation)
        || !store.has(position).await?
    {
        let generation = store.begin_generation(&head.generation).await?;
        tracing::warn!(
            was = position.seq, is = head.position.seq, %generation,
            "the database is older than what this server had announced; every screen loads it again"
        );
        generation
    } else {
        head.generation.clone()
    };
    for before in [mark.generation, head.generation] {
        if before != generation {
            store.status().add_past_generation(&before);
        }
    }
    Ok(())
}

/// Keeps how far the log was announced.
pub struct LogMark {
    store: Store,
    data_dir: PathBuf,
    written: Option<Mark>,
}

impl LogMark {
    pub fn new(store: Store, data_dir: &Path) -> Self {
        Self {
            store,
            data_dir: data_dir.to_owned(),
            written: None,
        }
    }

    /// Writes it again and again, for as long as the server runs.
    pub async fn follow(mut self) {
        let mut again = ticks(WRITE_INTERVAL);
        loop {
            again.tick().await;
            self.update().await;
        }
    }

    /// Writes it where it is another one than before.
    pub async fn update(&mut self) {
        let status = self.store.status();
        let mark = Mark {
            generation: status.generation().to_string(),
            position: status.announced().to_string(),
            past_generations: status
                .past_generations()
                .iter()
                .map(ToString::to_string)
                .collect(),
        };
        if self.written.as_ref() == Some(&mark) {
            return;
        }
        match write(&self.data_dir, &mark).await {
            Ok(()) => self.written = Some(mark),
            // A full disk is reported where changes cannot be saved.
            Err(error) => tracing::debug!(%error, "how far the log is could not be kept"),
        }
    }
}

/// None where there is no mark, or none that can be read.
fn read(data_dir: &Path) -> Option<Mark> {
    let folder = FolderHandle::open(data_dir).ok()?;
    let (mut file, _) = folder.read(OsStr::new(FILE)).ok()??;
    let mut text = Vec::new();
    file.read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Whole or not at all, also after a power cut: a file that is renamed before the disk has it may be
/// empty then.
async fn write(data_dir: &Path, mark: &Mark) -> io::Result<()> {
    let data_dir = data_dir.to_owned();
    let text = serde_json::to_vec(mark)?;
    let written = tokio::task::spawn_blocking(move || {
        let folder = FolderHandle::open(&data_dir)?;
        let new = OsStr::new(NEW_FILE);
        let mut file = folder.create_anew(new, NewFile::Private)?;
        file.write_all(&text)?;
        file.sync_all()?;
        folder.rename(new, OsStr::new(FILE))
    });
    written.await?
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[tokio::test]
    async fn the_mark_is_for_this_user_alone_and_no_link_is_followed_to_it() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let theirs = outside.path().join("theirs");
        fs::write(&theirs, "theirs").unwrap();
        for name in [FILE, NEW_FILE] {
            symlink(&theirs, folder.path().join(name)).unwrap();
        }
        let mark = Mark {
            generation: "a".to_owned(),
            position: "1".to_owned(),
            past_generations: Vec::new(),
        };
        fs::write(&theirs, serde_json::to_vec(&mark).unwrap()).unwrap();
        assert_eq!(read(folder.path()), None);
        fs::write(&theirs, "theirs").unwrap();
        write(folder.path(), &mark).await.unwrap();
        assert_eq!(read(folder.path()), Some(mark));
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
        let made = folder.path().join(FILE).symlink_metadata().unwrap();
        assert_eq!(made.permissions().mode() & 0o7777, 0o600);
    }
}
