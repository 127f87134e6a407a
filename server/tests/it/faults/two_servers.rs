//! Two servers on one database: what is changed at one is announced and can be changed at the other.

use std::time::Duration;

use dispatch_actors::testing::Throwaway;
use serde_json::{Value, json};
use tokio::time::{Instant, interval, sleep};

use super::{catches_up, hears};
use crate::fixture::{Desk, Ledger, Server, Shop, plain_orders};

const ORDERS: i64 = 4;

/// Longer than a server goes without a look at the log.
const LONGER_THAN_A_LOOK: Duration = Duration::from_secs(6);

struct TwoServers {
    _one: Server,
    other: Server,
    /// The same person at each.
    here: Desk,
    there: Desk,
    ledger: Ledger,
}

impl TwoServers {
    async fn open() -> Self {
        let database = Throwaway::postgres().await;
        let one = Server::start_in(Shop::on(&database), &[]).await;
        one.shop.import(&plain_orders(ORDERS)).await;
        let other = Server::start_in(Shop::on(&database), &[]).await;
        let here = one.hire("owner@example.com", "Owner").await;
        Self {
            there: Desk::at(&other, &here),
            here,
            other,
            _one: one,
            ledger: Ledger::default(),
        }
    }

    async fn both_keep_it(&self) {
        for desk in [&self.here, &self.there] {
            catches_up(desk, &self.ledger).await;
            self.ledger.is_kept(desk).await;
        }
    }
}

#[tokio::test]
async fn a_server_that_handles_changes_without_effect_still_follows_the_other_server() {
    let mut two = TwoServers::open().await;
    let mut socket = two.there.listen(&two.other).await;
    let there = &two.there;
    let asks = async {
        // Twice a second, each to be answered once, as pages ask.
        let mut often = interval(Duration::from_millis(500));
        for round in 0.. {
            often.tick().await;
            let body = json!({ "data": [{ "roNumber": 4, "priorityLevel": 1 }] });
            let path = "/api/repair-orders/update-priority";
            let key = format!("nothing-new-{round}");
            there.post_with_key(path, body, &key).await.good();
        }
    };
    let (here, ledger) = (&two.here, &mut two.ledger);
    let changes = async {
        let until = Instant::now() + LONGER_THAN_A_LOOK;
        while Instant::now() < until {
            let changed = ledger.change(here, 1).await.result();
            hears(&mut socket, &changed[0]["seq"]).await;
            sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::select! {
        () = asks => {}
        () = changes => {}
    }
    two.both_keep_it().await;
}

#[tokio::test]
async fn an_order_can_be_changed_at_both_servers_in_turn_at_the_version_it_has() {
    let mut two = TwoServers::open().await;
    let mut version = 1;
    for _ in 0..10 {
        for desk in [&two.here, &two.there] {
            let changed = two.ledger.change_at(desk, 1, version).await.result();
            version = changed[0]["version"].as_i64().unwrap();
        }
    }
    two.both_keep_it().await;
}

#[tokio::test]
async fn a_stale_version_is_refused_at_both_servers() {
    let mut two = TwoServers::open().await;
    for _ in 0..5 {
        for (desk, other) in [(&two.here, &two.there), (&two.there, &two.here)] {
            let changed = two.ledger.change(desk, 1).await.result();
            let version = changed[0]["version"].as_i64().unwrap();
            let refused = two.ledger.change_at(other, 1, version - 1).await;
            assert_eq!(refused.status, 409, "{refused:?}");
            assert_eq!(refused.body["current"]["version"], version, "{refused:?}");
        }
    }
    two.both_keep_it().await;
}

#[tokio::test]
async fn a_server_does_not_trust_its_cached_copy_of_an_order() {
    let two = TwoServers::open().await;
    let priority = |answer: &Value| answer[0]["rows"][0]["priorityName"].clone();
    for _ in 0..5 {
        for (desk, other) in [(&two.here, &two.there), (&two.there, &two.here)] {
            // One server caches a value, and the other changes it; then the first is asked to set
            // the cached value.
            let remembered = priority(&desk.change_priority(1, 3).await.result());
            other.change_priority(1, 2).await.good();
            let acknowledged = desk.change_priority(1, 3).await.result();
            assert_eq!(priority(&acknowledged), remembered);
            let store = two.other.shop.store().await;
            let kept = store.load(1.try_into().unwrap()).await.unwrap().unwrap();
            assert_eq!(json!(kept.priority), remembered, "{acknowledged}");
        }
    }
}

#[tokio::test]
async fn a_server_assigns_again_although_its_cache_still_has_the_removed_assignment() {
    let two = TwoServers::open().await;
    two.other.shop.hire_technicians().await;
    for (desk, other) in [(&two.here, &two.there), (&two.there, &two.here)] {
        desk.assign(2, 11).await.good();
        other.unassign(2, 11).await.good();
        desk.assign(2, 11).await.good();
        let store = two.other.shop.store().await;
        let kept = store.load(2.try_into().unwrap()).await.unwrap().unwrap();
        let technicians = kept.regular_technicians.iter();
        let numbers: Vec<i64> = technicians.map(|one| one.technician).collect();
        assert_eq!(numbers, [11]);
        other.unassign(2, 11).await.good();
    }
}
