//! The orders that an unmatched number came with: those on their way into the database, and those that are
//! there already.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::store::Store;
use dispatch_intake::TechnicianSource;
use jiff::Timestamp;
use sea_orm::DbErr;

use super::dms_number::DmsNumber;
use super::store as rows;

/// What other servers hear: of which orders the notes are others now.
const TOPIC: &str = "intake-notes";

/// A number that keeps coming on the same order is noted again after this long, for "last seen".
const RENOTE_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// A number that means nobody, on an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub number: DmsNumber,
    pub order: RoNumber,
    pub name: Option<String>,
    /// Of a technician who is not on the order, because the number is none it can hold.
    pub source: Option<TechnicianSource>,
    pub seen_at: Timestamp,
}

/// Notes on their way into the database, and what is there already.
pub(super) struct Notes {
    store: Store,
    cache: Mutex<NotesCache>,
    /// One statement writes the notes of many orders: the first caller to get this lock writes for
    /// all.
    writing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct NotesCache {
    /// By order: the numbers, and when they were last seen.
    noted: HashMap<i64, HashMap<DmsNumber, Timestamp>>,
    waiting: HashMap<(i64, DmsNumber), Note>,
}

impl NotesCache {
    fn needs_write(&self, note: &Note) -> bool {
        let numbers = self.noted.get(&note.order.get());
        let noted_at = numbers.and_then(|numbers| numbers.get(&note.number));
        noted_at.is_none_or(|noted_at| {
            let ago = note.seen_at.duration_since(*noted_at);
            ago.unsigned_abs() >= RENOTE_INTERVAL
        })
    }

    fn add(&mut self, note: &Note) {
        let numbers = self.noted.entry(note.order.get()).or_default();
        numbers.insert(note.number.clone(), note.seen_at);
    }

    fn remove(&mut self, order: RoNumber, number: &DmsNumber) {
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
        let mut cache = NotesCache::default();
        for note in rows::notes(&store).await? {
            cache.add(&note);
        }
        Ok(Self {
            store,
            cache: Mutex::new(cache),
            writing: tokio::sync::Mutex::default(),
        })
    }

    /// Returns when they are in the database. A failure stops no order: the notes wait, and the next call
    /// tries again.
    pub(super) async fn save(&self, notes: Vec<Note>) {
        {
            let mut cache = self.lock_cache();
            for note in notes {
                if cache.needs_write(&note) {
                    let key = (note.order.get(), note.number.clone());
                    cache.waiting.insert(key, note);
                }
            }
        }
        if let Err(error) = self.write().await {
            tracing::error!(%error, "unmatched numbers could not be kept; they are tried again");
        }
    }

    /// Writes what waits.
    pub(super) async fn write(&self) -> Result<(), DbErr> {
        if self.lock_cache().waiting.is_empty() {
            return Ok(());
        }
        let _guard = self.writing.lock().await;
        // They stay in the cache until they are written, because this call may be cancelled.
        let notes: Vec<Note> = self.lock_cache().waiting.values().cloned().collect();
        if notes.is_empty() {
            return Ok(());
        }
        rows::put_notes(&self.store, &notes).await?;
        self.notify(notes.iter().map(|note| note.order.get()));
        let mut cache = self.lock_cache();
        for note in &notes {
            let key = (note.order.get(), note.number.clone());
            // A note that came again meanwhile is written the next time.
            if cache.waiting.get(&key) == Some(note) {
                cache.waiting.remove(&key);
            }
            cache.add(note);
        }
        Ok(())
    }

    /// The numbers that an order is noted for, or will be.
    pub(super) fn numbers_of(&self, order: RoNumber) -> Vec<DmsNumber> {
        let order = order.get();
        let cache = self.lock_cache();
        let noted = cache.noted.get(&order).into_iter();
        let waiting = cache.waiting.keys().filter(|(of, _)| *of == order);
        noted
            .flat_map(HashMap::keys)
            .chain(waiting.map(|(_, number)| number))
            .cloned()
            .collect()
    }

    /// The order no longer needs the desk for these numbers. A failure is tried again the next time.
    pub(super) async fn clear(&self, order: RoNumber, numbers: &[DmsNumber]) {
        for number in numbers {
            if let Err(error) = self.delete(number, &[order]).await {
                tracing::error!(%error, "an unmatched number could not be forgotten");
            }
        }
    }

    /// These orders no longer need the desk for this number.
    pub(super) async fn delete(
        &self,
        number: &DmsNumber,
        orders: &[RoNumber],
    ) -> Result<(), DbErr> {
        // A write in progress must not land afterwards.
        let _guard = self.writing.lock().await;
        let rows: Vec<i64> = orders.iter().map(|order| order.get()).collect();
        rows::delete_notes(&self.store, number, &rows).await?;
        self.notify(rows.into_iter());
        let mut cache = self.lock_cache();
        for order in orders {
            cache.remove(*order, number);
        }
        Ok(())
    }

    fn notify(&self, orders: impl Iterator<Item = i64>) {
        let others = self.store.others();
        if others.may_exist() {
            let orders: Vec<String> = orders.map(|order| order.to_string()).collect();
            others.notify(TOPIC, &orders.join(","));
        }
    }

    /// Reads again what other servers write, for as long as this one runs, from this call on.
    pub(super) fn follow_other_servers(self: Arc<Self>) -> impl Future<Output = ()> {
        let mut listener = self.store.others().listen(TOPIC);
        async move {
            loop {
                let orders = listener.changed().await;
                if let Err(error) = self.reload(orders.as_deref()).await {
                    tracing::error!(%error, "unmatched numbers of another server could not be read");
                }
            }
        }
    }

    /// The notes of these orders, or of all.
    async fn reload(&self, orders: Option<&str>) -> Result<(), DbErr> {
        let orders: Option<Vec<i64>> =
            orders.map(|orders| orders.split(',').filter_map(|it| it.parse().ok()).collect());
        // What is being written here would be missing in what is read.
        let _guard = self.writing.lock().await;
        let notes = match &orders {
            Some(orders) => rows::notes_of_orders(&self.store, orders).await?,
            None => rows::notes(&self.store).await?,
        };
        let mut cache = self.lock_cache();
        match &orders {
            Some(orders) => cache.noted.retain(|order, _| !orders.contains(order)),
            None => cache.noted.clear(),
        }
        notes.iter().for_each(|note| cache.add(note));
        Ok(())
    }

    fn lock_cache(&self) -> MutexGuard<'_, NotesCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
