//! Whether servers on one database agree on what there is, once nobody changes anything any more.

use tokio::time::{Duration, Instant, sleep};

use super::RETURN;
use super::torture::{find_lost_changes, shortened};
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::order::List;
use crate::report::{Report, event_count, newest};
use crate::target::{Address, SignIn};
use crate::writer::Written;

/// Between two looks at a server that is behind.
const LOOK: Duration = Duration::from_millis(50);

/// Servers on which nobody else worked since `start`: all have what was acknowledged and nothing besides.
pub async fn judge_servers(
    servers: &[Address],
    account: &SignIn,
    written: &[Written],
    start: &List,
    report: &mut Report,
) -> Result<(), LoadTestError> {
    let acknowledged = newest(written);
    let lists = final_lists(servers, account, acknowledged).await?;
    report.faults.extend(differing_lists(&lists, acknowledged));
    let mut lost = Vec::new();
    for address in servers {
        let desk = Desk::sign_in(address, account).await?;
        lost.extend(find_lost_changes(&desk, written).await?);
    }
    report.value("lost", "acknowledged and lost", lost.len());
    report.faults.extend(shortened(lost));
    if let Some((_, list)) = lists.first() {
        let doubled = list.seq - start.seq - event_count(written);
        report.value("doubled", "done twice", doubled);
        if doubled != 0 {
            let fault =
                "events more than were acknowledged: something was done twice, or not at all";
            report.faults.push(format!("{doubled} {fault}"));
        }
    }
    Ok(())
}

/// What each server answers by itself, as soon as it has what was acknowledged at any, and what those before it have; or
/// what it has when that does not come.
pub async fn final_lists(
    servers: &[Address],
    account: &SignIn,
    acknowledged: i64,
) -> Result<Vec<(Address, List)>, LoadTestError> {
    let mut lists: Vec<(Address, List)> = Vec::new();
    for address in servers {
        let desk = Desk::sign_in(address, account).await?;
        let until = Instant::now() + RETURN;
        let newest = lists.iter().map(|(_, list)| list.seq).max();
        let newest = newest.unwrap_or(acknowledged);
        let mut list = desk.list().await?;
        while list.seq < newest && Instant::now() < until {
            sleep(LOOK).await;
            list = desk.list().await?;
        }
        lists.push((address.clone(), list));
    }
    Ok(lists)
}

/// A sentence for each server that answers something else than the first one, or lacks what was acknowledged.
pub fn differing_lists(lists: &[(Address, List)], acknowledged: i64) -> Vec<String> {
    let Some((_, first)) = lists.first() else {
        return Vec::new();
    };
    let differs = |list: &List| {
        list.seq < acknowledged || list.seq != first.seq || list.orders != first.orders
    };
    let sentence = |(address, list): &(Address, List)| {
        let (seq, top) = (list.seq, first.seq);
        differs(list).then(|| {
            format!(
                "{address} answers another list (event {seq}) than the first (event {top}); event {acknowledged} was acknowledged"
            )
        })
    };
    lists.iter().filter_map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::order::Row;

    fn server(port: u16, seq: i64, version: i64) -> (Address, List) {
        let row = json!({ "repairOrderNumber": 1, "version": version, "appCustomerStatus": null, "priorityName": "Low" });
        let row: Row = serde_json::from_value(row).unwrap();
        let address = format!("http://127.0.0.1:{port}").parse().unwrap();
        (address, List::new(seq, &[row]))
    }

    #[test]
    fn servers_that_answer_the_same_agree() {
        assert_eq!(
            differing_lists(&[server(1, 9, 3), server(2, 9, 3)], 9),
            [""; 0]
        );
    }

    #[test]
    fn a_server_that_is_behind_or_has_another_order_is_named() {
        for other in [server(2, 8, 3), server(2, 9, 2)] {
            let faults = differing_lists(&[server(1, 9, 3), other], 9);
            assert_eq!(faults.len(), 1);
            assert!(faults[0].starts_with("http://127.0.0.1:2 "), "{faults:?}");
        }
    }

    #[test]
    fn servers_that_all_lack_what_was_acknowledged_are_named() {
        assert_eq!(
            differing_lists(&[server(1, 9, 3), server(2, 9, 3)], 10).len(),
            2
        );
    }
}
