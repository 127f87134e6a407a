use proptest::prelude::*;

use super::*;
use crate::skills::{OpcodeRule, Skill};
use crate::technicians::workload::load::ClockTimes;
use crate::technicians::workload::load::tests::plain_order;
use crate::technicians::{DailyMinutes, TechnicianSkill};
use dispatch_actors::repair_order::{AssignedTechnician, Job, Operation, TechnicianId};

const BRAKES: i64 = 1;
const ENGINE: i64 = 2;

fn order(number: i64, opcodes: &[&str], technicians: &[TechnicianId]) -> RepairOrder {
    let job = |(job_number, opcode): (i32, &&str)| Job {
        job_number,
        operations: vec![Operation {
            operation_code: opcode.to_string(),
            ..Operation::default()
        }],
        ..Job::default()
    };
    let on = |technician: &TechnicianId| AssignedTechnician {
        technician: *technician,
        name: None,
    };
    RepairOrder {
        regular_technicians: technicians.iter().map(on).collect(),
        jobs: std::sync::Arc::new((1..).zip(opcodes).map(job).collect()),
        ..plain_order(number)
    }
}

fn rule(pattern: &str, id_skill: i64, level: i32) -> OpcodeRule {
    OpcodeRule {
        id_rule: id_skill,
        pattern: pattern.to_owned(),
        id_skill,
        skill_name: if id_skill == BRAKES {
            "Brakes"
        } else {
            "Engine"
        }
        .to_owned(),
        level,
    }
}

fn rules() -> RuleBook {
    RuleBook::new(
        vec![rule("BRK*", BRAKES, 3), rule("ENG", ENGINE, 5)],
        vec![],
    )
}

fn person(id: TechnicianId, name: &str, skills: &[(i64, i32)]) -> Person {
    let skill = |(id_skill, level): &(i64, i32)| TechnicianSkill {
        id_skill: *id_skill,
        skill_name: String::new(),
        level: *level,
    };
    Person {
        technician: Technician {
            id_technician: id,
            display_name: name.to_owned(),
            specialty: String::new(),
            max_skill_name: None,
            id_level: None,
            level_name: None,
            daily: DailyMinutes::DEFAULT,
            skills: skills.iter().map(skill).collect(),
        },
        load: Load::default(),
        due: Load::default(),
        due_today: Load::default(),
        hours_left_today: 8.0,
        portal_enabled: true,
        clock: ClockState::Idle,
        given: GivenWork::default(),
    }
}

fn ranked(orders: &[RepairOrder], people: Vec<Person>) -> Vec<Candidate> {
    let orders: Vec<&RepairOrder> = orders.iter().collect();
    rank(
        &orders,
        people,
        &rules(),
        &ClockTimes::default(),
        Team::default(),
    )
}

fn ids(candidates: &[Candidate]) -> Vec<TechnicianId> {
    candidates.iter().map(|one| one.id_technician).collect()
}

#[test]
fn the_ranking_criteria_apply_one_after_the_other() {
    let orders = [order(1, &["BRKF", "ENG"], &[9])];
    let both = [(BRAKES, 3), (ENGINE, 5)];
    let with = |id, change: &dyn Fn(&mut Person)| {
        let mut person = person(id, "Same name", &both);
        change(&mut person);
        person
    };
    let people = vec![
        with(9, &|_| {}),
        with(8, &|one| one.technician.skills.truncate(0)),
        with(7, &|one| one.technician.skills.truncate(1)),
        with(6, &|one| one.technician.skills[0].level = 2),
        with(5, &|one| one.clock = ClockState::Off),
        with(4, &|one| one.portal_enabled = false),
        with(3, &|one| one.load = Load::new(100, 0, 1)),
        // As many hours, but without a word of how many they are.
        with(2, &|one| one.load = Load::new(0, 1, 1)),
        with(1, &|one| one.technician.display_name = "Zoë".to_owned()),
        with(11, &|one| one.load.open_orders = 1),
        with(10, &|one| one.clock = ClockState::OnJob),
        // Nothing else decides but what they were given this week.
        with(13, &|one| one.given = GivenWork::of_hundredths(10)),
        // Less work, but all of it before these orders.
        with(12, &|one| {
            one.load = Load::new(20, 0, 1);
            one.due = one.load;
        }),
    ];
    let candidates = ranked(&orders, people);
    assert_eq!(
        ids(&candidates),
        [10, 1, 13, 4, 11, 2, 3, 12, 5, 6, 7, 8, 9]
    );
}

#[test]
fn a_higher_skill_of_the_same_kind_stands_for_a_lower_one() {
    let skill = |id_skill, skill_level, kind: &str| Skill {
        id_skill,
        skill_name: format!("Skill {id_skill}"),
        skill_level,
        skill_kind: Some(kind.to_owned()),
    };
    let skills = vec![
        skill(ENGINE, 4, "Engine"),
        skill(3, 5, "Engine"),
        skill(4, 6, "Diesel"),
    ];
    let rules = RuleBook::new(vec![rule("ENG", ENGINE, 4)], skills);
    let people = vec![
        person(1, "Lower kind", &[(4, 6)]),
        person(2, "Master", &[(3, 5)]),
        person(3, "Below", &[(3, 3)]),
        person(4, "Tradesman", &[(ENGINE, 5), (3, 5)]),
    ];
    let order = order(1, &["ENG"], &[]);
    let candidates = rank(
        &[&order],
        people,
        &rules,
        &ClockTimes::default(),
        Team::default(),
    );
    assert_eq!(ids(&candidates), [2, 4, 3, 1]);
    let included_in = |place: usize| match &candidates[place].reasons[0] {
        Reason::Skill {
            level, included_in, ..
        } => (*level, included_in.clone()),
        other => panic!("{other:?}"),
    };
    assert_eq!(included_in(0).0, Some(5));
    assert!(included_in(0).1.is_some());
    assert_eq!(included_in(1), (Some(5), None));
    assert_eq!(included_in(3), (None, None));
}

#[test]
fn a_longer_working_day_takes_more_work() {
    let mut short = person(1, "Ann", &[]);
    short.technician.daily = DailyMinutes::of_hours(4.0).unwrap();
    short.load = Load::new(300, 0, 1);
    let mut long = person(2, "Bo", &[]);
    long.technician.daily = DailyMinutes::of_hours(10.0).unwrap();
    long.load = Load::new(600, 0, 2);
    let candidates = ranked(&[order(1, &[], &[])], vec![short, long]);
    assert_eq!(ids(&candidates), [2, 1]);
}

#[test]
fn the_reasons_say_what_counted() {
    let orders = [order(1, &["BRKF"], &[7]), order(2, &["ENG", "LOF"], &[])];
    let mut ann = person(7, "Ann", &[(BRAKES, 2)]);
    ann.load = Load::new(325, 2, 3);
    ann.due = Load::new(150, 0, 1);
    ann.due_today = Load::new(125, 1, 2);
    ann.hours_left_today = 2.25;
    ann.clock = ClockState::OnJob;
    ann.given = GivenWork::of_hundredths(250);
    let candidates = ranked(&orders, vec![ann]);
    let reasons = serde_json::to_value(&candidates[0].reasons).unwrap();
    assert_eq!(
        reasons,
        serde_json::json!([
            { "kind": "already-on", "orders": 1, "of": 2 },
            { "kind": "skill", "skillName": "Engine", "wanted": 5, "level": null, "state": "lacks" },
            { "kind": "skill", "skillName": "Brakes", "wanted": 3, "level": 2, "state": "below" },
            { "kind": "clock", "state": "on-job" },
            {
                "kind": "load",
                "assignedHours": 3.25,
                "dueHours": 1.5,
                "dueTodayHours": 1.25, "dueTodayJobsWithoutHours": 1, "hoursLeftToday": 2.25, "dailyHours": 8.0,
                "openOrders": 3,
                "jobsWithoutHours": 2,
            },
            { "kind": "portal", "enabled": true },
            {
                "kind": "week",
                "hours": 2.5,
                "jobs": 1,
                "jobsWithoutHours": 0,
                "kinds": [],
                "team": 0,
                "teamHours": null,
                "teamJobsWithoutHours": 0,
                "decided": false,
            },
        ])
    );
    let without = ranked(&[order(1, &["LOF"], &[])], vec![person(1, "Bo", &[])]);
    assert_eq!(without[0].reasons[0], Reason::NoRule);
}

/// For each candidate, the best first, whether the week is why they stand before the next.
fn decided(candidates: &[Candidate]) -> Vec<bool> {
    let of = |one: &Candidate| match one.reasons.last() {
        Some(Reason::Week(week)) => week.decided,
        other => panic!("{other:?}"),
    };
    candidates.iter().map(of).collect()
}

#[test]
fn the_week_is_named_where_it_decided_and_only_there() {
    let given = |id, name: &str, hundredths| {
        let mut person = person(id, name, &[]);
        person.given = GivenWork::of_hundredths(hundredths);
        person
    };
    let mut busy = given(4, "Dee", 0);
    busy.load = Load::new(100, 0, 1);
    let people = vec![
        given(1, "Ann", 650),
        given(2, "Bo", 420),
        given(3, "Cy", 700),
        busy,
    ];
    let order = order(1, &[], &[]);
    let candidates = ranked(std::slice::from_ref(&order), people);
    // Ann had less than Cy and not the least; Dee has work in hand.
    assert_eq!(ids(&candidates), [2, 1, 3, 4]);
    assert_eq!(decided(&candidates), [true, false, false, false]);
    // Of two who had the same the name decides.
    let people = vec![given(1, "Ann", 650), given(2, "Bo", 650)];
    let candidates = ranked(&[order], people);
    assert_eq!(decided(&candidates), [false, false]);
}

#[test]
fn the_highest_required_level_of_a_skill_counts() {
    let rules = RuleBook::new(
        vec![rule("BRK", BRAKES, 3), rule("BRKX", BRAKES, 4)],
        vec![],
    );
    let order = order(1, &["BRKX", "BRK"], &[]);
    let wanted = wanted(&[&order], &rules, &ClockTimes::default());
    assert_eq!((wanted.len(), wanted[0].level), (1, 4));
}

prop_compose! {
    fn anybody()(
        name in "[a-c]",
        skills in proptest::collection::btree_map(BRAKES..=ENGINE, 0..6_i32, 0..=2),
        daily in 1..24_u8,
        load in (0..2_000_i64, 0..4_u32, 0..4_u32),
        portal_enabled in any::<bool>(),
        given in 0..3_i64,
        clock in prop_oneof![
            Just(ClockState::Off),
            Just(ClockState::Idle),
            Just(ClockState::OnJob),
        ],
    ) -> Person {
        let skills: Vec<_> = skills.into_iter().collect();
        let mut person = person(0, &name, &skills);
        person.technician.daily = DailyMinutes::of_hours(daily.into()).unwrap();
        person.load = Load::new(load.0, load.1, load.2);
        person.portal_enabled = portal_enabled;
        person.clock = clock;
        person.given = GivenWork::of_hundredths(given);
        person
    }
}

prop_compose! {
    /// Numbered from 1.
    fn everybody()(mut people in proptest::collection::vec(anybody(), 1..8)) -> Vec<Person> {
        for (id, person) in (1..).zip(&mut people) {
            person.technician.id_technician = id;
        }
        people
    }
}

prop_compose! {
    fn some_orders()(
        orders in proptest::collection::vec((
            proptest::collection::vec(prop_oneof![Just("BRKF"), Just("ENG"), Just("LOF")], 0..3),
            proptest::collection::vec(1..8_i64, 0..3),
        ), 1..4),
    ) -> Vec<RepairOrder> {
        let order = |(number, (opcodes, on)): (i64, &(Vec<&str>, Vec<i64>))| {
            order(number, opcodes, on)
        };
        (1..).zip(&orders).map(order).collect()
    }
}

fn place(candidates: &[Candidate], id: TechnicianId) -> usize {
    candidates
        .iter()
        .position(|one| one.id_technician == id)
        .unwrap()
}

proptest! {
    #[test]
    fn the_ranking_does_not_depend_on_the_order_of_the_technicians(
        orders in some_orders(),
        (people, shuffled) in everybody()
            .prop_flat_map(|people| (Just(people.clone()), Just(people).prop_shuffle())),
    ) {
        let candidates = ranked(&orders, people.clone());
        prop_assert_eq!(&candidates, &ranked(&orders, shuffled));
        let mut backwards = orders;
        backwards.reverse();
        prop_assert_eq!(ids(&candidates), ids(&ranked(&backwards, people.clone())));
        let mut all = ids(&candidates);
        all.sort_unstable();
        let ids: Vec<_> = people.iter().map(|one| one.technician.id_technician).collect();
        prop_assert_eq!(all, ids);
    }

    #[test]
    fn the_ranking_is_antisymmetric_and_transitive(
        orders in some_orders(),
        people in proptest::collection::vec(anybody(), 3),
    ) {
        let wanted = wanted(&orders.iter().collect::<Vec<_>>(), &rules(), &ClockTimes::default());
        let standing = |(id, person): (i64, &Person)| {
            let mut person = person.clone();
            person.technician.id_technician = id;
            Standing::of(person, &wanted, &rules(), usize::from(id == 2), 1)
        };
        let all: Vec<_> = (1..).zip(&people).map(standing).collect();
        for a in &all {
            for b in &all {
                prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
                prop_assert_eq!(a == b, std::ptr::eq(a, b));
                for c in &all {
                    prop_assert!(!(a < b && b < c) || a < c);
                }
            }
        }
    }

    #[test]
    fn the_week_decides_only_where_all_else_is_equal(
        orders in some_orders(),
        people in everybody(),
    ) {
        let candidates = ranked(&orders, people.clone());
        let mut equal = people.clone();
        for person in &mut equal {
            person.given = GivenWork::default();
        }
        let without = ranked(&orders, equal);
        let refs: Vec<&RepairOrder> = orders.iter().collect();
        let wanted = wanted(&refs, &rules(), &ClockTimes::default());
        let standing = |person: &Person| {
            let id = person.technician.id_technician;
            let on = orders.iter().filter(|order| technicians_on(order).contains(&id));
            Standing::of(person.clone(), &wanted, &rules(), on.count(), orders.len())
        };
        let is_before = |ranking: &[Candidate], one: &Person, other: &Person| {
            let at = |person: &Person| place(ranking, person.technician.id_technician);
            at(one) < at(other)
        };
        for one in &people {
            for other in &people {
                let (a, b) = (standing(one), standing(other));
                if a.compare_fit(&b) != Ordering::Equal {
                    let before = is_before(&without, one, other);
                    prop_assert_eq!(is_before(&candidates, one, other), before);
                } else if one.given.total.weight() < other.given.total.weight() {
                    prop_assert!(is_before(&candidates, one, other));
                }
            }
        }
    }

    #[test]
    fn more_assigned_work_never_raises_a_technicians_rank(
        orders in some_orders(),
        people in everybody(),
        pick in any::<prop::sample::Index>(),
        more in (0..500_i64, 0..3_u32, 0..3_u32),
    ) {
        let index = pick.index(people.len());
        let id = people[index].technician.id_technician;
        let before = place(&ranked(&orders, people.clone()), id);
        let mut busier = people;
        let more = Load::new(more.0, more.1, more.2);
        busier[index].load.add(more);
        busier[index].due.add(more);
        prop_assert!(place(&ranked(&orders, busier), id) >= before);
    }

    #[test]
    fn another_skill_or_a_higher_level_never_lowers_a_technicians_rank(
        orders in some_orders(),
        people in everybody(),
        pick in any::<prop::sample::Index>(),
        skill in BRAKES..=ENGINE,
        higher in 0..6_i32,
    ) {
        let index = pick.index(people.len());
        let id = people[index].technician.id_technician;
        let before = place(&ranked(&orders, people.clone()), id);
        let mut better = people;
        let skills = &mut better[index].technician.skills;
        match skills.iter_mut().find(|theirs| theirs.id_skill == skill) {
            Some(theirs) => theirs.level += higher,
            None => skills.push(TechnicianSkill {
                id_skill: skill,
                skill_name: String::new(),
                level: higher,
            }),
        }
        prop_assert!(place(&ranked(&orders, better), id) <= before);
    }
}
