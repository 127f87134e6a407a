use super::super::load::tests::plain_order;
use super::super::order_counts::DropCounts;
use super::*;
use dispatch_actors::repair_order::{AssignedTechnician, Priority, Status};

fn order(number: i64, status: Status, priority: Priority, regular: &[i64]) -> RepairOrder {
    RepairOrder {
        customer_status: "Used".to_owned(),
        app_customer_status: Some(status),
        priority,
        regular_technicians: regular.iter().map(|id| called(*id, None)).collect(),
        ..plain_order(number)
    }
}

fn called(technician: i64, name: Option<&str>) -> AssignedTechnician {
    AssignedTechnician {
        technician,
        name: name.map(str::to_owned),
    }
}

fn at_work(
    orders: &[RepairOrder],
    listed_ids: &[i64],
    visible: Visibility,
) -> Vec<TechnicianAssignments> {
    let listed = |id: i64| Technician {
        id_technician: id,
        display_name: format!("Technician {id}"),
        specialty: "Brakes".to_owned(),
        max_skill_name: None,
        id_level: Some(2),
        level_name: Some("Master".to_owned()),
        daily: DailyMinutes::stored(6 * 60),
        skills: vec![],
    };
    let shop = Shop {
        listed: listed_ids.iter().map(|id| (*id, listed(*id))).collect(),
        portals: vec![2],
        clocks: ClockTimes::default(),
        days: DaysLeft {
            attendance: HashMap::new(),
            hours: Default::default(),
            zone: jiff::tz::TimeZone::UTC,
            now: Timestamp::UNIX_EPOCH,
        },
        tomorrow: Timestamp::MAX,
        stages: Arc::default(),
    };
    let names = TechnicianNames::default();
    shop.at_work(|| orders.iter(), &names, visible, true)
}

fn numbers(technician: &TechnicianAssignments) -> Vec<i64> {
    let rows = technician.assignments.iter();
    rows.map(|row| row.repair_order_number).collect()
}

#[test]
fn each_order_is_counted_under_the_status_that_is_shown() {
    use Priority::{High, Low, Medium, Waiting};
    let orders = [
        order(1, Status::Waiting, Waiting, &[7]),
        order(2, Status::Drop, High, &[7]),
        order(3, Status::Eng, Medium, &[7]),
        order(4, Status::Trans, Low, &[7]),
        order(5, Status::Drop, Waiting, &[7]),
        order(6, Status::Pdi, High, &[7]),
        order(7, Status::Used, Low, &[7]),
        order(8, Status::Used, Low, &[8]),
    ];
    let result = at_work(&orders, &[7], Visibility::Own(Some(7)));
    assert_eq!(result.len(), 1);
    assert_eq!(
        result[0].counts,
        OrderCounts {
            waiting: 1,
            drop: DropCounts {
                total: 4,
                high: 1,
                medium: 1,
                low: 1,
            },
            pdi: 1,
            used: 1,
            total: 7,
        }
    );
}

#[test]
fn the_most_urgent_comes_first_and_then_the_lower_number() {
    use Priority::{High, Low, Medium, Waiting};
    let orders = [
        order(1, Status::Pdi, High, &[7]),
        order(2, Status::Used, High, &[7]),
        order(3, Status::Drop, Low, &[7]),
        order(4, Status::Eng, Medium, &[7]),
        order(6, Status::Trans, High, &[7]),
        order(5, Status::Drop, High, &[7]),
        order(7, Status::Drop, Waiting, &[7]),
        order(9, Status::Waiting, Low, &[7]),
        order(8, Status::Waiting, Waiting, &[7]),
    ];
    let result = at_work(&orders, &[7], Visibility::Shop);
    let mine = result.iter().find(|t| t.technician_id == 7).unwrap();
    assert_eq!(numbers(mine), [8, 9, 7, 5, 6, 4, 3, 2, 1]);
}

#[test]
fn an_order_counts_once_for_a_technician_assigned_to_it_twice() {
    let mut twice = order(1, Status::Drop, Priority::Low, &[7, 8]);
    twice.etl_technicians = vec![called(7, None)];
    let result = at_work(&[twice], &[7], Visibility::Own(Some(7)));
    assert_eq!(result[0].counts.total, 1);
    let rows = &result[0].assignments;
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0].regular_id_technician, Some(7));
    assert_eq!(rows[1].etl_id_technician, Some(7));
}

#[test]
fn technicians_come_from_the_staff_list_from_accounts_and_from_orders() {
    let mut order = order(1, Status::Drop, Priority::Low, &[]);
    order.etl_technicians = vec![called(3, Some("Marcus Bell")), called(4, None)];
    let result = at_work(&[order], &[1], Visibility::Shop);
    let ranked: Vec<_> = result
        .iter()
        .map(|t| {
            let name = t.full_name.as_str();
            (
                t.technician_id,
                name,
                t.specialty.as_str(),
                t.portal_enabled,
            )
        })
        .collect();
    assert_eq!(
        ranked,
        [
            (3, "Marcus Bell", "", false),
            (1, "Technician 1", "Brakes", false),
            (2, "Technician 2", "", true),
            (4, "Technician 4", "", false),
        ]
    );
    assert_eq!(result[1].counts, OrderCounts::default());
    assert_eq!(numbers(&result[0]), [1]);
}

#[test]
fn a_caller_limited_to_their_own_technician_sees_none_without_one() {
    let order = order(1, Status::Drop, Priority::Low, &[7, 8]);
    let of = |own| at_work(std::slice::from_ref(&order), &[7], own);
    assert!(of(Visibility::Own(None)).is_empty());
    let own = of(Visibility::Own(Some(8)));
    assert_eq!(own.len(), 1);
    assert_eq!((own[0].technician_id, numbers(&own[0])), (8, vec![1]));
}
