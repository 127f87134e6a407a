//! Attempts that wait to be written, and how many of them are: the first of each network in a minute
//! as they came, all others as a number. What is kept, written and logged has an end, however many
//! there are and wherever they come from. Whatever is scarce has a part for each neighbourhood and a
//! reserve for neighbourhoods with few attempts: one that uses up its share leaves the others theirs.
//! Knows no database and no clock.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use super::attempt_group::{AttemptGroup, Counted};
use super::event::{ActorKind, AuditEvent};
use super::shares::{Shares, neighbourhood};
use crate::http::address::network;

const MINUTE: Duration = Duration::from_secs(60);

/// Attempts of one network in a minute that are recorded one by one: more than a program that bans
/// addresses waits for.
const MAX_OF_NETWORK: u32 = 10;

/// Numbers of a minute that say of which network they are.
const MAX_COUNTED: usize = 64;

/// Rows that wait for the database.
const MAX_PENDING: usize = 1_000;

/// At once, and as many again in a minute: some 200 MB a day for somebody who does not stop.
const LINES: (u32, Duration) = (600, MINUTE);

/// At once, and as many again in three hours: 4,800 a day, for 30 days some 40 MB.
const ROWS: (u32, Duration) = (600, Duration::from_secs(3 * 60 * 60));

/// How often the attempts for which there was no room are recorded as one number.
const REST_INTERVAL: Duration = Duration::from_secs(10 * 60);

pub(super) struct Attempts {
    minute_began: Instant,
    rest_began: Instant,
    /// How many of each were recorded one by one in this minute: no more than there are lines and
    /// rows.
    networks: HashMap<Source, u32>,
    lines: Shares,
    rows: Shares,
    counted: HashMap<AttemptGroup, Counted>,
    /// How many of those that say of which network they are each neighbourhood has.
    named_numbers: HashMap<IpAddr, usize>,
    /// For which there were neither numbers nor rows any more.
    rest: HashMap<AttemptGroup, Counted>,
    due: DueEvents,
}

/// Events that are to be written.
#[derive(Default)]
pub(super) struct DueEvents {
    pub(super) lines: Vec<AuditEvent>,
    pub(super) rows: Vec<AuditEvent>,
}

/// A network, and whether the caller is signed in: signed-in callers do not use up the share of
/// strangers.
type Source = (IpAddr, bool);

impl Attempts {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            minute_began: now,
            rest_began: now,
            networks: HashMap::new(),
            lines: Shares::new(LINES, now),
            rows: Shares::new(ROWS, now),
            counted: HashMap::new(),
            named_numbers: HashMap::new(),
            rest: HashMap::new(),
            due: DueEvents::default(),
        }
    }

    /// Counts an attempt. Returns the event when it is to be logged at once.
    pub(super) fn add(&mut self, mut event: AuditEvent, now: Instant) -> Option<AuditEvent> {
        event.ttl = event.ttl.min(super::event::ATTEMPT_TTL);
        self.roll_over(now);
        let source = source(&event);
        let neighbourhood = neighbourhood(source.0);
        let is_recorded_singly = self.recorded_singly(source) < MAX_OF_NETWORK;
        let has_line = is_recorded_singly && self.lines.take(neighbourhood, now);
        let has_row = is_recorded_singly
            && self.due.rows.len() < MAX_PENDING
            && self.rows.take(neighbourhood, now);
        if has_line || has_row {
            *self.networks.entry(source).or_default() += 1;
        }
        if !has_line || !has_row {
            let group = AttemptGroup::of(&event, Some(source.0));
            let counted = Counted {
                without_line: i32::from(!has_line),
                without_row: i32::from(!has_row),
            };
            self.count(group, counted);
        }
        let line = has_line.then(|| event.clone());
        if has_row {
            self.due.rows.push(event);
        }
        line
    }

    /// Whether an attempt like this one would be recorded by itself, with what is known of its actor.
    pub(super) fn is_recorded_singly(&mut self, event: &AuditEvent, now: Instant) -> bool {
        self.roll_over(now);
        let source = source(event);
        let neighbourhood = neighbourhood(source.0);
        self.recorded_singly(source) < MAX_OF_NETWORK
            && (self.lines.has_one(neighbourhood, now) || self.rows.has_one(neighbourhood, now))
    }

    fn recorded_singly(&self, source: Source) -> u32 {
        self.networks.get(&source).copied().unwrap_or_default()
    }

    /// Where there is no room for another network the attempt is counted without its network.
    fn count(&mut self, group: AttemptGroup, counted: Counted) {
        let is_new = !self.counted.contains_key(&group);
        let group = match group.network {
            Some(network) if is_new && !self.make_room(neighbourhood(network)) => {
                group.without_network()
            }
            _ => group,
        };
        self.counted.entry(group).or_default().add(counted);
    }

    /// Whether this neighbourhood gets one number more that says of which network it is. Where there
    /// are as many as there may be, the neighbourhood that has the most of them loses one of its own.
    fn make_room(&mut self, newcomer: IpAddr) -> bool {
        if self.named_numbers.values().sum::<usize>() >= MAX_COUNTED {
            let own = self
                .named_numbers
                .get(&newcomer)
                .copied()
                .unwrap_or_default();
            let largest = self
                .named_numbers
                .iter()
                .max_by_key(|(_, numbers)| **numbers);
            match largest {
                Some((largest, numbers)) if *numbers > own + 1 => self.drop_network_name(*largest),
                _ => return false,
            }
        }
        *self.named_numbers.entry(newcomer).or_default() += 1;
        true
    }

    /// One network of this neighbourhood is counted without its name.
    fn drop_network_name(&mut self, largest: IpAddr) {
        let is_of = |group: &&AttemptGroup| group.network.map(neighbourhood) == Some(largest);
        let Some(group) = self.counted.keys().find(is_of).copied() else {
            return;
        };
        let lost = self.counted.remove(&group).unwrap_or_default();
        let nameless = self.counted.entry(group.without_network());
        nameless.or_default().add(lost);
        if let Some(numbers) = self.named_numbers.get_mut(&largest) {
            *numbers -= 1;
        }
    }

    fn roll_over(&mut self, now: Instant) {
        if now.saturating_duration_since(self.minute_began) >= MINUTE {
            self.summarise_minute(now);
        }
        if now.saturating_duration_since(self.rest_began) >= REST_INTERVAL {
            self.summarise_rest(now);
        }
    }

    /// Makes events of all attempts that were only counted.
    pub(super) fn summarise(&mut self, now: Instant) {
        self.summarise_minute(now);
        self.summarise_rest(now);
    }

    fn summarise_minute(&mut self, now: Instant) {
        self.minute_began = now;
        self.networks = HashMap::new();
        self.named_numbers = HashMap::new();
        for (group, counted) in std::mem::take(&mut self.counted) {
            if counted.without_line > 0 {
                self.due.lines.push(group.event(counted.without_line));
            }
            if counted.without_row == 0 {
                continue;
            }
            let has_row = self.due.rows.len() < MAX_PENDING
                && group
                    .network
                    .is_some_and(|network| self.rows.take(neighbourhood(network), now));
            if has_row {
                self.due.rows.push(group.event(counted.without_row));
            } else {
                let rest = group.without_network();
                let counted = Counted {
                    without_line: 0,
                    ..counted
                };
                self.rest.entry(rest).or_default().add(counted);
            }
        }
    }

    /// A row of each kind and reason, of which there are few.
    fn summarise_rest(&mut self, now: Instant) {
        self.rest_began = now;
        for (group, counted) in std::mem::take(&mut self.rest) {
            self.due.rows.push(group.event(counted.without_row));
        }
    }

    pub(super) fn take_due(&mut self, now: Instant) -> DueEvents {
        self.roll_over(now);
        std::mem::take(&mut self.due)
    }

    /// Queues rows again that the database did not take.
    pub(super) fn put_back(&mut self, rows: Vec<AuditEvent>) {
        for event in rows {
            if self.due.rows.len() < MAX_PENDING {
                self.due.rows.push(event);
            } else {
                let counted = Counted {
                    without_line: 0,
                    without_row: event.count,
                };
                self.rest
                    .entry(AttemptGroup::of(&event, None))
                    .or_default()
                    .add(counted);
            }
        }
    }
}

fn source(event: &AuditEvent) -> Source {
    let address = event.address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let is_person = event.actor.kind == ActorKind::Person;
    (network(address), is_person)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use super::super::event::{Actor, AuditKind};
    use super::super::shares::{MAX_OF_NEIGHBOURHOOD, Tokens};
    use super::*;

    fn refusal(address: impl Into<IpAddr>) -> AuditEvent {
        AuditEvent::refused(AuditKind::SignIn, "wrong-password").from_address(address.into())
    }

    /// Lines and rows, and how many attempts each of them stands for.
    fn counts(due: &DueEvents) -> (i32, i32) {
        let sum = |events: &[AuditEvent]| events.iter().map(|event| event.count).sum();
        (sum(&due.lines), sum(&due.rows))
    }

    #[test]
    fn the_first_attempts_of_a_network_are_recorded_singly_and_the_rest_as_a_number() {
        let start = Instant::now();
        let mut attempts = Attempts::new(start);
        let lines = (0..1_000).filter(|_| attempts.add(refusal([192, 0, 2, 7]), start).is_some());
        assert_eq!(lines.count(), 10);
        let due = attempts.take_due(start);
        assert_eq!((due.lines.len(), due.rows.len()), (0, 10));
        assert!(attempts.take_due(start + MINUTE / 2).rows.is_empty());
        let due = attempts.take_due(start + MINUTE);
        assert_eq!(counts(&due), (990, 990));
        assert_eq!((due.lines.len(), due.rows.len()), (1, 1));
        assert_eq!(due.rows[0].address, Some([192, 0, 2, 7].into()));
    }

    #[test]
    fn a_flood_from_everywhere_is_bounded_and_every_attempt_is_counted() {
        let start = Instant::now();
        let mut attempts = Attempts::new(start);
        let (mut lines, mut rows, mut counted) = (0, 0, 0);
        let mut take = |due: DueEvents, lines: &mut usize| {
            *lines += due.lines.len();
            rows += due.rows.len();
            counted += counts(&due).1;
        };
        const MINUTES: u32 = 24 * 60;
        let mut count = 0;
        for minute in 0..MINUTES {
            let now = start + MINUTE * minute;
            for number in 0..200_u32 {
                let address = Ipv4Addr::from_bits(number * 0x0001_0107 + minute);
                lines += usize::from(attempts.add(refusal(address), now).is_some());
                count += 1;
            }
            take(attempts.take_due(now), &mut lines);
            assert!(attempts.networks.len() <= 2 * (LINES.0 + ROWS.0) as usize);
            assert!(attempts.counted.len() <= MAX_COUNTED + 1);
        }
        let end = start + MINUTE * MINUTES;
        attempts.summarise(end);
        take(attempts.take_due(end), &mut lines);
        assert_eq!(counted, count);
        assert!((4_800..6_000).contains(&rows), "{rows} rows a day");
        assert!(lines <= 24 * 60 * 700, "{lines} lines a day");
    }

    /// A network of its own each, of one provider.
    fn of_provider(provider: u16, count: u128) -> impl Iterator<Item = IpAddr> {
        let first = Ipv6Addr::new(0x2001, provider, 0, 0, 0, 0, 0, 1).to_bits();
        (0..count).map(move |number| Ipv6Addr::from_bits(first + (number << 64)).into())
    }

    #[test]
    fn a_neighbourhood_that_uses_up_its_share_leaves_the_others_theirs() {
        let start = Instant::now();
        let mut attempts = Attempts::new(start);
        for address in of_provider(0xdb8, 5_000) {
            let _ = attempts.add(refusal(address), start);
        }
        // In the same minute, and in the next.
        for (now, rows) in [
            (start, MAX_OF_NEIGHBOURHOOD as usize + 6),
            (start + MINUTE, 6),
        ] {
            let victim = || refusal([203, 0, 113, 9]);
            let lines = (0..6).filter(|_| attempts.add(victim(), now).is_some());
            assert_eq!(lines.count(), 6);
            let due = attempts.take_due(now);
            let of_victim = due
                .rows
                .iter()
                .filter(|row| row.address == victim().address);
            assert_eq!(of_victim.count(), 6);
            assert_eq!(due.rows.len(), rows);
        }
    }

    #[test]
    fn neighbourhoods_that_use_up_everything_leave_the_reserve_for_others() {
        let start = Instant::now();
        let mut attempts = Attempts::new(start);
        for provider in 0..12 {
            for address in of_provider(provider, 1_000) {
                let _ = attempts.add(refusal(address), start);
            }
        }
        let lines = (0..30).filter(|_| attempts.add(refusal([203, 0, 113, 9]), start).is_some());
        assert_eq!(lines.count(), MAX_OF_NETWORK as usize);
        let due = attempts.take_due(start + MINUTE);
        let counted = due
            .lines
            .iter()
            .find(|line| line.address == Some([203, 0, 113, 9].into()));
        assert_eq!(counted.map(|line| line.count), Some(20));
        assert_eq!(counts(&due).0, 12_000 + 30 - 2 * 150 - 10 * 10 - 10);
    }

    #[test]
    fn refusals_of_a_signed_in_person_do_not_use_up_a_strangers_lines() {
        let start = Instant::now();
        let mut attempts = Attempts::new(start);
        for _ in 0..50 {
            let insider = refusal([192, 0, 2, 7]).by(Actor::person("uid", "ann@example.com"));
            let _ = attempts.add(insider, start);
        }
        assert!(attempts.add(refusal([192, 0, 2, 7]), start).is_some());
    }

    #[test]
    fn an_unreachable_database_costs_no_memory_and_loses_no_count() {
        let start = Instant::now();
        let mut attempts = Attempts::new(start);
        let rows: Vec<_> = (0..3_000).map(|_| refusal([192, 0, 2, 1])).collect();
        attempts.put_back(rows);
        assert_eq!(attempts.due.rows.len(), MAX_PENDING);
        attempts.summarise(start);
        assert_eq!(counts(&attempts.take_due(start)).1, 3_000);
    }

    #[test]
    fn tokens_refill_evenly_up_to_the_capacity() {
        let start = Instant::now();
        let mut tokens = Tokens::new((2, MINUTE), start);
        let granted = |tokens: &mut Tokens, seconds| {
            let now = start + Duration::from_secs(seconds);
            (0..9).filter(|_| tokens.take(now)).count()
        };
        assert_eq!(granted(&mut tokens, 0), 2);
        assert_eq!(granted(&mut tokens, 29), 0);
        assert_eq!(granted(&mut tokens, 31), 1);
        assert_eq!(granted(&mut tokens, 60), 1);
        assert_eq!(granted(&mut tokens, 6_000), 2);
    }
}
