//! Changes from the dealer's system: cars come and go, technicians punch on, lines are added,
//! promised times change.

use std::cmp::Reverse;

use jiff::{SignedDuration, Timestamp};
use rand::Rng;

use super::{Move, Movement, Person, work_of};
use crate::repair_order::{
    Change, Command, DisplayedStatus, ImportedJob, ImportedOrder, RepairOrder, RoNumber,
};
use crate::sample_shop::write_up::{self, assigned_technician, assignment};
use crate::sample_shop::{DMS, jobs, pick};

impl Movement {
    pub(super) fn arrive_and_close(&mut self, now: Timestamp) -> Vec<Move> {
        let mut moves = Vec::with_capacity(2);
        let leaves = self.finished();
        if let Ok(number) = RoNumber::try_from(self.highest + 1) {
            let status = write_up::status(&mut self.rng, write_up::WAITING);
            let arrival = self.drive.arrival(&mut self.rng, number, status, now, now);
            self.highest += 1;
            if let [Change::Created { repair_order }, ..] =
                RepairOrder::create(number, &arrival, now).as_slice()
            {
                self.add_order((**repair_order).clone());
                moves.push(dealer_system(number, arrival));
            }
        }
        if let Some(index) = leaves {
            let order = self.open.swap_remove(index);
            let (technicians, hundredths) = work_of(&order);
            self.floor.releases(&technicians, hundredths);
            let closing = ImportedOrder {
                closed_at: Some(now),
                ..unchanged_import(&order)
            };
            moves.push(dealer_system(order.number, closing));
        }
        moves
    }

    /// An order that can be closed: of a few one that someone worked on, the oldest first. Those who wait leave as often
    /// as they come, whoever was promised the earliest first.
    fn finished(&mut self) -> Option<usize> {
        let waiter_leaves = self.rng.random_bool(write_up::WAITING);
        self.best_of(12, |order| {
            let waits = order.displayed_status() == DisplayedStatus::Waiting;
            let expected = order.promised_at.filter(|_| waits);
            let worked_on = !order.regular_technicians.is_empty();
            let since = Reverse(expected.unwrap_or(order.opened_at));
            Some((waits == waiter_leaves, worked_on, since))
        })
    }

    /// A technician takes work by punching on to a line in the dealer's system.
    pub(super) fn punch(&mut self) -> Option<Vec<Move>> {
        let index = self.best_of(4, |order| {
            let room = order.etl_technicians.is_empty() && !order.regular_technicians.is_empty();
            (room && !order.jobs.is_empty()).then_some(())
        })?;
        let order = &self.open[index];
        let own = order
            .regular_technicians
            .first()
            .map(|lead| lead.technician);
        let technician = match own.filter(|own| self.floor.name(*own).is_some()) {
            Some(own) if self.rng.random_bool(0.3) => own,
            _ => self.available_technician(index)?,
        };
        let order = &self.open[index];
        let job = pick(&mut self.rng, &order.jobs);
        let mut assignments = job.assignments.clone();
        assignments.push(assignment(DMS, self.floor.first_name(technician)?));
        let line = ImportedJob {
            job_number: job.job_number,
            assignments: Some(assignments),
            ..ImportedJob::default()
        };
        let imported = ImportedOrder {
            etl_technicians: Some(vec![assigned_technician(technician)]),
            jobs: vec![line],
            ..unchanged_import(order)
        };
        self.apply_command(
            index,
            Command::Import(Box::new(imported)),
            Person::DealerSystem,
        )
        .map(|only| vec![only])
    }

    /// The technician found something else, and the customer agreed.
    pub(super) fn add_line(&mut self) -> Option<Vec<Move>> {
        const MAX_LINES: usize = 6;
        let index = self.best_of(4, |order| {
            let customers = matches!(
                order.displayed_status(),
                DisplayedStatus::Drop | DisplayedStatus::Waiting
            );
            (customers && order.jobs.len() < MAX_LINES).then_some(())
        })?;
        let order = &self.open[index];
        let line = jobs::added_line(&mut self.rng, &order.jobs);
        let imported = ImportedOrder {
            jobs: vec![line],
            ..unchanged_import(order)
        };
        self.apply_command(
            index,
            Command::Import(Box::new(imported)),
            Person::DealerSystem,
        )
        .map(|only| vec![only])
    }

    /// The advisor calls the customer and writes another time into the dealer's system.
    pub(super) fn change_promised_time(&mut self, now: Timestamp) -> Option<Vec<Move>> {
        /// Until then the car may be done any minute.
        const LATE: SignedDuration = SignedDuration::from_mins(40);
        if self.rng.random_bool(0.35) {
            return self.promise_sooner(now);
        }
        let index = self.best_of(8, |order| {
            let late = now.duration_since(order.promised_at?);
            let waits = order.displayed_status() == DisplayedStatus::Waiting;
            (late > if waits { SignedDuration::ZERO } else { LATE }).then_some(())
        })?;
        let waiting = self.open[index].displayed_status() == DisplayedStatus::Waiting;
        let promised_at = self.drive.promise(&mut self.rng, waiting, now, now);
        self.promise(index, promised_at)
    }

    /// The customer comes sooner than they said; not every car is done by then.
    fn promise_sooner(&mut self, now: Timestamp) -> Option<Vec<Move>> {
        let index = self.best_of(4, |order| {
            let is_left = order.displayed_status() == DisplayedStatus::Drop;
            (is_left && order.promised_at.is_none_or(|at| at > now)).then_some(())
        })?;
        let minutes = self.rng.random_range(5..25);
        self.promise(index, Some(now + SignedDuration::from_mins(minutes)))
    }

    pub(super) fn promise(
        &mut self,
        index: usize,
        promised_at: Option<Timestamp>,
    ) -> Option<Vec<Move>> {
        let imported = ImportedOrder {
            promised_at,
            ..unchanged_import(&self.open[index])
        };
        self.apply_command(
            index,
            Command::Import(Box::new(imported)),
            Person::DealerSystem,
        )
        .map(|only| vec![only])
    }
}

/// The dealer's system speaking of an order it has spoken of before: under the same number.
pub(in crate::sample_shop) fn unchanged_import(order: &RepairOrder) -> ImportedOrder {
    let dms_number = order
        .dms_number
        .clone()
        .unwrap_or_else(|| order.number.to_string());
    ImportedOrder {
        dms_number,
        ..ImportedOrder::default()
    }
}

fn dealer_system(number: RoNumber, imported: ImportedOrder) -> Move {
    Move {
        number,
        command: Command::Import(Box::new(imported)),
        by: Person::DealerSystem,
    }
}
