//! The clocks of the shop: which orders they are on, and what is refused.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dispatch_actors::repair_order::{RepairOrder, RoNumber, TechnicianId};
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use super::arithmetic::{self, Calendar, ClockRefusal, Clocked, Entry, Work};
use super::running_clocks::{ClockChange, Running, RunningClocks};
use super::store::{self, Finished};
use crate::error::{ApiError, ErrorCode};
use crate::publisher::Publisher;
use crate::realtime::announcer::Announcer;
use crate::shop_settings::ShopSettings;

/// The clocks of the shop.
#[derive(Clone)]
pub struct Clocks {
    pub(super) store: Store,
    pub(super) snapshot: Snapshot,
    pub(super) shop: ShopSettings,
    pub(super) board: Arc<RunningClocks>,
    pub(super) changes: Publisher<ClockChange>,
    /// Raised with every change that this server has heard of.
    pub(super) revision: Arc<AtomicU64>,
    pub(super) announcer: Announcer,
    /// Held from before a commit until it is announced.
    pub(super) commit_lock: Arc<Mutex<()>>,
}

impl Clocks {
    /// With what runs.
    pub async fn open(
        store: Store,
        snapshot: Snapshot,
        shop: ShopSettings,
        announcer: Announcer,
    ) -> Result<Self, ApiError> {
        let clocks = Self {
            store,
            snapshot,
            shop,
            board: Arc::default(),
            changes: Publisher::default(),
            revision: Arc::default(),
            announcer,
            commit_lock: Arc::default(),
        };
        clocks.load().await?;
        Ok(clocks)
    }

    /// Another one after each change that is committed here, or that another server told of: what was reckoned before is out
    /// of date.
    pub fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    pub(super) fn raise_revision(&self) {
        self.revision.fetch_add(1, Ordering::AcqRel);
    }

    /// Everybody who is on the clock.
    pub fn running(&self) -> HashMap<TechnicianId, Running> {
        self.board.all()
    }

    /// The technicians whose running clock was forgotten.
    pub fn forgotten(&self) -> HashSet<TechnicianId> {
        let (now, zone) = (Timestamp::now(), self.shop.time_zone());
        let running = self.board.all().into_iter();
        let forgotten = running.filter(|(_, running)| running.entry.is_forgotten(now, &zone));
        forgotten.map(|(technician, _)| technician).collect()
    }

    /// Whether a technician is on the clock, with a job or without.
    pub fn is_on(&self, technician: TechnicianId) -> bool {
        self.board.has(technician)
    }

    /// The jobs of these orders that are done.
    pub async fn finished_on(&self, orders: &[RoNumber]) -> Result<Vec<Finished>, ApiError> {
        Ok(store::finished_on(self.store.reader(), orders).await?)
    }

    /// How long was clocked on each job of these orders up to now, by whoever. A clock that was forgotten says nothing
    /// about that.
    pub async fn clocked_on(
        &self,
        orders: &[RoNumber],
    ) -> Result<HashMap<Work, SignedDuration>, ApiError> {
        let (now, zone) = (Timestamp::now(), self.shop.time_zone());
        let mut entries = store::on_orders(self.store.reader(), orders).await?;
        entries.retain(|(_, entry)| !entry.is_forgotten(now, &zone));
        let clocked = arithmetic::clocked_by_job(entries, now).into_iter();
        Ok(clocked
            .map(|(work, clocked)| (work, clocked.into_values().sum()))
            .collect())
    }

    /// The jobs of these orders on which this technician clocked time or which they marked as done.
    pub async fn worked_on(
        &self,
        technician: TechnicianId,
        orders: &[RoNumber],
    ) -> Result<HashSet<Work>, ApiError> {
        let reader = self.store.reader();
        let entries = store::on_orders_of(reader, technician, orders).await?;
        let finished = store::finished_on(reader, orders).await?.into_iter();
        let finished = finished.filter(|job| job.technician == technician);
        let clocked = entries.into_iter().filter_map(|entry| entry.work);
        Ok(clocked.chain(finished.map(|job| job.work)).collect())
    }

    /// For how long at least one clock ran on each of these orders, up to the moment given with it;
    /// nothing of orders on which none ever did.
    pub async fn time_on_orders(
        &self,
        orders: &HashMap<RoNumber, Timestamp>,
    ) -> Result<HashMap<RoNumber, SignedDuration>, ApiError> {
        let numbers: Vec<RoNumber> = orders.keys().copied().collect();
        let entries = store::on_orders(self.store.reader(), &numbers).await?;
        let mut by_order: HashMap<RoNumber, Vec<Entry>> = HashMap::new();
        for (_, entry) in entries {
            if let Some(work) = entry.work {
                by_order.entry(work.order).or_default().push(entry);
            }
        }
        Ok(by_order
            .into_iter()
            .filter_map(|(number, entries)| {
                let until = *orders.get(&number)?;
                Some((number, arithmetic::together(&entries, until)))
            })
            .collect())
    }

    /// For how long each technician has been on the clock today, with a job or without. A clock that was forgotten says
    /// nothing about that.
    pub async fn attended_today(&self) -> Result<HashMap<TechnicianId, SignedDuration>, ApiError> {
        let (now, zone) = (Timestamp::now(), self.shop.time_zone());
        let today = self.calendar(now)?.today;
        // What began before, and was not forgotten, is no longer than a shift.
        let begun = today.saturating_sub(arithmetic::MAX_SHIFT).unwrap_or(today);
        let entries = store::of_shop_since(self.store.reader(), begun, today).await?;
        let mut attended: HashMap<TechnicianId, SignedDuration> = HashMap::new();
        for (technician, entry) in entries {
            if !entry.is_forgotten(now, &zone) {
                let time = Clocked::within(&[entry], today, now).attended;
                *attended.entry(technician).or_default() += time;
            }
        }
        Ok(attended)
    }

    /// Which of these technicians have come on the clock since `since`. A clock that was begun before and runs past the shop's midnight was
    /// forgotten, and says nothing about who was there.
    pub async fn attended_since(
        &self,
        technicians: &[TechnicianId],
        since: Timestamp,
    ) -> Result<HashSet<TechnicianId>, ApiError> {
        Ok(store::technicians_since(self.store.reader(), technicians, since).await?)
    }

    /// The midnight with which the shop's Monday began.
    pub fn start_of_week(&self) -> Result<Timestamp, ApiError> {
        Ok(self.calendar(Timestamp::now())?.week)
    }

    /// The shop's next midnight.
    pub fn end_of_today(&self) -> Result<Timestamp, ApiError> {
        Ok(self.calendar(Timestamp::now())?.tomorrow)
    }

    /// Where the shop's today and week begin, and today ends.
    pub(super) fn calendar(&self, now: Timestamp) -> Result<Calendar, ApiError> {
        Calendar::at(&now.to_zoned(self.shop.time_zone())).map_err(|error| {
            tracing::error!(%error, "the shop's clock has no today");
            ApiError::unavailable()
        })
    }

    /// Fills the clocks of a sample shop; leaves used ones unchanged.
    pub async fn begin_with(
        &self,
        entries: &[(TechnicianId, Entry)],
        finished: &[Finished],
    ) -> Result<(), ApiError> {
        store::begin_with(&self.store, entries, finished).await?;
        self.load().await
    }

    /// These orders, also closed ones.
    pub(super) async fn orders(
        &self,
        numbers: impl Iterator<Item = RoNumber>,
    ) -> Result<HashMap<RoNumber, Arc<RepairOrder>>, ApiError> {
        let mut orders = HashMap::new();
        let mut closed = Vec::new();
        for number in numbers {
            match self.snapshot.get(number) {
                Some(order) => drop(orders.insert(number, order)),
                None => closed.push(number),
            }
        }
        closed.sort_unstable();
        closed.dedup();
        let closed = self.store.load_all(&closed).await?;
        orders.extend(
            closed
                .into_iter()
                .map(|order| (order.number, Arc::new(order))),
        );
        Ok(orders)
    }

    /// As the database has it, whatever this server has heard of it.
    pub(super) async fn stored_order(
        &self,
        number: RoNumber,
    ) -> Result<Option<Arc<RepairOrder>>, ApiError> {
        Ok(self.store.load(number).await?.map(Arc::new))
    }

    /// A job of an order, also of a closed one; 404 `unknown-repair-order`, `unknown-job`.
    pub(super) async fn order_of(&self, work: Work) -> Result<Arc<RepairOrder>, ApiError> {
        let has_job = |order: &RepairOrder| order.jobs.iter().any(|job| job.job_number == work.job);
        let known = self.snapshot.get(work.order);
        let order = match known.filter(|order| has_job(order)) {
            Some(order) => order,
            // It is closed, or another server has imported it, or its job, a moment ago.
            None => self.stored_order(work.order).await?.ok_or_else(|| {
                ApiError::new(
                    ErrorCode::UnknownRepairOrder,
                    format!("Repair order {} is not known", work.order),
                )
            })?,
        };
        if has_job(&order) {
            return Ok(order);
        }
        Err(ApiError::new(
            ErrorCode::UnknownJob,
            format!("Repair order {} has no job {}", work.order, work.job),
        ))
    }

    /// The refusal, as a sentence that names the obstacle.
    pub(super) fn refuse(&self, refused: ClockRefusal) -> ApiError {
        let refuse = |code, sentence: String| ApiError::new(code, sentence);
        match refused {
            ClockRefusal::InFuture => refuse(
                ErrorCode::ClockInFuture,
                "That is later than the server's clock: a clock cannot run ahead of it".to_owned(),
            ),
            ClockRefusal::TooOld => refuse(
                ErrorCode::ClockTooOld,
                "That was tapped more than 24 hours ago: ask Owner or Admin to correct the clock"
                    .to_owned(),
            ),
            ClockRefusal::EndsBeforeItBegins(None) => refuse(
                ErrorCode::ClockEndsBeforeItBegins,
                "An entry ends after it begins".to_owned(),
            ),
            ClockRefusal::EndsBeforeItBegins(Some(entry)) => refuse(
                ErrorCode::ClockEndsBeforeItBegins,
                format!("{} began only after that", self.sentence(&entry)),
            ),
            ClockRefusal::Overlaps(entry) => refuse(
                ErrorCode::ClockOverlaps,
                format!("Some of that time is in {} already", self.sentence(&entry)),
            ),
        }
    }

    /// An entry as a sentence names it, by the clock on the shop's wall.
    fn sentence(&self, entry: &Entry) -> String {
        let local = |at: Timestamp| at.to_zoned(self.shop.time_zone());
        let from = local(entry.started_at);
        let until = match entry.ended_at.map(local) {
            None => "that runs".to_owned(),
            Some(to) if to.date() == from.date() => to.strftime("to %H:%M").to_string(),
            Some(to) => to.strftime("to %Y-%m-%d %H:%M").to_string(),
        };
        let from = from.strftime("%Y-%m-%d %H:%M");
        match entry.work {
            Some(Work { order, job }) => {
                format!("the entry from {from} {until} on repair order {order}, job {job}")
            }
            None => format!("the entry from {from} {until} without a job"),
        }
    }
}
