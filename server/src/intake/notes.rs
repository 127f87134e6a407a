//! Where numbers came that mean nobody: on their way into the database, and what is there already.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::store::Store;
use jiff::Timestamp;
use sea_orm::DbErr;

use super::match_rows as rows;
use super::matching::{Number, Source};

/// A number that keeps coming on the same order is noted again after this long, for "last seen".
const NOTED_AGAIN: Duration = Duration::from_secs(60 * 60);

/// A number that means nobody, on an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub number: Number,
    pub order: RoNumber,
    pub name: Option<String>,
    /// Of a technician who is not on the order, because the number is none it can hold.
    pub source: Option<Source>,
    pub seen_at: Timestamp,
}

/// Notes on their way into the database, and what is there already.
pub(super) struct Notes {
    store: Store,
    kept: Mutex<Kept>,
    /// Whoever writes writes what everybody has to write by then: one statement for many orders.
    writing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Kept {
    /// By order: the numbers, and when they were last seen.
    noted: HashMap<i64, HashMap<Number, Timestamp>>,
    waiting: HashMap<(i64, Number), Note>,
}

impl Kept {
    fn is_news(&self, note: &Note) -> bool {
        let numbers = self.noted.get(&note.order.get());
        let seen = numbers.and_then(|numbers| numbers.get(&note.number));
        seen.is_none_or(|seen| {
            let ago = note.seen_at.duration_since(*seen);
            ago.unsigned_abs() >= NOTED_AGAIN
        })
    }

    fn is_kept(&mut self, note: &Note) {
        let numbers = self.noted.entry(note.order.get()).or_default();
        numbers.insert(note.number.clone(), note.seen_at);
    }

    fn is_gone(&mut self, order: RoNumber, number: &Number) {
        let order = order.get();
        self.waiting.remove(&(order, number.clone()));
        if let Some(numbers) = self.noted.get_mut(&order) {
            numbers.remove(number);
            if numbers.is_empty() {
                self.noted.remove(&order);
            }
        }
    }
}

impl Notes {
    pub(super) async fn open(store: Store) -> Result<Self, DbErr> {
        let mut kept = Kept::default();
        for note in rows::notes(&store).await? {
            kept.is_kept(&note);
        }
        Ok(Self {
            store,
            kept: Mutex::new(kept),
            writing: tokio::sync::Mutex::default(),
        })
    }

    /// Returns once they are in the database. That they could not be written stops no order: they
    /// go on waiting, and whoever comes next tries again.
    pub(super) async fn keep(&self, notes: Vec<Note>) {
        {
            let mut kept = self.kept();
            for note in notes {
                if kept.is_news(&note) {
                    let key = (note.order.get(), note.number.clone());
                    kept.waiting.insert(key, note);
                }
            }
        }
        if let Err(error) = self.write().await {
            tracing::error!(%error, "unmatched numbers could not be kept; they are tried again");
        }
    }

    /// Writes what waits.
    pub(super) async fn write(&self) -> Result<(), DbErr> {
        if self.kept().waiting.is_empty() {
            return Ok(());
        }
        let _turn = self.writing.lock().await;
        // They wait until they are written: whoever writes may be broken off.
        let notes: Vec<Note> = self.kept().waiting.values().cloned().collect();
        if notes.is_empty() {
            return Ok(());
        }
        rows::put_notes(&self.store, &notes).await?;
        let mut kept = self.kept();
        for note in &notes {
            let key = (note.order.get(), note.number.clone());
            // One that came again meanwhile waits for the next turn.
            if kept.waiting.get(&key) == Some(note) {
                kept.waiting.remove(&key);
            }
            kept.is_kept(note);
        }
        Ok(())
    }

    /// The numbers that an order is noted for, or will be.
    pub(super) fn of(&self, order: RoNumber) -> Vec<Number> {
        let order = order.get();
        let kept = self.kept();
        let noted = kept.noted.get(&order).into_iter();
        let waiting = kept.waiting.keys().filter(|(of, _)| *of == order);
        noted
            .flat_map(HashMap::keys)
            .chain(waiting.map(|(_, number)| number))
            .cloned()
            .collect()
    }

    /// The order needs the desk no more for these numbers. What could not be forgotten is tried
    /// again the next time.
    pub(super) async fn forget(&self, order: RoNumber, numbers: &[Number]) {
        for number in numbers {
            if let Err(error) = self.settle(number, &[order]).await {
                tracing::error!(%error, "an unmatched number could not be forgotten");
            }
        }
    }

    /// These orders need the desk no more for this number.
    pub(super) async fn settle(&self, number: &Number, orders: &[RoNumber]) -> Result<(), DbErr> {
        // What is being written must not come after.
        let _turn = self.writing.lock().await;
        let rows: Vec<i64> = orders.iter().map(|order| order.get()).collect();
        rows::delete_notes(&self.store, number, &rows).await?;
        let mut kept = self.kept();
        for order in orders {
            kept.is_gone(*order, number);
        }
        Ok(())
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
