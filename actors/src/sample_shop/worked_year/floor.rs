//! The technicians of a worked year: when they are there, what they take next, and how it goes on.

use jiff::{SignedDuration, Timestamp};
use rand::Rng;
use rand::rngs::StdRng;

use super::Year;
use crate::promise::Hold;
use crate::repair_order::TechnicianId;
use crate::sample_shop::{SampleEntry, SampleTechnician};

/// Who works, and on what.
pub(super) struct Technician {
    pub(super) id: TechnicianId,
    daily_hours: u8,
    /// Minutes of work in a minute.
    pace: f64,
    /// Today, before lunch and after it; empty for whom is away.
    shifts: Vec<(Timestamp, Timestamp)>,
    /// Order and job by their places, also overnight.
    current: Option<(usize, usize)>,
    /// Since when the clock runs on it.
    clocked_since: Option<Timestamp>,
}

impl Technician {
    pub(super) fn new(rng: &mut StdRng, technician: &SampleTechnician) -> Self {
        Self {
            id: technician.id,
            daily_hours: technician.daily_hours,
            pace: rng.random_range(0.82..1.22),
            shifts: vec![],
            current: None,
            clocked_since: None,
        }
    }

    pub(super) fn is_away(&self) -> bool {
        self.shifts.is_empty()
    }

    pub(super) fn minutes_today(&self) -> i64 {
        let shifts = self.shifts.iter();
        shifts
            .map(|(from, to)| to.duration_since(*from).as_mins())
            .sum()
    }

    /// The day begins.
    pub(super) fn come(&mut self, rng: &mut StdRng, opens: Timestamp, closes: Timestamp) {
        self.shifts.clear();
        if rng.random_bool(0.1) {
            return;
        }
        let minutes = SignedDuration::from_mins;
        let late = match rng.random_bool(0.05) {
            true => rng.random_range(60..240),
            false => rng.random_range(0..50),
        };
        let from = opens + minutes(late);
        let early = match rng.random_bool(0.05) {
            true => rng.random_range(60..180),
            false => rng.random_range(-20..20),
        };
        let there = i64::from(self.daily_hours) * 60 - early;
        let lunch = opens + minutes(rng.random_range(275..335));
        let back = lunch + minutes(rng.random_range(28..52));
        let until = (from + minutes(there) + back.duration_since(lunch)).min(closes);
        let stretches = [(from, lunch.min(until)), (back.max(from), until)];
        self.shifts
            .extend(stretches.into_iter().filter(|(from, to)| from < to));
    }

    fn is_there(&self, now: Timestamp) -> bool {
        self.shifts
            .iter()
            .any(|(from, to)| (*from..*to).contains(&now))
    }
}

impl Year {
    /// A minute passes on the floor.
    pub(super) fn turn_wrenches(&mut self, now: Timestamp) {
        for index in 0..self.technicians.len() {
            if !self.technicians[index].is_there(now) {
                self.stop_clock(index, now);
                continue;
            }
            if self.technicians[index].current.is_none() {
                self.technicians[index].current = self.next_job(index, now);
            }
            if let Some(current) = self.technicians[index].current {
                self.work_on(index, current, now);
            }
        }
    }

    /// The car that the portal names, and now and then another one.
    fn next_job(&mut self, index: usize, now: Timestamp) -> Option<(usize, usize)> {
        let id = self.technicians[index].id;
        let mut own: Vec<_> = self
            .open
            .iter()
            .filter(|place| {
                let order = &self.recorded.orders[**place];
                order.assigned.last().is_some_and(|(_, has)| *has == id) && order.ready_at.is_none()
            })
            .filter_map(|place| Some((*place, self.job_of(*place, now)?)))
            .collect();
        own.sort_unstable_by_key(|(place, _)| {
            let order = &self.recorded.orders[*place].order;
            let is_begun = !self.recorded.orders[*place].finished.is_empty();
            let urgency = order.displayed_status().urgency(order.priority);
            // A car in hand is finished, but for a waiter.
            (urgency > 0 && !is_begun, urgency, order.number)
        });
        if own.is_empty() {
            return None;
        }
        let choice = match self.rng.random_bool(0.12) {
            true => self.rng.random_range(0..own.len()),
            false => 0,
        };
        own.get(choice).copied()
    }

    /// The first job of an order that can be done now.
    fn job_of(&self, place: usize, now: Timestamp) -> Option<usize> {
        let truth = &self.truths[place];
        let is_held = |until: Option<Timestamp>| until.is_some_and(|until| until > now);
        if is_held(truth.held_until) {
            return None;
        }
        let mut jobs = truth.jobs.iter();
        jobs.position(|job| !job.is_done && !is_held(job.held_until))
    }

    fn work_on(&mut self, index: usize, (place, job): (usize, usize), now: Timestamp) {
        let technician = &mut self.technicians[index];
        let work = &mut self.truths[place].jobs[job];
        if work.is_clocked && technician.clocked_since.is_none() {
            technician.clocked_since = Some(now);
        }
        work.left -= technician.pace;
        let number = work.number;
        let then = now + SignedDuration::from_mins(1);
        if let Some((_, minutes)) = work.parts.take_if(|(at, _)| work.left <= *at) {
            let until = then + SignedDuration::from_mins(minutes);
            work.held_until = Some(until);
            let is_told = self.rng.random_bool(0.8);
            self.hold(place, Some(number), then, until, is_told);
            self.put_down(index, then);
        } else if work.left <= 0.0 {
            work.is_done = true;
            self.put_down(index, then);
            self.finish(place, number, then);
        }
    }

    fn finish(&mut self, place: usize, job: i32, at: Timestamp) {
        self.recorded.orders[place].finished.push((job, at));
        let truth = &mut self.truths[place];
        if truth.jobs.iter().all(|job| job.is_done) {
            let order = &mut self.recorded.orders[place];
            order.ready_at = Some(at);
            let hundredths = (super::sold_minutes(&order.order) / 0.6) as i64;
            if let Some((_, technician)) = order.assigned.last() {
                self.floor.releases(&[*technician], hundredths);
            }
        } else if let Some((minutes, is_told)) = truth.approval.take() {
            let until = at + SignedDuration::from_mins(minutes);
            truth.held_until = Some(until);
            self.hold(place, None, at, until, is_told);
        }
    }

    /// What is told of its end is mostly too early.
    fn hold(
        &mut self,
        place: usize,
        job: Option<i32>,
        since: Timestamp,
        until: Timestamp,
        is_told: bool,
    ) {
        let lasts = until.duration_since(since).as_secs() as f64;
        let told = lasts * self.rng.random_range(0.7..1.1);
        let expected_until = is_told.then(|| since + SignedDuration::from_secs(told as i64));
        let order = &mut self.recorded.orders[place];
        let hold = Hold {
            order: order.order.number,
            job,
            since,
            expected_until,
        };
        order.holds.push((hold, until));
    }

    fn put_down(&mut self, index: usize, at: Timestamp) {
        self.stop_clock(index, at);
        self.technicians[index].current = None;
    }

    /// An order is given to somebody else.
    pub(super) fn lay_down(&mut self, technician: TechnicianId, order: usize) {
        let mut technicians = self.technicians.iter_mut();
        let has = technicians.find(|one| one.id == technician);
        if let Some(one) = has.filter(|one| one.current.is_some_and(|(place, _)| place == order)) {
            one.current = None;
        }
    }

    fn stop_clock(&mut self, index: usize, at: Timestamp) {
        let technician = &mut self.technicians[index];
        let Some(started_at) = technician.clocked_since.take() else {
            return;
        };
        if let Some((place, job)) = technician.current
            && started_at < at
        {
            let work = (
                self.recorded.orders[place].order.number,
                self.truths[place].jobs[job].number,
            );
            self.recorded.entries.push(SampleEntry {
                technician: technician.id,
                started_at,
                ended_at: Some(at),
                work: Some(work),
            });
        }
    }

    /// The day is over.
    pub(super) fn leave(&mut self, index: usize, at: Timestamp) {
        self.stop_clock(index, at);
        let technician = &self.technicians[index];
        let shifts = technician.shifts.iter();
        let there = shifts.map(|(from, to)| (technician.id, *from, *to));
        self.recorded.attendance.extend(there);
    }
}
