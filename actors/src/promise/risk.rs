//! The answer for each promise, and the figures it is made of.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::queue::{Before, OpenWork, Queue, open_work, queues};
use super::remaining::Work;
use super::working_time::{HORIZON_DAYS, WorkingTime};
use super::{Attendance, ShopNow};
use crate::repair_order::{RepairOrder, RoNumber, TechnicianId};

/// What is to spare at least, so that an order is on time: this, and a part of the work before it is ready, since work
/// rarely takes just what it is sold for. Chosen on the tuning seed of `make promise`.
const LEAST_SPARE: SignedDuration = SignedDuration::from_mins(10);
const SPARE_PERCENT: i32 = 5;

/// What is not known becomes a risk when no more than this is left of the shop's hours beside the work that is known.
/// Chosen on the same.
const SOON: SignedDuration = SignedDuration::from_mins(15);

/// The technician should have been on the clock so long after opening.
const LATEST_CLOCK_IN: SignedDuration = SignedDuration::from_hours(1);

/// Whether a promise will be kept. The later ones are the worse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Risk {
    /// All that is left is known, somebody has it, and it is done in time with something to spare; or it was.
    OnTime,
    /// Nothing speaks against it, and something that would have to be known is not.
    Unknown { why: Vec<Reason> },
    /// What is known does not fit, or only just; or what is unknown has no time left to become known. At least one reason.
    AtRisk { why: Vec<Reason> },
    /// The promised time is over by so much; of an order whose jobs are all finished, it was when the last one was.
    Late { by: SignedDuration },
}

/// Why a promise is at risk, or its answer unknown. The figures say how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = PromiseRiskReason)]
pub enum Reason {
    /// The work before it and its own take longer than until the promise.
    DoesNotFit,
    /// They would not, but the technician's day or the shop's ends before.
    DayEnds,
    /// They would not, but a hold is expected to last too long.
    HoldLasts,
    /// They fit, and less is to spare than such work mostly takes longer.
    Tight,
    /// Nobody was given the order.
    NobodyHasIt,
    /// The order has no job.
    NoJobs,
    /// Some jobs have no sold hours.
    HoursUnknown,
    /// Of some jobs all sold hours have been clocked, and they are not finished.
    HoursUsedUp,
    /// What stands before it has such jobs.
    QueueUnknown,
    /// A hold has no expected end, or should have ended.
    HoldWithoutEnd,
    /// It fits only if a technician, who has not been on the clock today, comes.
    NotClockedIn,
    /// It fits only if a technician, who is off the clock again, comes back.
    ClockedOut,
}

/// A promise of an open order, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromiseRisk {
    pub order: RoNumber,
    pub promised_at: Timestamp,
    pub risk: Risk,
    pub figures: Figures,
}

/// What the answer is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Left of the order's unfinished jobs, as far as it is known.
    pub remaining: SignedDuration,
    pub jobs_left: u32,
    pub jobs_without_hours: u32,
    pub jobs_over_hours: u32,
    /// How many technicians have it; the work is theirs in equal parts.
    pub technicians: u32,
    /// Of these, the one who is ready last.
    pub technician: Option<TechnicianId>,
    /// What that technician does before it, as far as it is known, and how many orders that is.
    pub before: SignedDuration,
    pub orders_before: u32,
    /// When that technician could begin it or go on with it.
    pub free_at: Option<Timestamp>,
    /// When it would be ready by what is known; where nobody has it, if somebody began now. None when that is more than
    /// sixty days ahead.
    pub ready_about: Option<Timestamp>,
    /// When the order's own work must begin at the latest, by the shop's hours. None where that is over.
    pub begin_by: Option<Timestamp>,
    /// The last expected end of its holds.
    pub hold_until: Option<Timestamp>,
    /// When the shop's current day of work ends, or the next one.
    pub closes_at: Option<Timestamp>,
    /// When the last job was finished, where all are.
    pub finished_at: Option<Timestamp>,
}

/// Every promise of an open order, by number.
pub fn risks<O: AsRef<RepairOrder>>(shop: &ShopNow<'_, O>) -> Vec<PromiseRisk> {
    let judge = Judge::new(shop);
    let open = open_work(shop, judge.midnight);
    let queues = queues(shop, &open);
    let days: HashMap<TechnicianId, Days> = queues
        .keys()
        .map(|technician| (*technician, judge.days_of(shop.attendance(*technician))))
        .collect();
    let mut risks: Vec<PromiseRisk> = open
        .iter()
        .filter_map(|one| judge.promise(one, &queues, &days))
        .collect();
    risks.sort_unstable_by_key(|one| one.order);
    risks
}

/// What is the same for all orders.
struct Judge {
    now: Timestamp,
    /// The end of the shop's today.
    midnight: Timestamp,
    /// The shop's days of work from today on.
    days: Vec<(Timestamp, Timestamp)>,
    shop_time: WorkingTime,
    uses_clocks: bool,
}

/// When a technician works.
struct Days {
    from_now: WorkingTime,
    /// If they do not come today.
    from_tomorrow: WorkingTime,
    /// Why they might not.
    absence: Option<Reason>,
}

/// An order's part of one technician.
struct Part {
    technician: Option<TechnicianId>,
    before: Before,
    free_at: Option<Timestamp>,
    ready: Option<Timestamp>,
    fits: bool,
    fits_with_spare: bool,
    fits_without_hold: bool,
    absence: Option<Reason>,
    /// Before it and its own.
    total: SignedDuration,
}

impl Judge {
    fn new<O: AsRef<RepairOrder>>(shop: &ShopNow<'_, O>) -> Self {
        let days = shop.hours.from(shop.now, shop.zone, HORIZON_DAYS);
        Self {
            now: shop.now,
            midnight: super::midnight(shop.zone, shop.now),
            shop_time: WorkingTime::of_shop(&days, shop.now),
            days,
            uses_clocks: shop.uses_clocks(),
        }
    }

    fn days_of(&self, attendance: Attendance) -> Days {
        let days = |today| {
            WorkingTime::of_technician(&attendance, &self.days, self.now, self.midnight, today)
        };
        let opened = self.days.first().map(|(opens, _)| *opens);
        let late = opened.is_some_and(|opened| self.now.duration_since(opened) > LATEST_CLOCK_IN);
        let absence = if attendance.is_on_clock() || !self.uses_clocks {
            None
        } else if attendance.attended.is_positive() {
            Some(Reason::ClockedOut)
        } else {
            late.then_some(Reason::NotClockedIn)
        };
        Days {
            from_now: days(true),
            from_tomorrow: days(false),
            absence,
        }
    }

    /// None of an order without a promise.
    fn promise(
        &self,
        one: &OpenWork<'_>,
        queues: &HashMap<TechnicianId, Queue>,
        days: &HashMap<TechnicianId, Days>,
    ) -> Option<PromiseRisk> {
        let promised = one.order.promised_at?;
        let parts = self.parts(one, promised, queues, days);
        // The one who is ready last; beyond the horizon is later than all.
        let last = parts.iter().max_by_key(|part| {
            let ready = part.ready.unwrap_or(Timestamp::MAX);
            (ready, part.total)
        });
        let figures = self.figures(one, promised, last);
        let risk = match one.left.finished_at {
            Some(at) if at <= promised => Risk::OnTime,
            Some(at) => Risk::Late {
                by: at.duration_since(promised),
            },
            None if promised <= self.now => Risk::Late {
                by: self.now.duration_since(promised),
            },
            None => self.unfinished(one, promised, &parts),
        };
        Some(PromiseRisk {
            order: one.order.number,
            promised_at: promised,
            risk,
            figures,
        })
    }

    /// Each technician's part; where nobody has the order, that of somebody who would begin now.
    fn parts(
        &self,
        one: &OpenWork<'_>,
        promised: Timestamp,
        queues: &HashMap<TechnicianId, Queue>,
        days: &HashMap<TechnicianId, Days>,
    ) -> Vec<Part> {
        let own = one.left.all.shared(one.technicians.len());
        let hold_until = one.hold_until(self.now);
        let part = |technician, before: Before, time: &WorkingTime, days: Option<&Days>| {
            let total = before.work.known + own.known;
            // Work that is held is done after the hold, whatever was done before it.
            let held = one.held_work(own).known;
            let done = |time: &WorkingTime, spare: SignedDuration| {
                let in_turn = time.done_after(total + spare)?;
                match hold_until {
                    None => Some(in_turn),
                    Some(until) => {
                        let after = time.done_after(time.until(until) + held + spare)?;
                        Some(in_turn.max(after).max(until))
                    }
                }
            };
            let is_in_time =
                |ready: Option<Timestamp>| ready.is_some_and(|ready| ready <= promised);
            let spare = LEAST_SPARE + total * SPARE_PERCENT / 100;
            let ready = done(time, SignedDuration::ZERO);
            let absence = days.and_then(|days| {
                let without_today = done(&days.from_tomorrow, SignedDuration::ZERO);
                days.absence.filter(|_| !is_in_time(without_today))
            });
            Part {
                technician,
                free_at: time.start_after(before.work.known),
                ready,
                fits: is_in_time(ready),
                fits_with_spare: is_in_time(done(time, spare)),
                fits_without_hold: is_in_time(time.done_after(total)),
                absence,
                total,
                before,
            }
        };
        let having = one.technicians.iter().filter_map(|technician| {
            let days = days.get(technician)?;
            let before = queues.get(technician)?.before(one.order);
            Some(part(Some(*technician), before, &days.from_now, Some(days)))
        });
        let mut parts: Vec<Part> = having.collect();
        if parts.is_empty() {
            parts.push(part(None, Before::default(), &self.shop_time, None));
        }
        parts
    }

    fn unfinished(&self, one: &OpenWork<'_>, promised: Timestamp, parts: &[Part]) -> Risk {
        let mut why = Vec::new();
        if let Some(part) = parts.iter().find(|part| !part.fits) {
            let time = promised.duration_since(self.now);
            why.push(if part.fits_without_hold {
                Reason::HoldLasts
            } else if part.total <= time {
                Reason::DayEnds
            } else {
                Reason::DoesNotFit
            });
        } else if parts.iter().any(|part| !part.fits_with_spare) {
            why.push(Reason::Tight);
        }
        let is_at_risk = !why.is_empty();
        let unknown = unknowns(self.now, one, parts);
        let longest = parts.iter().map(|part| part.total).max();
        let spare = self.shop_time.until(promised) - longest.unwrap_or_default();
        let is_soon = spare <= SOON;
        why.extend(&unknown);
        if is_at_risk || (!unknown.is_empty() && is_soon) {
            Risk::AtRisk { why }
        } else if unknown.is_empty() {
            Risk::OnTime
        } else {
            Risk::Unknown { why }
        }
    }

    fn figures(&self, one: &OpenWork<'_>, promised: Timestamp, last: Option<&Part>) -> Figures {
        let own = one.left.all.shared(one.technicians.len()).known;
        let left = self.shop_time.until(promised) - own;
        let closes_at = self.days.iter().map(|(_, closes)| *closes);
        Figures {
            remaining: one.left.all.known,
            jobs_left: one.left.jobs,
            jobs_without_hours: one.left.all.without_hours,
            jobs_over_hours: one.left.all.used_up,
            technicians: u32::try_from(one.technicians.len()).unwrap_or(u32::MAX),
            technician: last.and_then(|part| part.technician),
            before: last.map_or(SignedDuration::ZERO, |part| part.before.work.known),
            orders_before: last.map_or(0, |part| part.before.orders),
            free_at: last.and_then(|part| part.technician.and(part.free_at)),
            ready_about: last.and_then(|part| part.ready),
            begin_by: (!left.is_negative())
                .then(|| self.shop_time.start_after(left))
                .flatten(),
            hold_until: one.hold_until(self.now),
            closes_at: closes_at.into_iter().find(|closes| *closes > self.now),
            finished_at: one.left.finished_at,
        }
    }
}

/// What would have to be known before an order could be called on time.
fn unknowns(now: Timestamp, one: &OpenWork<'_>, parts: &[Part]) -> Vec<Reason> {
    let left = one.left.all;
    let queue_is_unknown = |part: &Part| !part.before.work.is_known();
    let has_open_hold = one.holds.iter().any(|hold| hold.end(now).is_none());
    let found = [
        (one.technicians.is_empty(), Reason::NobodyHasIt),
        (!one.left.has_jobs, Reason::NoJobs),
        (
            one.left.has_jobs && left.without_hours > 0,
            Reason::HoursUnknown,
        ),
        (left.used_up > 0, Reason::HoursUsedUp),
        (parts.iter().any(queue_is_unknown), Reason::QueueUnknown),
        (has_open_hold, Reason::HoldWithoutEnd),
    ];
    let found = found.into_iter().filter(|(is_so, _)| *is_so);
    let mut why: Vec<Reason> = found.map(|(_, reason)| reason).collect();
    for absence in parts.iter().filter_map(|part| part.absence) {
        if !why.contains(&absence) {
            why.push(absence);
        }
    }
    why
}

impl OpenWork<'_> {
    fn hold_until(&self, now: Timestamp) -> Option<Timestamp> {
        let ends = self.holds.iter().filter_map(|hold| hold.end(now));
        ends.max()
    }

    /// The part of this work that a hold stands before, at most.
    fn held_work(&self, own: Work) -> Work {
        match self.holds.is_empty() {
            true => Work::default(),
            false => own,
        }
    }
}
