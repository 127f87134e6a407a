//! Where the cars of a shop waited: for how long they stood in each stage, by day, by technician and by advisor. Pure:
//! made of the events of orders, by [`stage_strip`], and of the borders of the shop's days.
//!
//! An order counts while it is open: from its opening to its closing, without the time between a closing and a
//! reopening. So what its stages add up to, within some days, is the time that it was open in them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::repair_order::{
    Change, RepairOrder, RoNumber, StageId, StageSpan, TechnicianId, stage_strip,
};

/// An order, as far as it matters where it stood and who had it.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderLife {
    pub number: RoNumber,
    pub opened_at: Timestamp,
    pub closed_at: Option<Timestamp>,
    /// As the order names them now; empty for nobody.
    pub advisor: String,
    /// With the moments at which the log got them, oldest first.
    pub events: Vec<(Timestamp, Change)>,
}

/// The days that are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayBorders {
    /// Milliseconds: where each day begins, and where the last one ends.
    borders: Vec<i64>,
    /// Nothing before is counted.
    from: i64,
    /// Nothing after is counted.
    to: i64,
    now: Timestamp,
}

impl DayBorders {
    /// `borders`: where each day begins, and where the last one ends. What is before `known_from` is not counted, nor
    /// what is after `now`.
    pub fn new(borders: &[Timestamp], known_from: Option<Timestamp>, now: Timestamp) -> Self {
        let milliseconds = |at: &Timestamp| at.as_millisecond();
        let borders: Vec<i64> = borders.iter().map(milliseconds).collect();
        let begins = borders.first().copied().unwrap_or_default();
        let ends = borders.last().copied().unwrap_or_default();
        Self {
            from: known_from.map_or(begins, |known| begins.max(known.as_millisecond())),
            to: ends.min(now.as_millisecond()),
            borders,
            now,
        }
    }

    fn days(&self) -> usize {
        self.borders.len().saturating_sub(1)
    }

    /// The part of that time which is counted; none where none is.
    fn clip(&self, from: i64, to: i64) -> Option<(i64, i64)> {
        let (from, to) = (from.max(self.from), to.min(self.to));
        (from < to).then_some((from, to))
    }

    /// How much of that time is on each day.
    fn add_by_day(&self, (from, to): (i64, i64), by_day: &mut [i64]) {
        for (day, borders) in by_day.iter_mut().zip(self.borders.windows(2)) {
            let &[begins, ends] = borders else { continue };
            *day += (to.min(ends) - from.max(begins)).max(0);
        }
    }
}

/// Without a break in one stage, while the order was open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stay {
    /// None where it is not known.
    pub stage: Option<StageId>,
    pub from: Timestamp,
    pub to: Timestamp,
    /// It is there still: `to` is the present.
    pub goes_on: bool,
}

/// The stays of an order from its opening to its closing, or to `now`, the oldest first. They add up to the time that
/// it was open.
pub fn stays(order: &OrderLife, now: Timestamp) -> Vec<Stay> {
    let end = order.closed_at.unwrap_or(now);
    let changes = order.events.iter().map(|(at, change)| (*at, change));
    let mut spans = stage_strip(order.opened_at, end, changes);
    for (logged_at, change) in &order.events {
        if let Change::Reopened { closed_at, at } = change {
            let closed = (*closed_at, at.unwrap_or(*logged_at));
            spans = spans
                .into_iter()
                .flat_map(|span| without(span, closed))
                .collect();
        }
    }
    let is_open = order.closed_at.is_none();
    let last = spans.last().map(|span| span.to);
    let stay = |span: StageSpan| Stay {
        goes_on: is_open && Some(span.to) == last,
        stage: span.stage,
        from: span.from,
        to: span.to,
    };
    spans.into_iter().map(stay).collect()
}

/// What of a span is before and after that time.
fn without(span: StageSpan, (from, to): (Timestamp, Timestamp)) -> Vec<StageSpan> {
    if to <= from {
        return vec![span];
    }
    let before = StageSpan {
        to: span.to.min(from),
        ..span.clone()
    };
    let after = StageSpan {
        from: span.from.max(to),
        ..span
    };
    let mut left = vec![before, after];
    left.retain(|span| span.from < span.to);
    left
}

/// Who had an order, each from a moment on until the next. Nobody before the first.
fn assignments(events: &[(Timestamp, Change)]) -> Vec<(i64, Vec<TechnicianId>)> {
    let mut order: Option<RepairOrder> = None;
    let mut found: Vec<(i64, Vec<TechnicianId>)> = Vec::new();
    for (at, change) in events {
        match (&mut order, change) {
            (_, Change::Created { repair_order }) => order = Some((**repair_order).clone()),
            (Some(order), change) => order.evolve(change),
            // Of an order whose first events were deleted.
            (None, _) => continue,
        }
        let technicians = order.as_ref().map(technicians_on).unwrap_or_default();
        let last = found.last();
        if last.is_none_or(|(_, before)| *before != technicians) {
            // A clock that was set back moves nobody into the past.
            let earliest = last.map_or(i64::MIN, |(at, _)| *at);
            found.push((at.as_millisecond().max(earliest), technicians));
        }
    }
    found
}

/// Each once, the desk's and the dealer system's.
fn technicians_on(order: &RepairOrder) -> Vec<TechnicianId> {
    let all = order.regular_technicians.iter();
    let ids: BTreeSet<TechnicianId> = all
        .chain(&order.etl_technicians)
        .map(|technician| technician.technician)
        .collect();
    ids.into_iter().collect()
}

/// What a stage adds up to. Milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageTotal {
    pub by_day: Vec<i64>,
    /// Orders that stood in it.
    pub cars: u32,
    /// How long the stays were that ended within the days, from their beginning on, which may be before them. Sorted
    /// by [`StageTotals::finish`].
    pub ended: Vec<i64>,
    /// Stays that went on when the days ended, or go on now.
    pub going_on: u32,
    /// Stays that were longer than the shop finds right, up to where they ended or the days did.
    pub too_long: u32,
}

/// What a technician or an advisor adds up to. Milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupTotal {
    pub by_stage: BTreeMap<Option<StageId>, i64>,
    pub cars: u32,
}

/// An advisor as the first order named them; who differs in the letters' case alone is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdvisorTotal {
    pub name: String,
    pub total: GroupTotal,
}

/// Sums of orders, one after the other.
#[derive(Clone, Debug)]
pub struct StageTotals {
    days: DayBorders,
    /// After how many milliseconds a stay is too long.
    limits: BTreeMap<StageId, i64>,
    pub cars: u32,
    pub stages: BTreeMap<Option<StageId>, StageTotal>,
    /// None: time in which nobody had the order. Of an order that two had, each has all of the time.
    pub technicians: BTreeMap<Option<TechnicianId>, GroupTotal>,
    /// By the name in small letters; empty: orders that name nobody.
    pub advisors: BTreeMap<String, AdvisorTotal>,
}

impl StageTotals {
    /// `limits`: after how many milliseconds a stay in a stage is too long.
    pub fn new(days: DayBorders, limits: BTreeMap<StageId, i64>) -> Self {
        Self {
            days,
            limits,
            cars: 0,
            stages: BTreeMap::new(),
            technicians: BTreeMap::new(),
            advisors: BTreeMap::new(),
        }
    }

    pub fn add(&mut self, order: &OrderLife) {
        let assigned = assignments(&order.events);
        let mut stages = BTreeSet::new();
        let mut technicians = BTreeSet::new();
        for stay in stays(order, self.days.now) {
            let whole = (stay.from.as_millisecond(), stay.to.as_millisecond());
            let Some(part) = self.days.clip(whole.0, whole.1) else {
                continue;
            };
            self.add_stay(&stay, whole, part);
            for (who, spent) in shared(&assigned, part) {
                let total = self.technicians.entry(who).or_default();
                *total.by_stage.entry(stay.stage.clone()).or_default() += spent;
                technicians.insert(who);
            }
            self.add_to_advisor(&order.advisor, &stay, part);
            stages.insert(stay.stage);
        }
        self.count_order(&order.advisor, &stages, &technicians);
    }

    fn add_stay(&mut self, stay: &Stay, (from, to): (i64, i64), part: (i64, i64)) {
        let days = self.days.days();
        let total = self.stages.entry(stay.stage.clone()).or_default();
        total.by_day.resize(days, 0);
        self.days.add_by_day(part, &mut total.by_day);
        let ends_within = to <= self.days.to && !stay.goes_on;
        if ends_within {
            total.ended.push(to - from);
        } else {
            total.going_on += 1;
        }
        let limit = stay.stage.as_ref().and_then(|stage| self.limits.get(stage));
        if limit.is_some_and(|limit| part.1 - from > *limit) {
            total.too_long += 1;
        }
    }

    fn add_to_advisor(&mut self, name: &str, stay: &Stay, (from, to): (i64, i64)) {
        let name = name.trim();
        let advisor = self.advisors.entry(name.to_lowercase()).or_default();
        if advisor.name.is_empty() {
            name.clone_into(&mut advisor.name);
        }
        let by_stage = &mut advisor.total.by_stage;
        *by_stage.entry(stay.stage.clone()).or_default() += to - from;
    }

    /// One order more of each of these, if any of it was counted.
    fn count_order(
        &mut self,
        advisor: &str,
        stages: &BTreeSet<Option<StageId>>,
        technicians: &BTreeSet<Option<TechnicianId>>,
    ) {
        if stages.is_empty() {
            return;
        }
        self.cars += 1;
        for stage in stages {
            self.stages.entry(stage.clone()).or_default().cars += 1;
        }
        for technician in technicians {
            self.technicians.entry(*technician).or_default().cars += 1;
        }
        let advisor = self.advisors.entry(advisor.trim().to_lowercase());
        advisor.or_default().total.cars += 1;
    }

    /// After the last order.
    #[must_use]
    pub fn finish(mut self) -> Self {
        for total in self.stages.values_mut() {
            total.ended.sort_unstable();
        }
        self
    }
}

/// Who had the order for how much of that time; nobody is somebody, too.
fn shared(
    assigned: &[(i64, Vec<TechnicianId>)],
    (from, to): (i64, i64),
) -> Vec<(Option<TechnicianId>, i64)> {
    let mut found = Vec::new();
    let mut add = |technicians: &[TechnicianId], begins: i64, ends: i64| {
        let spent = to.min(ends) - from.max(begins);
        if spent <= 0 {
            return;
        }
        match technicians {
            [] => found.push((None, spent)),
            several => found.extend(several.iter().map(|one| (Some(*one), spent))),
        }
    };
    let first = assigned.first().map_or(i64::MAX, |(at, _)| *at);
    add(&[], i64::MIN, first);
    for (place, (begins, technicians)) in assigned.iter().enumerate() {
        let ends = assigned.get(place + 1).map_or(i64::MAX, |(at, _)| *at);
        add(technicians, *begins, ends);
    }
    found
}

/// A stay that this part of all was no longer than, of sorted ones; none of none.
pub fn percentile(sorted: &[i64], percent: usize) -> Option<i64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}
