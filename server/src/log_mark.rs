//! How far the log was, kept beside the database: a small file in the data folder. A server that finds
//! a log without that event knows that the database went back while nobody looked: a file that was put
//! back, a write-ahead log that was deleted, a standby that had not heard of everything.
//!
//! It is written some time after the events, and never before they are durable, so that a crash leaves
//! a mark that is too low and never one that is too high.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dispatch_actors::store::{LogPosition, Store, StoreError};
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};

/// The file's name in the data folder.
pub const FILE: &str = "log-mark.json";

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
    let path = data_dir.join(FILE);
    let Some(mark) = read(&path).await else {
        return Ok(());
    };
    let Ok(position) = mark.position.parse::<LogPosition>() else {
        return Ok(());
    };
    for past in &mark.past_generations {
        store.status().add_past_generation(past);
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
    path: PathBuf,
    written: Option<Mark>,
}

impl LogMark {
    pub fn new(store: Store, data_dir: &Path) -> Self {
        Self {
            store,
            path: data_dir.join(FILE),
            written: None,
        }
    }

    /// Writes it again and again, for as long as the server runs.
    pub async fn follow(mut self) {
        let mut again = interval(WRITE_INTERVAL);
        again.set_missed_tick_behavior(MissedTickBehavior::Delay);
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
        match write(&self.path, &mark).await {
            Ok(()) => self.written = Some(mark),
            // A full disk is said where changes cannot be saved.
            Err(error) => tracing::debug!(%error, "how far the log is could not be kept"),
        }
    }
}

/// None where there is no mark, or none that can be read.
async fn read(path: &Path) -> Option<Mark> {
    let text = tokio::fs::read(path).await.ok()?;
    serde_json::from_slice(&text).ok()
}

/// Whole or not at all, also after a power cut: a file that is renamed before the disk has it may be
/// empty then.
async fn write(path: &Path, mark: &Mark) -> std::io::Result<()> {
    let (path, fresh) = (path.to_owned(), path.with_extension("json.new"));
    let text = serde_json::to_vec(mark)?;
    let written = tokio::task::spawn_blocking(move || {
        let mut file = File::create(&fresh)?;
        file.write_all(&text)?;
        file.sync_all()?;
        std::fs::rename(&fresh, path)
    });
    written.await?
}
