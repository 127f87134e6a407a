//! Events that are older than the ring, as messages: read from the log, a page at a time, and once
//! for all who come back for them at the same moment.

use std::collections::VecDeque;
use std::sync::Arc;

use dispatch_actors::broadcaster::{Encode, Entry, ViewFrames, audience};
use dispatch_actors::event_replay::announcements_after;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{LogPosition, Seq, Store, StoreError};
use tokio::sync::Mutex;

use super::super::frames::Frames;

/// Events of one page; clients that were away for about as long share it.
const PAGE_SIZE: Seq = 256;

/// Pages that are kept.
const MAX_PAGES: usize = 16;

#[derive(Clone)]
pub struct Archive {
    store: Store,
    snapshot: Snapshot,
    frames: Frames,
    pages: Arc<Mutex<Pages>>,
}

#[derive(Default)]
struct Pages {
    /// Of the log that they were read from.
    generation: Arc<str>,
    kept: VecDeque<Page>,
}

struct Page {
    /// Has events after this one.
    after: Seq,
    entries: Arc<[Entry]>,
}

impl Archive {
    pub fn new(store: Store, snapshot: Snapshot, frames: Frames) -> Self {
        Self {
            store,
            snapshot,
            frames,
            pages: Arc::default(),
        }
    }

    pub(in crate::socket) fn frames(&self) -> &Frames {
        &self.frames
    }

    /// Whether the log has this very event at this place.
    pub(in crate::socket) async fn has(&self, position: LogPosition) -> Result<bool, StoreError> {
        if position.seq == 0 || position == self.snapshot.position() {
            return Ok(position.seq > 0 || position == LogPosition::default());
        }
        // Some of what came after it may be missing.
        if position.seq < self.store.status().pruned_to() {
            return Ok(false);
        }
        let entries = self.after(position.seq - 1).await?;
        let at_place = entries.first();
        Ok(at_place.is_some_and(|entry| entry.position == position))
    }

    /// Some of the events after `seq`, in order and without a gap; none when there are none.
    pub(in crate::socket) async fn after(&self, seq: Seq) -> Result<Vec<Entry>, StoreError> {
        let after = seq - seq % PAGE_SIZE;
        let mut pages = self.pages.lock().await;
        let generation = self.store.status().generation();
        if pages.generation != generation {
            *pages = Pages {
                generation,
                kept: VecDeque::new(),
            };
        }
        let pages = &mut pages.kept;
        let wanted = |entries: &[Entry]| -> Vec<Entry> {
            let from = entries.partition_point(|entry| entry.seq() <= seq);
            entries[from..].to_vec()
        };
        if let Some(page) = pages.iter().find(|page| page.after == after) {
            let found = wanted(&page.entries);
            // The log may have grown since.
            if !found.is_empty() {
                return Ok(found);
            }
        }
        tracing::debug!(after, "a page of the log is read for those who come back");
        let announcements =
            announcements_after(&self.store, &self.snapshot, after, PAGE_SIZE as u64).await?;
        let entries: Arc<[Entry]> = announcements
            .iter()
            .map(|announcement| Entry {
                frame: self.frames.modified(announcement),
                audience: audience(announcement),
                position: announcement.event.position(),
                is_event: true,
                // Boards get the orders as they are now.
                on_boards: ViewFrames::default(),
            })
            .collect();
        let found = wanted(&entries);
        pages.retain(|page| page.after != after);
        pages.push_back(Page { after, entries });
        if pages.len() > MAX_PAGES {
            pages.pop_front();
        }
        Ok(found)
    }
}
