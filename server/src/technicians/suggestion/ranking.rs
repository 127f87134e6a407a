//! Who should get these orders? A proposal with its reasons, and nothing but: no clock, no
//! database, and nobody is assigned by it.
//!
//! People are compared by one thing after the other, and the first in which they differ decides, so
//! that a person can follow it:
//! 1. technicians who are on every one of the orders already come last: there is nothing left to
//!    give them. A technician on some of a batch is ranked as usual, with a remark;
//! 2. how many of the required skills they lack, then how many they have at a lower level (a skill includes
//!    the lower ones of its kind):
//!    technicians with all skills at their levels come before those with a lower level in some, and
//!    these before those who lack one;
//! 3. on the clock before off it;
//! 4. the less work in hand that is promised no later than these orders: [`Load::weight`] in relation to the
//!    hours they work a day;
//! 5. the less of a day's work in hand, whenever it is promised;
//! 6. the fewer open orders;
//! 7. with a portal account, and so notified at once, before without one;
//! 8. the less of the work that was given out this week;
//! 9. their name, and for two of one name their number.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use dispatch_actors::repair_order::RepairOrder;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::Technician;
use super::super::fairness::api_types::Given;
use super::super::fairness::ledger::{GivenWork, Team};
use super::super::workload::load::{ClockState, ClockTimes, Load, technicians_on};
use crate::skills::RuleBook;

/// Somebody who could take the orders, and what speaks for and against it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    pub id_technician: i64,
    pub display_name: String,
    pub specialty: String,
    /// The level of the organisation they sit in, if any.
    #[schema(required)]
    pub level_name: Option<String>,
    /// In the order in which they count.
    pub reasons: Vec<Reason>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schema(as = CandidateReason)]
pub enum Reason {
    /// Orders they are on already, for the desk or for the dealer's system.
    AlreadyOn {
        orders: usize,
        /// Orders that were asked about.
        of: usize,
    },
    /// A skill that the orders' opcodes ask for.
    Skill {
        #[serde(rename = "skillName")]
        skill_name: String,
        /// The level that is asked for.
        wanted: i32,
        /// The technician's, if they have the skill.
        #[schema(required)]
        level: Option<i32>,
        /// The higher skill of the same kind by which they have it, where it is not the skill itself.
        #[serde(rename = "includedIn", skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        included_in: Option<String>,
        state: SkillState,
    },
    /// No opcode of the orders has a rule, so nobody is asked for anything.
    NoRule,
    Clock {
        state: ClockState,
    },
    /// Whether an account is linked to them.
    Portal {
        enabled: bool,
    },
    /// Their assigned work.
    Load {
        #[serde(rename = "assignedHours")]
        assigned_hours: f64,
        /// Of these, those promised no later than the orders that are asked about.
        #[serde(rename = "dueHours")]
        due_hours: f64,
        /// Of the assigned hours, those of orders that are promised by the end of the shop's today, late ones included.
        #[serde(rename = "dueTodayHours")]
        due_today_hours: f64,
        /// Jobs still to be done on such orders whose hours are not known.
        #[serde(rename = "dueTodayJobsWithoutHours")]
        due_today_jobs_without_hours: u32,
        /// Hours that they can still work today, up to the shop's closing time.
        #[serde(rename = "hoursLeftToday")]
        hours_left_today: f64,
        #[serde(rename = "dailyHours")]
        #[schema(value_type = f64)]
        daily_hours: super::super::DailyMinutes,
        #[serde(rename = "openOrders")]
        open_orders: u32,
        #[serde(rename = "jobsWithoutHours")]
        jobs_without_hours: u32,
    },
    /// What they were given since the shop's Monday began.
    Week(WeekReason),
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekReason {
    #[serde(flatten)]
    given: Given,
    /// Technicians who came on the clock in this week.
    team: u32,
    /// Hours of each of these on average, to the hundredth; null where nobody came.
    #[schema(required)]
    team_hours: Option<f64>,
    /// Jobs of these of which no sold hours are known; they are not in the average.
    team_jobs_without_hours: u32,
    /// It is why they come first of those with whom all else is equal: they were given the least of these.
    decided: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SkillState {
    /// At the level that is asked for, or above it.
    Has,
    Below,
    Lacks,
}

/// Somebody who could be asked.
#[derive(Clone, Debug)]
pub(in crate::technicians) struct Person {
    pub technician: Technician,
    pub load: Load,
    /// What of it is promised no later than the orders that are asked about.
    pub due: Load,
    /// What of it is promised by the end of the shop's today.
    pub due_today: Load,
    pub hours_left_today: f64,
    pub portal_enabled: bool,
    pub clock: ClockState,
    /// What they were given this week.
    pub given: GivenWork,
}

/// A skill that the opcodes of the orders ask for, each once at the highest level.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    skill: i64,
    name: String,
    level: i32,
}

/// The people with the best first.
pub(in crate::technicians) fn rank(
    orders: &[&RepairOrder],
    people: Vec<Person>,
    rules: &RuleBook,
    clocks: &ClockTimes,
    team: Team,
) -> Vec<Candidate> {
    let wanted = wanted(orders, rules, clocks);
    let mut ranked: Vec<_> = people
        .into_iter()
        .map(|person| {
            let theirs = |order: &&&RepairOrder| {
                technicians_on(order).contains(&person.technician.id_technician)
            };
            let already_on = orders.iter().filter(theirs).count();
            Standing::of(person, &wanted, rules, already_on, orders.len())
        })
        .collect();
    ranked.sort();
    let decided: Vec<bool> = (0..ranked.len())
        .map(|place| week_decided(&ranked, place))
        .collect();
    let ranked = ranked.into_iter().zip(decided);
    ranked
        .map(|(one, decided)| one.explained(team, decided))
        .collect()
}

/// Whether what they were given this week puts them before everybody with whom all else is equal.
fn week_decided(ranked: &[Standing], place: usize) -> bool {
    let fits_as = |other: &Standing| ranked[place].compare_fit(other) == Ordering::Equal;
    let is_first = place == 0 || !fits_as(&ranked[place - 1]);
    let next = ranked.get(place + 1).filter(|next| fits_as(next));
    is_first && next.is_some_and(|next| ranked[place].compare_week(next) == Ordering::Less)
}

/// Of jobs that are done nothing is asked any more.
fn wanted(orders: &[&RepairOrder], rules: &RuleBook, clocks: &ClockTimes) -> Vec<Wanted> {
    let mut wanted: BTreeMap<i64, Wanted> = BTreeMap::new();
    let jobs = orders.iter().flat_map(|order| clocks.unfinished(order));
    for operation in jobs.flat_map(|job| &job.operations) {
        let Some(rule) = rules.of(&operation.operation_code) else {
            continue;
        };
        let skill = wanted.entry(rule.id_skill).or_insert_with(|| Wanted {
            skill: rule.id_skill,
            name: rule.skill_name.clone(),
            level: rule.level,
        });
        skill.level = skill.level.max(rule.level);
    }
    let mut wanted: Vec<Wanted> = wanted.into_values().collect();
    wanted.sort_by_cached_key(|skill| (Reverse(skill.level), skill.name.to_lowercase()));
    wanted
}

/// Where somebody stands among the others.
struct Standing {
    person: Person,
    skills: Vec<Reason>,
    already_on: usize,
    of: usize,
    lacks: usize,
    below: usize,
    name: String,
}

impl Standing {
    fn of(
        person: Person,
        wanted: &[Wanted],
        rules: &RuleBook,
        already_on: usize,
        of: usize,
    ) -> Self {
        let mut standing = Self {
            name: person.technician.display_name.to_lowercase(),
            skills: Vec::with_capacity(wanted.len()),
            person,
            already_on,
            of,
            lacks: 0,
            below: 0,
        };
        for skill in wanted {
            let theirs = standing.person.technician.skills.iter();
            let counting = theirs.filter(|theirs| rules.includes(theirs.id_skill, skill.skill));
            // Of equal levels the skill itself, which needs no explanation.
            let best = counting.max_by_key(|theirs| (theirs.level, theirs.id_skill == skill.skill));
            let level = best.map(|theirs| theirs.level);
            let other = best.filter(|theirs| theirs.id_skill != skill.skill);
            let included_in = other.map(|theirs| theirs.skill_name.clone());
            let state = match level {
                Some(level) if level >= skill.level => SkillState::Has,
                Some(_) => SkillState::Below,
                None => SkillState::Lacks,
            };
            standing.below += usize::from(state == SkillState::Below);
            standing.lacks += usize::from(state == SkillState::Lacks);
            standing.skills.push(Reason::Skill {
                skill_name: skill.name.clone(),
                wanted: skill.level,
                level,
                included_in,
                state,
            });
        }
        standing
    }

    fn is_on_all(&self) -> bool {
        self.already_on > 0 && self.already_on == self.of
    }

    /// Work in relation to a day's work, compared as fractions over a common day.
    fn compare_work(&self, other: &Self, work: impl Fn(&Person) -> Load) -> Ordering {
        let weight = |one: &Self| i128::from(work(&one.person).weight());
        let day = |one: &Self| i128::from(one.person.technician.daily.get());
        (weight(self) * day(other)).cmp(&(weight(other) * day(self)))
    }

    fn explained(self, team: Team, decided: bool) -> Candidate {
        let Person {
            technician,
            load,
            due,
            due_today,
            hours_left_today,
            portal_enabled,
            clock,
            given,
        } = self.person;
        let mut reasons = Vec::with_capacity(self.skills.len() + 6);
        if self.already_on > 0 {
            reasons.push(Reason::AlreadyOn {
                orders: self.already_on,
                of: self.of,
            });
        }
        if self.skills.is_empty() {
            reasons.push(Reason::NoRule);
        }
        reasons.extend(self.skills);
        reasons.extend([
            Reason::Clock { state: clock },
            Reason::Load {
                assigned_hours: load.assigned_hours(),
                due_hours: due.assigned_hours(),
                due_today_hours: due_today.assigned_hours(),
                due_today_jobs_without_hours: due_today.jobs_without_hours,
                hours_left_today,
                daily_hours: technician.daily,
                open_orders: load.open_orders,
                jobs_without_hours: load.jobs_without_hours,
            },
            Reason::Portal {
                enabled: portal_enabled,
            },
            Reason::Week(WeekReason {
                given: Given::from(&given),
                team: team.count,
                team_hours: team.average_hours(),
                team_jobs_without_hours: team.jobs_without_hours,
                decided,
            }),
        ]);
        Candidate {
            id_technician: technician.id_technician,
            display_name: technician.display_name,
            specialty: technician.specialty,
            level_name: technician.level_name,
            reasons,
        }
    }

    /// By all but the week and the name.
    fn compare_fit(&self, other: &Self) -> Ordering {
        let off = |one: &Self| one.person.clock == ClockState::Off;
        (self.is_on_all().cmp(&other.is_on_all()))
            .then(self.lacks.cmp(&other.lacks))
            .then(self.below.cmp(&other.below))
            .then(off(self).cmp(&off(other)))
            .then(self.compare_work(other, |person| person.due))
            .then(self.compare_work(other, |person| person.load))
            .then((self.person.load.open_orders).cmp(&other.person.load.open_orders))
            .then(other.person.portal_enabled.cmp(&self.person.portal_enabled))
    }

    /// By plain hours, which is what a reader compares, also where one works longer days than the other.
    fn compare_week(&self, other: &Self) -> Ordering {
        let weight = |one: &Self| one.person.given.total.weight();
        weight(self).cmp(&weight(other))
    }
}

impl Ord for Standing {
    fn cmp(&self, other: &Self) -> Ordering {
        let number = |one: &Self| one.person.technician.id_technician;
        (self.compare_fit(other))
            .then_with(|| self.compare_week(other))
            .then(self.name.cmp(&other.name))
            .then(number(self).cmp(&number(other)))
    }
}

impl PartialOrd for Standing {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Standing {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Standing {}

#[cfg(test)]
mod tests;
