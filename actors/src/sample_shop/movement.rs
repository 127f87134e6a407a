//! What a busy shop does next, one happening at a time. It keeps a picture of the open orders of
//! its own, so that what it asks for can be done; a person who works beside it may make one of its
//! moves change nothing, which is no harm.

pub(super) mod dealer_system;

use std::time::Duration;

use jiff::civil::Time;
use jiff::{SignedDuration, Timestamp};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::technicians::{DISPATCHERS, Demand, Floor};
use super::write_up::{self, Drive};
use super::{SampleShop, jobs, pick, word};
use crate::repair_order::{
    Command, DisplayedStatus, Priority, RepairOrder, RoNumber, Status, TechnicianId,
};

/// Who was promised a later time does not wait for it.
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(4);

#[derive(Clone, Debug)]
pub struct Movement {
    rng: StdRng,
    drive: Drive,
    floor: Floor,
    /// In no order: what closes is taken out in one step, however many there are.
    open: Vec<RepairOrder>,
    highest: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    pub number: RoNumber,
    pub command: Command,
    pub by: Person,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Person {
    Advisor(String),
    Dispatcher(String),
    Technician { id: TechnicianId, name: String },
    DealerSystem,
}

impl Movement {
    /// `open`: the orders that the database holds now; closed ones among them are left alone.
    pub fn new(seed: u64, shop: &SampleShop, open: Vec<RepairOrder>) -> Self {
        let highest = open.iter().map(|order| order.number.get()).max();
        let last_of_shop = shop.orders.last().map(|(number, _)| number.get());
        let mut movement = Self {
            rng: StdRng::seed_from_u64(seed),
            drive: Drive {
                advisors: shop.advisors.clone(),
                zone: shop.zone.clone(),
                scripts: shop.scripts,
            },
            floor: Floor::new(shop.technicians.clone()),
            open: Vec::with_capacity(open.len() + 1),
            highest: highest.max(last_of_shop).unwrap_or(40_200),
        };
        for order in open.into_iter().filter(|order| order.closed_at.is_none()) {
            movement.add_order(order);
        }
        movement
    }

    /// The next happening, by the shop's clock: one move, or two that belong together. An arrival
    /// goes with a closing, so the number of open orders stays.
    pub fn next(&mut self, now: Timestamp) -> Vec<Move> {
        /// Not every happening finds an order it fits; an arrival always does.
        const TRIES: usize = 20;
        for _ in 0..TRIES {
            let moves = match self.rng.random_range(0..100) {
                0..12 => break,
                // As often as arrivals, and a little more, since it does not always find one.
                12..28 => self.dispatch(),
                28..39 => self.change_status(now),
                39..57 => self.change_priority(),
                57..71 => self.reassign(),
                71..80 => self.add_or_remove(),
                80..85 => self.punch(),
                85..90 => self.add_line(),
                _ => self.change_promised_time(now),
            };
            if let Some(moves) = moves {
                return moves;
            }
        }
        self.arrive_and_close(now)
    }

    /// Real time until the next happening: 1 s to 8 s, by the clock on the shop's wall.
    pub fn pause(&mut self, local: Time) -> Duration {
        let milliseconds = match (local.hour(), local.minute()) {
            (7, 15..) | (8, _) => 1_000..2_200,
            (16, _) | (17, 0..30) => 1_200..2_600,
            (12, _) => 4_000..7_000,
            (7, _) | (9..16, _) => 2_000..4_500,
            _ => 5_000..8_000,
        };
        Duration::from_millis(self.rng.random_range(milliseconds))
    }

    /// The desk gives an order to its first technician, waiters first.
    fn dispatch(&mut self) -> Option<Vec<Move>> {
        let index = self.best_of(8, |order| {
            order
                .regular_technicians
                .is_empty()
                .then_some(order.priority)
        })?;
        let technician = self.available_technician(index)?;
        let by = self.dispatcher();
        self.apply_command(index, Command::Assign(technician), by)
            .map(|only| vec![only])
    }

    fn reassign(&mut self) -> Option<Vec<Move>> {
        let index = self.best_of(4, |order| removable(order).map(drop))?;
        let from = removable(&self.open[index])?;
        let to = self.available_technician(index)?;
        let by = self.dispatcher();
        let unassigned = self.apply_command(index, Command::Unassign(from), by.clone())?;
        let assigned = self.apply_command(index, Command::Assign(to), by)?;
        Some(vec![unassigned, assigned])
    }

    /// A second pair of hands, or one fewer; never so few that nobody is left.
    fn add_or_remove(&mut self) -> Option<Vec<Move>> {
        let by = self.dispatcher();
        let add = self.rng.random_bool(0.5);
        let (index, command) = if add {
            let index = self.best_of(4, |order| {
                (order.regular_technicians.len() == 1).then_some(())
            })?;
            (index, Command::Assign(self.available_technician(index)?))
        } else {
            let several = |order: &RepairOrder| order.regular_technicians.len() > 1;
            let index = self.best_of(8, |order| {
                several(order).then(|| removable(order).map(drop))?
            })?;
            (index, Command::Unassign(removable(&self.open[index])?))
        };
        self.apply_command(index, command, by)
            .map(|only| vec![only])
    }

    /// A customer decides to wait or to leave the car, or the work turns out to be heavy. Drawn with
    /// the shares of a whole shop, so that a day of it does not change the picture.
    fn change_status(&mut self, now: Timestamp) -> Option<Vec<Move>> {
        let index = self.best_of(1, |order| {
            let lot = matches!(
                order.displayed_status(),
                DisplayedStatus::Pdi | DisplayedStatus::Used
            );
            (!lot).then_some(())
        })?;
        let to = match self.rng.random_range(0..100) {
            0..21 => Status::Waiting,
            21..24 => Status::Eng,
            24..27 => Status::Trans,
            _ => Status::Drop,
        };
        let order = &self.open[index];
        if to
            == order
                .app_customer_status
                .unwrap_or_else(|| order.displayed_status().into())
        {
            return None;
        }
        // A technician who found more to do than the customer has time for sends them home.
        let lead = order
            .regular_technicians
            .first()
            .map(|lead| lead.technician);
        let by_technician = to == Status::Drop && self.rng.random_bool(0.4);
        let by = match lead.and_then(|lead| self.technician(lead)) {
            Some(technician) if by_technician => technician,
            _ => self.advisor(index),
        };
        let mut moves = vec![self.apply_command(index, Command::ChangeStatus(to), by)?];
        // Nobody waits until tomorrow.
        let is_later = |promise: Timestamp| promise.duration_since(now) > MAX_WAIT;
        if to == Status::Waiting && self.open[index].promised_at.is_some_and(is_later) {
            let promised_at = self.drive.promise(&mut self.rng, true, now, now);
            moves.extend(self.promise(index, promised_at).into_iter().flatten());
        }
        Some(moves)
    }

    fn change_priority(&mut self) -> Option<Vec<Move>> {
        let index = self.best_of(2, |order| {
            (order.displayed_status() == DisplayedStatus::Drop).then_some(())
        })?;
        let to = write_up::desk_priority(&mut self.rng);
        let raised_by_desk = to == Priority::High && self.rng.random_bool(0.3);
        let by = if raised_by_desk {
            self.dispatcher()
        } else {
            self.advisor(index)
        };
        self.apply_command(index, Command::ChangePriority(to), by)
            .map(|only| vec![only])
    }

    /// Does it in this picture; none when it would be refused or change nothing.
    fn apply_command(&mut self, index: usize, command: Command, by: Person) -> Option<Move> {
        let order = self.open.get_mut(index)?;
        let changes = order.apply(&command).ok()?;
        let (technicians, hundredths) = work_of(order);
        self.floor.releases(&technicians, hundredths);
        for change in &changes {
            order.evolve(change);
        }
        let (technicians, hundredths) = work_of(order);
        self.floor.takes(&technicians, hundredths);
        (!changes.is_empty()).then_some(Move {
            number: order.number,
            command,
            by,
        })
    }

    fn add_order(&mut self, order: RepairOrder) {
        let (technicians, hundredths) = work_of(&order);
        self.floor.takes(&technicians, hundredths);
        self.open.push(order);
    }

    /// Of `draws` orders drawn at random the one with the highest worth; those worth none are left
    /// out. A look at all would be slow in a shop of 100,000.
    fn best_of<W: Ord>(
        &mut self,
        draws: usize,
        worth: impl Fn(&RepairOrder) -> Option<W>,
    ) -> Option<usize> {
        if self.open.is_empty() {
            return None;
        }
        let drawn = (0..draws).map(|_| self.rng.random_range(0..self.open.len()));
        let drawn: Vec<usize> = drawn.collect();
        let worthy = drawn
            .into_iter()
            .filter_map(|index| Some((worth(&self.open[index])?, index)));
        worthy.max().map(|(_, index)| index)
    }

    fn available_technician(&mut self, index: usize) -> Option<TechnicianId> {
        let order = &self.open[index];
        let both = order
            .regular_technicians
            .iter()
            .chain(&order.etl_technicians);
        let excluded: Vec<TechnicianId> = both.map(|assigned| assigned.technician).collect();
        self.floor
            .available_technician(&mut self.rng, &demand(order), &excluded)
    }

    fn dispatcher(&mut self) -> Person {
        Person::Dispatcher(word(&mut self.rng, DISPATCHERS).to_string())
    }

    fn technician(&self, id: TechnicianId) -> Option<Person> {
        let name = self.floor.name(id)?.to_owned();
        Some(Person::Technician { id, name })
    }

    /// Mostly the order's own advisor; a colleague when that one is at lunch.
    fn advisor(&mut self, index: usize) -> Person {
        let own = &self.open[index].header.advisor;
        if own.is_empty() || self.rng.random_bool(0.1) {
            Person::Advisor(pick(&mut self.rng, &self.drive.advisors).clone())
        } else {
            Person::Advisor(own.clone())
        }
    }
}

/// A technician the desk may take off an order: not one the dealer's system also names, since that
/// assignment would stay.
fn removable(order: &RepairOrder) -> Option<TechnicianId> {
    let etl = |id| order.etl_technicians.iter().any(|t| t.technician == id);
    order
        .regular_technicians
        .iter()
        .map(|t| t.technician)
        .find(|id| !etl(*id))
}

/// Everybody on it, once, and what is to do.
fn work_of(order: &RepairOrder) -> (Vec<TechnicianId>, i64) {
    let both = order
        .regular_technicians
        .iter()
        .chain(&order.etl_technicians);
    let mut technicians: Vec<TechnicianId> = both.map(|assigned| assigned.technician).collect();
    technicians.sort_unstable();
    technicians.dedup();
    let to_do = order
        .jobs
        .iter()
        .map(|job| jobs::hundredths_to_do(&job.operations, !job.brief_tech_notes.is_empty()));
    (technicians, to_do.sum())
}

pub(super) fn demand(order: &RepairOrder) -> Demand {
    let operations = order.jobs.iter().flat_map(|job| &job.operations);
    jobs::demand(operations.map(|operation| operation.operation_code.as_str()))
}
