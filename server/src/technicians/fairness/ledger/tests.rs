use dispatch_actors::repair_order::{AssignedTechnician, Job, Operation, Status};
use proptest::prelude::*;

use super::*;
use crate::technicians::workload::load::tests::plain_order;

/// Operation codes and hundredths of hours of each job.
type Jobs = Vec<(&'static str, Option<i32>)>;

fn given(number: i64, jobs: &Jobs, on: &[TechnicianId], to: &[TechnicianId]) -> GivenOrder {
    let job = |(job_number, (code, hundredths)): (i32, &(&str, Option<i32>))| Job {
        job_number,
        operations: vec![Operation {
            operation_code: (*code).to_owned(),
            sold_hours: hundredths.and_then(SoldHours::from_hundredths),
            ..Operation::default()
        }],
        ..Job::default()
    };
    let on = on.iter().map(|technician| AssignedTechnician {
        technician: *technician,
        name: None,
    });
    let order = RepairOrder {
        regular_technicians: on.collect(),
        jobs: Arc::new((1..).zip(jobs).map(job).collect()),
        ..plain_order(number)
    };
    GivenOrder {
        order: Arc::new(order),
        to: to.iter().copied().collect(),
    }
}

fn kinds() -> WorkKindBook {
    WorkKindBook::new([
        ("DIAG*", CodeKind::Diagnosis),
        ("W*", CodeKind::Warranty),
        ("LOF", CodeKind::Menu),
    ])
}

fn amount(hundredths: i64, jobs: u32, jobs_without_hours: u32) -> Amount {
    Amount {
        millionths: hundredths * HUNDREDTH,
        jobs,
        jobs_without_hours,
    }
}

#[test]
fn an_order_counts_with_all_its_jobs_for_those_who_came_on_it() {
    let jobs = vec![("DIAG1", Some(100)), ("LOF", Some(50)), ("X", None)];
    let mut waiter = given(1, &jobs, &[7, 8], &[7]);
    Arc::make_mut(&mut waiter.order).app_customer_status = Some(Status::Waiting);
    let other = given(2, &vec![("lof", Some(30))], &[7], &[7]);
    let work = given_work(&[waiter, other], &kinds());
    assert_eq!(work.len(), 1, "8 was on it before");
    assert_eq!(work[&7].total, amount(105, 4, 1));
    assert_eq!(
        work[&7].kinds,
        BTreeMap::from([
            (WorkKind::Waiter, amount(75, 3, 1)),
            (WorkKind::Diagnosis, amount(50, 1, 0)),
            (WorkKind::Menu, amount(55, 2, 0)),
        ])
    );
}

#[test]
fn of_a_code_that_the_shop_said_nothing_of_no_kind_is_known() {
    let order = given(1, &vec![("BRK", Some(100))], &[7], &[7]);
    let work = given_work(&[order], &kinds());
    assert_eq!(work[&7].kinds, BTreeMap::new());
}

#[test]
fn the_average_is_of_those_who_came_on_the_clock() {
    let orders = [
        given(1, &vec![("A", Some(600))], &[7], &[7]),
        given(2, &vec![("A", Some(300)), ("B", None)], &[8], &[8]),
        given(3, &vec![("A", Some(900))], &[9], &[9]),
    ];
    let work = given_work(&orders, &kinds());
    let team = Team::of(&work, &HashSet::from([7, 8, 10]));
    assert_eq!(team.average_hours(), Some(3.0), "10 had nothing");
    assert_eq!((team.count, team.jobs_without_hours), (3, 1));
    assert_eq!(Team::of(&work, &HashSet::new()).average_hours(), None);
}

prop_compose! {
    fn any_order()(
        number in 1..1_000_i64,
        jobs in proptest::collection::vec(
            (
                prop_oneof![Just("DIAG2"), Just("WX"), Just("LOF"), Just("BRK")],
                proptest::option::of(1..2_000_i32),
            ),
            0..4,
        ),
        on in proptest::collection::btree_set(1..8_i64, 0..5),
        before in proptest::collection::btree_set(1..8_i64, 0..3),
        waits in any::<bool>(),
    ) -> GivenOrder {
        let to: Vec<_> = on.difference(&before).copied().collect();
        let on: Vec<_> = on.into_iter().collect();
        let mut order = given(number, &jobs, &on, &to);
        if waits {
            Arc::make_mut(&mut order.order).app_customer_status = Some(Status::Waiting);
        }
        order
    }
}

/// Sold hours of all its jobs, in millionths.
fn sold(order: &RepairOrder) -> i64 {
    let sold = order.jobs.iter().filter_map(Job::sold_hours);
    sold.map(|sold| i64::from(sold.hundredths()) * HUNDREDTH)
        .sum()
}

proptest! {
    #[test]
    fn the_totals_are_the_sold_hours_of_the_assignments(
        orders in proptest::collection::vec(any_order(), 0..12),
    ) {
        let work = given_work(&orders, &kinds());
        let total: i64 = work.values().map(|one| one.total.millionths).sum();
        // Rounding is within a millionth of an hour for each assignment of a job.
        let (mut exact, mut parts, mut whole, mut shared) = (0.0, 0.0, 0, true);
        for GivenOrder { order, to } in &orders {
            let on = technicians_on(order).len();
            if on == 0 {
                continue;
            }
            exact += sold(order) as f64 * to.len() as f64 / on as f64;
            parts += (to.len() * order.jobs.len()) as f64;
            whole += sold(order);
            shared &= to.len() == on;
        }
        prop_assert!((total as f64 - exact).abs() <= parts);
        // Where everybody on the orders came on them this week, it is all that was sold, to the millionth.
        if shared {
            prop_assert_eq!(total, whole);
        }
    }

    #[test]
    fn nobody_has_more_of_a_kind_than_in_all_and_jobs_are_counted_once(
        orders in proptest::collection::vec(any_order(), 0..12),
    ) {
        let work = given_work(&orders, &kinds());
        for (technician, given) in &work {
            for amount in given.kinds.values() {
                prop_assert!(amount.millionths <= given.total.millionths);
                prop_assert!(amount.jobs <= given.total.jobs);
                prop_assert!(amount.jobs_without_hours <= given.total.jobs_without_hours);
            }
            let theirs = orders.iter().filter(|one| one.to.contains(technician));
            let jobs: usize = theirs.map(|one| one.order.jobs.len()).sum();
            prop_assert_eq!(given.total.jobs as usize, jobs);
        }
    }

    #[test]
    fn the_order_of_the_orders_does_not_matter(
        mut orders in proptest::collection::vec(any_order(), 0..12),
    ) {
        let work = given_work(&orders, &kinds());
        orders.reverse();
        prop_assert_eq!(given_work(&orders, &kinds()), work);
    }

    #[test]
    fn who_is_taken_off_an_order_has_nothing_of_it(
        orders in proptest::collection::vec(any_order(), 1..12),
    ) {
        // Whoever handed it back is not among those who are on it.
        let mut without: Vec<GivenOrder> = Vec::new();
        for GivenOrder { order, to } in &orders {
            let mut order = Arc::clone(order);
            Arc::make_mut(&mut order).regular_technicians.retain(|one| one.technician != 1);
            without.push(GivenOrder { order, to: to.clone() });
        }
        prop_assert!(!given_work(&without, &kinds()).contains_key(&1));
    }
}
